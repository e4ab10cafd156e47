"""The bootloader on the simulated ATmega328P: it runs what the site's key has signed, and never anything else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bootloader_bench import (
    MANIFEST_AT,
    Site,
    built,
    flash_below_bootloader,
    install,
    make_site,
    new_device,
    program_of,
    refusal,
    signed_in_flash,
)
from laboratory_references import lms_random_key
from sensorlink.eeprom import crc16
from sensorlink.update import lms
from sensorlink.update.device_types import DEVICE_TYPES
from sensorlink.update.flash_file import flash_of
from sensorlink.update.image import Image, make_image
from sensorlink.update.upload import UpdateFailed, upload
from simulated_device import CLOCK_HZ, Cut, PowerFailed, SimulatedDevice, SimulatedPort

ITEM = 32
WATCHDOG_S = 8

EXTERNAL_RESET, WATCHDOG_RESET = 2, 8


@pytest.fixture(scope="module")
def programs() -> Path:
    return built()


@pytest.fixture(scope="module")
def site() -> Site:
    return make_site()


@pytest.fixture(scope="module")
def old(site: Site) -> Image:
    return site.image(3, program_of(3, 1))


@pytest.fixture(scope="module")
def new(site: Site) -> Image:
    """One page longer, and its second page is the old one's."""
    pages = program_of(4, 2)
    return site.image(4, pages[:128] + program_of(3, 1)[128:256] + pages[256:])


@pytest.fixture(scope="module")
def installed(programs: Path, site: Site, old: Image) -> Iterator[SimulatedDevice]:
    with new_device(programs / "bootloader.elf", site) as device:
        install(device, old)
        yield device


@pytest.fixture
def device(installed: SimulatedDevice, old: Image) -> Iterator[SimulatedDevice]:
    """A device that runs version 3. What a test does to its flash is undone."""
    before = flash_below_bootloader(installed)
    yield installed
    installed.write_flash(0, before)
    installed.cut(0, "done")
    installed.power_on()


def runs(device: SimulatedDevice, site: Site) -> bytes | None:
    """The program that the device runs after a power-on, None if it waits; and it is a signed one."""
    device.power_on(7)
    if not device.boot():
        return None
    program = signed_in_flash(device, site)
    assert program is not None, "the device runs what is not signed"
    return program


def test_it_fits_into_its_section(programs: Path) -> None:
    assert len(flash_of(programs / "bootloader.elf", 0x7000, 0x7FC0)) <= 4096 - 64


def test_a_new_device_waits(programs: Path, site: Site) -> None:
    with new_device(programs / "bootloader.elf", site) as device:
        assert not device.boot()
        device.run(CLOCK_HZ)
        assert not device.is_in_program
        device.write_flash(0, program_of(2, 1))  # as a programmer would, without a signature
        device.power_on()
        assert not device.boot()


