"""The long tests of the bootloader in the simulator: power cuts, forgeries, bits that change. Prints what was reached.

Run as a program (make test-link does):
python link/firmware/tests/long_bootloader.py [--seeds 1] [--forgeries 150] [--boots 150]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from bootloader_bench import (
    FLOOR_AT,
    MANIFEST_AT,
    MANIFEST_PAGES,
    PAGE_BYTES,
    SENSOR,
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
from long_table import Row, tell
from sensorlink.update.flash_file import flash_of
from sensorlink.update.image import Image
from sensorlink.update.upload import upload
from simulated_device import Cut, PowerFailed, SimulatedDevice, SimulatedPort

# Of the real program, each of so many operations.
_REAL_STEP = 29


def outcome(device: SimulatedDevice, site: Site, old: Image, new: Image) -> str:
    """What the device does after a power-on."""
    device.power_on(1)
    if not device.boot():
        return "waited"
    program = signed_in_flash(device, site)
    return "ran the old" if program == old.program else "ran the new" if program == new.program else "ran neither"


def cuts(
    device: SimulatedDevice, site: Site, old: Image, new: Image, step: int, seeds: int
) -> Iterator[tuple[str, bool]]:
    """Of each cut: what the device did then, and whether the update then put the new program there and the old one is
    refused.
    """
    before = flash_below_bootloader(device)
    device.power_on()
    first = device.operations
    install(device, new)
    operations = device.operations - first
    ways: list[tuple[Cut, int]] = [("begun", 0), ("done", 0), *(("torn", seed) for seed in range(seeds))]
    for operation in range(1, operations + 1, step):
        for how, seed in ways:
            device.write_flash(0, before)
            device.power_on()
            device.cut(operation, how, 1000 * seed + operation)
            try:
                upload(SimulatedPort(device), new, lambda progress: None)
                device.boot()
            except PowerFailed:
                pass
            if device.has_power:
                raise AssertionError(f"the supply did not fail at operation {operation}")
            then = outcome(device, site, old, new)
            install(device, new)
            is_new = signed_in_flash(device, site) == new.program
            yield then, is_new and "takes no older one" in refusal(device, old.contents, old)
    device.write_flash(0, before)
    device.cut(0, "done")


def cut_row(name: str, results: list[tuple[str, bool]]) -> Row:
    did = Counter(then for then, _ in results)
    recovered = sum(well for _, well in results)
    reached = (
        f"{len(results):,} cuts: {did['ran the old']} ran the old program, {did['ran the new']} the new, "
        f"{did['waited']} waited for an update, {did['ran neither']} ran anything else; {recovered:,} updated then, "
        "and took no older one"
    )
    return Row(name, "old, new or waiting; then updated", reached, not did["ran neither"] and recovered == len(results))


def forgeries(device: SimulatedDevice, site: Site, old: Image, new: Image, count: int) -> Row:
    """Images of the next version with one bit changed, a piece of another image, or another key's signature."""
    source = random.Random(21)
    before = flash_below_bootloader(device)
    stranger = make_site(seed=22).image(new.version, new.program)

    def flipped() -> bytes:
        contents = bytearray(new.contents)
        contents[source.randrange(len(contents))] ^= 1 << source.randrange(8)
        return bytes(contents)

    def mixed() -> bytes:
        at = 32 * source.randrange(2, new.items - 5)
        other = source.choice((old, stranger))
        piece = other.contents[at : at + 32 * source.randrange(1, 60)]
        return new.contents[:at] + piece + new.contents[at + len(piece) :]

    def old_as_new() -> bytes:
        return old.contents[:4] + new.version.to_bytes(2, "big") + old.contents[6:]

    makers: tuple[Callable[[], bytes], ...] = (flipped, flipped, mixed, old_as_new, lambda: stranger.contents)
    tried = ran = 0
    while tried < count:
        forged = makers[tried % len(makers)]()
        if forged == new.contents or len(forged) != len(new.contents) and len(forged) != len(old.contents):
            continue
        tried += 1
        refusal(device, forged, new)
        device.power_on(tried)
        ran += device.boot() and signed_in_flash(device, site) != old.program
        device.write_flash(0, before)
    return Row("forged and damaged images", "0 run", f"{tried:,} tries, {ran} run", ran == 0)


def rot(device: SimulatedDevice, site: Site, old: Image, count: int) -> Row:
    """A bit of the program or its manifest in flash changes between two resets."""
    source = random.Random(31)
    places = [*range(len(old.program)), *range(MANIFEST_AT, MANIFEST_AT + MANIFEST_PAGES * PAGE_BYTES)]
    ran = 0
    for _ in range(count):
        at = source.choice(places)
        byte = device.read_flash(at, 1)
        device.write_flash(at, bytes((byte[0] ^ 1 << source.randrange(8),)))
        device.power_on(1)
        ran += device.boot()
        device.write_flash(at, byte)
    device.power_on(1)
    well = device.boot()
    return Row(
        "a bit of the flash changes", "the program is not run", f"{count:,} changes, {ran} run", well and not ran
    )


def torn_floors(device: SimulatedDevice, site: Site, old: Image, new: Image, count: int) -> Row:
    """The supply fails while the version is recorded, again and again, then the older program is offered."""
    before = flash_below_bootloader(device)
    upload(SimulatedPort(device), new, lambda progress: None)
    accepted = 0
    for seed in range(count):
        device.cut(1 + seed % 2, "torn", seed)
        if device.boot() or device.has_power:
            raise AssertionError("the program began before its version was recorded")
        device.power_on(seed)
        if seed % 10 == 9:
            older = site.image(old.version - 1, program_of(2, 9))
            accepted += refusal(device, older.contents, older) == ""
            device.reset()
    device.power_on()
    ran = device.boot()
    floor = device.read_flash(FLOOR_AT, 2 * PAGE_BYTES)
    is_raised = new.version.to_bytes(2, "little") in (floor[:2], floor[PAGE_BYTES : PAGE_BYTES + 2])
    device.write_flash(0, before)
    reached = f"{count:,} torn records, {accepted} older programs taken; then the version was recorded: {is_raised}"
    return Row("the record of the version, torn", "no older program", reached, ran and is_raised and accepted == 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, help="torn pages of each cut")
    parser.add_argument("--forgeries", type=int, default=150)
    parser.add_argument("--boots", type=int, default=150, help="with a changed bit in flash")
    options = parser.parse_args()
    folder = built()
    site = make_site()
    old, new = site.image(3, program_of(3, 1)), site.image(4, program_of(4, 2))
    rows = []
    with new_device(folder / "bootloader.elf", site) as device:
        install(device, old)
        results = list(cuts(device, site, old, new, 1, options.seeds))
        rows.append(cut_row("an update's power cut at each page erased or written", results))
        rows.append(torn_floors(device, site, old, new, 100))
        rows.append(forgeries(device, site, old, new, options.forgeries))
        rows.append(rot(device, site, old, options.boots))
    program = flash_of(folder / "sensor.elf", 0, MANIFEST_AT)
    changed = program_of(1, 1)[:2] + bytes(byte ^ 0x5A for byte in program[2:])  # no page is the old one
    old, new = site.image(5, program, SENSOR), site.image(6, changed, SENSOR)
    with new_device(folder / "bootloader.elf", site) as device:
        install(device, old)
        results = list(cuts(device, site, old, new, _REAL_STEP, 1))
        rows.append(cut_row(f"the same of the sensor's program, each {_REAL_STEP}th operation", results))
    return tell(rows)


if __name__ == "__main__":
    sys.exit(main())
