"""Time slots whose clocks drift: a model of what a month does to sensors that nothing sets again.

Each sensor sends in its slot by its own clock, once a period. Its clock is wrong by a constant rate, which is drawn for
each sensor. From some time on it goes over to random pauses, as the firmware does (link/firmware/core/schedule.h). A
frame is lost if another one is on the air at the same time. Nothing but time is modelled: no noise, no resets.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

DAY_S = 86_400
# Phases move by a few microseconds from one frame to the next, so that one frame in ten minutes stands for all.
STEP_S = 600


@dataclass(frozen=True)
class Slots:
    """How sensors are meant to send, and how wrong their clocks are: rates are drawn evenly from -ppm to ppm."""

    sensors: int
    on_air_s: float
    ppm: float
    slots: int = 11
    period_s: float = 5.0
    given_up_after_s: float = math.inf


@dataclass(frozen=True)
class Day:
    """The parts of the frames that no other one overlaps."""

    of_all: float
    of_the_worst: float
    """Of the sensor that fares worst."""


def _whole(phases: list[float], period_s: float, on_air_s: float) -> list[bool]:
    """Of each frame of a period whether no other one overlaps it."""
    order = sorted(range(len(phases)), key=phases.__getitem__)
    behind = [
        len(order) == 1 or (phases[after] - phases[before]) % period_s >= on_air_s
        for before, after in zip(order, order[1:] + order[:1], strict=True)
    ]
    found = [False] * len(phases)
    for at, sensor in enumerate(order):
        found[sensor] = behind[at] and behind[at - 1]
    return found


def delivered_by_day(plan: Slots, days: int, seed: int) -> list[Day]:
    """What is delivered on each day."""
    draw = random.Random(seed)
    rates = [draw.uniform(-plan.ppm, plan.ppm) * 1e-6 for _ in range(plan.sensors)]
    found = []
    for day in range(days):
        whole = [0] * plan.sensors
        for at_s in range(day * DAY_S, (day + 1) * DAY_S, STEP_S):
            if at_s >= plan.given_up_after_s:
                phases = [draw.uniform(0, plan.period_s) for _ in rates]
            else:
                phases = [
                    (plan.period_s * slot / plan.slots + rate * at_s) % plan.period_s for slot, rate in enumerate(rates)
                ]
            for sensor, alone in enumerate(_whole(phases, plan.period_s, plan.on_air_s)):
                whole[sensor] += alone
        steps = DAY_S // STEP_S
        found.append(Day(sum(whole) / steps / plan.sensors, min(whole) / steps))
    return found


def month(plan: Slots, draws: int = 100) -> dict[int, Day]:
    """What is delivered on some days of a month: the mean of many draws of the clocks' rates."""
    drawn = [delivered_by_day(plan, 30, seed) for seed in range(draws)]
    return {
        day: Day(
            sum(draw[day - 1].of_all for draw in drawn) / draws,
            sum(draw[day - 1].of_the_worst for draw in drawn) / draws,
        )
        for day in (1, 2, 3, 7, 30)
    }
