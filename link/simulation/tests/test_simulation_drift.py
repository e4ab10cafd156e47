"""The model of slots whose clocks drift, against what can be said without it."""

from __future__ import annotations

import pytest
from sensorlink.air import delivered_in_theory
from sensorlink.drift import delivered_by_day

pytestmark = pytest.mark.quick
ON_AIR_S = 0.370


def test_clocks_that_agree_lose_nothing() -> None:
    assert delivered_by_day(11, 11, 5.0, ON_AIR_S, 0.0, 3, 1) == [1.0, 1.0, 1.0]


def test_slots_shorter_than_a_frame_lose_everything() -> None:
    assert delivered_by_day(11, 11, 4.0, ON_AIR_S, 0.0, 1, 1) == [0.0]


def test_in_the_end_drifting_slots_are_no_better_than_none() -> None:
    """Two sensors meet for as large a part of the time as if their phases were random; so does each of four."""
    for sensors in (2, 4):
        draws = [delivered_by_day(sensors, 11, 5.0, ON_AIR_S, 2000.0, 30, seed) for seed in range(60)]
        mean = sum(map(sum, draws)) / (60 * 30)
        assert mean == pytest.approx(delivered_in_theory(sensors, 5.0, ON_AIR_S), abs=0.01)


def test_a_sensor_alone_loses_nothing() -> None:
    assert delivered_by_day(1, 11, 5.0, ON_AIR_S, 50.0, 2, 1) == [1.0, 1.0]
