"""Source lines of addresses in an ELF, inlined functions included, by binutils' addr2line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import UserError

_UNKNOWN = "??"


@dataclass(frozen=True)
class Frame:
    """A function, and the line in it."""

    function: str
    file: str
    line: int


def frames_of(elf: Path, addresses: Iterable[int], tool: str = "avr-addr2line", package: str = "binutils-avr") -> dict[int, tuple[Frame, ...]]:
    """For each address the functions that its instruction belongs to, the one inlined deepest first; none where no line is known.

    UserError naming the package if the tool is not installed.
    """
    wanted = sorted(set(addresses))
    if not wanted:
        return {}
    if shutil.which(tool) is None:
        raise UserError(f"{tool} is not installed; install it with: apt-get install {package}")
    asked = "".join(f"{address:#x}\n" for address in wanted)
    done = subprocess.run([tool, "-a", "-f", "-i", "-e", str(elf)], input=asked, capture_output=True, text=True, errors="replace", check=True)
    found: dict[int, list[Frame]] = {}
    lines = iter(done.stdout.splitlines())
    current: list[Frame] = []
    for text in lines:
        if text.startswith("0x"):
            current = found.setdefault(int(text, 16), [])
            continue
        path, _, line = next(lines).split(" (")[0].rpartition(":")
        if line.isdigit() and int(line) and not path.startswith(_UNKNOWN):
            current.append(Frame(text, Path(path).name, int(line)))
    return {address: tuple(frames) for address, frames in found.items()}
