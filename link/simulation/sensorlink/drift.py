"""Time slots whose clocks drift: a model of what a month does to sensors that nothing sets again.

Each sensor sends in its slot by its own clock, once a period. Its clock is wrong by a constant rate, which is drawn for
each sensor. A frame is lost if another one is on the air at the same time. Nothing but time is modelled: no noise, no
resets, no jitter.
"""

from __future__ import annotations

import random

DAY_S = 86_400
# Phases move by a few microseconds from one frame to the next, so that one frame in ten minutes stands for all.
STEP_S = 600


def delivered_by_day(
    sensors: int, slots: int, period_s: float, on_air_s: float, ppm: float, days: int, seed: int
) -> list[float]:
    """For each day the part of the frames that no other one overlaps; rates are drawn evenly from -ppm to ppm."""
    draw = random.Random(seed)
    rates = [draw.uniform(-ppm, ppm) * 1e-6 for _ in range(sensors)]
    found = []
    for day in range(days):
        whole = sent = 0
        for at_s in range(day * DAY_S, (day + 1) * DAY_S, STEP_S):
            phases = sorted((period_s * slot / slots + rates[slot] * at_s) % period_s for slot in range(sensors))
            behind = [
                (after - before) % period_s for before, after in zip(phases, phases[1:] + phases[:1], strict=True)
            ]
            # Free in front and behind; of one sensor alone the next is itself.
            free = [gap >= on_air_s or sensors == 1 for gap in behind]
            whole += sum(free[index] and free[index - 1] for index in range(sensors))
            sent += sensors
        found.append(whole / sent)
    return found


def month(sensors: int, on_air_s: float, ppm: float, slots: int = 11, period_s: float = 5.0) -> dict[int, float]:
    """What is delivered on some days of a month: the mean of a hundred draws of the clocks' rates."""
    draws = [delivered_by_day(sensors, slots, period_s, on_air_s, ppm, 30, seed) for seed in range(100)]
    return {day: sum(draw[day - 1] for draw in draws) / len(draws) for day in (1, 2, 3, 7, 30)}
