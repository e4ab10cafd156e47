"""Records that users and we write as TOML files: read, checked, and one sentence on the first mistake."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bancada.model.errors import UserError

_R = TypeVar("_R", bound=BaseModel)


@lru_cache(maxsize=1024)
def _parsed(text: bytes) -> dict[str, Any]:
    """Parsing takes most of the time in which a laboratory opens, and one process may open several."""
    return tomllib.loads(text.decode())


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says. UserError: what is wrong with the file, and where."""
    try:
        return deepcopy(_parsed(path.read_bytes()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error


def checked_record(path: Path, kind: type[_R], data: dict[str, Any], **given: Any) -> _R:
    """The record that a file's `data` make; `given` are fields that are not the file's to say. UserError as
    `read_toml`."""
    for key in given:
        if key in data:
            raise UserError(f"{path}: key '{key}': Extra inputs are not permitted.")
    try:
        return kind(**given, **data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "(top level)"
        raise UserError(f"{path}: key '{key}': {first['msg']}.") from error


def read_record(path: Path, kind: type[_R], **given: Any) -> _R:
    """The record in the file. Arguments and errors as of the two above."""
    return checked_record(path, kind, read_toml(path), **given)
