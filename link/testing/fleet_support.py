"""The fleet of native sensors, built once for a run, and what it says that it sent."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from sensorlink.laboratory import data_root
from server_support import BOOT


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fleet")
    subprocess.run(
        ["make", "-s", "-C", str(data_root() / "link" / "fleet"), f"OUT={out}"], check=True, capture_output=True
    )
    return out / "fleet"


def variables(frame: dict[str, int]) -> tuple[int, ...]:
    """As the table keeps them."""
    head = (frame["device"], frame["epoch"], frame["counter"], frame["type"], frame["unix_s"])
    if frame["type"] == BOOT:
        return (*head, frame["reset_cause"], frame["version"], frame["mark"])
    return (*head, frame["rain_pulses"], frame["temperature_mc"], frame["flags"] << 16 | frame["supply_mv"])
