"""Puts a real board in the place of a target's simulator, for one campaign."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from bancada.catalogue.paths import cache_folder
from bancada.catalogue.target import Target
from bancada.model.errors import UserError
from bancada.plan.laboratory import Laboratory


@contextmanager
def board_at(laboratory: Laboratory, target: Target, port: str) -> Iterator[Laboratory]:
    """The laboratory in which the target is the board on that port.

    UserError if there is no such port, if firmware cannot be written to the target, or if the board is in
    use.
    """
    from bancada.engines.board.engine import AttachedBoard  # only a board needs pyserial

    with alone_with(port):
        yield laboratory.with_target(target.on_board(AttachedBoard(target, port)))


@contextmanager
def alone_with(port: str) -> Iterator[None]:
    """Locks the board for a campaign. Between two firmwares the port is closed, and another program could open it."""
    from bancada.engines.board.port import is_address  # only a board needs pyserial

    one_name = port if is_address(port) else os.path.realpath(port)
    name = hashlib.sha256(one_name.encode()).hexdigest()[:16]
    path = cache_folder() / "boards" / f"{name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        _lock(file, port)
        yield


def _lock(file: TextIO, port: str) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise UserError(
            f"Another bancada is at work with the board on {port}: a board does one thing at a time."
        ) from error


def maybe_board(
    laboratory: Laboratory, port: str | None, target_names: tuple[str, ...], scheduler: str | None
) -> AbstractContextManager[Laboratory]:
    """As `board_at`, for a campaign's options. Without a port it is the laboratory unchanged. UserError for options
    that do not go with a board."""
    if port is None:
        return nullcontext(laboratory)
    if scheduler is not None:
        raise UserError("--port is a board on this machine, --dask works on others: leave one out.")
    if len(target_names) != 1:
        raise UserError("--port is one board: say which with one --target, for example --target uno.")
    return board_at(laboratory, laboratory.target(target_names[0]), port)
