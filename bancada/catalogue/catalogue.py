"""Reads the TOML files of targets, cores, candidates and experiments.

A folder below any root (bancada.catalogue.paths.roots) adds one. A name found again in a later root replaces the
earlier one, and a line on the standard error says so. A file that cannot be read stops what asks for it
(bancada.catalogue.entries).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.core import Core
from bancada.catalogue.entries import Entries
from bancada.catalogue.entries import entries as as_entries
from bancada.catalogue.entry import Entry
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.paths import room
from bancada.catalogue.target import Engine, Target
from bancada.catalogue.toml_record import checked_record, read_toml
from bancada.model.errors import UserError, unknown_name

_E = TypeVar("_E", bound=Entry)


def named(kind: str, entries: Mapping[str, _E], name: str) -> _E:
    """The entry of that name; UserError with the nearest name if there is none, or if its file cannot be read."""
    return as_entries(entries).named(kind, name)


def _read(room_name: str, file_name: str, make: Callable[[Path, dict[str, Any]], _E]) -> Entries[_E]:
    """Entries by name: `<room>/<name>/<file_name>`, or `<room>/<name>.toml` where `file_name` is empty."""
    found: dict[str, _E] = {}
    broken: dict[str, UserError] = {}
    first: dict[str, Path] = {}
    for folder in room(room_name):
        for path in sorted(folder.glob(f"*/{file_name}" if file_name else "*.toml")):
            expected = path.parent.name if file_name else path.stem
            if expected in first:
                say(f"{path} replaces {first[expected]}: both are called '{expected}'.")
            first[expected] = path
            found.pop(expected, None)
            broken.pop(expected, None)
            try:
                entry = make(path, read_toml(path))
                if entry.name != expected:
                    raise UserError(f"{path}: key 'name': is '{entry.name}', but the folder or file says '{expected}'.")
            except UserError as error:
                broken[expected] = error
            else:
                found[expected] = entry
    return Entries(found, broken)


@cache
def say(sentence: str) -> None:
    """Prints a sentence on the standard error, once in a process."""
    print(f"bancada: {sentence}", file=sys.stderr)


def read_cores() -> Entries[Core]:
    """Every core by its name."""
    return _read("cores", "", lambda path, data: checked_record(path, Core, data, folder=path.parent))


def read_candidates(cores: Mapping[str, Core]) -> Entries[Candidate]:
    """Every candidate by its name."""
    return _read("candidates", "candidate.toml", lambda path, data: _candidate(path, data, cores))


def _candidate(path: Path, data: dict[str, Any], cores: Mapping[str, Core]) -> Candidate:
    candidate = checked_record(path, Candidate, data, folder=path.parent)
    for name in (*candidate.cores, *(name for row in candidate.implementation for name in row.cores)):
        if name not in cores:
            raise UserError(f"{path}: key 'cores': {unknown_name('core', name, cores)}")
    return candidate


def read_experiments() -> Entries[Experiment]:
    """Every experiment by its name."""
    return _read(
        "experiments", "experiment.toml", lambda path, data: checked_record(path, Experiment, data, folder=path.parent)
    )


def read_targets(cores: Mapping[str, Core], engines: Mapping[str, Engine]) -> Entries[Target]:
    """Every target by its name, one for each of its operating points, with its core and its engine."""
    files = _read("targets", "target.toml", lambda path, data: _target(path, data, cores, engines))
    every = [point for target in files.readable.values() for point in target.at_operating_points()]
    return Entries({target.name: target for target in every}, files.broken)


def _target(path: Path, data: dict[str, Any], cores: Mapping[str, Core], engines: Mapping[str, Engine]) -> Target:
    tables = {name: data.pop(name) for name in list(data) if name in engines}
    engine = _thing(path, data, "engine", engines)
    core = _thing(path, data, "core", cores)
    try:
        settings = engine.settings(tables)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in (engine.name, *first["loc"]))
        raise UserError(f"{path}: key '{key}': {first['msg']}.") from error
    except ValueError as error:
        raise UserError(f"{path}: {error}.") from error
    target = checked_record(path, Target, data, folder=path.parent, core=core, engine=engine, settings=settings)
    try:
        engine.check(target)
    except ValueError as error:
        raise UserError(f"{path}: {error}.") from error
    return target


_T = TypeVar("_T")


def _thing(path: Path, data: dict[str, Any], key: str, known: Mapping[str, _T]) -> _T:
    """The core or engine that a target.toml names; the key is taken out of `data`."""
    if key not in data:
        raise UserError(f"{path}: key '{key}': Field required.")
    name = data.pop(key)
    if not isinstance(name, str) or name not in known:
        raise UserError(f"{path}: key '{key}': {unknown_name(key, str(name), known)}")
    return known[name]
