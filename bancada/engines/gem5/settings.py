"""The table [gem5] of target.toml, and the table [qemu] beside it."""

from __future__ import annotations

from typing import Literal

from bancada.catalogue.target import Target
from bancada.engines.qemu.settings import QemuSettings


class Gem5Settings(QemuSettings):
    """Which of gem5's models is meant, and how QEMU runs the same program: there it answers the monitor."""

    model: Literal["ex5_big", "ex5_LITTLE", "HPI"]


def gem5_settings(target: Target) -> Gem5Settings:
    """The settings of a target that gem5 times."""
    assert isinstance(target.settings, Gem5Settings)
    return target.settings
