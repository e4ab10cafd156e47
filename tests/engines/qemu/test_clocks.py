"""One device at several clocks: its firmware runs once, and memory whose time is not the clock's is counted for
each."""

from __future__ import annotations

from bancada.build.build import build
from bancada.measure.batch import Clocks
from bancada.measure.run import run
from bancada.plan.case import Case, Firmware
from tests.engines.qemu.whole_firmware import firmware_on

_MEMORY_NS = 110


def _at(mhz: int) -> tuple[Firmware, Case]:
    firmware, cases = firmware_on(f"xu3-big@{mhz}MHz", experiment="libraries")
    return firmware, next(case for case in cases if case.operation == "decrypt")


def test_what_was_run_at_one_clock_is_right_at_another() -> None:
    """As if it had run there: the same program waits for more cycles of a faster clock, by 110 ns a miss of the last
    cache."""
    (slow_firmware, slow_case), (fast_firmware, fast_case) = _at(600), _at(1800)
    made = build(slow_firmware)
    clocks = Clocks()
    slow = clocks.test_and_run(slow_firmware, made, (slow_case,), 4, full=False).raw
    fast = clocks.test_and_run(fast_firmware, made, (fast_case,), 4, full=False).raw
    assert slow is not None
    assert fast is not None
    misses = [
        region.events["l2-misses"] - region.events["l2-store-misses"] for region in slow.regions[slow_case]
    ]  # nothing waits for stores
    assert sum(misses) > 0, "a call without misses would show nothing"
    slower = [region.cycles for region in slow.regions[slow_case]]
    assert [region.cycles for region in fast.regions[fast_case]] == [
        cycles + miss * _MEMORY_NS * 1200 // 1000 for cycles, miss in zip(slower, misses, strict=True)
    ]
    assert fast.regions == run(fast_firmware, made, (fast_case,), 4).regions
