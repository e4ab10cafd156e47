"""How fast the link's gateway daemon and server are on this machine.

A fleet's recording goes from a file to the database, through a broker.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bancada.catalogue.paths import cache_folder, data_root
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.status import Fidelity
from bancada.studies.this_machine import processor

NAME = "gateway and server"
SENSORS = 1000
FRAMES = 60_000
# Other programs run meanwhile, so each figure is the median of several runs, each with a site of its own.
_RUNS = 3
# In all runs together: a single lost frame is an error.
_COUNTS = ("lost", "refused")
_GATEWAY_NAME = "throughput"
_DEADLINE_S = 120.0
# Seconds between two queries of a database: short compared with the timed interval, and rare enough not to disturb the
# programs.
_LOOK_S = 0.005


class _Program:
    """A program in the background, its output in a file, and the processor time that it took once it has ended."""

    def __init__(self, name: str, command: Sequence[str], folder: Path) -> None:
        self._name = name
        self._log = folder / f"{name}.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.cpu_s = 0.0

    def said(self) -> str:
        return self._log.read_text(errors="replace")

    def ended(self) -> bool:
        """UserError if it failed."""
        if self._process.returncode is None:
            # wait4 gives the resources of one child. Popen must then be told that the child was waited for.
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid == 0:
                return False
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self.cpu_s = usage.ru_utime + usage.ru_stime
        if self._process.returncode not in (0, -signal.SIGTERM):
            last = self.said().strip().splitlines()[-1:] or ["nothing"]
            raise UserError(f"the link's {self._name} failed; it said: {last[0]}")
        return True

    def stop(self) -> None:
        self._process.terminate()
        _wait(f"the {self._name} ends", self.ended)

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            self._process.wait()


@contextmanager
def _running(name: str, command: Sequence[str], folder: Path) -> Iterator[_Program]:
    program = _Program(name, command, folder)
    try:
        yield program
    finally:
        program.kill()


def _wait(what: str, happened: Callable[[], bool], programs: Sequence[_Program] = ()) -> None:
    end = time.monotonic() + _DEADLINE_S
    while not happened():
        for program in programs:
            if program.ended():
                raise UserError(
                    f"waited in vain until {what}: a program of the link ended by itself; it said: "
                    f"{program.said().strip()[-200:]}"
                )
        if time.monotonic() > end:
            raise UserError(f"{_DEADLINE_S:.0f} s were not enough until {what}")
        time.sleep(_LOOK_S)


def _run(what: str, command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["nothing"]
        raise UserError(f"{what} failed; it said: {last[0]}")


def _broker_program() -> str:
    # Debian installs it in a folder that is not in an ordinary user's PATH.
    found = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if found is None:
        raise UserError("the broker mosquitto is not installed (apt-get install mosquitto)")
    return found


def _fleet() -> Path:
    """The program that plays the sensors, built if necessary, which takes some seconds."""
    for tool in ("make", "cc"):
        if shutil.which(tool) is None:
            raise UserError(
                f"the fleet of sensors is built with {tool}, which is not installed (apt-get install make gcc "
                "libc6-dev)"
            )
    # make's dependency files hold absolute paths, so each clone has a folder of its own.
    folder = cache_folder() / "link" / f"fleet-{hashlib.sha256(str(data_root()).encode()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    # One build at a time. A second process waits and then finds the program.
    with (folder / "bancada.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _run(
            "building the fleet of sensors",
            ["make", "--silent", "-C", str(data_root() / "link" / "fleet"), f"OUT={folder}"],
        )
    return folder / "fleet"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _number(database: Path, query: str) -> int:
    """A query's one number; 0 if there is no row."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=_DEADLINE_S)
    try:
        row = connection.execute(query).fetchone()
    finally:
        connection.close()
    return int(row[0] or 0) if row else 0


def _number_so_far(database: Path, query: str) -> int:
    """As `_number`, and 0 while the database does not exist yet."""
    try:
        return _number(database, query)
    except sqlite3.OperationalError:
        return 0


def _stored_in_outbox(site: Path) -> int:
    """The number of rows ever stored. Rows that the server has are removed meanwhile, so the last id is the count."""
    return _number_so_far(
        site / "gateways" / _GATEWAY_NAME / "outbox.sqlite", "SELECT seq FROM sqlite_sequence WHERE name = 'burst'"
    )


