"""What compiling a firmware gave, and what its official vectors said."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.model.status import Status


@dataclass(frozen=True)
class Image:
    """What the linker says of one image: `.text`, `.rodata` and `.data` are flash, `.data` and `.bss` static RAM."""

    elf_path: str
    flash_bytes: int
    ram_static_bytes: int


@dataclass(frozen=True)
class Build:
    """Firmware for one implementation, ready to run, or why there is none.

    `status` and `reason` are those of the whole; `operation_reason` says why a single operation does not fit when
    others do. `images` holds the images whose size is the metric: 'none' (the baseline), 'set-key', 'encrypt',
    'decrypt', 'both'.
    """

    status: Status
    reason: str | None
    elf_path: str | None
    elf_sha256: str | None
    compiler_version: str
    flags: str
    with_decrypt: bool = True
    operation_reason: dict[str, str] = field(default_factory=dict)
    images: dict[str, Image] = field(default_factory=dict)


@dataclass(frozen=True)
class Conformance:
    """Official vectors, run on the device through the firmware that is measured."""

    passed: int
    total: int
    first_failure: str | None
    sp800_38a: str | None
