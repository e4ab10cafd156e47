"""Firmware that came compiled inside an installed package, for a machine without the target's compiler
(wheels/README.md).

Firmware is found by what it is made of: its description, the target's flags, and every source of the laboratory and the
library. Firmware of changed sources is not found.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from bancada.catalogue.paths import data_root
from bancada.model.build import Build, Image
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.primitives import CONTRACTS

INDEX = "index.json"
_SOURCES = (".c", ".h", ".S", ".hpp", ".cpp", ".ld", ".toml")
_LABEL = "{version}, compiled before it was installed"


def shipped_folder() -> Path:
    """Where an installed package keeps the firmware; not there in a clone."""
    return data_root() / "firmware"


def needs_shipped(firmware: Firmware) -> bool:
    """Whether the firmware is compiled by the target's own compiler, and this machine does not have it."""
    return firmware.compiler is None and shutil.which(firmware.target.toolchain.compiler) is None


def shipped_build(firmware: Firmware) -> Build | None:
    """The firmware as it came with this package. None if it did not, or if this machine can compile it."""
    record = _record(firmware)
    return _read(record["build"]) if record else None


def shipped_checking_firmware(firmware: Firmware) -> Build | None:
    """Its twin that checks each call of the library (bancada.build.checked_calls); None if there is none."""
    record = _record(firmware)
    return _read(record["checking"]) if record and record["checking"] else None


def is_shipped(firmware: Firmware) -> bool:
    """Whether the firmware came with this package. It matters only where `needs_shipped` is true."""
    return _record(firmware) is not None


def _record(firmware: Firmware) -> dict[str, Any] | None:
    """What the index says of the firmware. None for one that this machine compiles."""
    if not needs_shipped(firmware) or not _index() or firmware.candidate.source is not None:
        return None
    return _index().get(firmware_key(firmware))


def _read(record: dict[str, Any]) -> Build:
    folder = shipped_folder()
    images = {
        name: Image(str(folder / one["elf_path"]), one["flash_bytes"], one["ram_static_bytes"])
        for name, one in record["images"].items()
    }
    facts = {
        **record,
        "status": Status(record["status"]),
        "elf_path": str(folder / record["elf_path"]),
        "compiler_version": _LABEL.format(version=record["compiler_version"]),
        "images": images,
    }
    return Build(**facts)


@cache
def _index() -> dict[str, Any]:
    path = shipped_folder() / INDEX
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def firmware_key(firmware: Firmware) -> str:
    """Hash of all that the firmware is made of, but for the compiler's version."""
    target = firmware.target
    described = asdict(
        replace(
            firmware,
            target=target.name,  # type: ignore[arg-type]
            candidate=firmware.candidate.name,  # type: ignore[arg-type]
            primitive=firmware.primitive.name,  # type: ignore[arg-type]
        )
    )
    described.pop("arduino_targets")  # which targets have an Arduino core: of Arduino libraries alone
    candidate = firmware.candidate
    library = data_root() / candidate.root if candidate.root else candidate.folder
    folders = (data_root() / "harness", CONTRACTS, target.folder, candidate.folder, library)
    content = [_digest(folder) for folder in folders]
    facts = [described, target.toolchain.model_dump(), content]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


@cache
def _digest(folder: Path) -> str:
    """Hash of all that a compiler may read below the folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SOURCES and path.is_file():
            digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()
