"""The engine `gem5` in campaigns, for targets that name a model of gem5's: firmware of the laboratory as a Linux program.

gem5 says what a whole program took, from its first instruction to its last, and answers nobody meanwhile. So the firmware talks with
the monitor under QEMU, which also tells that it computes what it should; what the monitor said is then read to it again under gem5,
twice: once with the timed call and once with an empty one in its place. The call is the difference, and with it the little that the
harness does before the call and after it.
"""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import Self

from bancada.catalogue import Core, Target
from bancada.engines.gem5 import Gem5Figures, gem5_version, run_gem5
from bancada.engines.qemu_session import QemuSession
from bancada.errors import UserError
from bancada.monitor import MONITOR_TIMING, OPERATION_EMPTY, SIMULATED_ANSWER_S, SIMULATED_LONGEST_S, DeviceError, call_in, with_call
from bancada.records import Region

_LIMIT_S = 6 * 3600.0


class Gem5Session:
    """One firmware: it answers under QEMU, and is timed in gem5."""

    is_counting = True
    answer_wait_s = SIMULATED_ANSWER_S
    longest_wait_s = SIMULATED_LONGEST_S

    def __init__(self, target: Target, core: Core, elf_path: str) -> None:
        self._target = target
        self._elf = Path(elf_path)
        self._answers = QemuSession(target, core, elf_path, is_counted=False)
        self._frames: list[bytes] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._answers.__exit__(*raised)

    def write(self, data: bytes) -> None:
        """Sends bytes to the firmware."""
        self._frames.append(data)
        self._answers.write(data)

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes from the firmware up to the next zero."""
        return self._answers.read_frame(timeout_s)

    def place(self) -> str | None:
        """Unknown: nobody watches."""
        return None

    def regions(self) -> list[Region]:
        """The region of the timed call that was made last, if one was; an empty one costs nothing beside itself.

        A timed call is prepared by what was sent since the one before it (bancada.primitives), so that no run has the calls of others.
        """
        asked = call_in(self._frames[-1]) if self._frames else None
        if asked is None:
            return []
        operation, chain = asked
        if operation == OPERATION_EMPTY:
            return [Region(0, None, None, 0)]
        if not chain & MONITOR_TIMING:
            return []
        whole = self._run(self._frames)
        without = self._run([*self._frames[:-1], with_call(self._frames[-1], OPERATION_EMPTY)])
        self._frames = self._frames[:1]  # the firmware is identified first
        return [Region(whole.cycles - without.cycles, None, None, whole.instructions - without.instructions)]

    def _run(self, frames: list[bytes]) -> Gem5Figures:
        assert self._target.gem5_model is not None
        with tempfile.TemporaryDirectory(prefix="bancada-gem5-input-") as folder:
            said = Path(folder) / "input"
            said.write_bytes(b"".join(frames))
            try:
                return run_gem5(self._elf, self._target.gem5_model, self._target.clock_hz, limit_s=_LIMIT_S, standard_input=said)
            except UserError as error:
                raise DeviceError(str(error)) from error


class Gem5:
    """The engine of targets with a `gem5_model`, where the user has gem5 on the PATH."""

    def open(self, target: Target, core: Core, elf_path: str, is_counted: bool) -> Gem5Session | QemuSession:
        """Starts a firmware; where nobody counts, under QEMU alone. UserError if gem5 is not there."""
        self.version(target)
        return Gem5Session(target, core, elf_path) if is_counted else QemuSession(target, core, elf_path, is_counted=False)

    def version(self, target: Target) -> str:
        """gem5's own, and its model."""
        return f"{gem5_version()}, {target.gem5_model}"

    def cycles_to_main(self, target: Target, core: Core, elf_path: str) -> int | None:
        """None: under Linux a loader comes before."""
        return None

    def stop_all(self) -> None:
        """The sessions under QEMU are that engine's to end; a run in gem5 ends with the process that waits for it."""
