"""Writes the folder of a new candidate: it builds at once, and fails conformance until its functions are filled in."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from bancada.build.arduino import SUFFIXES, Library, arduino_library, is_arduino_library
from bancada.catalogue.catalogue import read_candidates, read_cores
from bancada.compilers.compilers import CPP_SUFFIXES
from bancada.model.errors import UserError, unknown_name
from bancada.primitives import Algorithm, Primitive, read_primitives

_NAME = re.compile(r"[a-z][a-z0-9]*")
_NO_LIBRARY = ("test", "tests", "examples", "extras")


@dataclass(frozen=True)
class Written:
    """The written files: the candidate's folder, its files, and BANCADA_PATH (None if it is set already)."""

    folder: Path
    files: tuple[Path, ...]
    path_to_add: Path | None


_TOML = """\
name = "{name}"
title = "{title}"
version = "{version}"
licence = "not stated"
about = "One sentence: what it is, and why a person considers it on a small device."
root = "{root}"
{arduino}
[[implementation]]
name = "{algorithm}"
primitive = "{primitive}"
algorithm = "{algorithm}"
variant = ["plain"]
key_bits = [{key_bits}]
{sizes}
adapter = "{adapter}"
{compiled}operations = [{operations}]
"""


def algorithms() -> tuple[str, ...]:
    """The algorithms for which a candidate can be written."""
    return tuple(name for primitive in _with_template() for name in primitive.algorithms)


def _with_template() -> list[Primitive]:
    return [primitive for primitive in read_primitives().values() if primitive.template is not None]


def _named(algorithm: str) -> tuple[Primitive, Algorithm]:
    """UserError if there is no such algorithm, or no template for it."""
    for primitive in _with_template():
        if algorithm in primitive.algorithms:
            return primitive, primitive.algorithms[algorithm]
    raise unknown_name("algorithm for a new candidate", algorithm, algorithms())


def _quoted(texts: list[str]) -> str:
    return ", ".join(json.dumps(text) for text in texts)


def _layout(folder: Path) -> Library:
    """A folder of sources as a library: everything in it except tests, examples and extras."""
    sources, headers = [], set()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if inside.parts[0] in _NO_LIBRARY or any(part.startswith(".") for part in inside.parts):
            continue
        if path.suffix in SUFFIXES:
            sources.append(path)
        if path.suffix in (".h", ".hpp"):
            headers.add(path.parent)
    if not sources:
        raise UserError(f"There is no {', '.join(SUFFIXES)} file in {folder}: give the folder that holds the library.")
    return Library(folder, {}, tuple(sources), tuple(sorted(headers)))


def _headers(library: Library, name: str) -> list[Path]:
    """The headers that a program includes: those that library.properties names, otherwise the header with the library's
    name.
    """
    every = [
        path for folder in library.include for pattern in ("*.h", "*.hpp") for path in sorted(folder.glob(pattern))
    ]
    wanted = [part.strip() for part in library.properties.get("includes", "").split(",") if part.strip()]
    named = [path for path in every for one in wanted if path.name == Path(one).name]
    called = {text.lower() for text in (name, library.folder.name, library.properties.get("name", name))}
    return named or [path for path in every if path.stem.lower() in called][:1] or every[:1]


def _classes(headers: list[Path]) -> list[str]:
    """Names of the classes that can be constructed: those without a pure virtual function."""
    found = []
    for path in headers:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)
        parts = re.split(r"^\s*class\s+(\w+)(?=[^;(){]*\{)", text, flags=re.MULTILINE)
        found += [
            name for name, body in zip(parts[1::2], parts[2::2], strict=True) if not re.search(r"=\s*0\s*;", body)
        ]
    return found


def _adapter(primitive: Primitive, library: Library, name: str, is_cpp: bool) -> str:
    headers = _headers(library, name)
    classes = _classes(headers) if is_cpp else []
    template = primitive.template
    assert template is not None
    calls = template.cpp_calls if is_cpp and classes else template.c_calls
    values = {"name": classes[0] if classes else name, "type": template.context_type}
    return template.library_adapter.format(
        title=library.properties.get("name", name),
        contract=primitive.contract,
        includes="\n".join(f"#include <{path.name}>" for path in headers),
        what=f"// Its classes: {', '.join(classes)}." if classes else "// Put its functions where the comments are.",
        **{key: text.format(**values) for key, text in calls.items()},
    )


