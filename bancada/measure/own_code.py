"""The laboratory's own code is part of a result's key: other code may give other results."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]

# The rooms that check, run and derive. The rooms that compile are not here: the ELF that they make is in the key.
MEASURING_ROOMS = ("model", "costing", "catalogue", "monitor", "primitives", "engines", "measure")
# The rooms that plan and build.
BUILDING_ROOMS = ("sources", "compilers", "plan", "build")


def code_digest(rooms: Iterable[str], package: Path = _PACKAGE) -> str:
    """Hash of every file of these rooms, their names included: a file that is added to a room counts by itself."""
    digest = hashlib.sha256()
    for name in rooms:
        for path in sorted((package / name).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def added_code(thing: object) -> str:
    """Hash of the folder that defines the class of a thing from outside, such as a user's engine; '' for ours."""
    file = Path(str(sys.modules[type(thing).__module__].__file__)).resolve()
    if file.is_relative_to(_PACKAGE):
        return ""
    return code_digest((file.parent.name,), file.parent.parent)
