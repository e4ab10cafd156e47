"""The audit on the host: the same sources compiled for this machine and run under valgrind, secrets marked as
undefined.

Memcheck follows undefined bits through all that a program computes, and reports each branch and each address that
depends on one. This is not the target's machine code: another compiler made it, and it is the portable C where a target
has assembly.
"""

from __future__ import annotations

import os
import random
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

from bancada.audit.declared import Public
from bancada.audit.findings import Finding
from bancada.audit.memcheck import read_report
from bancada.audit.secret_calls import secret_calls, secrets_of
from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target, Toolchain
from bancada.model.errors import UserError
from bancada.monitor.frames import Frames
from bancada.monitor.monitor import DeviceError, Monitor
from bancada.plan.case import Firmware

# The name of this machine as a target. It takes the implementations that are chosen for AUDIT_TARGET, which is a 64-bit
# Linux too.
HOST = "host"
AUDIT_TARGET = "rpi3"

_VALGRIND = "valgrind"
_HEADER = Path("/usr/include/valgrind/memcheck.h")
_TIMEOUT_S = 600.0
_PUBLIC = Path("harness") / "include" / "bancada" / "audit_public.h"
_MAKES_PUBLIC = "audit_make_public"  # which that header defines
_TOOLCHAIN = Toolchain(
    compiler="gcc",
    package="gcc libc6-dev",
    flags=("-std=gnu99", "-ffunction-sections", "-fdata-sections", "-g"),
    link_flags=("-Wl,--gc-sections",),
)


def host_toolchain_of(target: Target, made_public_by: str | None) -> Target:
    """The target, compiled for this machine, where the macro `made_public_by` makes what it is given public.

    UserError if valgrind, with its header, is not installed.
    """
    if shutil.which(_VALGRIND) is None or not _HEADER.is_file():
        raise UserError(
            "The audit on the host needs valgrind, which is not installed; install it with: apt-get install valgrind"
        )
    flags = _TOOLCHAIN.flags
    if made_public_by is not None:
        flags = (*flags, "-include", str(data_root() / _PUBLIC), f"-D{made_public_by}={_MAKES_PUBLIC}")
    changed = {
        "toolchain": _TOOLCHAIN.model_copy(update={"flags": flags}),
        "board_layer": "device_audit.c",
        "startup": (),
        "linker_script": None,
        "flash_bytes": 1 << 32,
        "ram_bytes": 1 << 32,
    }
    return target.model_copy(update=changed)


class _Valgrind:
    """A monitor on the pipes of a program under valgrind. Leaving it ends the program, and then the report is whole."""

    def __init__(self, elf: Path, report: Path, secrets: str) -> None:
        command = [
            _VALGRIND,
            "--quiet",
            "--tool=memcheck",
            "--leak-check=no",
            "--error-limit=no",
            "--num-callers=20",
            "--xml=yes",
            f"--xml-file={report}",
            str(elf),
        ]
        environment = {"PATH": os.environ.get("PATH", ""), "BANCADA_SECRETS": secrets}
        self._said = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            bufsize=0,
            env=environment,
            start_new_session=True,
        )
        self._frames = Frames()

    def __enter__(self) -> _Valgrind:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()  # the program ends at the end of its input, and valgrind writes its counts
        if kind is not None:
            self._process.kill()
        try:
            self._process.wait(_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._said.close()

    def place(self) -> str | None:
        """None: valgrind does not tell the current function while it runs."""
        return None

    def write(self, data: bytes) -> None:
        """Sends bytes to the program."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
        except BrokenPipeError as error:
            raise self._gone() from error

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes from the program up to the next zero, without it; None if none came in time."""
        assert self._process.stdout is not None
        deadline = time.monotonic() + timeout_s
        while (frame := self._frames.next()) is None:
            if not select.select([self._process.stdout], [], [], max(deadline - time.monotonic(), 0))[0]:
                return None
            data = os.read(self._process.stdout.fileno(), 65536)
            if not data:
                raise self._gone()
            self._frames.hear(data)
        return frame

    def _gone(self) -> DeviceError:
        self._process.wait()
        self._said.seek(0)
        said = self._said.read()[-300:].decode(errors="replace").strip()
        return DeviceError(f"The program ended unexpectedly under valgrind: {said or 'it said nothing'}.")


def run_on_host(
    firmware: Firmware, elf: Path, operation: str, calls: int, public: dict[str, Public]
) -> tuple[Finding, ...]:
    """Every place of `calls` calls at which a branch or an address depends on a secret.

    DeviceError if the program crashes or stops answering.
    """
    secrets = ",".join(f"{secret.buffer}:{secret.offset}:{secret.length}" for secret in secrets_of(firmware, operation))
    source = random.Random(f"{firmware.implementation} {operation}")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        with _Valgrind(elf, report, secrets) as session:
            monitor = Monitor(session, _TIMEOUT_S)
            monitor.identify()
            device = secret_calls(monitor, firmware, operation)
            for _ in range(calls):
                device.prepare(source)
                device.call()
        return read_report(report, elf, calls, public)
