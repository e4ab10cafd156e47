"""The memories of a device whose figures were published behind them (cores/memories/<name>.toml)."""

from __future__ import annotations

import tomllib
from functools import cache

from pydantic import ValidationError

from bancada.costing.memory import Memory
from bancada.errors import UserError, unknown_name
from bancada.paths import room


@cache
def device_memory(name: str) -> Memory:
    """The memory of that name. UserError with the nearest name if there is none, or what is wrong with its file."""
    known = {path.stem: path for folder in room("cores") for path in sorted(folder.glob("memories/*.toml"))}
    if name not in known:
        raise unknown_name("memory", name, known)
    path = known[name]
    try:
        return Memory(**tomllib.loads(path.read_text()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "(top level)"
        raise UserError(f"{path}: key '{key}': {first['msg']}.") from error
