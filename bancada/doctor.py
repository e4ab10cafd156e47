"""Says what this machine has and lacks of what the laboratory needs."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

from bancada import catalogue
from bancada.compilers import other_compilers
from bancada.engines.qemu_plugin import emulator_package


@dataclass(frozen=True)
class Finding:
    """One tool: what it is for, its version if it is there, and otherwise what installs it."""

    tool: str
    purpose: str
    version: str | None
    install: str
    required: bool


_TOOLS = (
    ("cargo", "builds the engine simavr, fetches candidates from crates", "cargo", True),
    ("clang", "the engine's build reads simavr's headers with it", "clang libclang-dev", True),
    ("cc", "builds the engine qemu's profiler, for ARM targets", "gcc libc6-dev", False),
    ("make", "the engine's build", "make", True),
    ("pkg-config", "the engine's build", "pkg-config", True),
    ("avrdude", "writes firmware to a board (--port)", "avrdude", False),
    ("valgrind", "follows secrets through sources compiled for this machine: bancada audit, for ARM targets", "valgrind", False),
)


def _version(tool: str) -> str | None:
    if shutil.which(tool) is None:
        return None
    option = "-?" if tool == "avrdude" else "--version"
    done = subprocess.run([tool, option], capture_output=True, text=True, errors="replace")
    lines = (done.stdout or done.stderr).strip().splitlines()
    return (lines[-1] if tool == "avrdude" else lines[0]) if lines else "present"


def doctor() -> list[Finding]:
    """One finding for each tool, compilers of the targets first. What only ARM targets need is not required."""
    targets = [target for _, target in sorted(catalogue.targets().items())]
    compilers = {target.toolchain.compiler: target.toolchain.package for target in targets}
    for_avr = {target.toolchain.compiler for target in targets if target.emulator is None}
    findings = [
        Finding(
            compiler, "compiles firmware" if compiler in for_avr else "compiles firmware for ARM targets",
            _version(compiler), f"apt-get install {package}", compiler in for_avr,
        )
        for compiler, package in compilers.items()
    ]  # fmt: skip
    findings += [
        Finding(compiler.name, f"another compiler for {shown} (--compiler)", compiler.version, "", False)
        for compiler, shown in other_compilers()
    ]
    emulators = sorted({target.emulator.program for target in targets if target.emulator is not None})
    findings += [
        Finding(
            emulator, "the engine qemu, for ARM targets", _version(emulator), f"apt-get install {emulator_package(emulator)}", False
        )
        for emulator in emulators
    ]
    for tool, purpose, package, required in _TOOLS:
        findings.append(Finding(tool, purpose, _version(tool), f"apt-get install {package}", required))
    return findings
