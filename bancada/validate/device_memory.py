"""The memories of the device on which figures were published (cores/memories/<name>.toml)."""

from __future__ import annotations

from functools import cache

from bancada.catalogue.paths import room
from bancada.catalogue.toml_record import read_record
from bancada.costing.memory import Memory
from bancada.model.errors import unknown_name


@cache
def device_memory(name: str) -> Memory:
    """The memory of that name. UserError with the nearest name if there is none, or what is wrong with its file."""
    known = {path.stem: path for folder in room("cores") for path in sorted(folder.glob("memories/*.toml"))}
    if name not in known:
        raise unknown_name("memory", name, known)
    return read_record(known[name], Memory)
