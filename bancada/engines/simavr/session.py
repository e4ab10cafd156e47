"""The engine `simavr`: builds the runner of engines/simavr when it is missing or stale, and talks to it over pipes."""

from __future__ import annotations

import hashlib
import json
import os
import select
import shutil
import subprocess
import threading
import time
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Self

from bancada.catalogue.only_one import only_one
from bancada.catalogue.paths import cache_folder, data_root
from bancada.engines.packaged import program as packaged_program
from bancada.engines.simavr.other_copies import forget_other_copies
from bancada.model.errors import UserError
from bancada.model.run import Region
from bancada.monitor.frames import Frames
from bancada.monitor.monitor import SIMULATED_ANSWER_S, SIMULATED_LONGEST_S, DeviceError, StackOverflow

_BINARY = "bancada-simavr"
_AIR_BINARY = "bancada-air"
_AUDIT_BINARY = "bancada-audit"
_DEVICE_BINARY = "bancada-device"
_STDERR_BYTES = 2000

# The runner's word for a stack pointer below the end of static RAM (engines/simavr/src/runner.rs).
_STACK_OVERFLOW = "stack overflow"

_SETUP_HINT = "Rust 1.85 or newer, and apt-get install clang libclang-dev libelf-dev libzstd-dev zlib1g-dev pkg-config"


