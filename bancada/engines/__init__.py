"""What executes firmware for a target: one module for each engine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bancada.engines.board import Board
    from bancada.engines.interface import Engine

NAMES = ("simavr", "qemu", "gem5", "board")


@cache
def engine(name: str) -> Engine:
    """The engine of that name, one of NAMES as the catalogue lets through no other."""
    if name == "board":
        return board_engine()
    from bancada.engines.gem5_session import Gem5
    from bancada.engines.qemu_session import Qemu
    from bancada.engines.simavr import Simavr

    engines: dict[str, Engine] = {"simavr": Simavr(), "qemu": Qemu(), "gem5": Gem5()}
    return engines[name]


@cache
def board_engine() -> Board:
    """The engine of boards, which is given its port before it is used (bancada.board)."""
    from bancada.engines.board import Board

    return Board()


def stop_all() -> None:
    """Ends every session of every engine."""
    for name in NAMES:
        engine(name).stop_all()
