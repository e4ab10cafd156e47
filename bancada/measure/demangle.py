"""Names of C++ as a person writes them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable

# The same program of two packages: binutils and binutils-avr.
_TOOLS = ("c++filt", "avr-c++filt")
# Itanium C++ ABI, 5.1.2: every mangled name begins so.
_PREFIX = "_Z"


def demangled(names: Iterable[str]) -> dict[str, str]:
    """Each name as C++ writes it: `Cipher::encrypt(unsigned char*)` for `_ZN6Cipher7encryptEPh`.

    A name that is not of C++ stays as it is. So does every name where binutils is not installed.
    """
    known = {name: name for name in names}
    mangled = [name for name in known if name.startswith(_PREFIX)]
    tool = next((found for found in map(shutil.which, _TOOLS) if found is not None), None)
    if mangled and tool is not None:
        done = subprocess.run(
            [tool], input="\n".join(mangled) + "\n", capture_output=True, text=True, errors="replace", check=True
        )
        known.update(zip(mangled, done.stdout.splitlines(), strict=True))
    return known


def plain_name(demangled_name: str) -> str:
    """A function's name without its parameters and what the compiler made of it: `Cipher::encrypt` for
    `Cipher::encrypt(unsigned char*) [clone .isra.0]`."""
    name = demangled_name.removesuffix(" const").partition(" [clone")[0]
    if not name.endswith(")"):
        return name.split(".")[0]
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += (name[place] == ")") - (name[place] == "(")
        if depth == 0:
            return name[:place]
    return name
