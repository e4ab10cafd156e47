"""Writes firmware to a board with the program that its target names ([flasher] in target.toml), and only when another
one is there: the flash of an ATmega is good for 10,000 writes (ATmega328P data sheet, "Features")."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from bancada.catalogue.flasher import Flasher
from bancada.catalogue.target import Target
from bancada.compilers.compile import file_sha256
from bancada.engines.board.port import RESUMES, is_address
from bancada.model.errors import UserError

_SHOWN_LINES = 3

# Between the end of what it says and the end of the process.
_END_S = 5.0


def flasher_of(target: Target) -> Flasher:
    """The target's flasher. UserError if it has none, or if its program is not installed."""
    if target.flasher is None:
        raise UserError(
            f"{target.folder / 'target.toml'} has no table [flasher], which says how firmware gets to the board"
            f" '{target.name}'."
        )
    if shutil.which(target.flasher.program) is None:
        raise UserError(
            f"{target.flasher.program}, which writes firmware to the board, is not installed: apt-get install"
            f" {target.flasher.package}"
        )
    return target.flasher


class Flash:
    """The flash of the board behind one port, and what this program knows of it."""

    def __init__(self, port: str) -> None:
        self.path = port
        self._holds: tuple[object, str] | None = None
        self._process: subprocess.Popen[str] | None = None
        self._stopped = threading.Event()

    def put(self, target: Target, elf_path: str) -> None:
        """Makes the board hold this firmware. UserError, with what the flasher said last, if it cannot."""
        from bancada.engines.board.intel_hex import intel_hex  # it reads ELF: not for every command

        wanted = (self._plug(), file_sha256(Path(elf_path)))
        if self._holds == wanted and not is_address(self.path):
            return
        flasher = flasher_of(target)
        if self._holds == wanted and not flasher.verify:
            return
        with tempfile.TemporaryDirectory(prefix="bancada-flash-") as folder:
            hex_path = Path(folder) / "firmware.hex"
            hex_path.write_text(intel_hex(Path(elf_path)))
            # After a campaign was stopped, the first firmware is likely to be there: comparing wears nothing.
            is_expected = self._holds in (None, wanted) and flasher.verify
            known = is_expected and self._run(flasher, flasher.verify, elf_path, hex_path)[0] == 0
            if self._holds == wanted and not known:
                # A network address does not show that a plug is pulled. What a board of the same kind would measure now
                # is another program.
                raise UserError(
                    f"The board at {self.path} no longer has the firmware that was written to it: it is another board,"
                    f" or somebody else writes to it. See to it that one board stays there; {RESUMES}."
                )
            self._holds = None
            if not known:
                status, said = self._run(flasher, flasher.arguments, elf_path, hex_path)
                if status != 0:
                    raise UserError(
                        f"The firmware could not be written to the board on {self.path}: {flasher.program} said:"
                        f" {_last(said)} ({RESUMES})."
                    )
        self._holds = wanted

    def stop(self) -> None:
        """Ends the flasher if it runs, and starts none from now on."""
        self._stopped.set()
        if self._process is not None:
            _end(self._process)

    def _plug(self) -> object:
        """Another value whenever the board was unplugged in between: its device file is a new one then."""
        with suppress(OSError):
            return os.stat(self.path).st_ino
        return None

    def _run(self, flasher: Flasher, arguments: tuple[str, ...], elf_path: str, hex_path: Path) -> tuple[int, str]:
        # avrdude writes the address of a line over a network in its own way.
        port = self.path.replace("socket://", "net:", 1) if is_address(self.path) else self.path
        values = {"{port}": port, "{elf}": elf_path, "{hex}": str(hex_path)}
        command = [flasher.program, *(_filled(argument, values) for argument in arguments)]
        if self._stopped.is_set():
            raise UserError("The campaign was stopped.")
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C is the campaign's to handle
        )
        self._process = process
        try:
            said, _ = process.communicate(timeout=flasher.timeout_s)
        except subprocess.TimeoutExpired:
            raise UserError(
                f"{flasher.program} did not end within {flasher.timeout_s:g} s at the board on {self.path}: press its"
                f" reset button, or unplug it and plug it in again; {RESUMES}."
            ) from None
        finally:
            _end(process)
            self._process = None
        return process.returncode, said


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the flasher and all that it started."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=_END_S)


def _filled(argument: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        argument = argument.replace(name, value)
    return argument


def _last(said: str) -> str:
    """The last lines of the flasher's output, joined. avrdude prints "avrdude done" after failures too."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("avrdude done")]
    return " / ".join(lines[-_SHOWN_LINES:]) or "nothing"
