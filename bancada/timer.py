"""What a device's sixteen-bit timer said, made whole."""

from __future__ import annotations

from bancada.records import Region

_ROUND_CYCLES = 0x1_0000

# The firmware rounds to whole rounds of the timer, so a repetition may take half a round more or less; half of that is left as margin.
_SAME_CYCLES = 0x4000


def whole_count(timer_cycles: int, simulated: list[Region]) -> int:
    """Cycles of a call by the device's timer, given what the simulator counted of one such call in the same firmware.

    Beyond sixteen bits the firmware repeats the call with the timer counting coarsely (harness/src/monitor.c), on what the first call
    left in the buffers. Where that is another computation (a ciphertext that was decrypted in place is a forgery now, refused early)
    the repetition does not tell how often the timer went round, and the simulator does. The sixteen bits are the timer's either way.
    """
    first, *again = [region.region_cycles for region in simulated]
    assert first is not None, "a simulator that leaves markers out by itself needs no timer beside it"
    if not again or again[0] is None or abs(again[0] - first) < _SAME_CYCLES:
        return timer_cycles
    return timer_cycles + round((first - timer_cycles) / _ROUND_CYCLES) * _ROUND_CYCLES
