"""Writes the folder of a new target or a new experiment, each a file that works at once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.catalogue.entry import Entry
from bancada.catalogue.target import Target
from bancada.model.errors import UserError, unknown_name
from bancada.plan.laboratory import Laboratory
from bancada.primitives.primitive import Primitive

_NAME = re.compile(r"[a-z][a-z0-9-]*")

# Of algorithms that take messages, a first one: two blocks of AES. A block cipher takes one block whatever this is.
_SIZE_BYTES = 32

_EXPERIMENT = """\
name = {name}
title = {title}
question = {question}
study = "None."
citation = ""
targets = {targets}
candidates = {candidates}
algorithms = {algorithms}
operations = {operations}
key_bits = {key_bits}
optimisations = ["-Os", "-O2", "-O3"]
sizes_bytes = [{size_bytes}]
samples = 16
"""


@dataclass(frozen=True)
class WrittenEntry:
    """The written file, and the folder to add to BANCADA_PATH (None if it is there already)."""

    path: Path
    path_to_add: Path | None


def new_target(laboratory: Laboratory, name: str, like: Target, folder: Path) -> WrittenEntry:
    """Writes `<folder>/targets/<name>/target.toml`, a copy of the target `like` under the new name.

    UserError if the name is not valid or taken.
    """
    _check(name, "target", laboratory.targets)
    text = (like.folder / "target.toml").read_text(encoding="utf-8")
    for key, value in (("name", name), ("title", f"{name}, made from {like.title}")):
        line = f"{key} = {_quoted(value)}".replace("\\", r"\\")
        text = re.sub(rf"^{key} = .*$", line, text, count=1, flags=re.MULTILINE)
    return _write(folder, Path("targets") / name / "target.toml", text)


def new_experiment(
    laboratory: Laboratory,
    name: str,
    targets: Sequence[str],
    candidates: Sequence[str],
    algorithms: Sequence[str],
    folder: Path,
) -> WrittenEntry:
    """Writes `<folder>/experiments/<name>/experiment.toml`: every operation and key size of the algorithms.

    UserError if the name is not valid or taken, or if a target, a candidate or an algorithm does not exist.
    """
    _check(name, "experiment", laboratory.experiments)
    for target in targets:
        laboratory.target(target)
    for candidate in candidates:
        laboratory.candidate(candidate)
    primitives = {algorithm: _primitive_of(laboratory, algorithm) for algorithm in algorithms}
    operations = dict.fromkeys(name for one in primitives.values() for name in one.measured)
    key_bits = {bits for algorithm, one in primitives.items() for bits in one.algorithm(algorithm).key_bits}
    text = _EXPERIMENT.format(
        name=_quoted(name),
        title=_quoted(name),
        question=_quoted(f"What does {' and '.join(algorithms)} cost on {' and '.join(targets)}?"),
        targets=_listed(targets),
        candidates=_listed(candidates),
        algorithms=_listed(algorithms),
        operations=_listed(list(operations)),
        key_bits=json.dumps(sorted(key_bits)),
        size_bytes=_SIZE_BYTES,
    )
    return _write(folder, Path("experiments") / name / "experiment.toml", text)


def _primitive_of(laboratory: Laboratory, algorithm: str) -> Primitive:
    for primitive in laboratory.primitives.values():
        if algorithm in primitive.algorithms:
            return primitive
    raise unknown_name(
        "algorithm", algorithm, (name for one in laboratory.primitives.values() for name in one.algorithms)
    )


def _check(name: str, kind: str, taken: Mapping[str, Entry]) -> None:
    if not _NAME.fullmatch(name):
        raise UserError(f"'{name}' cannot name a new {kind}: small letters, digits and hyphens, a letter first.")
    if name in taken:
        raise UserError(f"There is the {kind} '{name}' already, in {taken[name].folder}; choose another name.")


def _write(folder: Path, place: Path, text: str) -> WrittenEntry:
    path = folder / place
    if path.exists():
        raise UserError(f"{path} is there already; choose another name or another --folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    known = {Path(part).expanduser().resolve() for part in os.environ.get("BANCADA_PATH", "").split(os.pathsep) if part}
    return WrittenEntry(path, None if folder.resolve() in known else folder.resolve())


def _quoted(text: str) -> str:
    """A basic string (TOML 1.0)."""
    return json.dumps(text, ensure_ascii=False)


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, names))}]"
