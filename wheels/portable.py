"""What a program needs of the machine that it runs on, and the platform tags that say so (PEP 600, PEP 656)."""

from __future__ import annotations

import re
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

# The oldest glibc that a tag of its own is given for, and the only libraries that are always there.
_OLDEST = 17
_ALWAYS_THERE = re.compile(r"libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|ld-linux-.*")
_GLIBC = re.compile(r"GLIBC_2\.(\d+)(\.\d+)?")


class NotPortable(Exception):
    """The program needs a library that other machines may not have."""


def glibc_minor(path: Path, extra: tuple[str, ...] = ()) -> int | None:
    """The newest 2.N of glibc whose symbols the program needs; None for one without any library.

    NotPortable if it needs another library than those that are always there and the extra ones.
    """
    with path.open("rb") as file:
        elf = ELFFile(file)
        needed = [
            str(entry.needed)  # type: ignore[attr-defined]
            for section in elf.iter_sections()
            if isinstance(section, DynamicSection)
            for entry in section.iter_tags("DT_NEEDED")
        ]
        if strange := [name for name in needed if not _ALWAYS_THERE.fullmatch(name) and name not in extra]:
            raise NotPortable(f"{path.name} needs {', '.join(strange)}")
        if not needed:
            return None
        versions = [
            version.name
            for section in elf.iter_sections()
            if isinstance(section, GNUVerNeedSection)
            for library, of_library in section.iter_versions()
            if library.name not in extra
            for version in of_library
        ]
    found = [_GLIBC.fullmatch(name) for name in versions]
    if unknown := [name for name, match in zip(versions, found, strict=True) if match is None]:
        raise NotPortable(f"{path.name} needs {', '.join(unknown)}")
    return max((int(match[1]) for match in found if match), default=0)


def tags(paths: list[Path], machine: str) -> tuple[str, ...]:
    """The tags of a wheel with these programs: any Linux for programs without libraries, else the glibc that the most
    demanding of them needs. NotPortable."""
    minors = [minor for minor in map(glibc_minor, paths) if minor is not None]
    manylinux = f"py3-none-manylinux_2_{max([_OLDEST, *minors])}_{machine}"
    return (manylinux,) if minors else (manylinux, f"py3-none-musllinux_1_1_{machine}")
