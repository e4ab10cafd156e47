"""A file of the cache that is there whole or not at all, whichever processes and threads write it at once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, contents: str | bytes) -> None:
    """Writes the file beside its place, under a name that nobody else has, and then puts it there. Its folder is made
    if necessary. Of two that write the same file, the later one stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents.encode() if isinstance(contents, str) else contents)
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
