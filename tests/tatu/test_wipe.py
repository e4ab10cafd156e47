"""tatu_wipe writes zeros to all bytes of its buffer and to no others, wherever the buffer begins and ends."""

from __future__ import annotations

import pytest

from tests.tatu.machines import ARM_WITHOUT_NEON, CORES, CORTEX_M0_BOARD, HOSTS, Driver, driver_on, runs_on


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "wipe_driver.c", ("common",), tmp_path_factory)


@runs_on(*HOSTS, *CORES, ARM_WITHOUT_NEON, CORTEX_M0_BOARD)
def test_every_length_at_every_place(driver: Driver) -> None:
    assert driver.run(["wipe"]) == ["0"]
