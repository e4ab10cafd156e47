"""A keystream on one device: blocks of it, and messages encrypted with it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor, NoRoom, NoSuchBuffer
from bancada.primitives.keystream.algorithm import KeystreamAlgorithm
from bancada.primitives.keystream.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

_BLOCKS = 64
# Devices whose memory has room for messages say so by the length of their frames
# (harness/include/bancada/device_cortex_m.h).
_PACKET_DEVICE_BODY_BYTES = 512
_LONGEST_BYTES = 5184
# Around every number of blocks that kernels make at once (1 to 8, 5 twice, 10), and the longest.
_LENGTHS = tuple(64 * blocks + more for blocks in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11) for more in (-1, 0, 1)) + (
    1,
    300,
    1024,
    4096,
    _LONGEST_BYTES,
)
_FULL_LENGTHS = range(1025)


class KeystreamClient:
    """A keystream on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: KeystreamAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._facts = facts
        self._firmware = firmware
        self._algorithm = algorithm
        self._key: bytes | None = None
        self._takes_messages = facts.largest_body >= _PACKET_DEVICE_BODY_BYTES and self._has_message_call()

    def _has_message_call(self) -> bool:
        """Whether the library has a call for messages:

        its adapter says BANCADA_STREAM, and there is a buffer for them.
        """
        try:
            self._monitor.write(BUFFERS["input"], bytes(1))
        except NoSuchBuffer:
            return False
        return True

    def _set_key(self, key: bytes) -> None:
        if key != self._key:
            self._monitor.write(BUFFERS["key"], key)
            accepted(self._monitor.call(OPERATIONS["set-key"]), "set-key")
            self._key = key

    def _block(self, key: bytes, start: bytes) -> bytes:
        self._set_key(key)
        self._monitor.write(BUFFERS["start"], start)
        self._monitor.call(OPERATIONS["keystream"], length=len(start))
        return self._monitor.read(BUFFERS["block"], self._firmware.digest_bytes)

    def _stream(self, key: bytes, start: bytes, message: bytes) -> bytes:
        self._set_key(key)
        self._monitor.write(BUFFERS["start"], start)
        self._monitor.write(BUFFERS["input"], message)
        self._monitor.call(OPERATIONS["stream"], length=len(message))
        return self._monitor.read(BUFFERS["output"], len(message))

    def _check_stream(self, name: str, key: bytes, start: bytes, message: bytes, expected: bytes) -> Check:
        return Check(name, lambda: (expected.hex(), self._stream(key, start, message).hex()))

    def checks(self, full: bool) -> Iterator[Check]:
        """Random blocks.

        Where the device takes messages, official ones, and random ones around the numbers of blocks made at once.
        """
        firmware = self._firmware
        source = random.Random(f"{firmware.algorithm} {firmware.key_bits}")
        for number in range(_BLOCKS):
            key, start = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.block_bytes)
            expected = self._algorithm.stream(key, start, bytes(firmware.digest_bytes))
            yield Check(
                f"random keystream block {number}",
                lambda e=expected, k=key, s=start: (e.hex(), self._block(k, s).hex()),  # type: ignore[misc]
            )
        if not self._takes_messages:
            return
        for name, key, start, message, expected in self._algorithm.vectors():
            yield self._check_stream(name, key, start, message, expected)
        for length in (*_FULL_LENGTHS, *_LENGTHS) if full else _LENGTHS:
            key, message = source.randbytes(firmware.key_bits // 8), source.randbytes(length)
            counter = self._counter(source)
            start = counter + source.randbytes(firmware.block_bytes - len(counter))
            yield self._check_stream(
                f"random message of {length} B", key, start, message, self._algorithm.stream(key, start, message)
            )

    def _counter(self, source: random.Random) -> bytes:
        """A counter in the lower half of its range: it may not come round within a message (RFC 8439, section 2.4)."""
        size = self._algorithm.counter_bytes
        return source.getrandbits(8 * size - 1).to_bytes(size, "little")

    def _is_block(self, case: CaseView) -> bool:
        """A block takes the counter and the nonce alone."""
        return case.size_bytes == self._firmware.block_bytes

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key, counter and nonce, and for a message one. NoRoom where the device takes none."""
        firmware = self._firmware
        key = source.randbytes(firmware.key_bits // 8)
        self._key = None
        self._set_key(key)
        self._monitor.write(BUFFERS["start"], source.randbytes(firmware.block_bytes))
        if self._is_block(case):
            return
        if not self._takes_messages:
            raise NoRoom("The device takes a keystream's blocks one by one.")
        self._monitor.write(BUFFERS["start"], self._counter(source))
        self._monitor.write(BUFFERS["input"], source.randbytes(case.size_bytes))

    def call(self, case: CaseView) -> int:
        """One call: a block, or the whole message."""
        operation = OPERATIONS["keystream"] if self._is_block(case) else OPERATIONS["stream"]
        return accepted(self._monitor.call(operation, length=case.size_bytes, chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """What the caller keeps: the key."""
        return self._facts.encrypt_context_bytes
