"""Says what this machine has and lacks of what the laboratory needs."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

from bancada.catalogue.target import Tool
from bancada.compilers.compilers import other_compilers
from bancada.plan.laboratory import Laboratory


@dataclass(frozen=True)
class Finding:
    """One tool: its purpose, its version if it is installed, and otherwise what installs it."""

    tool: str
    purpose: str
    version: str | None
    install: str
    required: bool


# Beside what the engines need themselves.
_TOOLS = (
    Tool("avrdude", "writes firmware to a board (--port)", "avrdude", False),
    Tool(
        "valgrind",
        "follows secrets through sources compiled for this machine: bancada audit, for ARM targets",
        "valgrind",
        False,
    ),
)


def _version(tool: str) -> str | None:
    if shutil.which(tool) is None:
        return None
    option = "-?" if tool == "avrdude" else "--version"
    done = subprocess.run([tool, option], capture_output=True, text=True, errors="replace")
    lines = (done.stdout or done.stderr).strip().splitlines()
    return (lines[-1] if tool == "avrdude" else lines[0]) if lines else "present"


def doctor(laboratory: Laboratory) -> list[Finding]:
    """One finding for each tool, compilers of the targets first. Tools that only ARM targets need are not required."""
    targets = [target for _, target in sorted(laboratory.targets.items())]
    compilers = {target.toolchain.compiler: target.toolchain.package for target in targets}
    required = {tool for target in targets for tool in target.engine.tools(target) if tool.required}
    for_avr = {target.toolchain.compiler for target in targets if required & set(target.engine.tools(target))}
    findings = [
        Finding(
            compiler,
            "compiles firmware" if compiler in for_avr else "compiles firmware for ARM targets",
            _version(compiler),
            f"apt-get install {package}",
            compiler in for_avr,
        )
        for compiler, package in compilers.items()
    ]
    findings += [
        Finding(compiler.name, f"another compiler for {shown} (--compiler)", compiler.version, "", False)
        for compiler, shown in other_compilers(targets)
    ]
    of_engines = dict.fromkeys(tool for target in targets for tool in target.engine.tools(target))
    for tool in (*of_engines, *_TOOLS):
        findings.append(
            Finding(
                tool.program,
                tool.purpose,
                _version(tool.program),
                f"apt-get install {tool.package}",
                tool.required and tool.is_needed,
            )
        )
    return findings
