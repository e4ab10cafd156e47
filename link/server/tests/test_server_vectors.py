"""The firmware's protocol code and Tatu on one side, RustCrypto on the other: they agree on every frame and
variable.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from fleet_support import variables
from sensorlink.gateway_stream import take_apart
from server_support import Site

VECTORS = int(os.environ.get("LINK_TEST_VECTORS", "1000"))
DAMAGE = (
    "--loss",
    "0.05",
    "--corrupt",
    "0.1",
    "--truncate",
    "0.1",
    "--duplicate",
    "0.05",
    "--replay",
    "0.1",
    "--forge",
    "0.2",
    "--glue",
    "0.3",
    "--garbage",
    "0.2",
)


@pytest.mark.parametrize("suite", ["ascon", "ccm"])
@pytest.mark.parametrize("damage", [(), DAMAGE], ids=["clean", "damaged"])
def test_firmware_and_server_agree(
    farm: Site, fleet: Path, tmp_path: Path, suite: str, damage: tuple[str, ...]
) -> None:
    """Sensors with random readings and resets; what arrives whole is stored with exactly the variables that
    were sent.
    """
    farm.create(fleet=10, suite=suite)
    farm.server()
    stream, log = tmp_path / "stream", tmp_path / "log.jsonl"
    command: list[str | Path] = [
        *(fleet, "--keys", tmp_path / "fleet.csv", "--output", stream, "--log", log),
        *("--speed", "0", "--frames", str(VECTORS), "--reset", "0.03"),
        *damage,
    ]
    subprocess.run(command, check=True, capture_output=True)
    sent = [json.loads(line) for line in log.read_text().splitlines()]
    bursts = take_apart(stream.read_bytes()).bursts
    farm.gateway().deliver([burst[at : at + 512] for burst in bursts for at in range(0, len(burst), 481)])
    expected = {variables(frame) for frame in sent if frame["fate"] in ("sent", "duplicate")}
    stored = set(farm.query("SELECT device, epoch, counter, kind, device_time_s, second, third, fourth FROM reading"))
    assert len(sent) >= VECTORS
    if damage:
        # The log says what became of each frame; whatever its words, what is stored was sent, and what was sent whole
        # is stored.
        everything = {variables(frame) for frame in sent if "unix_s" in frame}
        assert expected <= stored <= everything
        assert farm.refusals()["forged tag"] > VECTORS // 20
    else:
        assert stored == expected
        assert len(stored) == VECTORS
        assert farm.refusals() == {}
