"""A line a minute for a run whose output is no terminal, where a progress bar shows nothing until the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_EVERY_S = 60.0


class Heartbeat:
    """What a run has finished so far. `advance` may be called from any thread."""

    def __init__(self, name: str, total: int, say: Callable[[str], None]) -> None:
        self._name = name
        self._total = total
        self._say = say
        self._lock = threading.Lock()
        self._begun_s = time.monotonic()
        self._done = 0
        self._latest = ""

    def advance(self, done: int, case: str) -> None:
        """`done` more cases are finished, the last of them `case`."""
        with self._lock:
            self._done += done
            self._latest = case

    def tell(self) -> None:
        """Says how far the run is."""
        with self._lock:
            latest = f", last {self._latest}" if self._latest else ", none yet: compiling and fetching come first"
            minutes = (time.monotonic() - self._begun_s) / 60
            self._say(f"{self._name}: {self._done} of {self._total} cases after {minutes:.0f} min{latest}")


@contextmanager
def heartbeat(name: str, total: int, say: Callable[[str], None], every_s: float = _EVERY_S) -> Iterator[Heartbeat]:
    """Says a line every `every_s` seconds, and one when the block ends."""
    beat, ended = Heartbeat(name, total, say), threading.Event()

    def run() -> None:
        while not ended.wait(every_s):
            beat.tell()

    thread = threading.Thread(target=run, name=f"heartbeat of {name}", daemon=True)
    thread.start()
    try:
        yield beat
    finally:
        ended.set()
        thread.join()
        beat.tell()
