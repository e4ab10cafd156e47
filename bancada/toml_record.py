"""Records that users and we write as TOML files: read, checked, and one sentence on the first mistake."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bancada.errors import UserError

_R = TypeVar("_R", bound=BaseModel)


def read_record(path: Path, kind: type[_R], **given: Any) -> _R:
    """The record in the file; `given` are fields that are not the file's to say. UserError: what is wrong with the file, and where."""
    try:
        with path.open("rb") as file:
            data: dict[str, Any] = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    for key in given:
        if key in data:
            raise UserError(f"{path}: key '{key}': Extra inputs are not permitted.")
    try:
        return kind(**given, **data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "(top level)"
        raise UserError(f"{path}: key '{key}': {first['msg']}.") from error
