"""Puts a real board in the place of a target's simulator, for one campaign."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from bancada import catalogue
from bancada.catalogue import named
from bancada.engines import board_engine
from bancada.errors import UserError
from bancada.paths import cache_folder


@contextmanager
def board_at(target_name: str, port: str) -> Iterator[None]:
    """While it lasts, the target is the board on that port.

    UserError if there is no such target or port, if the target is none that firmware is written to, or if the board is at work.
    """
    target = named("target", catalogue.targets(), target_name)
    with alone_with(port):
        board_engine().attach(target, port)
        catalogue.use_board(target_name)
        try:
            yield
        finally:
            catalogue.use_board(None)
            board_engine().detach()


@contextmanager
def alone_with(port: str) -> Iterator[None]:
    """A lock for as long as a campaign has the board: between two firmwares its port is closed, and anybody's."""
    from bancada.engines.board_port import is_address  # only a board needs pyserial

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
        raise UserError(f"Another bancada is at work with the board on {port}: a board does one thing at a time.") from error


def maybe_board(port: str | None, target_names: tuple[str, ...], scheduler: str | None) -> AbstractContextManager[None]:
    """As `board_at`, for a campaign's options; nothing without a port. UserError for options that no board can follow."""
    if port is None:
        return nullcontext()
    if scheduler is not None:
        raise UserError("--port is a board on this machine, --dask works on others: leave one out.")
    if len(target_names) != 1:
        raise UserError("--port is one board: say which with one --target, for example --target uno.")
    return board_at(target_names[0], port)
