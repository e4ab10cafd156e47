"""The wheel of bancada itself: pure Python, what it reads, and firmware for who has no compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bancada import __version__
from bancada.build.ship import ship
from bancada.measure.laboratory import open_laboratory
from bancada.plan.plan import plan
from wheels.machine import MACHINES

# Whose firmware travels in the wheel: what gives somebody without a compiler the first figures.
_EXPERIMENT, _CANDIDATE = "libraries", "tatu"


def make(repository: Path, folder: Path, scratch: Path, engines: list[str]) -> Path:
    """Compiles the firmware, and has hatch pack the files that Git tracks. `engines` are the packages that it depends
    on. UserError or CalledProcessError."""
    firmware = scratch / "firmware"
    shutil.rmtree(firmware, ignore_errors=True)
    laboratory = open_laboratory()
    workloads = plan(laboratory, laboratory.experiment(_EXPERIMENT), (), (_CANDIDATE,), quick=True)
    count = ship((one.firmware for one in workloads if one.firmware is not None), firmware)
    print(f"wheels: {count} firmwares of {_CANDIDATE} compiled", flush=True)
    source = scratch / "source"
    _copy_tracked(repository, source)
    packed = scratch / "packed"
    shutil.rmtree(packed, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(packed), str(source)],
        env={
            **os.environ,
            "BANCADA_WHEEL_FIRMWARE": str(firmware),
            "BANCADA_WHEEL_REQUIREMENTS": "\n".join(map(_requirement, engines)),
        },
        check=True,
    )
    (made,) = packed.glob("bancada-*.whl")
    return Path(shutil.copy2(made, folder / made.name))


def _requirement(engine: str) -> str:
    machines = " or ".join(f"platform_machine == '{name}'" for name in MACHINES)
    return f"{engine} == {__version__} ; sys_platform == 'linux' and ({machines})"


def _copy_tracked(repository: Path, folder: Path) -> None:
    """The work tree, without what Git does not track."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=repository, check=True, capture_output=True, text=True)
    for name in listed.stdout.split("\0"):
        if name and (repository / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(repository / name, folder / name, follow_symlinks=False)
