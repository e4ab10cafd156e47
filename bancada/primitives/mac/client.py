"""A MAC on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import Facts, Monitor
from bancada.primitives.hash.client import DigestCalls, lengths
from bancada.primitives.mac.algorithm import MacAlgorithm
from bancada.primitives.mac.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView


class MacClient:
    """A MAC on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: MacAlgorithm, with_decrypt: bool
    ) -> None:
        self._calls = DigestCalls(monitor, firmware, OPERATIONS, BUFFERS)
        self._facts = facts
        self._firmware = firmware
        self._algorithm = algorithm

    def _tag(self, key: bytes, message: bytes) -> bytes:
        self._calls.set_key(key)
        return self._calls.digest("mac", message)

    def _check(self, name: str, key: bytes, message: bytes, expected: bytes) -> Check:
        return Check(name, lambda: (expected.hex(), self._tag(key, message).hex()))

    def checks(self, full: bool) -> Iterator[Check]:
        """Official messages, then random ones of the lengths at which padding changes."""
        key_bits = self._firmware.key_bits
        for name, key, message, tag in self._algorithm.vectors(key_bits):
            yield self._check(name, key, message, tag)
        source = random.Random(f"{self._firmware.algorithm} {key_bits}")
        for length in lengths(full):
            key, message = source.randbytes(key_bits // 8), source.randbytes(length)
            yield self._check(f"random message of {length} B", key, message, self._algorithm.tag(key, message))

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key, set unless that is what is timed, and a random message."""
        key = source.randbytes(self._firmware.key_bits // 8)
        self._calls.write_key(key)
        if case.operation != "set-key":
            self._calls.set_key(key)
        self._calls.write_message(source.randbytes(case.size_bytes))

    def call(self, case: CaseView) -> int:
        """One call, on the whole message."""
        return self._calls.timed_call(case)

    def context_bytes(self, operation: str) -> int:
        """What the caller keeps: the key, expanded or not."""
        return self._facts.encrypt_context_bytes
