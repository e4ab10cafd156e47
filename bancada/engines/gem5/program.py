"""The optional engine `gem5`: a second opinion on a whole program, where the user has gem5 on the PATH.

gem5's own script for single programs is used (configs/deprecated/example/se.py, in older versions
configs/example/se.py). Its models of Arm's cores: `ex5_big` and `ex5_LITTLE` (Cortex-A15 and A7 of an Exynos 5422) and
`HPI` (an in-order Armv8 core). Its figures are of the whole program, start-up included: take the difference of two
programs.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bancada.model.errors import UserError

MODELS = ("ex5_big", "ex5_LITTLE", "HPI")
_MISSING = "gem5 is not on the PATH; it is optional, no package has it: build it (scons build/ARM/gem5.opt) and add it."
_PROGRAMS = ("gem5.opt", "gem5.fast", "gem5")
_SCRIPTS = ("configs/deprecated/example/se.py", "configs/example/se.py")
# Debian's glibc registers restartable sequences at start, a system call that gem5 does not have.
_ENVIRONMENT = "GLIBC_TUNABLES=glibc.pthread.rseq=0\n"
_STATISTIC = re.compile(r"^(\S+)\s+(\S+)")
_BEGIN, _END = "---------- Begin Simulation Statistics", "---------- End Simulation Statistics"
# The names of the first, and those of gem5 before version 21.
_SECONDS = ("simSeconds", "sim_seconds")
_INSTRUCTIONS = ("simInsts", "sim_insts")
_CYCLES = re.compile(r"^(board\.|system\.).*(numCycles|num_cycles)$")


@dataclass(frozen=True)
class Gem5Figures:
    """A whole program. `cycles` are of the core that worked most."""

    cycles: int
    instructions: int
    time_us: float


def is_there() -> bool:
    """Whether gem5 is on the PATH."""
    return _program() is not None


def _program() -> str | None:
    return next((found for name in _PROGRAMS if (found := shutil.which(name))), None)


def _script(program: str) -> Path:
    """gem5's script, below GEM5_ROOT or above the program's own folder (its build tree is <root>/build/ARM)."""
    chosen = os.environ.get("GEM5_ROOT")
    roots = [Path(chosen)] if chosen else list(Path(program).resolve().parents)[:4]
    for root in roots:
        for script in _SCRIPTS:
            if (root / script).is_file():
                return root / script
    raise UserError(
        f"gem5 is {program}, but its configs/ folder is not above it: set GEM5_ROOT to the folder that has it."
    )


def read_statistics(text: str) -> Gem5Figures:
    """The figures of the first section of a stats.txt. UserError if there is none, or it is not whole."""
    inside = False
    values: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith(_BEGIN):
            inside = True
        elif line.startswith(_END):
            break
        elif inside and (match := _STATISTIC.match(line)):
            values[match[1]] = match[2]
    cycles = [int(float(value)) for name, value in values.items() if _CYCLES.match(name) and value != "nan"]
    seconds = next((values[name] for name in _SECONDS if name in values), None)
    instructions = next((values[name] for name in _INSTRUCTIONS if name in values), None)
    if not cycles or seconds is None or instructions is None:
        raise UserError("gem5's stats.txt has no whole section: the simulation did not get as far as its statistics.")
    return Gem5Figures(max(cycles), int(float(instructions)), float(seconds) * 1e6)


@cache
def gem5_version() -> str:
    """What identifies the program that is on the PATH. UserError if there is none."""
    program = _program()
    if program is None:
        raise UserError(_MISSING)
    digest = hashlib.sha256()
    with open(program, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return f"gem5 {digest.hexdigest()[:16]}"


def run_gem5(
    elf: Path,
    model: str,
    clock_hz: int,
    arguments: Sequence[str] = (),
    limit_s: float = 3600.0,
    standard_input: Path | None = None,
) -> Gem5Figures:
    """Runs a static Linux program to its end in gem5's model of a core; what it reads is in `standard_input`.

    UserError if gem5 is not there, the simulation fails, or it takes longer than `limit_s`.
    """
    program = _program()
    if program is None:
        raise UserError(_MISSING)
    with tempfile.TemporaryDirectory(prefix="bancada-gem5-") as folder:
        environment = Path(folder) / "environment"
        environment.write_text(_ENVIRONMENT)
        command = [
            *(program, f"--outdir={folder}", str(_script(program)), f"--cpu-type={model}", f"--cpu-clock={clock_hz}Hz"),
            *("--caches", "--l2cache", f"--env={environment}", f"--cmd={elf}", f"--options={' '.join(arguments)}"),
            f"--output={folder}/output",
            *((f"--input={standard_input}",) if standard_input is not None else ()),
        ]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit_s
            )
        except subprocess.TimeoutExpired as error:
            raise UserError(f"gem5 did not finish {elf.name} within {limit_s:g} s.") from error
        statistics = Path(folder) / "stats.txt"
        if done.returncode != 0 or not statistics.is_file():
            said = [line for line in done.stderr.splitlines() if "fatal" in line or "panic" in line or "rror" in line]
            raise UserError(
                f"gem5 failed on {elf.name}:"
                f" {(said or done.stderr.splitlines()[-1:] or ['it said nothing'])[0].strip()}"
            )
        return read_statistics(statistics.read_text(errors="replace"))
