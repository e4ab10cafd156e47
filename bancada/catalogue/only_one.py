"""A cache that is filled on first use is filled by one process at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def only_one(lock_path: Path) -> Iterator[None]:
    """Keeps other processes and threads out that lock the same path. The kernel releases the lock of a process that
    dies. Its folder is made if necessary."""
    lock_path.parent.mkdir(parents=True, exist_ok=True)
    with lock_path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
