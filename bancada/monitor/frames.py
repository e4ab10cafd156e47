"""The frames of a stream of bytes, of which a zero ends each: the monitor's, as any engine hears them."""

from __future__ import annotations


class Frames:
    """Bytes that were received and not yet taken as frames. Two zeros in a row, an empty frame, are not a frame."""

    def __init__(self) -> None:
        self._heard = b""

    def hear(self, data: bytes) -> None:
        """More bytes, wherever they begin and end."""
        self._heard += data

    def next(self) -> bytes | None:
        """The oldest frame that is complete, without its zero; None if there is none."""
        while True:
            frame, zero, rest = self._heard.partition(b"\0")
            if not zero:
                return None
            self._heard = rest
            if frame:
                return frame

    def forget(self) -> None:
        """Nothing was heard."""
        self._heard = b""
