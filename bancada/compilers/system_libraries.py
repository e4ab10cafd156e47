"""What the linker takes from the system beside what it is given: the C library, libgcc, the start-up code. A new
version of one makes another image of the same objects."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from bancada.compilers.calling import called

# Whichever of them the compiler has for the target: Linux's, newlib's small one, avr-libc's, and C++'s.
_NAMES = (
    "crt1.o",
    "libc.a",
    "libc_nano.a",
    "libm.a",
    "libgcc.a",
    "libgcc_eh.a",
    "libstdc++.a",
    "libstdc++_nano.a",
    "libnosys.a",
)

# What decides which of several the compiler takes: the processor, and the specs.
_DECIDING = ("-m", "--specs", "-specs", "--target")


def system_libraries(compiler: str, flags: tuple[str, ...]) -> str:
    """Hash of the libraries that this compiler links with these flags."""
    return _hash_of(compiler, tuple(flag for flag in flags if flag.startswith(_DECIDING)))


@cache
def _hash_of(compiler: str, flags: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for name in _NAMES:
        asked = called([compiler, *flags, f"-print-file-name={name}"])
        path = Path(asked.stdout.strip())
        if os.path.isabs(path) and path.is_file():  # gcc repeats the name of a file that it does not have
            digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def look_again() -> None:
    """Forgets what was found: a campaign looks once, the next one again."""
    _hash_of.cache_clear()
