"""Arduino libraries, compiled as the Arduino IDE compiles them, and the Arduino core that their programs link.

The layout of a library is that of the "Arduino library specification" 1.5 to 2.2; flags are those of the core's own
platform.txt, without link-time optimisation, so that an Arduino library is compared with others under the same rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bancada.catalogue.candidate import Candidate, Source
from bancada.catalogue.paths import cache_folder, home_folder
from bancada.catalogue.target import Target
from bancada.compilers.compile import CompileError
from bancada.model.errors import UserError
from bancada.sources.fetch import fetch

SUFFIXES = (".c", ".cpp", ".cc", ".cxx", ".S")
C_STANDARD = "-std=gnu11"

# C11 and C++11 have it in <float.h>, which avr-gcc before 6 gives to C alone; the core's WString.cpp asks for it.
CORE_DEFINES = ("-DDECIMAL_DIG=__DECIMAL_DIG__",)

_CORE = Source(
    registry="debian-binary",
    package="arduino-core-avr",
    version="1.8.7+dfsg-1~deb12u1",
    architecture="amd64",  # of the index that lists it; the package is for all
    sha256="357869fa1f5a122ea06f470b9a88d2e5d27dd52afb0de0578ecd1b72d6b5c8c4",
)
_IN_PACKAGE = Path("share/arduino/hardware/arduino/avr")
# Where it is when a distribution or the Arduino IDE installed it.
_INSTALLED = (Path("/usr") / _IN_PACKAGE,)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.MULTILINE)
_INSTALLED_AT_HOME = ".arduino15/packages/arduino/hardware/avr/*"


@dataclass(frozen=True)
class Library:
    """One Arduino library: its folder, what library.properties says, and what the IDE compiles of it with which include
    folders."""

    folder: Path
    properties: dict[str, str]
    sources: tuple[Path, ...]
    include: tuple[Path, ...]


def is_arduino_library(folder: Path) -> bool:
    """Whether the folder says so itself."""
    return (folder / "library.properties").is_file()


def _properties(folder: Path) -> dict[str, str]:
    path = folder / "library.properties"
    if not path.is_file():
        return {}
    lines = (line.partition("=") for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return {key.strip(): value.strip() for key, mark, value in lines if mark and not key.lstrip().startswith("#")}


def _sources_in(folder: Path, deep: bool) -> list[Path]:
    found = folder.rglob("*") if deep else folder.glob("*")
    return sorted(path for path in found if path.suffix in SUFFIXES and path.is_file())


def arduino_library(folder: Path) -> Library:
    """The library in that folder. UserError if there is none.

    With library.properties and a folder `src` everything below `src` is compiled; else the root and `utility`, no other
    folder.
    """
    if folder.suffix == ".zip" and folder.is_file():
        raise UserError(f"{folder} is an archive: unpack it, and give the folder of the library.")
    if not folder.is_dir():
        raise UserError(
            f"There is no folder {folder}: give that of an Arduino library, the one with library.properties."
        )
    properties = _properties(folder)
    if properties and (folder / "src").is_dir():
        sources, include = _sources_in(folder / "src", deep=True), [folder / "src"]
    else:
        include = [folder, *(path for path in [folder / "utility"] if path.is_dir())]
        sources = [path for part in include for path in _sources_in(part, deep=False)]
    if not sources and not any(path for part in include for path in part.glob("*.h")):
        raise UserError(
            f"{folder} holds no Arduino library: no source or header in {' or '.join(path.name for path in include)}."
            f"{_where_it_may_be(folder)}"
        )
    return Library(folder, properties, tuple(sources), tuple(include))


def _where_it_may_be(folder: Path) -> str:
    """A hint at a library in a folder below, as in an archive that was unpacked into a folder of its own."""
    below = sorted(path.parent for pattern in ("*", "*/*") for path in folder.glob(f"{pattern}/library.properties"))
    if below:
        return f" There is one in {below[0]}: give that folder."
    archives = sorted(folder.glob("*.zip"))
    return f" {archives[0].name} is an archive: unpack it, and give the folder of the library." if archives else ""


def _with_dependencies(library: Library, core: Path | None, architecture: str, adapters: list[Path]) -> list[Library]:
    """The library and those that it needs: those that `depends` in its library.properties names, and those that have a
    header which it or an adapter includes. They are beside it, or come with the core (SPI, EEPROM, ...).

    The Arduino IDE goes by the headers alone ("Arduino library specification", "Library dependencies").
    """
    found = {library.folder: library}
    waiting = [(library, _included(library, adapters))]
    while waiting:
        one, headers = waiting.pop()
        needed = [_named(one, name, library, core) for name in _depends(one)]
        missing = [header for header in headers if not any(_has(known, header) for known in found.values())]
        needed += [folder for header in missing if (folder := _with_header(header, library, core, architecture))]
        for folder in needed:
            if folder not in found:
                found[folder] = arduino_library(folder)
                waiting.append((found[folder], _included(found[folder], [])))
    return list(found.values())


def _depends(library: Library) -> list[str]:
    names = (part.partition("(")[0].strip() for part in library.properties.get("depends", "").split(","))
    return [name for name in names if name]


def _named(one: Library, name: str, library: Library, core: Path | None) -> Path:
    folder = _called(name, library.folder.parent) or (_called(name, core / "libraries") if core else None)
    if folder is None:
        raise CompileError(
            f"library.properties of {one.folder.name} says that it depends on '{name}', which is not beside it:"
            f" put that library's folder next to {library.folder.name}"
        )
    return folder


def _included(library: Library, adapters: list[Path]) -> list[str]:
    """The headers that the files of a library name, in their order, each once."""
    headers = [path for folder in library.include for path in sorted(folder.glob("*.h"))]
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in (*adapters, *headers, *library.sources))
    return list(dict.fromkeys(name for text in texts for name in _INCLUDE.findall(text)))


def _has(library: Library, header: str) -> bool:
    return any((folder / header).is_file() for folder in library.include)


def _with_header(header: str, library: Library, core: Path | None, architecture: str) -> Path | None:
    """The folder of the library that has this header: beside the library, else with the core. The one whose name is the
    header's comes first, as in the IDE. None if there is none: then it is the compiler's, or it is missing."""
    for place in (library.folder.parent, *([core / "libraries"] if core else [])):
        folders = sorted(path for path in place.iterdir() if path.is_dir() and path != library.folder)
        for folder in sorted(folders, key=lambda path: path.name != Path(header).stem):
            part = folder / "src" if _properties(folder) and (folder / "src").is_dir() else folder
            if (part / header).is_file() and _is_for(folder, architecture):
                return folder
    return None


def _is_for(folder: Path, architecture: str) -> bool:
    named = [part.strip() for part in _properties(folder).get("architectures", "*").split(",")]
    return "*" in named or architecture.lower() in named


def _called(name: str, folder: Path) -> Path | None:
    """The library of that name in the folder: by its library.properties, else by the name of its folder, as the IDE
    takes libraries of the form before 1.5, which have no library.properties."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    for path in folders:
        if is_arduino_library(path) and name in (path.name, _properties(path).get("name")):
            return path
    return next((path for path in folders if path.name == name and any(path.glob("*.h"))), None)