def _source_digest(folder: Path, patterns: tuple[str, ...] = ("src/**/*.rs",)) -> str:
    digest = hashlib.sha256()
    sources = (path for pattern in patterns for path in folder.glob(pattern))
    for path in sorted([*sources, folder / "Cargo.toml", folder / "Cargo.lock"]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def program_folders(source: Path) -> tuple[tuple[str, str, Path], ...]:
    """Of each program: the folder that it is kept in, its name, and its crate below the engine's sources.

    The folder's name holds the digest of what the program is built from. The runner's is part of every result's key;
    what the others add cannot change a measurement.
    """
    air = ("src/**/*.rs", "air/**/*.rs")
    audit = ("src/**/*.rs", "audit/src/**/*.rs", "audit/Cargo.*")
    device = ("src/**/*.rs", "device/src/**/*.rs", "device/Cargo.*")
    return (
        (f"simavr-{_source_digest(source)}", _BINARY, source),
        (f"air-{_source_digest(source, air)}", _AIR_BINARY, source),
        (f"audit-{_source_digest(source, audit)}", _AUDIT_BINARY, source / "audit"),
        (f"device-{_source_digest(source, device)}", _DEVICE_BINARY, source / "device"),
    )


def _place(name: str) -> tuple[Path, Path]:
    """Where the program of that name is or will be, and its crate."""
    folders = program_folders(data_root() / "engines" / "simavr")
    folder, crate = next((folder, crate) for folder, program, crate in folders if program == name)
    return packaged_program("simavr", folder, name), crate


def _built(name: str) -> Path:
    binary, crate = _place(name)
    return binary if binary.is_file() else _build(binary, crate)


def is_built() -> bool:
    """Whether the runner of this version's sources is there already."""
    return _place(_BINARY)[0].is_file()


@cache
def runner() -> Path:
    """The runner's executable, built from this version's sources if necessary.

    UserError if there is no Rust compiler or the build fails, with what to install.
    """
    return _built(_BINARY)


@cache
def air_simulator() -> Path:
    """The program that simulates several devices on one air (docs/reference/link-simulation.md), built as `runner`
    is."""
    return _built(_AIR_BINARY)


@cache
def secret_follower() -> Path:
    """The program that follows secrets through a firmware (docs/reference/audit.md), built as `runner` is, from its own
    crate."""
    return _built(_AUDIT_BINARY)


@cache
def device_simulator() -> Path:
    """The program that simulates a device that writes its own flash (docs/reference/link-bootloader.md), built as
    `runner` is, from its own crate."""
    return _built(_DEVICE_BINARY)


def _build(binary: Path, crate: Path) -> Path:
    """Builds the crate and puts the program named as `binary` there."""
    if shutil.which("cargo") is None:
        raise UserError(
            f"The engine 'simavr' is built with Rust's cargo, which is not installed; it needs {_SETUP_HINT}"
        )
    build_folder = cache_folder() / "engines" / "simavr-build"
    build_folder.mkdir(parents=True, exist_ok=True)
    # cargo locks the folder while it builds, but not until the program is copied: another version's build would
    # replace it before.
    with only_one(build_folder.with_name("simavr-build.lock")):
        if binary.is_file():
            return binary
        forget_other_copies(data_root() / "engines" / "simavr", build_folder)
        command = ["cargo", "build", "--release", "--locked", "--quiet", "--bin", binary.name]
        done = subprocess.run(
            [*command, "--target-dir", str(build_folder)], cwd=crate, capture_output=True, text=True, errors="replace"
        )
        if done.returncode != 0:
            last = [line for line in done.stderr.strip().splitlines() if line.strip()][-1:] or ["no message"]
            raise UserError(f"The engine 'simavr' does not build ({last[0].strip()}); it needs {_SETUP_HINT}")
        binary.parent.mkdir(parents=True, exist_ok=True)
        partial = binary.with_name(f"{binary.name}.{os.getpid()}-{threading.get_ident()}")
        shutil.copy2(build_folder / "release" / binary.name, partial)
        os.replace(partial, binary)
        return binary


@cache
def engine_version() -> str:
    """The runner, the simavr inside it, and the digest of the runner's sources, as results record it."""
    source = data_root() / "engines" / "simavr"
    locked = {
        package["name"]: package["version"] for package in tomllib.loads((source / "Cargo.lock").read_text())["package"]
    }
    return f"{_BINARY} {locked[_BINARY]} ({_source_digest(source)}), simavr-ffi {locked['simavr-ffi']}"


class SimavrSession:
    """One device in the simulator: a transport for the monitor, and the events that the engine reports.

    Use as a context manager; leaving it ends the simulator.
    """

    is_counting = True
    answer_wait_s = SIMULATED_ANSWER_S
    longest_wait_s = SIMULATED_LONGEST_S

    def __init__(
        self,
        mcu: str,
        clock_hz: int,
        elf_path: str,
        options: tuple[str, ...] = (),
        program: Path | None = None,
        live: set[SimavrSession] | None = None,
    ) -> None:
        """`program` replaces the runner: another program with the same protocol. The session is in `live` while it
        lasts."""
        events_read, events_write = os.pipe()
        command = [str(program or runner()), "--mcu", mcu, "--frequency", str(clock_hz), "--events", str(events_write)]
        self._process = subprocess.Popen(
            [*command, *options, elf_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(events_write,),
            bufsize=0,
            start_new_session=True,  # Ctrl-C is the campaign's to handle, not the simulator's
        )
        self._live = live if live is not None else set()
        self._live.add(self)
        os.close(events_write)
        os.set_blocking(events_read, False)
        self._events = events_read
        self._unread_events = b""
        self._frames = Frames()
        assert self._process.stdout is not None
        self._output = self._process.stdout.fileno()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._live.discard(self)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        os.close(self._events)

    def kill(self) -> None:
        """Ends the simulator; reads and writes then raise DeviceError."""
        self._process.kill()

    def place(self) -> str | None:
        """The function under execution, which this engine does not tell while it runs."""
        return None

    def write(self, data: bytes) -> None:
        """Sends bytes to the device's serial port."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
        except BrokenPipeError as error:
            raise self._gone() from error

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes from the device up to the next zero, without it; None if none came in time."""
        deadline = time.monotonic() + timeout_s
        while (frame := self._frames.next()) is None:
            left_s = deadline - time.monotonic()
            ready = select.select([self._output, self._events], [], [], max(left_s, 0))[0]
            if self._events in ready:
                self._drain_events()  # or the engine would wait for room in the pipe
            if self._output not in ready:
                if left_s <= 0 or not ready:
                    return None
                continue
            data = os.read(self._output, 65536)
            if not data:
                raise self._gone()
            self._frames.hear(data)
        return frame

    def _drain_events(self) -> None:
        while True:
            try:
                data = os.read(self._events, 65536)
            except BlockingIOError:
                return
            if not data:
                return
            self._unread_events += data

    def events(self) -> list[dict[str, Any]]:
        """The events reported since the last call."""
        self._drain_events()
        *lines, self._unread_events = self._unread_events.split(b"\n")
        return [json.loads(line) for line in lines if line.strip()]

    def regions(self) -> list[Region]:
        """The timed regions reported since the last call. DeviceError if the engine reported a fault."""
        found = []
        for event in self.events():
            if event["event"] == "region":
                found.append(
                    Region(event["cycles"], event["region_cycles"], event["stack_bytes"], event["instructions"])
                )
            elif event["event"] == "fault":
                raise _fault(event)
        return found

    def _gone(self) -> DeviceError:
        for event in self.events():
            if event["event"] == "fault":
                return _fault(event)
        self._process.kill()
        said = self._process.stderr.read(_STDERR_BYTES).decode(errors="replace").strip() if self._process.stderr else ""
        return DeviceError(f"The simulator ended unexpectedly: {said or 'it said nothing'}.")


def _fault(event: dict[str, Any]) -> DeviceError:
    place = event.get("symbol") or hex(event.get("pc") or 0)
    if event["reason"] == _STACK_OVERFLOW:
        return StackOverflow(place)
    return DeviceError(f"The firmware crashed in {place}: {event['reason']}.")


def cycles_to_main(mcu: str, clock_hz: int, elf_path: str, limit_cycles: int) -> int | None:
    """Cycles from reset to the first instruction of `main`; None if it is not reached within the limit."""
    reached: list[int] = []
    _run_once(
        mcu,
        clock_hz,
        elf_path,
        limit_cycles,
        lambda event: reached.append(event["cycle"]) if event["event"] == "main" else None,
    )
    return reached[0] if reached else None


def _run_once(
    mcu: str, clock_hz: int, elf_path: str, limit_cycles: int, handle: Callable[[dict[str, Any]], None]
) -> None:
    done = subprocess.run(
        [
            str(runner()),
            "--mcu",
            mcu,
            "--frequency",
            str(clock_hz),
            "--uart",
            "none",
            "--max-cycles",
            str(limit_cycles),
            elf_path,
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    for line in done.stderr.splitlines():
        if line.startswith("{"):
            handle(json.loads(line))
