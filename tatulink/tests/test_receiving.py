"""What a receiver refuses, and why."""

from __future__ import annotations

import random

import pytest

from tatulink.tests.host_library import AES_CCM, OWN_BYTES, SENDER_BYTES, Device, Form, Status, build

FORMS = [Form(4, 4, AES_CCM), Form(4, 8), Form(8, 8), Form(8, 16), Form(12, 16, AES_CCM)]
KEY = bytes(range(50, 66))


def pair(form: Form = FORMS[2]) -> tuple[Device, Device]:
    sender, receiver = Device(0, form), Device(1, form)
    assert sender.provision(3, KEY) is Status.OK
    assert receiver.provision(4, KEY) is Status.OK
    return sender, receiver


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_changed_bit_is_noticed(form: Form) -> None:
    sender, receiver = pair(form)
    packet = sender.seal(b"12 mm")
    for bit in range(8 * len(packet)):
        changed = bytearray(packet)
        changed[bit // 8] ^= 1 << bit % 8
        assert receiver.open(bytes(changed)).status in (
            Status.FORGED,
            Status.NO_PACKET,
            Status.OWN_PACKET,
            Status.OTHER_RECIPIENT,
        )
    assert receiver.open(packet).message == b"12 mm"


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_truncation_and_every_addition_is_noticed(form: Form) -> None:
    sender, receiver = pair(form)
    packet = sender.seal(b"12 mm")
    for length in range(len(packet)):
        assert receiver.open(packet[:length]).status in (Status.FORGED, Status.NO_PACKET)
    for more in range(1, 20):
        assert receiver.open(packet + bytes(more)).status is Status.FORGED
    assert receiver.open(packet).message == b"12 mm"


def test_random_packets_are_refused() -> None:
    _, receiver = pair()
    source = random.Random(7)
    for _ in range(20_000):
        head = bytes([0x10, 0x10, 0, 3]) if source.random() < 0.8 else b""
        packet = head + source.randbytes(source.randrange(60))
        assert receiver.open(packet).status in (Status.FORGED, Status.NO_PACKET)


def test_another_groups_packet_is_a_forgery() -> None:
    sender, receiver = pair()
    stranger = Device(2)
    stranger.provision(3, bytes(16))
    assert receiver.open(stranger.seal(b"x")).status is Status.FORGED
    assert receiver.open(sender.seal(b"y")).message == b"y"


def test_a_packet_that_comes_back_is_refused() -> None:
    sender, _ = pair()
    assert sender.open(sender.seal(b"x")).status is Status.OWN_PACKET


def test_a_packet_for_another_is_refused() -> None:
    form = Form(12, 8)
    sender, receiver = pair(form)
    assert receiver.open(sender.seal(b"x", recipient=5)).status is Status.OTHER_RECIPIENT
    assert receiver.open(sender.seal(b"y", recipient=4)).message == b"y"
    assert receiver.open(sender.seal(b"z")).message == b"z"


@pytest.mark.parametrize("form", FORMS[:4], ids=str)
def test_only_a_wide_header_names_a_recipient(form: Form) -> None:
    """Under another header all devices would take what is for one of them."""
    sender, receiver = pair(form)
    assert sender.try_seal(b"open the door", recipient=5) == (Status.NO_RECIPIENT, b"")
    assert sender.try_seal(b"of this topic", topic=1) == (Status.NO_RECIPIENT, b"")
    assert receiver.open(sender.seal(b"to all")).message == b"to all"


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_any_order_is_accepted_within_the_window_and_each_once(form: Form) -> None:
    """Against a set: what a window of 32 means, without its bits."""
    sender, receiver = pair(form)
    source = random.Random(str(form))
    packets = [sender.seal(bytes([i])) for i in range(200)]
    accepted: set[int] = set()
    order = [min(199, max(0, step // 8 + source.randrange(-40, 12))) for step in range(1600)]
    for index in order:
        status = receiver.open(packets[index]).status
        highest = max(accepted, default=-1)
        if index <= highest - 32:
            assert status is Status.TOO_OLD or form.header_bytes == 4
        elif index in accepted:
            assert status is Status.REPLAYED
        else:
            assert status is Status.OK
        if status is Status.OK:
            assert index not in accepted
            accepted.add(index)
    assert len(accepted) > 150


def test_replays_are_refused_after_a_reset_of_the_receiver() -> None:
    sender, receiver = pair()
    packets = [sender.seal(bytes([i])) for i in range(100)]
    for packet in packets[:70]:
        assert receiver.open(packet).status is Status.OK
    assert receiver.begin() is Status.OK
    for packet in packets[:70]:
        assert receiver.open(packet).status in (Status.REPLAYED, Status.TOO_OLD)
    fresh = [receiver.open(packet).status for packet in packets[70:]]
    # At most 31 are given up; what follows is heard.
    assert fresh.count(Status.OK) == 100 - 96
    assert set(fresh[-4:]) == {Status.OK}


def test_a_sender_is_not_heard_twice_under_one_counter_after_its_reset() -> None:
    sender, receiver = pair()
    assert receiver.open(sender.seal(b"a")).status is Status.OK
    sender.begin()
    assert receiver.open(sender.seal(b"b")).counter == 256


def test_only_as_many_senders_as_there_are_places() -> None:
    receiver = Device(7)
    receiver.provision(100, KEY)
    senders = [Device(number) for number in range(5)]
    for number, sender in enumerate(senders):
        sender.provision(number, KEY)
    assert [receiver.open(sender.seal(b"x")).status for sender in senders] == [
        *[Status.OK] * 4,
        Status.TOO_MANY_SENDERS,
    ]
    receiver.begin()
    assert receiver.open(senders[4].seal(b"x")).status is Status.TOO_MANY_SENDERS
    for _ in range(40):
        senders[2].seal(b"skipped")
    assert receiver.open(senders[2].seal(b"y")).message == b"y"


def test_forgeries_take_no_place() -> None:
    receiver, stranger, sender = Device(0), Device(1), Device(2)
    receiver.provision(100, KEY)
    sender.provision(3, KEY)
    for identity in range(200, 260):
        stranger.provision(identity, bytes(16))
        assert receiver.open(stranger.seal(b"x")).status is Status.FORGED
    assert receiver.open(sender.seal(b"x")).status is Status.OK


def test_a_short_header_finds_a_sender_that_is_far_ahead() -> None:
    """Its counter's upper half is not on the air: a packet for each 65,536 in between is lost, not more."""
    for ahead in (1, 5):
        sender, receiver = pair(Form(4, 8))
        sender.c.host_skip_to(0, ahead * 65_536 + 17)
        statuses = [receiver.open(sender.seal(b"x")).status for _ in range(ahead + 1)]
        assert statuses == [*[Status.FORGED] * (ahead - 1), Status.OK, Status.OK]


def test_a_short_header_at_the_end_of_all_counters_accepts_nothing_twice() -> None:
    sender, receiver = pair(Form(4, 8))
    old = sender.seal(b"old")
    assert receiver.open(old).status is Status.OK
    sender.c.host_skip_to(0, 0xFFFF_FFF0)
    opened = []
    last = b""
    for _ in range(70_000):
        packet = sender.try_seal(b"new")[1]
        if not packet:
            break
        opened.append(receiver.open(packet).status)
        last = packet
    sender.c.host_skip_to(0, 0xFFFE_FFF0)
    assert sender.try_seal(b"x")[0] is Status.OK
    assert receiver.open(old).status is not Status.OK
    assert last


def test_the_last_counter_of_all_is_never_used() -> None:
    sender, _ = pair()
    sender.c.host_skip_to(0, 0xFFFF_FFFD)
    assert [sender.try_seal(b"x")[0] for _ in range(4)] == [
        Status.OK,
        Status.OK,
        Status.EXHAUSTED,
        Status.EXHAUSTED,
    ]
    assert sender.begin() is Status.EXHAUSTED
    assert sender.try_seal(b"x")[0] is Status.NOT_PROVISIONED


def test_an_identity_that_does_not_fit_the_header_is_refused() -> None:
    device = Device(0, Form(4, 8))
    assert device.provision(256) is Status.BAD_IDENTITY
    assert device.provision(255, epoch=16) is Status.BAD_IDENTITY
    assert Device(0).provision(0xFFFF) is Status.BAD_IDENTITY
    assert device.begin() is Status.NOT_PROVISIONED


def test_nothing_works_without_a_key() -> None:
    device = Device(0)
    assert device.begin() is Status.NOT_PROVISIONED
    assert device.try_seal(b"x") == (Status.NOT_PROVISIONED, b"")
    assert device.open(bytes(20)).status is Status.NOT_PROVISIONED


def test_provisioning_again_with_the_same_key_repeats_no_counter() -> None:
    sender, receiver = pair()
    first = sender.seal(b"x")
    for _ in range(3):
        assert sender.provision(3, KEY) is Status.OK
        assert sender.seal(b"x")[4:8] > first[4:8]
        first = sender.seal(b"x")
    assert receiver.open(first).status is Status.OK


def test_a_device_gets_another_identity_with_the_key_that_it_has() -> None:
    """A program has that key nowhere else than in the link itself."""
    sender, receiver = pair()
    before = receiver.open(sender.seal(b"1 mm"))
    assert sender.rename(9) is Status.OK
    after = receiver.open(sender.seal(b"2 mm"))
    assert (after.status, after.message, after.sender) == (Status.OK, b"2 mm", 9)
    assert after.counter > before.counter


def test_what_a_receiver_cannot_remember_it_does_not_give_out() -> None:
    sender, receiver = pair()
    for address in range(OWN_BYTES, OWN_BYTES + 4 * SENDER_BYTES):
        receiver.stuck[address] = 1
    assert receiver.open(sender.seal(b"x")).status is Status.WORN


def test_a_spoiled_memory_of_a_sender_lets_no_new_one_in() -> None:
    sender, receiver = pair()
    known = Device(2)
    known.provision(9, KEY)
    packets = [sender.seal(b"x") for _ in range(200)]
    for packet in packets:
        assert receiver.open(packet).status is Status.OK
    assert receiver.open(known.seal(b"x")).status is Status.OK
    for position in range(8):
        receiver.eeprom[OWN_BYTES + 8 * position] ^= 1
    receiver.begin()
    assert receiver.open(packets[0]).status is Status.DAMAGED
    for _ in range(40):
        known.seal(b"skipped")
    assert receiver.open(known.seal(b"y")).message == b"y"


FAULTS = [
    ("window.c", "window->seen >> age & 1", "window->seen >> age & 2"),
    ("window.c", "window->seen << (steps + 1)", "window->seen << steps"),
    (
        "link.c",
        "tatulink_window_start(&sender->window, sender->mark.value)",
        "tatulink_window_start(&sender->window, 0)",
    ),
    ("link.c", "if (header->sender == link->identity)", "if (0)"),
    ("link.c", "put_u16(record, identity);", "put_u16(record, 0);"),
]


@pytest.mark.parametrize(("file", "text", "instead"), FAULTS, ids=[text for _, text, _ in FAULTS])
def test_these_tests_see_a_fault(monkeypatch: pytest.MonkeyPatch, file: str, text: str, instead: str) -> None:
    faulty = build({file: (text, instead)})
    monkeypatch.setattr("tatulink.tests.host_library.whole", lambda: faulty)
    tests = (
        test_replays_are_refused_after_a_reset_of_the_receiver,
        test_a_packet_that_comes_back_is_refused,
        test_only_as_many_senders_as_there_are_places,
        lambda: test_any_order_is_accepted_within_the_window_and_each_once(FORMS[2]),
    )
    red = 0
    for test in tests:
        try:
            test()
        except AssertionError:
            red += 1
    assert red > 0