@cache
def core_folder() -> Path:
    """The Arduino core for AVR: Debian's package, fetched by its hash, or else what is installed. UserError if there is
    neither."""
    try:
        return fetch(_CORE, cache_folder()) / _IN_PACKAGE
    except UserError as error:
        home = home_folder()
        at_home = sorted(home.glob(_INSTALLED_AT_HOME), reverse=True) if home is not None else []
        installed = [*_INSTALLED, *at_home]
        for folder in installed:
            if (folder / "cores" / "arduino" / "Arduino.h").is_file():
                return folder
        raise UserError(f"{error} An installed core does too: apt-get install arduino-core-avr") from error


class ArduinoParts:
    """What the build adds for a candidate that is an Arduino library; nothing for another."""

    def __init__(self, candidate: Candidate, target: Target, root: Path) -> None:
        self._board = target.arduino if candidate.arduino else None
        core = core_folder() if self._board is not None else None
        libraries = self._libraries(candidate, core, root) if candidate.arduino else []
        self.sources = tuple(path for library in libraries for path in library.sources)
        include = tuple(f"-I{folder}" for library in libraries for folder in library.include)
        self.flags = (*include, *self._core_flags(), *((C_STANDARD,) if candidate.arduino else ()))

    def _libraries(self, candidate: Candidate, core: Path | None, root: Path) -> list[Library]:
        whole = arduino_library(root)
        for pattern in candidate.leave_out:
            if not any(path.relative_to(whole.folder).match(pattern) for path in whole.sources):
                raise CompileError(f"candidate.toml leaves out '{pattern}', which is no source of {whole.folder.name}")
        kept = tuple(
            path
            for path in whole.sources
            if not any(path.relative_to(whole.folder).match(pattern) for pattern in candidate.leave_out)
        )
        architecture = self._board.architecture if self._board is not None else ""
        adapters = sorted(path for path in candidate.folder.iterdir() if path.suffix in (".h", ".hpp"))
        return _with_dependencies(replace(whole, sources=kept), core, architecture, adapters)

    def _core_flags(self) -> tuple[str, ...]:
        """Where Arduino.h and the board's pins are, and what the IDE defines."""
        board = self._board
        if board is None:
            return ()
        core = core_folder()
        return (
            f"-I{core / 'cores' / board.core}",
            f"-I{core / 'variants' / board.variant}",
            f"-DARDUINO={board.ide}",
            f"-DARDUINO_{board.board}",
            f"-DARDUINO_ARCH_{board.architecture}",
        )

    def core_sources(self) -> tuple[Path, ...]:
        """What the core's archive is made of."""
        board = self._board
        return tuple(_sources_in(core_folder() / "cores" / board.core, deep=True)) if board is not None else ()
