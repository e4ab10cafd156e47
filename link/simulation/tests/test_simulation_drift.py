"""The model of slots whose clocks drift, against what can be said without it."""

from __future__ import annotations

import pytest
from sensorlink.air import delivered_in_theory
from sensorlink.drift import Day, Slots, delivered_by_day

pytestmark = pytest.mark.quick
ON_AIR_S = 0.370
# What the firmware says of eleven slots in 5 s (test_slots_are_given_up_before_two_can_meet).
GIVEN_UP_AFTER_S = 6285


def test_clocks_that_agree_lose_nothing() -> None:
    assert delivered_by_day(Slots(11, ON_AIR_S, 0.0), 3, 1) == [Day(1.0, 1.0)] * 3


def test_slots_shorter_than_a_frame_lose_everything() -> None:
    assert delivered_by_day(Slots(11, ON_AIR_S, 0.0, period_s=4.0), 1, 1) == [Day(0.0, 0.0)]


def test_in_the_end_drifting_slots_are_no_better_than_none() -> None:
    """Two sensors meet for as large a part of the time as if their phases were random; so does each of four."""
    for sensors in (2, 4):
        draws = [delivered_by_day(Slots(sensors, ON_AIR_S, 2000.0), 30, seed) for seed in range(60)]
        mean = sum(day.of_all for draw in draws for day in draw) / (60 * 30)
        assert mean == pytest.approx(delivered_in_theory(sensors, 5.0, ON_AIR_S), abs=0.01)


def test_a_sensor_alone_loses_nothing() -> None:
    assert delivered_by_day(Slots(1, ON_AIR_S, 50.0), 2, 1) == [Day(1.0, 1.0)] * 2


def test_random_pauses_are_what_the_theory_of_independent_senders_says() -> None:
    for sensors in (2, 4, 11):
        draws = [delivered_by_day(Slots(sensors, ON_AIR_S, 3.5, given_up_after_s=0), 5, seed) for seed in range(15)]
        mean = sum(day.of_all for draw in draws for day in draw) / (15 * 5)
        assert mean == pytest.approx(delivered_in_theory(sensors, 5.0, ON_AIR_S), abs=0.02)


def test_no_sensor_is_silenced_for_a_day_if_slots_are_given_up_in_time() -> None:
    """A month of eleven sensors: kept, slots silence some sensor for a whole day; given up in time, they lose nothing
    before that and silence none.
    """
    for seed in range(2):
        kept = delivered_by_day(Slots(11, ON_AIR_S, 3.5), 30, seed)
        given_up = delivered_by_day(Slots(11, ON_AIR_S, 3.5, given_up_after_s=GIVEN_UP_AFTER_S), 30, seed)
        assert min(day.of_the_worst for day in kept) == 0.0
        assert min(day.of_the_worst for day in given_up) > 0.05
        # The first 6,285 s are whole; the rest is chance.
        assert given_up[0].of_all > 0.07 + 0.93 * 0.17
