"""No nonce twice and no packet twice, wherever the power fails: at every single write to EEPROM."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator

import pytest

from tatulink.tests.host_library import OWN_BYTES, SENDER_BYTES, Device, Form, Status, build

KEY, OTHER_KEY = bytes(range(16)), bytes(range(200, 216))
FORM = Form(8, 8)


class Lives:
    """A sender and a receiver through resets: every nonce that was used, every packet that was accepted."""

    def __init__(self, library: ctypes.CDLL | None = None) -> None:
        self.sender, self.receiver = Device(0, FORM, library), Device(1, FORM, library)
        assert self.sender.provision(3, KEY) is Status.OK
        assert self.receiver.provision(4, KEY) is Status.OK
        self.nonces: set[bytes] = set()
        self.sent: list[bytes] = []
        self.accepted: set[bytes] = set()
        self.repeated_nonces = 0
        self.accepted_twice = 0

    def send(self) -> bytes:
        status, packet = self.sender.try_seal(len(self.sent).to_bytes(4, "big"))
        # Without power nothing leaves the device.
        if status is not Status.OK or not self.sender.has_power:
            return b""
        nonce = packet[:8]
        self.repeated_nonces += nonce in self.nonces
        self.nonces.add(nonce)
        self.sent.append(packet)
        return packet

    def receive(self, packet: bytes) -> None:
        opened = self.receiver.open(packet)
        if opened.status is Status.OK and self.receiver.has_power:
            self.accepted_twice += packet in self.accepted
            self.accepted.add(packet)

    def replay_all(self) -> None:
        for packet in self.sent:
            self.receive(packet)


def cut(device: Device, writes: int, torn: int) -> Iterator[None]:
    """Power fails at a write; then the device begins again."""
    device.power_fails_after(writes, torn)
    yield
    device.power_fails_after(-1)
    assert device.begin() is Status.OK


@pytest.mark.parametrize("torn", [0x00, 0xFF, 0x5A])
def test_the_sender_through_a_cut_at_every_write(torn: int) -> None:
    """A cut at write 1, 2, ... of three blocks' reservations."""
    lives = Lives()
    for writes in range(1, 90):
        for _ in cut(lives.sender, writes, torn):
            for _ in range(3):
                lives.sender.begin()
                lives.send()
        lives.send()
    assert lives.repeated_nonces == 0
    assert len(lives.nonces) > 100


@pytest.mark.parametrize("torn", [0x00, 0xFF, 0x5A])
def test_the_receiver_through_a_cut_at_every_write(torn: int) -> None:
    lives = Lives()
    for writes in range(1, 60):
        for _ in cut(lives.receiver, writes, torn):
            for _ in range(70):
                lives.receive(lives.send())
        # Within a quarter of the tries everything ever sent comes again.
        if writes % 4 == 0:
            lives.replay_all()
    lives.replay_all()
    assert lives.accepted_twice == 0
    assert len(lives.accepted) > 1000


def test_a_first_packet_through_a_cut_at_every_write() -> None:
    """The first record of a sender is torn: the place stays free, and nothing was accepted."""
    for writes in range(1, 12):
        lives = Lives()
        packet = lives.send()
        for _ in cut(lives.receiver, writes, 0x5A):
            lives.receive(packet)
        lives.receive(packet)
        assert lives.accepted_twice == 0
        assert packet in lives.accepted or lives.receiver.open(packet).status is Status.TOO_OLD


@pytest.mark.parametrize("torn", [0x00, 0xFF, 0x5A])
@pytest.mark.parametrize("reservations", [1, 5, 16, 20])
def test_provisioning_with_another_key_through_a_cut_at_every_write(torn: int, reservations: int) -> None:
    """The old key either goes on above its highest counter or is gone."""
    model = Lives()
    for _ in range(reservations):
        model.sender.begin()
    used = model.send()
    before = bytes(model.sender.eeprom)
    writes_before = model.sender.writes
    assert model.sender.provision(3, OTHER_KEY) is Status.OK
    writes = model.sender.writes - writes_before
    assert writes > 32
    for cut_at in range(1, writes + 1):
        model.sender.eeprom[:] = list(before)
        model.sender.power_fails_after(cut_at, torn)
        model.sender.provision(3, OTHER_KEY)
        model.sender.power_fails_after(-1)
        if model.sender.begin() is not Status.OK:
            continue
        _, packet = model.sender.try_seal(b"\0\0\0\0")
        own = Device(2, FORM)
        own.provision(9, KEY)
        of_the_old_key = own.open(packet).status is Status.OK
        assert not of_the_old_key or packet[4:8] > used[4:8]


