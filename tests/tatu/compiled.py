"""Programs of Tatu that tests run. Each file is compiled once for each compiler and flags, whichever tests need it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from bancada.compilers.compile import compile_object, compiler_version, link_image

_SRC = Path(__file__).resolve().parents[2] / "tatu" / "src"


def sources_of(parts: Iterable[str], kinds: str = "*.[cS]") -> list[Path]:
    """The files of these folders of tatu/src."""
    return [file for part in parts for file in sorted((_SRC / part).rglob(kinds))]


def objects_of(compiler: str, flags: Sequence[str], sources: Iterable[Path]) -> list[Path]:
    """The object file of each source. CompileError with the compiler's first error."""
    version = compiler_version(compiler, compiler)
    return [compile_object(compiler, version, (*flags, f"-I{_SRC}"), source) for source in sources]


def compiled(
    program: Path,
    compiler: str,
    flags: Sequence[str],
    driver: Path,
    library: Iterable[Path],
    *,
    defines: Sequence[str] = (),
    linking: Sequence[str] = (),
    libraries: Sequence[str] = (),
) -> Path:
    """`program`: the driver, with options of its own, and the library, linked with the options `linking` and with
    the system's `libraries`.

    CompileError with the compiler's first error.
    """
    objects = [*objects_of(compiler, (*flags, *defines), [driver]), *objects_of(compiler, flags, library)]
    version = compiler_version(compiler, compiler)
    shutil.copy(link_image(compiler, version, (*flags, *linking), objects, tuple(libraries)), program)
    return program


def shared_library(library: Path, compiler: str, flags: Sequence[str], *linking: str) -> Path:
    """`library`: all of Tatu as a shared library, linked with the options `linking`. CompileError as above."""
    objects = objects_of(compiler, ("-std=c99", *flags, "-fPIC"), sorted(_SRC.rglob("*.[cS]")))
    made = link_image(compiler, compiler_version(compiler, compiler), (*flags, "-shared", *linking), objects)
    shutil.copy(made, library)
    return library
