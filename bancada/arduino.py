"""Arduino libraries, compiled as the Arduino IDE compiles them, and the Arduino core that their programs link.

The layout of a library is that of the "Arduino library specification" 1.5 to 2.2; flags are those of the core's own platform.txt, but
for link-time optimisation, so that an Arduino library is compared with others under the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bancada.catalogue import Candidate, Source, Target
from bancada.compile import CompileError
from bancada.errors import UserError
from bancada.fetch import fetch
from bancada.paths import cache_folder, home_folder

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
_INSTALLED_AT_HOME = ".arduino15/packages/arduino/hardware/avr/*"


@dataclass(frozen=True)
class Library:
    """One Arduino library: its folder, what library.properties says, and what the IDE compiles of it with which include folders."""

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

    With library.properties and a folder `src` everything below `src` is compiled; else the root and `utility`, no other folder.
    """
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}: give that of an Arduino library, the one with library.properties.")
    properties = _properties(folder)
    if properties and (folder / "src").is_dir():
        sources, include = _sources_in(folder / "src", deep=True), [folder / "src"]
    else:
        include = [folder, *(path for path in [folder / "utility"] if path.is_dir())]
        sources = [path for part in include for path in _sources_in(part, deep=False)]
    if not sources and not any(path for part in include for path in part.glob("*.h")):
        raise UserError(f"{folder} holds no Arduino library: no source or header in {' or '.join(path.name for path in include)}.")
    return Library(folder, properties, tuple(sources), tuple(include))


def _with_dependencies(library: Library, core: Path | None) -> tuple[Library, ...]:
    """The library, and those that `depends` in its library.properties names: beside it, or with the core (SPI, EEPROM...)."""
    found = {library.folder: library}
    waiting = [library]
    while waiting:
        one = waiting.pop()
        for name in (part.partition("(")[0].strip() for part in one.properties.get("depends", "").split(",")):
            if not name:
                continue
            folder = _called(name, library.folder.parent) or (_called(name, core / "libraries") if core else None)
            if folder is None:
                raise CompileError(
                    f"library.properties of {one.folder.name} says that it depends on '{name}', which is not beside it: "
                    f"put that library's folder next to {library.folder.name}"
                )
            if folder not in found:
                found[folder] = arduino_library(folder)
                waiting.append(found[folder])
    return tuple(found.values())


def _called(name: str, folder: Path) -> Path | None:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and is_arduino_library(path) and name in (path.name, _properties(path).get("name")):
            return path
    return None


@cache
def core_folder() -> Path:
    """The Arduino core for AVR: Debian's package, fetched by its hash, or else what is installed. UserError if there is neither."""
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
        libraries = _with_dependencies(arduino_library(root), core) if candidate.arduino else ()
        self.sources = tuple(path for library in libraries for path in library.sources)
        include = tuple(f"-I{folder}" for library in libraries for folder in library.include)
        self.flags = (*include, *self._core_flags(), *((C_STANDARD,) if candidate.arduino else ()))

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
