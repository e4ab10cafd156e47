"""The engine `qemu`: QEMU counts how often code runs, the core's table costs it (docs/reference/engine-qemu.md)."""

from __future__ import annotations

from bancada.engines.qemu.engine import Qemu

ENGINE = Qemu