def test_the_real_sensor_program_runs_after_its_update(programs: Path, site: Site) -> None:
    program = flash_of(programs / "sensor.elf", 0, MANIFEST_AT)
    with new_device(programs / "bootloader.elf", site) as device:
        install(device, site.image(1, program))
        assert signed_in_flash(device, site) == program + b"\xff" * (-len(program) % 128)
        device.reset()
        assert device.boot()
        assert device.state["status"] & EXTERNAL_RESET, "the program learns why it was reset"
        device.sent = b""
        device.run(CLOCK_HZ // 2)
        assert device.sent.isascii() and b"record" in device.sent, device.sent


def test_the_real_gateway_program_runs_after_its_update(programs: Path, site: Site) -> None:
    gateway = DEVICE_TYPES["gateway"]
    program = flash_of(programs / "gateway.elf", 0, MANIFEST_AT)
    with new_device(programs / "bootloader.elf", site, gateway) as device:
        install(device, site.image(1, program, gateway))
        assert signed_in_flash(device, site) == program + b"\xff" * (-len(program) % 128)
        device.run(CLOCK_HZ)
        assert device.state["resets"] == 2, "it runs on: the power-on and the update's reset were the last"


def test_an_update_replaces_the_program(device: SimulatedDevice, site: Site, old: Image, new: Image) -> None:
    assert runs(device, site) == old.program
    install(device, new)
    assert runs(device, site) == new.program


def test_the_same_image_again_writes_nothing(device: SimulatedDevice, old: Image) -> None:
    operations = device.operations
    install(device, old)
    assert device.operations == operations


def test_an_older_version_is_refused(device: SimulatedDevice, site: Site, old: Image, new: Image) -> None:
    install(device, new)
    before = flash_below_bootloader(device)
    assert "version 4" in refusal(device, old.contents, old)
    assert flash_below_bootloader(device) == before
    assert runs(device, site) == new.program


def test_an_older_version_is_refused_when_the_program_is_gone(
    device: SimulatedDevice, site: Site, old: Image, new: Image
) -> None:
    """The floor is not the program's version: an update that was cut leaves no program."""
    install(device, new)
    device.write_flash(0, bytes(128))
    assert runs(device, site) is None
    assert "version 4" in refusal(device, old.contents, old)
    assert refusal(device, new.contents, new) == ""
    assert runs(device, site) == new.program


def test_the_program_of_another_device_or_site_is_refused(device: SimulatedDevice, site: Site, old: Image) -> None:
    before = flash_below_bootloader(device)
    other_device = site.image(5, program_of(2, 9), DEVICE_TYPES["gateway"])
    assert "is for a gateway" in refusal(device, other_device.contents, other_device)
    other_site = make_site(seed=2).image(5, program_of(2, 9))
    assert "not signed" in refusal(device, other_site.contents, other_site)
    assert flash_below_bootloader(device) == before
    assert runs(device, site) == old.program


def test_signatures_of_the_reference_and_a_leaf_that_the_tree_does_not_have(programs: Path) -> None:
    """RFC 8554, algorithm 6a, step 2: the leaf is less than 2^h. Everything else is right."""
    for leaf, is_taken in ((0, True), (1023, True), (1024, False), (1029, False)):
        key = replace(lms_random_key(6, 3, random.Random(leaf)), leaf=leaf)
        public = key.public_with_number(1024 + leaf)

        def sign(header: bytes, key: Any = key) -> lms.Signature:
            signature = key.sign(header, bytes(32))
            items = [signature[at : at + 32] for at in range(40, 40 + 67 * 32, 32)]
            path = [signature[at : at + 32] for at in range(len(signature) - 320, len(signature), 32)]
            return lms.Signature(key.leaf, bytes(32), tuple(items), tuple(path))

        contents = make_image(1, 1, leaf, program_of(1, leaf), sign)
        identity = public[8:] + b"BLF\x01"
        with SimulatedDevice(programs / "bootloader.elf") as device:
            device.write_flash(0x7FC0, identity)
            device.power_on()
            assert (refusal(device, contents, Image(1, 1, 1, contents)) == "") == is_taken, leaf


# A byte of each field of an image, and of each kind of hash.
FIELDS = {
    "format": 0,
    "type": 3,
    "version": 5,
    "pages": 7,
    "leaf": 9,
    "reserved": 20,
    "hash of page 0": 40,
    "randomizer": 2 * ITEM + 7,
    "first chain": 3 * ITEM,
    "checksum's last chain": 69 * ITEM + 31,
    "path": 70 * ITEM,
    "top of the path": 79 * ITEM + 31,
    "hash of page 1": 80 * ITEM + 3,
    "page 0": 81 * ITEM,
}


def test_a_flipped_bit_in_any_field_is_refused(device: SimulatedDevice, site: Site, old: Image, new: Image) -> None:
    before = flash_below_bootloader(device)
    for bit, (field, at) in enumerate(FIELDS.items()):
        contents = bytearray(new.contents)
        contents[at] ^= 1 << bit % 8
        assert refusal(device, bytes(contents), new), field
        assert flash_below_bootloader(device) == before, field
    assert runs(device, site) == old.program


def test_a_flipped_bit_in_flash_is_seen_at_the_next_reset(device: SimulatedDevice, site: Site, old: Image) -> None:
    places = [0, 200, 383, *(MANIFEST_AT + at for at in (3, 5, 7, 9, 20, 40, 71, 96, 69 * ITEM, 79 * ITEM + 31))]
    for bit, at in enumerate(places):
        byte = device.read_flash(at, 1)[0]
        device.write_flash(at, bytes((byte ^ 1 << bit % 8,)))
        assert runs(device, site) is None, hex(at)
        device.write_flash(at, bytes((byte,)))
    assert runs(device, site) == old.program


class ChangedAtTheEnd(SimulatedPort):
    """Answers with another signature when an item of the manifest is asked for the second time."""

    def __init__(self, device: SimulatedDevice) -> None:
        super().__init__(device)
        self.heard = b""
        self.seen: set[int] = set()
        self.changed = 0

    def read(self, size: int = 1, /) -> bytes:
        read = super().read(size)
        self.heard += read
        return read

    def write(self, data: bytes, /) -> int:
        request = self.heard[-6:-2]  # a message has six bytes, and an answer follows a whole one
        number = int.from_bytes(request[2:], "big")
        if len(data) == 1:  # a hello
            return super().write(data)
        if number in self.seen:
            self.changed += 1
            item = bytes(ITEM)
            data = item + crc16(request + item).to_bytes(2, "big")
        self.seen.add(number)
        return super().write(data)


def test_a_signature_that_changes_once_it_was_verified_is_not_written(
    device: SimulatedDevice, site: Site, new: Image
) -> None:
    before = device.read_flash(MANIFEST_AT, 20 * 128)
    port = ChangedAtTheEnd(device)
    with pytest.raises(UpdateFailed, match="not signed"):
        upload(port, new, lambda progress: None)
    assert port.changed == 4
    assert device.read_flash(MANIFEST_AT, 20 * 128) == before
    assert runs(device, site) is None
    install(device, new)


def test_who_has_the_line_wears_nothing_out(device: SimulatedDevice, site: Site, old: Image, new: Image) -> None:
    """Garbage, and images that are not signed, cause no write of flash: 10,000 would wear it out."""
    operations = device.operations
    source = random.Random(5)
    for _ in range(3):
        garbage = old.contents[:64] + source.randbytes(len(old.contents) - 64)
        assert "not signed" in refusal(device, garbage, old)
    broken = new.contents[: 80 * ITEM] + source.randbytes(len(new.contents) - 80 * ITEM)
    assert "page 0" in refusal(device, broken, new)
    assert device.operations == operations
    assert runs(device, site) == old.program


def test_a_computer_that_says_hello_and_no_more_is_given_up(device: SimulatedDevice, site: Site, old: Image) -> None:
    device.reset()
    device.run(CLOCK_HZ // 100)
    device.send(b"UUU")
    resets = device.state["resets"]
    device.run(WATCHDOG_S * CLOCK_HZ * 9 // 10)
    assert device.state["resets"] == resets and not device.is_in_program
    device.run(3 * CLOCK_HZ)
    assert device.is_in_program
    assert device.state["status"] & WATCHDOG_RESET
    assert signed_in_flash(device, site) == old.program


def test_noise_on_the_line_does_not_keep_the_program_from_starting(device: SimulatedDevice) -> None:
    source = random.Random(11)
    noise = bytes(ord("U") if source.random() < 0.05 else source.randrange(256) for _ in range(8000))
    device.reset()
    device.send(noise)
    assert device.boot(2)


def test_a_hello_is_three_in_a_row(device: SimulatedDevice) -> None:
    device.reset()
    device.run(CLOCK_HZ // 100)
    for _ in range(10):
        device.send(b"UU-")
        device.run(CLOCK_HZ // 20)
    assert device.boot(1)


class NoisyPort(SimulatedPort):
    """A line that changes, loses and adds bytes."""

    def __init__(self, device: SimulatedDevice, seed: int, rate: float) -> None:
        super().__init__(device)
        self.random = random.Random(seed)
        self.rate = rate
        self.errors = 0

    def spoil(self, data: bytes) -> bytes:
        spoilt = bytearray()
        for byte in data:
            if self.random.random() >= self.rate:
                spoilt.append(byte)
                continue
            self.errors += 1
            what = self.random.randrange(3)
            spoilt += (bytes((byte ^ 1 << self.random.randrange(8),)), b"", bytes((byte, 0x55)))[what]
        return bytes(spoilt)

    def write(self, data: bytes, /) -> int:
        return super().write(self.spoil(data))

    def read(self, size: int = 1, /) -> bytes:
        return self.spoil(super().read(size))


def test_an_update_over_a_noisy_line(device: SimulatedDevice, site: Site, new: Image) -> None:
    port = NoisyPort(device, 3, 0.002)
    upload(port, new, lambda progress: None)
    assert port.errors > 5
    assert device.boot()
    assert runs(device, site) == new.program


def cut_update(device: SimulatedDevice, image: Image, operation: int, how: Cut) -> bool:
    """Whether the supply failed in the update; it is well again."""
    device.cut(operation, how, operation)
    try:
        upload(SimulatedPort(device), image, lambda progress: None)
        device.boot()
    except PowerFailed:
        pass
    return not device.has_power


# Of the update from version 3 to 4: pages 0, 2 and 3 of the program, 19 of the manifest (the last is the same), the
# floor; each is erased and written. These are the first, some in the middle, and the last; the long test has all.
WAYS: tuple[Cut, ...] = ("torn", "begun", "torn", "done", "torn")
OPERATIONS = 46
CUTS = (1, 2, 5, 24, 44, 45)


@pytest.mark.parametrize("operation", CUTS)
def test_power_that_fails_at_any_page(
    device: SimulatedDevice, site: Site, old: Image, new: Image, operation: int
) -> None:
    assert cut_update(device, new, operation, WAYS[operation % len(WAYS)])
    assert runs(device, site) in (None, old.program, new.program)
    install(device, new)
    assert runs(device, site) == new.program
    assert "version 4" in refusal(device, old.contents, old)


def test_an_update_has_so_many_operations(device: SimulatedDevice, new: Image) -> None:
    operations = device.operations
    install(device, new)
    assert device.operations - operations == OPERATIONS


def test_a_torn_floor_is_never_lower(device: SimulatedDevice, site: Site, old: Image, new: Image) -> None:
    install(device, new)
    latest = site.image(6, program_of(2, 6))
    for seed in range(2):
        before = flash_below_bootloader(device)
        upload(SimulatedPort(device), latest, lambda progress: None)
        device.cut(1 + seed % 2, "torn", seed)
        assert not device.boot(), "it runs only after the floor is written"
        assert not device.has_power
        device.power_on()
        assert "version" in refusal(device, old.contents, old)
        device.write_flash(0, before)


def test_an_interrupted_update_goes_on_where_it_stopped(programs: Path, site: Site, device: SimulatedDevice) -> None:
    image = site.image(5, program_of(14, 5))
    assert cut_update(device, image, 24, "torn")
    device.power_on()
    port = SimulatedPort(device)
    upload(port, image, lambda progress: None)
    rest = port.written
    assert device.boot()
    whole = 34 * (2 * 80 + 14 * 5)
    assert rest < whole - 34 * 4 * 10, "ten pages were there already"
    assert runs(device, site) == image.program
