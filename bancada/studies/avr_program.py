"""A program of an experiment for an AVR, with the sources of a library: built, run on the simulator, its functions
counted."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bancada.build.symbols import symbols
from bancada.catalogue.target import Target
from bancada.compilers.compile import compile_object, compiler_version, link_image
from bancada.engines.simavr.session import runner
from bancada.model.errors import UserError

# The watchdog of a simulator has no jitter of its own, and a source of entropy refuses to work without.
_JITTER_SEED = "1"


@dataclass(frozen=True)
class AvrProgram:
    """A linked program and its device. It ends by going to sleep with interrupts off, within `limit_cycles`."""

    target: Target
    elf: Path
    limit_cycles: int = 1_000_000_000

    def run(self, *options: str) -> tuple[bytes, list[dict[str, Any]]]:
        """What it sends on its serial port until it sleeps, and the events of the engine. UserError if it fails."""
        device = ("--mcu", str(self.target.mcu), "--frequency", str(self.target.clock_hz), "--uart", "stdio")
        limit = ("--max-cycles", str(self.limit_cycles), "--wdt-jitter", _JITTER_SEED)
        done = subprocess.run(
            [str(runner()), *device, *limit, *options, str(self.elf)], stdin=subprocess.DEVNULL, capture_output=True
        )
        said = done.stderr.decode(errors="replace")
        if done.returncode != 0:
            raise UserError(f"A program of an experiment did not end: {said[-200:].strip()}")
        return done.stdout, [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    def cycles(self, function: str, calls: int) -> tuple[int, int]:
        """The median cycles and the deepest stack of the calls. UserError if there are not so many."""
        place = f"{symbols(self.elf).address(function):#x}"
        _, events = self.run("--function", place, "--calls", str(calls))
        regions = [event for event in events if event["event"] == "region"]
        if len(regions) != calls:
            raise UserError(f"A program of an experiment calls {function} {len(regions)} times, not {calls}.")
        return int(median(one["cycles"] for one in regions)), max(one["stack_bytes"] for one in regions)


def avr_program(
    target: Target, source: Path, library: Path, patterns: tuple[str, ...], optimisation: str, *defines: str
) -> AvrProgram:
    """`source` with the library's files that match; `library` is its include folder too. CompileError if it does not
    build."""
    toolchain = target.toolchain
    version = compiler_version(toolchain.compiler, toolchain.package)
    flags = (*toolchain.flags, optimisation, f"-I{library}")
    sources = sorted({path for one in patterns for path in library.glob(one)}, key=lambda path: (path.name, path))
    objects = [compile_object(toolchain.compiler, version, (*flags, *defines), source)]
    objects += [compile_object(toolchain.compiler, version, flags, path) for path in sources]
    return AvrProgram(target, link_image(toolchain.compiler, version, (*toolchain.link_flags, optimisation), objects))
