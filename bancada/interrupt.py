"""Ctrl-C that cannot get lost.

A KeyboardInterrupt that strikes inside a callback or a finaliser is printed and dropped by the interpreter. So it is also noted,
and whoever works in steps asks between them.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

_requested = threading.Event()


def listen() -> None:
    """From now on Ctrl-C is noted as well as raised. Only the main thread may call this."""
    signal.signal(signal.SIGINT, _note_and_raise)


def _note_and_raise(number: int, frame: FrameType | None) -> None:
    _requested.set()
    raise KeyboardInterrupt


def check() -> None:
    """KeyboardInterrupt if Ctrl-C was ever pressed."""
    if _requested.is_set():
        raise KeyboardInterrupt