def _of_library(
    name: str, primitive: Primitive, sources: Path, is_arduino: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """(files, values of candidate.toml) for a library that is there already."""
    folder = sources.expanduser().resolve()
    library = arduino_library(folder) if is_arduino else _layout(folder)
    is_cpp = is_arduino or any(path.suffix in CPP_SUFFIXES for path in library.sources)
    adapter = "adapter.hpp" if is_cpp else "adapter.h"
    patterns = sorted(
        {f"{path.relative_to(folder).parent}/*{path.suffix}".removeprefix("./") for path in library.sources}
    )
    include = sorted(str(path.relative_to(folder)) for path in library.include)
    values = {
        "root": str(folder),
        "title": library.properties.get("name", name),
        "version": library.properties.get("version", "0"),
        "adapter": adapter,
        "arduino": "arduino = true\n" if is_arduino else "",
        "compiled": "" if is_arduino else f"sources = [{_quoted(patterns)}]\ninclude = [{_quoted(include)}]\n",
    }
    return {adapter: _adapter(primitive, library, name, is_cpp)}, values


def new_candidate(
    name: str, algorithm: str, folder: Path, sources: Path | None = None, arduino: Path | None = None
) -> Written:
    """Writes `<folder>/candidates/<name>/`.

    Without `sources` it has a source file of its own, whose functions are to be filled in. With `sources`, a folder
    anywhere on disk, or `arduino`, an Arduino library, it has an adapter where that library's calls must be written; a
    folder of `sources` that holds library.properties is an Arduino library. UserError if the name is no name, is taken,
    or there is nothing to compile.
    """
    if not _NAME.fullmatch(name):
        raise UserError(
            f"'{name}' cannot name a candidate: small letters and digits, a letter first, as in 'mycipher'."
        )
    taken = read_candidates(read_cores())
    if name in taken:
        raise UserError(f"There is a candidate '{name}' already, in {taken[name].folder}; choose another name.")
    if sources is not None and arduino is not None:
        raise UserError("A candidate is either --sources or --arduino; give one of them.")
    target = folder / "candidates" / name
    if target.exists():
        raise UserError(f"{target} is there already; choose another name or another --folder.")
    primitive, chosen = _named(algorithm)
    template = primitive.template
    assert template is not None  # _named asks for it
    values = {
        "name": name,
        "upper": name.upper(),
        "algorithm": algorithm,
        "primitive": primitive.name,
        "key_bits": str(chosen.key_bits[0]),
        "key_bytes": str(chosen.key_bits[0] // 8),
        "sizes": "\n".join(f"{field} = {size}" for field, size in chosen.sizes.items()),
        "operations": _quoted(list(template.operations)),
        "header": f"{name}.h",
        "contract": primitive.contract,
        "root": "src",
        "title": name,
        "version": "0",
        "adapter": "adapter.h",
        "arduino": "",
        "compiled": f'sources = ["{name}.c"]\ninclude = ["."]\n',
        **{field: str(size) for field, size in chosen.sizes.items()},
    }
    there = arduino or sources
    if there is not None:
        written, found = _of_library(name, primitive, there, arduino is not None or is_arduino_library(there))
        texts = {
            "candidate.toml": _TOML.format(
                **{
                    **values,
                    **{
                        key: _in_toml(text) if key in ("root", "title", "version") else text
                        for key, text in found.items()
                    },
                }
            ),
            **written,
        }
    else:
        own = {
            "candidate.toml": _TOML,
            "adapter.h": template.adapter,
            f"src/{name}.h": template.header,
            f"src/{name}.c": template.source,
        }
        texts = {place: text.format(**values) for place, text in own.items()}
    files = []
    for place, text in texts.items():
        path = target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        files.append(path)
    known = {Path(part).expanduser().resolve() for part in os.environ.get("BANCADA_PATH", "").split(os.pathsep) if part}
    return Written(target, tuple(files), None if folder.resolve() in known else folder.resolve())


def _in_toml(text: str) -> str:
    """The inside of a basic string (TOML 1.0)."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
