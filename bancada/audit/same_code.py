"""Checks that line numbers did not change the code. Otherwise the audited code would not be the measured code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from elftools.elf.elffile import ELFFile

_INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\t[0-9a-f ]+\t(\S+)\s*(.*)$")

# The linker shortens calls and jumps and removes a return that follows a jump (-mrelax). With line numbers it shortens
# a few less. Addresses then move, and these instructions contain addresses.
_SHORT = {"rcall": "call", "rjmp": "jmp"}
_WITH_ADDRESSES = re.compile(r"^(call|jmp|ldi|lds|sts|subi|sbci|cpi|br..|\.word)$")


def _loaded(elf: Path) -> list[tuple[int, bytes]]:
    with elf.open("rb") as file:
        return [
            (segment["p_paddr"], segment.data())
            for segment in ELFFile(file).iter_segments()
            if segment["p_type"] == "PT_LOAD"
        ]


def _instructions(elf: Path) -> list[str]:
    """Every instruction, without the addresses in it."""
    done = subprocess.run(["avr-objdump", "-d", str(elf)], capture_output=True, text=True, errors="replace", check=True)
    found: list[str] = []
    for line in done.stdout.splitlines():
        match = _INSTRUCTION.match(line)
        if match:
            name = _SHORT.get(match[1], match[1])
            if name == "ret" and found[-1:] == ["jmp"]:
                continue
            found.append(name if _WITH_ADDRESSES.match(name) else f"{name} {match[2].split(';')[0].strip()}")
    return found


def is_same_code(one: Path, other: Path) -> bool:
    """Whether two AVR programs are equal, apart from what the linker shortened and what moved with it."""
    return _loaded(one) == _loaded(other) or _instructions(one) == _instructions(other)
