"""A pseudo-random function on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.plan.case import Case, Firmware
from bancada.primitives import Check
from bancada.primitives.status import accepted

from .algorithm import PrfAlgorithm

OPERATIONS = {"set-key": 1, "evaluate": 2}
BUFFERS = {"key": 0, "message": 1, "output": 2}


class PrfClient:
    """A pseudo-random function on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: Firmware, algorithm: PrfAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._facts = facts
        self._firmware = firmware
        self._algorithm = algorithm

    def _set(self, key: bytes, message: bytes) -> None:
        self._monitor.write(BUFFERS["key"], key)
        accepted(self._monitor.call(OPERATIONS["set-key"]), "set-key")
        self._monitor.write(BUFFERS["message"], message)

    def _evaluate(self, key: bytes, message: bytes) -> bytes:
        self._set(key, message)
        self._monitor.call(OPERATIONS["evaluate"], length=len(message))
        return self._monitor.read(BUFFERS["output"], self._firmware.digest_bytes)

    def _check(self, name: str, key: bytes, message: bytes, output: bytes) -> Check:
        return Check(name, lambda: (output.hex(), self._evaluate(key, message).hex()))

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, then random messages of the lengths around a word."""
        for name, key, message, output in self._algorithm.vectors():
            yield self._check(name, key, message, output)
        source = random.Random(self._algorithm.name)
        for length in (0, 1, 7, 8, 9, 31, 64):
            key, message = source.randbytes(self._firmware.key_bits // 8), source.randbytes(length)
            yield self._check(f"random message of {length} B", key, message, self._algorithm.evaluate(key, message))

    def prepare(self, case: Case, source: random.Random) -> None:
        """A random key and message."""
        self._set(source.randbytes(self._firmware.key_bits // 8), source.randbytes(case.size_bytes))

    def call(self, case: Case) -> int:
        """One call."""
        answer = self._monitor.call(OPERATIONS[case.operation], length=case.size_bytes, chain=MONITOR_TIMING)
        return accepted(answer, case.operation)

    def context_bytes(self, operation: str) -> int:
        """The key."""
        return self._facts.encrypt_context_bytes
