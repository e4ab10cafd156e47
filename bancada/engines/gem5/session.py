"""The engine `gem5` in campaigns, for targets that name a model of gem5's: firmware of the laboratory as a Linux
program.

gem5 says what a whole program took, from its first instruction to its last, and does not answer before the end. So the
firmware talks with the monitor under QEMU, which also tells that it computes what it should; what the monitor said is
then read to it again under gem5, twice: once with the timed call and once with an empty one in its place. The call is
the difference, and with it the little that the harness does before the call and after it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Self

from bancada.catalogue.target import Target
from bancada.engines.gem5.program import Gem5Figures, run_gem5
from bancada.engines.gem5.settings import gem5_settings
from bancada.engines.qemu.session import QemuSession
from bancada.model.errors import UserError
from bancada.model.run import Region
from bancada.monitor.monitor import (
    MONITOR_TIMING,
    OPERATION_EMPTY,
    SIMULATED_ANSWER_S,
    SIMULATED_LONGEST_S,
    DeviceError,
    call_in,
    with_call,
)

_LIMIT_S = 6 * 3600.0


class Gem5Session:
    """One firmware: it answers under QEMU, and is timed in gem5."""

    is_counting = True
    answer_wait_s = SIMULATED_ANSWER_S
    longest_wait_s = SIMULATED_LONGEST_S

    def __init__(self, target: Target, elf_path: str) -> None:
        self._target = target
        self._elf = Path(elf_path)
        self._answers = QemuSession(target, elf_path, is_counted=False)
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
        """Unknown: nothing watches."""
        return None

    def regions(self) -> list[Region]:
        """The region of the last timed call, if there was one. A region without a call has no cost.

        Everything that was sent after the previous timed call prepares this one (bancada.primitives). Only that is
        sent again, so that a run in gem5 has no other timed call.
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
        model = gem5_settings(self._target).model
        with tempfile.TemporaryDirectory(prefix="bancada-gem5-input-") as folder:
            said = Path(folder) / "input"
            said.write_bytes(b"".join(frames))
            try:
                return run_gem5(self._elf, model, self._target.clock_hz, limit_s=_LIMIT_S, standard_input=said)
            except UserError as error:
                raise DeviceError(str(error)) from error
