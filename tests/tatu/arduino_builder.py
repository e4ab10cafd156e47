"""The Arduino IDE's build, as its platform.txt says, with Debian's AVR core: enough of it to compile a sketch.

The rules are those of Arduino's "Sketch build process" and "Library specification": a library is found by a header that
lies directly in its src folder; its sources are compiled recursively; with dot_a_linkage they go into an archive.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
IDE_VERSION = "10819"

# Debian's core 1.8.7 takes DECIMAL_DIG from <float.h>, where Debian's avr-g++ 5.4 declares it to C only. A user's
# platform.local.txt has to help out in the same way.
MISSING_IN_DEBIAN = "-DDECIMAL_DIG=__DECIMAL_DIG__"

# Headers of the C library, which no library of Arduino has.
_OF_C = {"inttypes.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}


class LibraryNotFound(Exception):
    """No library has this header directly in its src folder."""


@cache
def _of_the_core(name: str) -> dict[str, str]:
    return properties(ARDUINO / name)


def properties(path: Path) -> dict[str, str]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


@dataclass(frozen=True)
class Builder:
    """Compiles sketches for one board into one folder; `libraries` is where libraries are compiled, once for all."""

    board: str
    folder: Path
    libraries: Path
    warnings: str = "-Wall -Wextra -Werror"

    def recipe(self, name: str, **values: str) -> list[str]:
        """A command of platform.txt with everything in braces filled in."""
        board = _of_the_core("boards.txt")
        known = {
            **_of_the_core("platform.txt"),
            **{k.removeprefix(f"{self.board}."): v for k, v in board.items() if k.startswith(f"{self.board}.")},
            "build.arch": "AVR",
            "build.path": str(self.folder),
            "runtime.ide.version": IDE_VERSION,
            "compiler.warning_flags": "-w",
            "compiler.cpp.extra_flags": MISSING_IN_DEBIAN,
            **values,
        }
        text = known[name]
        while re.search(r"\{[\w.]+\}", text):
            text = re.sub(r"\{([\w.]+)\}", lambda match: known[match.group(1)], text)
        return shlex.split(text)

    def compile(self, source: Path, into: Path, includes: list[Path], warnings: str = "-w") -> Path:
        kind = {".c": "c", ".cpp": "cpp", ".S": "S"}[source.suffix]
        target = into / f"{source.name}.o"
        into.mkdir(parents=True, exist_ok=True)
        values = {
            "includes": " ".join(f'"-I{include}"' for include in includes),
            "source_file": str(source),
            "object_file": str(target),
            "compiler.warning_flags": warnings,
        }
        subprocess.run(self.recipe(f"recipe.{kind}.o.pattern", **values), check=True)
        return target

    def archive(self, name: str, objects: list[Path]) -> Path:
        """The objects in one archive. The IDE adds one after the other; all at once takes a hundredth of the time."""
        target = self.folder / name
        values = {"archive_file": name, "archive_file_path": str(target), "object_file": str(objects[0])}
        command = self.recipe("recipe.ar.pattern", **values)
        assert command[-1] == str(objects[0])
        subprocess.run([*command, *map(str, objects[1:])], check=True)
        return target

    def core_includes(self) -> list[Path]:
        return [ARDUINO / "cores" / "arduino", ARDUINO / "variants" / self.recipe("build.variant")[0]]

    def core(self) -> Path:
        """The Arduino core, compiled: an archive that every sketch for this board can share."""
        sources = sorted(s for s in (ARDUINO / "cores" / "arduino").iterdir() if s.suffix in (".c", ".cpp", ".S"))
        objects = [self.compile(s, self.folder / "core", self.core_includes()) for s in sources]
        return self.archive("core.a", objects)

    def libraries_of(self, sketch: Path, installed: list[Path], includes: list[Path]) -> list[Path]:
        """The libraries that the preprocessor finds missing, one after the other, as the IDE adds them."""
        found: list[Path] = []
        read: set[Path] = set()

        def read_includes(file: Path) -> None:
            if file in read:
                return
            read.add(file)
            text = file.read_text(encoding="utf-8")
            for header in re.findall(r'^\s*#include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE):
                system = header.startswith(("avr/", "util/")) or header in _OF_C
                if system or any((include / header).exists() for include in includes):
                    continue
                if not any((library / "src" / header).exists() for library in found):
                    owners = [one for one in installed if header in (h.name for h in (one / "src").glob("*.h"))]
                    if not owners:
                        raise LibraryNotFound(header)
                    found.append(owners[0])
                [path] = [library / "src" / header for library in found if (library / "src" / header).exists()]
                read_includes(path)

        read_includes(sketch)
        return found

    def _of_library(self, library: Path, source: Path, includes: list[Path]) -> Path:
        into = self.libraries / library.name / source.parent.relative_to(library)
        made = into / f"{source.name}.o"
        return made if made.exists() else self.compile(source, into, includes, self.warnings)

    def build(self, sketch: Path, installed: list[Path], core: Path) -> Path:
        """The sketch's ELF file."""
        includes = self.core_includes()
        libraries = self.libraries_of(sketch, installed, includes)
        includes += [library / "src" for library in libraries]
        self.folder.mkdir(parents=True, exist_ok=True)
        converted = self.folder / f"{sketch.name}.cpp"
        text = sketch.read_text(encoding="utf-8")
        converted.write_text(f'#include <Arduino.h>\n#line 1 "{sketch.name}"\n{text}', encoding="utf-8")
        objects = [self.compile(converted, self.folder / "sketch", includes, self.warnings)]
        for library in libraries:
            sources = sorted(s for s in (library / "src").rglob("*") if s.suffix in (".c", ".cpp", ".S"))
            compiled = [self._of_library(library, source, includes) for source in sources]
            is_archived = properties(library / "library.properties").get("dot_a_linkage") == "true"
            objects += [self.archive(f"{library.name}.a", compiled)] if is_archived else compiled
        command = self.recipe(
            "recipe.c.combine.pattern",
            **{
                "build.project_name": sketch.name,
                "object_files": " ".join(f'"{item}"' for item in objects),
                "archive_file": os.path.relpath(core, self.folder),
            },
        )
        subprocess.run(command, check=True)
        return self.folder / f"{sketch.name}.elf"
