"""The primitives "hash" and "mac" (harness/include/bancada/hash.h)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.primitive import Check, Primitive
from bancada.primitives.status import accepted
from bancada.records import Case, Firmware
from bancada.vectors.hash import (
    independent_hash,
    independent_mac,
    official_hashes,
    official_macs,
)

_SET_KEY = 1
_HASH = 2
_BUFFER_KEY = 0
_BUFFER_MESSAGE = 2
_BUFFER_DIGEST = 3
_LONGEST_BYTES = 520
_OFFICIAL_LONGEST_BYTES = 300
_RANDOM_LENGTHS = (0, 1, 7, 8, 9, 31, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 135, 136, 137, 200, 271, 272, 300, 520)


class HashClient:
    """A hash or MAC on one device."""

    def __init__(self, monitor: Monitor, facts: Facts, firmware: Firmware, with_decrypt: bool) -> None:
        self._monitor = monitor
        self._facts = facts
        self._firmware = firmware
        self._key: bytes | None = None

    def _set_key(self, key: bytes) -> None:
        if key != self._key:
            self._monitor.write(_BUFFER_KEY, key)
            accepted(self._monitor.call(_SET_KEY), "set-key")
            self._key = key

    def _digest(self, message: bytes, key: bytes | None = None) -> bytes:
        if key is not None:
            self._set_key(key)
        self._monitor.write(_BUFFER_MESSAGE, message)
        self._monitor.call(_HASH, length=len(message))
        return self._monitor.read(_BUFFER_DIGEST, self._firmware.digest_bytes)

    def _check(self, name: str, message: bytes, expected: bytes, key: bytes | None = None) -> Check:
        return Check(name, lambda: (expected.hex(), self._digest(message, key).hex()))

    def checks(self, full: bool) -> Iterator[Check]:
        """NIST's messages, then random ones of the lengths at which padding changes."""
        firmware = self._firmware
        source = random.Random(f"{firmware.algorithm} {firmware.key_bits}")
        lengths = range(_LONGEST_BYTES + 1) if full else _RANDOM_LENGTHS
        if firmware.primitive == "mac":
            for name, key, message, tag in official_macs(firmware.key_bits):
                yield self._check(name, message, tag, key)
            for length in lengths:
                key, message = source.randbytes(firmware.key_bits // 8), source.randbytes(length)
                yield self._check(f"random message of {length} B", message, independent_mac(key, message), key)
            return
        for name, message, digest in official_hashes(firmware.algorithm, _OFFICIAL_LONGEST_BYTES):
            yield self._check(name, message, digest)
        independent = independent_hash(firmware.algorithm)
        for length in lengths:
            message = source.randbytes(length)
            yield self._check(f"random message of {length} B", message, independent(message))

    def prepare(self, case: Case, source: random.Random) -> None:
        """A random message, and for a MAC a random key."""
        if self._firmware.key_bits:
            key = source.randbytes(self._firmware.key_bits // 8)
            self._key = None
            if case.operation == "set-key":
                self._monitor.write(_BUFFER_KEY, key)
            else:
                self._set_key(key)
        self._monitor.write(_BUFFER_MESSAGE, source.randbytes(case.size_bytes))

    def call(self, case: Case) -> int:
        """One call, on the whole message."""
        operation = _SET_KEY if case.operation == "set-key" else _HASH
        return accepted(self._monitor.call(operation, length=case.size_bytes, chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """What the caller keeps: a hash under way, or a MAC's key."""
        return self._facts.encrypt_context_bytes


HASH = Primitive(
    operations_source="operations_hash.c",
    size_source="size_hash.c",
    images={"none": 0, "hash": 2},
    decrypting=frozenset(),
    client=HashClient,
)

MAC = Primitive(
    operations_source="operations_hash.c",
    size_source="size_hash.c",
    images={"none": 0, "set-key": 1, "mac": 2},
    decrypting=frozenset(),
    client=HashClient,
)
