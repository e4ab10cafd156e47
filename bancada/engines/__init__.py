"""What executes firmware for a target: one module for each engine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bancada.engines.interface import Engine

NAMES = ("simavr", "qemu")


@cache
def engine(name: str) -> Engine:
    """The engine of that name, one of NAMES as the catalogue lets through no other."""
    from bancada.engines.qemu_session import Qemu
    from bancada.engines.simavr import Simavr

    engines: dict[str, Engine] = {"simavr": Simavr(), "qemu": Qemu()}
    return engines[name]


def stop_all() -> None:
    """Ends every session of every engine."""
    for name in NAMES:
        engine(name).stop_all()
