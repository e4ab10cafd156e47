"""Compiles firmware that travels inside an installed package (bancada.build.shipped)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bancada.build.build import build, checking_firmware
from bancada.build.shipped import INDEX, firmware_key
from bancada.model.build import Build
from bancada.model.status import Status
from bancada.plan.case import Firmware


def ship(firmwares: Iterable[Firmware], folder: Path) -> int:
    """Compiles each firmware and writes it into `folder`, to be packed as `firmware` beside the other data; gives the
    number of firmwares. What does not build or fit is left out. UserError if a tool is missing."""
    folder.mkdir(parents=True)
    index = {}
    for firmware in firmwares:
        made = build(firmware)
        if made.status is not Status.OK:
            continue
        checking = checking_firmware(firmware, made)
        index[firmware_key(firmware)] = {
            "build": _written(made, folder),
            "checking": _written(checking, folder) if checking else None,
        }
    (folder / INDEX).write_text(json.dumps(index, indent=1, sort_keys=True) + "\n")
    return len(index)


def _written(made: Build, folder: Path) -> dict[str, Any]:
    def keep(path: str | None) -> str:
        content = Path(path or "").read_bytes()
        name = f"{hashlib.sha256(content).hexdigest()[:32]}.elf"
        (folder / name).write_bytes(content)
        return name

    images = {name: replace(image, elf_path=keep(image.elf_path)) for name, image in made.images.items()}
    return asdict(replace(made, elf_path=keep(made.elf_path), images=images))
