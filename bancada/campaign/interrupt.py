"""Ctrl-C that is never lost.

The interpreter prints and drops a KeyboardInterrupt that is raised inside a callback or a finaliser. So it is raised
again a moment later. It is also noted here, and code that works in steps checks between them. The note is state of the
process because a signal belongs to the process, and Python gives its handler no argument of ours (signal(2)).
"""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType

# A callback or a finaliser of Python's takes less.
_A_MOMENT_S = 0.01


class Interrupted(Exception):
    """Ctrl-C. What was finished is stored."""


_requested = threading.Event()


def listen() -> None:
    """Notes Ctrl-C from now on, and raises KeyboardInterrupt. Only the main thread may call this."""
    signal.signal(signal.SIGINT, _note_and_raise)
    sys.unraisablehook = _raise_again


def listen_no_more() -> None:
    """Ctrl-C ends the process at once and silently from now on: there is nothing left to store. Only the main thread
    may call this."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _note_and_raise(number: int, frame: FrameType | None) -> None:
    _requested.set()
    raise KeyboardInterrupt


def _raise_again(dropped: sys.UnraisableHookArgs) -> None:
    """What Python calls with an exception that it drops."""
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
        return
    # To the main thread itself, so that what it waits in ends.
    later = threading.Timer(_A_MOMENT_S, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    later.daemon = True
    later.start()


def is_requested() -> bool:
    """Whether Ctrl-C was pressed."""
    return _requested.is_set()


def check() -> None:
    """Raises KeyboardInterrupt if Ctrl-C was pressed."""
    if _requested.is_set():
        raise KeyboardInterrupt
