"""`bancada link demo`: the whole link on one machine, with simulated sensors, until Ctrl-C."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from sensorlink.binaries import GATEWAY, SERVER, binary
from sensorlink.build_command import build_everything
from sensorlink.laboratory import UserError

_GATEWAY_NAME = "demo"
_PERIOD_S = 5
# Rain that reaches the threshold some two minutes after the start, so that the alarm is seen.
_RAIN_INTERVAL_S = 12
_RAIN_ALARM_MM_PER_HOUR = 30
_RAIN_WINDOW_MINUTES = 2
_START_S = 60.0
_STOP_S = 10.0
_PR_SET_PDEATHSIG = 1


class _Child:
    """One program of the demonstration, its output in a file."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, user: str | None = None) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches us only, and we end them in order
                user=user,
                preexec_fn=_die_with_parent,
            )

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def check(self) -> None:
        if self.process.poll() is not None:
            last = self.said().strip().splitlines()[-1:] or ["nothing"]
            raise UserError(f"The demonstration's {self.name} ended by itself; it said: {last[0]}")

    def stop(self) -> None:
        if self.process.poll() is None:
            # What Ctrl-C would be: the simulation removes its files on it, the others on either.
            self.process.send_signal(signal.SIGINT if self.name == "simulation" else signal.SIGTERM)
            try:
                self.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


_libc = ctypes.CDLL(None, use_errno=True)


def _die_with_parent() -> None:
    """In the child: the kernel ends it with us, even if we are killed without a chance to clean up."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(children: list[_Child], what: str, happened: Callable[[], bool]) -> None:
    end = time.monotonic() + _START_S
    while not happened():
        for child in children:
            child.check()
        if time.monotonic() > end:
            raise UserError(f"The demonstration did not start within {_START_S:.0f} s: {what}.")
        time.sleep(0.05)


def _provision(site: Path, broker_port: int, sensors: int) -> str:
    """Makes the site; the page's password."""
    devices = [part for number in range(1, sensors + 1) for part in ("--device", str(number))]
    command = [
        str(binary(SERVER)),
        "provision",
        "--site",
        str(site),
        "--gateway",
        _GATEWAY_NAME,
        "--broker-port",
        str(broker_port),
        "--period",
        str(_PERIOD_S),
        "--rain-alarm",
        str(_RAIN_ALARM_MM_PER_HOUR),
        "--rain-window",
        str(_RAIN_WINDOW_MINUTES),
        *devices,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    password = re.search(r"shown this once: (\S+)", done.stdout)
    if done.returncode != 0 or password is None:
        raise UserError(done.stderr.strip().removeprefix("bancada: ") or "The demonstration's site could not be made.")
    return password[1]


@contextmanager
def running(site: Path, logs: Path, sensors: int, page_port: int) -> Iterator[tuple[str, str, list[_Child]]]:
    """Everything running: the page's URL, its password, and the children to watch. Ends all of it on leaving."""
    mosquitto = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if mosquitto is None:
        raise UserError("The demonstration needs the broker mosquitto: apt-get install mosquitto")
    broker_port = _free_port()
    password = _provision(site, broker_port, sensors)
    serial_link = logs / "gateway-serial"
    settings = site / "gateways" / _GATEWAY_NAME / "gateway.toml"
    settings.write_text(settings.read_text().replace("/dev/ttyACM0", str(serial_link)))
    images = [
        part
        for number in range(1, sensors + 1)
        for part in ("--eeprom", str(site / "devices" / f"{number}-epoch0.bin"))
    ]
    with ExitStack() as stack:
        children: list[_Child] = []

        def start(name: str, *command: str, user: str | None = None) -> _Child:
            child = _Child(name, command, logs, user)
            stack.callback(child.stop)
            children.append(child)
            return child

        configuration = site / "broker" / "mosquitto.conf"
        start("broker", mosquitto, "-c", str(configuration), user=_broker_account(configuration))
        _wait(children, "the broker does not listen", lambda: _listens(broker_port))
        server = start("server", str(binary(SERVER)), "serve", "--site", str(site), "--page", f"127.0.0.1:{page_port}")
        _wait(children, "the server does not reach the broker", lambda: "connected to the broker" in server.said())
        url = re.findall(r"page at (\S+)", server.said())[0]
        start(
            "simulation",
            sys.executable,
            "-m",
            "bancada.commands.cli",
            "link",
            "simulate",
            "--sensors",
            str(sensors),
            "--period",
            f"{_PERIOD_S}s",
            "--rain",
            f"{_RAIN_INTERVAL_S}s",
            "--pty",
            "--pty-link",
            str(serial_link),
            *images,
        )
        _wait(children, "the simulated gateway opens no serial port", serial_link.exists)
        start("gateway", str(binary(GATEWAY)), "--config", str(settings))
        yield url, password, children


def _broker_account(configuration: Path) -> str | None:
    """The account to start the broker under, for root: a program that changes its account later no longer ends with its
    parent (prctl(2)).
    """
    if os.getuid() != 0:
        return None
    return next(line.split()[1] for line in configuration.read_text().splitlines() if line.startswith("user "))


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@click.command("demo")
@click.option("--sensors", type=click.IntRange(1, 4), default=2, show_default=True, help="How many simulated sensors.")
@click.option(
    "--page-port", type=click.IntRange(0, 65535), default=0, help="The page's port. Default: any that is free."
)
def command(sensors: int, page_port: int) -> None:
    """The whole link on this machine: sensors and gateway simulated by their firmware, daemon, broker, server and page.

    Nothing of it stays: Ctrl-C ends it all and removes its files.
    """
    build_everything()
    click.echo("Starting broker, server, simulation and gateway.")
    with tempfile.TemporaryDirectory(prefix="bancada-link-demo-") as folder:
        logs = Path(folder)
        if os.getuid() == 0:
            logs.chmod(0o711)  # the broker runs under an account of its own, and must get through to its folder
        with running(logs / "site", logs, sensors, page_port) as (url, password, children):
            click.echo(f"\n  {url}\n  password: {password}\n")
            click.echo(
                "It rains on the simulated sensors; the alarm comes after two minutes or so. Ctrl-C ends everything."
            )
            try:
                while True:
                    for child in children:
                        child.check()
                    time.sleep(0.5)
            except KeyboardInterrupt:
                click.echo("\nEnding.")
