"""A hash on one device, and what it has in common with a MAC."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.hash.algorithm import HashAlgorithm
from bancada.primitives.hash.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

_LONGEST_BYTES = 520
_OFFICIAL_LONGEST_BYTES = 300
# The lengths at which padding changes: blocks of 8, 64, 72 and 136 bytes, several of them, and a byte more or less.
_RANDOM_LENGTHS = (
    *(0, 1, 7, 8, 9, 31, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 135, 136, 137, 200, 271, 272, 300),
    _LONGEST_BYTES,
)


def lengths(full: bool) -> range | tuple[int, ...]:
    """The lengths of random messages, in bytes."""
    return range(_LONGEST_BYTES + 1) if full else _RANDOM_LENGTHS


class DigestCalls:
    """What turns a message of any length into a digest or a tag.

    `operations` and `buffers` are the primitive's numbers.
    """

    def __init__(
        self, monitor: Monitor, firmware: FirmwareView, operations: Mapping[str, int], buffers: Mapping[str, int]
    ) -> None:
        self._monitor = monitor
        self._firmware = firmware
        self._operations = operations
        self._buffers = buffers
        self._key: bytes | None = None

    def set_key(self, key: bytes) -> None:
        """Sets a key unless it is set already. Refused if the library does not take it."""
        if key != self._key:
            self.write_key(key)
            accepted(self._monitor.call(self._operations["set-key"]), "set-key")
            self._key = key

    def write_key(self, key: bytes) -> None:
        """Writes a key that a timed call will set."""
        self._key = None
        self._monitor.write(self._buffers["key"], key)

    def write_message(self, message: bytes) -> None:
        """Writes the message of the next call."""
        self._monitor.write(self._buffers["message"], message)

    def digest(self, operation: str, message: bytes) -> bytes:
        """The digest or tag of a message."""
        self.write_message(message)
        self._monitor.call(self._operations[operation], length=len(message))
        return self._monitor.read(self._buffers["digest"], self._firmware.digest_bytes)

    def timed_call(self, case: CaseView) -> int:
        """One call on the whole message; cycles on the device's own timer."""
        answer = self._monitor.call(self._operations[case.operation], length=case.size_bytes, chain=MONITOR_TIMING)
        return accepted(answer, case.operation)


class HashClient:
    """A hash on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: HashAlgorithm, with_decrypt: bool
    ) -> None:
        self._calls = DigestCalls(monitor, firmware, OPERATIONS, BUFFERS)
        self._facts = facts
        self._firmware = firmware
        self._algorithm = algorithm

    def _check(self, name: str, message: bytes, expected: bytes) -> Check:
        return Check(name, lambda: (expected.hex(), self._calls.digest("hash", message).hex()))

    def checks(self, full: bool) -> Iterator[Check]:
        """Official messages, then random ones of the lengths at which padding changes."""
        for name, message, digest in self._algorithm.vectors(_OFFICIAL_LONGEST_BYTES):
            yield self._check(name, message, digest)
        source = random.Random(f"{self._firmware.algorithm} {self._firmware.key_bits}")
        for length in lengths(full):
            message = source.randbytes(length)
            yield self._check(f"random message of {length} B", message, self._algorithm.digest(message))

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random message."""
        self._calls.write_message(source.randbytes(case.size_bytes))

    def call(self, case: CaseView) -> int:
        """One call, on the whole message."""
        return self._calls.timed_call(case)

    def context_bytes(self, operation: str) -> int:
        """What the caller keeps: a hash under way."""
        return self._facts.encrypt_context_bytes
