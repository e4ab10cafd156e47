"""The reference pages of the TOML files, docs/reference/toml-*.md, made from the records that read them.

`python -m bancada.commands.toml_reference` writes them; a test holds them current.
"""

from __future__ import annotations

import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.core import Core
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target

# The file, the record that reads it, and the fields that the laboratory fills in itself.
_FILES: dict[str, tuple[str, type[BaseModel], frozenset[str]]] = {
    "target": ("targets/<name>/target.toml", Target, frozenset({"folder", "settings", "simulator"})),
    "core": ("cores/<name>.toml", Core, frozenset({"folder"})),
    "candidate": ("candidates/<name>/candidate.toml", Candidate, frozenset({"folder"})),
    "experiment": ("experiments/<name>/experiment.toml", Experiment, frozenset({"folder"})),
}
_WIDTH = 120
_SIMPLE = {str: "text", int: "whole number", float: "number", bool: "`true` or `false`", Path: "path"}
# A thing that the file gives the name of.
_NAMES = {"Core": "name of a core", "Engine": "name of an engine"}
_LIMITS = {"ge": "at least {}", "gt": "more than {}", "le": "at most {}", "lt": "less than {}"}


def toml_pages() -> dict[str, str]:
    """The text of each page, by its file name."""
    return {f"toml-{name}.md": _page(*described) for name, described in _FILES.items()}


def _page(file: str, record: type[BaseModel], given: frozenset[str]) -> str:
    intro = (
        f"Every key of `{file}`. This page is made from the record `{record.__module__}.{record.__name__}`, which reads"
        " the file: a key that is not here is refused by name."
    )
    parts = [f"# {Path(file).name.replace('<name>', 'core')}", textwrap.fill(intro, _WIDTH)]
    for name, kind, many in _tables("", record, False, given):
        if name:
            parts.append(f"## `{f'[[{name}]]' if many else f'[{name}]'}`")
        parts += [_prose(kind), _table(kind, given if not name else frozenset())]
    return "\n\n".join(parts) + "\n"


def _tables(
    name: str, record: type[BaseModel], many: bool, given: frozenset[str]
) -> Iterator[tuple[str, type[BaseModel], bool]]:
    """The record, and each record in it, with the name of its table in the file."""
    yield name, record, many
    for field, info in record.model_fields.items():
        if field in given:
            continue
        for kind, holder in _records(info.annotation, None):
            # A table of tables has a table for each name that the file chooses.
            inner = f"{field}.<name>" if holder is dict else field
            yield from _tables(f"{name}.{inner}" if name else inner, kind, holder in (tuple, list), frozenset())


def _records(annotation: Any, holder: Any) -> Iterator[tuple[type[BaseModel], Any]]:
    """The records in an annotation, and what holds several of them (tuple, list or dict), or None."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel) and annotation.__name__ not in _NAMES:
        yield annotation, holder
        return
    origin = get_origin(annotation)
    for part in get_args(annotation):
        if not isinstance(part, (str, int)):
            yield from _records(part, origin if origin in (tuple, list, dict) else holder)


def _prose(record: type[BaseModel]) -> str:
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(record.__doc__ or ""))
    return "\n\n".join(textwrap.fill(" ".join(one.split()), _WIDTH, break_on_hyphens=False) for one in paragraphs)


def _table(record: type[BaseModel], given: frozenset[str]) -> str:
    rows = ["| key | is | default |", "|---|---|---|"]
    for name, info in record.model_fields.items():
        if name not in given:
            rows.append(f"| `{info.alias or name}` | {_kind(info.annotation)}{_limits(info)} | {_default(info)} |")
    return "\n".join(rows)


def _kind(annotation: Any) -> str:
    """The type of a key, in words."""
    if annotation is type(None):
        return "nothing"
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    if inspect.isclass(annotation):
        if annotation.__name__ in _NAMES:
            return _NAMES[annotation.__name__]
        if issubclass(annotation, BaseModel):
            return "a table, see below"
        return f"one of {_choices([one.value for one in annotation])}" if issubclass(annotation, StrEnum) else "text"
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return f"one of {_choices(parts)}"
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_kind(part) for part in parts if part is not type(None)))
    if origin in (tuple, list, frozenset, set):
        inner = _kind(parts[0])
        return "tables, see below" if inner == "a table, see below" else f"list of: {inner}"
    if origin is dict or (inspect.isclass(origin) and issubclass(origin, dict)):
        inner = _kind(parts[1])
        return f"table of: {'tables, see below' if inner == 'a table, see below' else inner}"
    if hasattr(annotation, "__metadata__"):
        return _kind(parts[0])
    return "table"


def _choices(values: Any) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _limits(info: FieldInfo) -> str:
    found = []
    for limit in info.metadata:
        for name, words in _LIMITS.items():
            if getattr(limit, name, None) is not None:
                found.append(words.format(getattr(limit, name)))
    return f", {', '.join(found)}" if found else ""


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "must be given"
    value = info.get_default(call_default_factory=True)
    if value is None or value in ("", (), [], {}) or isinstance(value, BaseModel):
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{', '.join(map(str, value))}`" if isinstance(value, (tuple, list, frozenset)) else f"`{value}`"


if __name__ == "__main__":
    for name, text in toml_pages().items():
        (data_root() / "docs" / "reference" / name).write_text(text, encoding="utf-8")
