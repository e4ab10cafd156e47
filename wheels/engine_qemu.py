"""bancada-engine-qemu: the profiler that QEMU loads, for each version of QEMU's plugin interface."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bancada import __version__
from bancada.engines.qemu.plugin import INTERFACES, build_command, source_digest
from wheels.archive import Wheel
from wheels.machine import Machine
from wheels.portable import tags

NAME = "bancada-engine-qemu"
_PACKAGE = "bancada_engine_qemu"

_DESCRIPTION = """\
The engine `qemu` of bancada: a plugin for QEMU that counts which blocks of Arm firmware were executed.

It is built from `engines/qemu` of bancada's sources, which are in the folder `source` of this package, and is under the
GNU General Public License, version 2 or later. QEMU itself is not in it: apt-get install qemu-user qemu-system-arm.
"""


def make(repository: Path, machine: Machine, scratch: Path) -> Wheel:
    """Compiles the plugin and packs it. CalledProcessError if it does not compile."""
    source = repository / "engines" / "qemu"
    files = {f"{_PACKAGE}/__init__.py": b'"""The plugin of the engine qemu."""\n'}
    made = []
    for interface in sorted(INTERFACES):
        plugin = scratch / f"profiler-{interface}-{machine.name}.so"
        command = build_command(machine.compiler, interface, plugin)
        subprocess.run(
            [*command, "-s", "-Wl,--build-id=none", f"-ffile-prefix-map={source.resolve()}=source"], check=True
        )
        files[f"{_PACKAGE}/qemu-{source_digest()}/profiler-{interface}.so"] = plugin.read_bytes()
        made.append(plugin)
    for path in sorted(source.rglob("*.[ch]")):
        files[f"{_PACKAGE}/source/{path.relative_to(source).as_posix()}"] = path.read_bytes()
    return Wheel(
        name=NAME,
        version=__version__,
        tags=tags(made, machine.name),
        metadata={
            "Summary": "Counts what Arm firmware executes in QEMU, for bancada",
            "License-Expression": "GPL-2.0-or-later",
            "Requires-Python": ">=3.11",
            "Description-Content-Type": "text/markdown",
        },
        description=_DESCRIPTION,
        files=files,
        licences={"LICENSE": (source / "LICENSE").read_bytes()},
    )
