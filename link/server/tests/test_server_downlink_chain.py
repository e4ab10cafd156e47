"""The whole way down: server, broker, daemon, the gateway's and the sensor's firmware, none of them a double."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from link_site import Program, wait_until
from sensorlink.air import run_air
from sensorlink.eeprom import EEPROM_BYTES, records
from sensorlink.firmware import build_firmware
from server_support import Site
from simulation_bench import firmware

WANTED = "00001A1744"
CLOCK_S = 1_767_225_600


@contextmanager
def simulated(nodes: list[dict[str, Any]]) -> Iterator[Path]:
    """A sensor and a gateway in real time; the gateway's serial port."""
    port: list[Path] = []
    begun, end = threading.Event(), threading.Event()

    def follow() -> None:
        configuration = {"duration_s": 3600, "seed": 1, "real_time": True, "events": [], "nodes": nodes}
        events = run_air(configuration)
        for event in events:
            if event["event"] == "pty":
                port.append(Path(event["path"]))
                begun.set()
                end.wait()
                return  # which ends the program

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    assert begun.wait(120), "the simulation does not begin"
    try:
        yield port[0]
    finally:
        end.set()
        thread.join(60)


def test_time_settings_and_keys_reach_the_sensor(farm: Site, tmp_path: Path, gateway_program: Path) -> None:
    farm.create(fleet=1, gateways=("gw-a",))
    farm.provision("--device", "7", "--period", "2")
    farm.server()
    image = tmp_path / "7.bin"
    image.write_bytes((farm.folder / "devices" / "7-epoch0.bin").read_bytes().ljust(EEPROM_BYTES, b"\xff"))
    built = build_firmware(2400)
    sensor = firmware(
        "sensor",
        built / "sensor.elf",
        parameters=WANTED,
        eeprom={"load": str(image), "save": str(image)},
        clock={"unix_s": CLOCK_S, "square_wave": "PD3", "oscillator_stopped": True},
    )
    gateway = firmware("gateway", built / "gateway.elf", parameters=WANTED, uart="pty")
    with simulated([sensor, gateway]) as port:
        settings = farm.folder / "gateways" / "gw-a" / "gateway.toml"
        text = settings.read_text().split("\n")
        settings.write_text("\n".join(f'device = "{port}"' if line.startswith("device") else line for line in text))
        daemon = Program(tmp_path / "daemon.log")
        daemon.spawn([str(gateway_program), "--config", str(settings)])
        try:

            def newest(columns: str) -> Any:
                rows = farm.query(f"SELECT {columns} FROM epoch WHERE device = 7 ORDER BY epoch")
                return rows[-1]

            wait_until(lambda: (newest("device_time_s")[0] or 0) > CLOCK_S + 1000, "its clock is set", 240, daemon.log)
            farm.run("configure", "--device", "7", "--period", "3", "--warn-mm", "4")
            farm.run("rotate", "7", "--over-the-air")

            def confirmed() -> bool:
                return farm.query("SELECT DISTINCT state FROM wanted WHERE device = 7") == [("confirmed",)]

            wait_until(confirmed, "it confirms its settings and its key", 240, daemon.log)
            assert farm.query("SELECT period_s, alarm_pulses FROM device WHERE id = 7") == [(3, 20)]
            assert newest("epoch") == (1,)
            # Its clock is the server's: a frame's second is of the moment before it came.
            ((device_s, received_ms),) = farm.query(
                "SELECT device_time_s, received_ms FROM reading WHERE device = 7 ORDER BY counter DESC LIMIT 1"
            )
            assert abs(received_ms / 1000 - device_s) < 3
        finally:
            daemon.kill()
    counters = [row[0] for row in farm.query("SELECT counter FROM reading WHERE device = 7 ORDER BY counter")]
    assert len(counters) == len(set(counters))
    kept = [record for record in records(image.read_bytes()) if record]
    assert {record.epoch for record in kept} == {1} and {record.period_s for record in kept} == {3}
    assert farm.refusals().get("forged tag", 0) == 0
