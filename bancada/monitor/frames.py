"""Splits a stream of bytes into the monitor's frames. A zero ends each frame."""

from __future__ import annotations


class Frames:
    """Received bytes that were not yet taken as frames. There are no empty frames: two zeros in a row are one."""

    def __init__(self) -> None:
        self._heard = b""

    def hear(self, data: bytes) -> None:
        """Adds received bytes. They may begin and end anywhere in a frame."""
        self._heard += data

    def next(self) -> bytes | None:
        """The oldest complete frame, without its zero; None if there is none."""
        while True:
            frame, zero, rest = self._heard.partition(b"\0")
            if not zero:
                return None
            self._heard = rest
            if frame:
                return frame

    def forget(self) -> None:
        """Discards all received bytes that were not yet taken."""
        self._heard = b""
