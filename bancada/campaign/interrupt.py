"""Ctrl-C that is never lost.

The interpreter prints and drops a KeyboardInterrupt that is raised inside a callback or a finaliser. So it is also
noted here, and code that works in steps checks between them. The note is state of the process because a signal belongs
to the process, and Python gives its handler no argument of ours (signal(2)).
"""

from __future__ import annotations

import signal
import threading
from types import FrameType


class Interrupted(Exception):
    """Ctrl-C. What was finished is stored."""


_requested = threading.Event()


def listen() -> None:
    """Notes Ctrl-C from now on, and raises KeyboardInterrupt. Only the main thread may call this."""
    signal.signal(signal.SIGINT, _note_and_raise)


def _note_and_raise(number: int, frame: FrameType | None) -> None:
    _requested.set()
    raise KeyboardInterrupt


def check() -> None:
    """Raises KeyboardInterrupt if Ctrl-C was pressed."""
    if _requested.is_set():
        raise KeyboardInterrupt