def test_random_lives_with_rot() -> None:
    """Both devices, cuts, cells that rot, replays: 3,000 resets."""
    lives = random_lives(Lives(), random.Random(1), 3000)
    assert lives.repeated_nonces == 0
    assert lives.accepted_twice == 0
    assert len(lives.accepted) > 3000


def random_lives(lives: Lives, source: random.Random, resets: int, rot: float = 0.05) -> Lives:
    for _ in range(resets):
        device = source.choice([lives.sender, lives.receiver])
        device.power_fails_after(source.randrange(1, 70) if source.random() < 0.7 else -1, source.randrange(256))
        device.begin()
        for _ in range(source.choice([0, 1, 3, 31, 33, source.randrange(70)])):
            packet = lives.send()
            if packet and source.random() < 0.8:
                lives.receive(packet)
            if lives.sent and source.random() < 0.3:
                lives.receive(source.choice(lives.sent[-200:]))
        device.power_fails_after(-1)
        if source.random() < rot:
            start = 0 if device is lives.sender else OWN_BYTES
            size = OWN_BYTES if device is lives.sender else SENDER_BYTES
            device.eeprom[start + source.randrange(size)] ^= 1 << source.randrange(8)
        device.begin()
    return lives


@pytest.mark.parametrize(
    ("file", "text", "instead"),
    [
        ("mark.c", "mark->value + skipped", "mark->value"),
        ("mark.c", "(uint8_t)(mark->spoiled + 1)", "1"),
        ("mark.c", "complete(ring, record, next);", "complete(ring, record, first);"),
        ("link.c", "!sender->is_known || counter >= sender->mark.value", "!sender->is_known"),
    ],
)
def test_random_lives_see_a_fault(file: str, text: str, instead: str) -> None:
    lives = random_lives(Lives(build({file: (text, instead)})), random.Random(1), 1500, rot=0.3)
    assert lives.repeated_nonces + lives.accepted_twice > 0


def test_provisioning_sees_the_highest_record_erased_first() -> None:
    """The cut test above with a ring that is erased from its beginning: an older mark becomes the highest."""
    text = "(uint8_t)((mark->position + step) % ring->records)"
    faulty = build({"mark.c": (text, "(uint8_t)(step - 1U + 0U * mark->position)")})
    sender = Device(0, FORM, faulty)
    sender.provision(3, KEY)
    for _ in range(17):
        sender.begin()
    used = sender.seal(b"x")
    before = bytes(sender.eeprom)
    went_back = 0
    for cut_at in range(1, 300):
        sender.eeprom[:] = list(before)
        sender.power_fails_after(cut_at, 0x5A)
        sender.provision(3, OTHER_KEY)
        sender.power_fails_after(-1)
        own = Device(1, FORM, faulty)
        own.provision(9, KEY)
        if sender.begin() is Status.OK:
            packet = sender.seal(b"x")
            went_back += own.open(packet).status is Status.OK and packet[4:8] <= used[4:8]
    assert went_back > 0


def test_cells_wear_slowly() -> None:
    """30,000 messages sent and received: a cell of the sender's is written once in 4,096, one of the receiver's once
    in 256.
    """
    lives = Lives()
    for _ in range(30_000):
        lives.receive(lives.send())
    assert len(lives.accepted) == 30_000
    assert lives.sender.c.host_most_wear(0) <= 30_000 // 4096 + 2
    assert lives.sender.c.host_most_wear(1) <= 30_000 // 256 + 2
