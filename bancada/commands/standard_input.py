"""What is piped to a command, for a program that the command runs several times."""

from __future__ import annotations

import os
import tempfile
import threading

_CHUNK_BYTES = 65536


class StandardInput:
    """This command's standard input, from its beginning for each run of a program.

    It is read when a run asks for more than earlier runs have read: a terminal or a pipe that stays open delays no
    program that reads nothing.
    """

    def __init__(self, file: int = 0) -> None:
        """`file` is the descriptor that is read."""
        self._file = file
        self._read_so_far = tempfile.TemporaryFile()
        self._reading = threading.Lock()

    def open(self) -> int:
        """The reading end of a pipe, which the caller closes."""
        reading, writing = os.pipe()
        threading.Thread(target=self._feed, args=(writing,), daemon=True).start()
        return reading

    def _feed(self, writing: int) -> None:
        offset = 0
        try:
            while chunk := self._chunk(offset):
                offset += len(chunk)
                while chunk:
                    chunk = chunk[os.write(writing, chunk) :]
        except OSError:
            pass  # the program ended, or there is no standard input
        finally:
            os.close(writing)

    def _chunk(self, offset: int) -> bytes:
        """The bytes from there on, at most so many; b"" at the end."""
        with self._reading:
            chunk = os.pread(self._read_so_far.fileno(), _CHUNK_BYTES, offset)
            if not chunk:
                chunk = os.read(self._file, _CHUNK_BYTES)
                os.pwrite(self._read_so_far.fileno(), chunk, offset)
            return chunk
