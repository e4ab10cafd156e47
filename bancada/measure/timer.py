"""Completes the value of a device's sixteen-bit timer, which wraps around."""

from __future__ import annotations

from bancada.model.run import Region
from bancada.monitor.monitor import DeviceError

_ROUND_CYCLES = 0x1_0000

# The firmware rounds to whole rounds of the timer, so a repetition may take half a round more or less; half of that is
# left as margin.
_SAME_CYCLES = 0x4000


def whole_count(timer_cycles: int, simulated: list[Region]) -> int:
    """Cycles of a call by the device's timer, given what the simulator counted of the same call on the same input in
    the same firmware. DeviceError where the two do not determine how often the timer wrapped.

    Beyond sixteen bits the firmware repeats the call with the timer counting coarsely (harness/src/monitor.c), on what
    the first call left in the buffers. Where that is another computation (a ciphertext that was decrypted in place is a
    forgery now, refused early) the repetition does not tell how often the timer went round, and the simulator does. The
    sixteen bits are the timer's either way.
    """
    first, *again = [region.region_cycles for region in simulated]
    assert first is not None, "a simulator that leaves markers out by itself needs no timer beside it"
    is_repeated_alike = bool(again) and again[0] is not None and abs(again[0] - first) < _SAME_CYCLES
    never_goes_round = not again and first < _ROUND_CYCLES - _SAME_CYCLES
    if is_repeated_alike or never_goes_round:
        return timer_cycles
    whole = timer_cycles + round((first - timer_cycles) / _ROUND_CYCLES) * _ROUND_CYCLES
    if abs(whole - first) > _SAME_CYCLES:
        raise DeviceError(
            f"The board's timer of 16 bits says {timer_cycles % _ROUND_CYCLES} and the simulator {first} cycles for the"
            " same call on the same input: that is too far apart to tell how often the timer went round, so the call"
            " has no figure (bancada calibrate compares the two)."
        )
    return whole
