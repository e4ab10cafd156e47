"""Compiles firmware that travels inside an installed package (bancada.build.shipped)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bancada.build.build import build, checking_firmware
from bancada.build.shipped import INDEX, firmware_key
from bancada.compilers.calling import called
from bancada.compilers.compile import file_sha256
from bancada.model.build import Build
from bancada.model.errors import UserError
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
        compiler = firmware.target.toolchain.compiler
        index[firmware_key(firmware)] = {
            "build": _written(made, folder, compiler),
            "checking": _written(checking, folder, compiler) if checking else None,
        }
    (folder / INDEX).write_text(json.dumps(index, indent=1, sort_keys=True) + "\n")
    return len(index)


def _written(made: Build, folder: Path, compiler: str) -> dict[str, Any]:
    def keep(path: str | None) -> tuple[str, str]:
        """The name and the hash of the copy in the folder. The linker names objects of assembly by where they lay: that
        is no part of the firmware, and would differ from machine to machine."""
        copy = folder / "copy.elf"
        objcopy = called([compiler, "-print-prog-name=objcopy"]).stdout.strip()
        done = called([objcopy, "--wildcard", "--strip-symbol=/*.o", str(path), str(copy)])
        if done.returncode != 0:
            raise UserError(f"{objcopy} does not copy {path}: {done.stderr.strip()}")
        digest = file_sha256(copy)
        name = f"{digest[:32]}.elf"
        copy.rename(folder / name)
        return name, digest

    images = {name: replace(image, elf_path=keep(image.elf_path)[0]) for name, image in made.images.items()}
    path, digest = keep(made.elf_path)
    return asdict(replace(made, elf_path=path, elf_sha256=digest, images=images))