def _accepted(site: Path) -> int:
    """The number of committed readings, from the server's own count for each key, which is faster than counting
    rows."""
    return _number_so_far(site / "link.sqlite", "SELECT SUM(accepted) FROM epoch")


def _timed(gateway: Path, server: Path, site: Path, recording: Path, logs: Path, port: int) -> dict[str, float]:
    serve = [str(server), "serve", "--site", str(site), "--page", "none"]
    take = [
        str(gateway),
        "--config",
        str(site / "gateways" / _GATEWAY_NAME / "gateway.toml"),
        "--input",
        str(recording),
        "--exit-when-drained",
    ]
    with ExitStack() as stack:
        broker = stack.enter_context(
            _running("broker", [_broker_program(), "-c", str(site / "broker" / "mosquitto.conf")], logs)
        )
        _wait("the broker listens", lambda: _listens(port), [broker])
        served = stack.enter_context(_running("server", serve, logs))
        others = [broker, served]
        _wait("the server reaches the broker", lambda: "connected to the broker" in served.said(), others)
        began = time.monotonic()
        daemon = stack.enter_context(_running("gateway", take, logs))
        _wait("the outbox has every frame", lambda: _stored_in_outbox(site) >= FRAMES or daemon.ended(), others)
        outbox_s = time.monotonic() - began
        _wait("the database has every reading", lambda: _accepted(site) >= FRAMES or daemon.ended(), others)
        database_s = time.monotonic() - began
        # Empty: everything is acknowledged, so nothing more will come, and missing readings are lost.
        _wait("the gateway's outbox is empty", daemon.ended, others)
        served.stop()
        broker.stop()
    stored = _number(site / "link.sqlite", "SELECT COUNT(*) FROM reading")
    return {
        "outbox_s": outbox_s,
        "database_s": database_s,
        "gateway_cpu_s": daemon.cpu_s,
        "server_cpu_s": served.cpu_s,
        "broker_cpu_s": broker.cpu_s,
        "lost": FRAMES - stored,
        "refused": _number(site / "link.sqlite", "SELECT COUNT(*) FROM refusal"),
    }


def _run_once(gateway: Path, server: Path, fleet: Path) -> dict[str, float]:
    # Not in the usual folder for temporary files, which may be in memory: the outbox is timed until it is on a disk.
    with tempfile.TemporaryDirectory(prefix="bancada-throughput-", dir="/var/tmp") as name:
        # The broker runs under an account of its own, which must be able to reach its folder.
        Path(name).chmod(0o711)
        folder = Path(name)
        site, keys, recording, port = folder / "site", folder / "fleet.csv", folder / "recording", _free_port()
        _run(
            "provisioning a site",
            [
                str(server),
                "provision",
                "--site",
                str(site),
                "--gateway",
                _GATEWAY_NAME,
                "--broker-port",
                str(port),
                "--fleet",
                str(SENSORS),
                "--csv",
                str(keys),
            ],
        )
        _run(
            "the fleet of sensors",
            [str(fleet), "--keys", str(keys), "--output", str(recording), "--frames", str(FRAMES), "--speed", "0"],
        )
        return _timed(gateway, server, site, recording, folder, port)


def throughput(gateway: Path, server: Path) -> Observation:
    """Sends a recording of a thousand sensors through the daemon and the server as fast as possible.

    UserError, as the second half of a sentence, if something that it takes is missing or fails.
    """
    _broker_program()
    fleet = _fleet()
    busy = os.getloadavg()[0]
    runs = [_run_once(gateway, server, fleet) for _ in range(_RUNS)]
    figures: dict[str, Any] = {"frames": FRAMES}
    for name in runs[0]:
        values = [run[name] for run in runs]
        figures[name] = sum(values) if name in _COUNTS else median(values)
    for name in ("outbox_s", "database_s"):
        figures[f"{name}_least_and_most"] = [min(run[name] for run in runs), max(run[name] for run in runs)]
    figures["gateway_frames_per_s"] = FRAMES / figures["outbox_s"]
    figures["server_frames_per_s"] = FRAMES / figures["database_s"]
    parameters = {
        "sensors": SENSORS,
        "frames": FRAMES,
        "runs": _RUNS,
        "database": "SQLite",
        "processor": processor(),
        "load_average_before": busy,
    }
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Observation("throughput", NAME, Fidelity.MEASURED, parameters, figures, date)
