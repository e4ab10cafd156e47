"""What avr-objdump calls each of the 65,536 opcodes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_BRANCH = {f"BR{name}": "BRBS" for name in "CS LO EQ MI VS LT HS TS IE".split()}
_BRANCH |= {f"BR{name}": "BRBC" for name in "CC SH NE PL VC GE HC TC ID".split()}
_FLAG = {f"SE{flag}": "BSET" for flag in "CZNVSHTI"} | {f"CL{flag}": "BCLR" for flag in "CZNVSHTI"}


def names_of_every_opcode(folder: Path) -> dict[int, str]:
    """The manual's name of each opcode that the ATmega328P has; `none` for the others."""
    image = folder / "every.bin"
    # Two NOPs behind each, so that the second word of LDS, STS, CALL and JMP is none of the next.
    image.write_bytes(b"".join(opcode.to_bytes(2, "little") + bytes(4) for opcode in range(0x10000)))
    done = subprocess.run(
        ["avr-objdump", "-D", "-b", "binary", "-m", "avr:5", image], check=True, capture_output=True, text=True
    )
    names = {}
    for line in done.stdout.splitlines():
        found = re.match(r"\s*([0-9a-f]+):\t(?:[0-9a-f]{2} )+\s*\t(\.?\w+)", line)
        if found and int(found[1], 16) % 6 == 0:
            name = found[2].upper()
            name = _FLAG.get(name, _BRANCH.get(name, name))
            names[int(found[1], 16) // 6] = "none" if name == ".WORD" else name
    return names
