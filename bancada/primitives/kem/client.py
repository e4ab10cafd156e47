"""A KEM on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.kem.algorithm import (
    MESSAGE_BYTES,
    SECRET_BYTES,
    SEED_BYTES,
    Decapsulation,
    Encapsulation,
    Generation,
    KemAlgorithm,
)
from bancada.primitives.kem.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

_RANDOM_KEYS = 1
_RANDOM_KEYS_FULL = 20
_REFUSED = "refused"
# What a firmware without room for a key and a ciphertext takes of one, and gives of the other, at once (contract.h).
PIECE_BYTES = 96


def store_key(monitor: Monitor, key: bytes) -> None:
    """Gives an encapsulation key to a firmware that has no room for it, piece by piece."""
    for offset in range(0, len(key), PIECE_BYTES):
        monitor.write(BUFFERS["encapsulation-key"], key[offset : offset + PIECE_BYTES])
        monitor.call(OPERATIONS["store-key"], length=offset)


class KemClient:
    """A KEM on one device. A firmware that has no room for keys only encapsulates, in pieces."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: KemAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._algorithm = algorithm
        self._operations = firmware.operations
        rank = firmware.key_bits // 256
        self._key_bytes = (384 * rank + 32, 768 * rank + 96)
        self._ciphertext_bytes = 320 * rank + 128
        self._is_in_pieces = facts.block_bytes != 0

    def _write_key(self, key: bytes) -> None:
        if self._is_in_pieces:
            store_key(self._monitor, key)
        else:
            self._monitor.write(BUFFERS["encapsulation-key"], key)

    def _ciphertext(self) -> bytes | None:
        """A firmware in pieces keeps those of the ciphertext from an offset on, so it makes it again for each."""
        if not self._is_in_pieces:
            if self._monitor.call(OPERATIONS["encapsulate"])[0] != 0:
                return None
            return self._monitor.read(BUFFERS["ciphertext"], self._ciphertext_bytes)
        ciphertext = b""
        for offset in range(0, self._ciphertext_bytes, PIECE_BYTES):
            if self._monitor.call(OPERATIONS["encapsulate"], length=offset)[0] != 0:
                return None
            ciphertext += self._monitor.read(BUFFERS["ciphertext"], min(PIECE_BYTES, self._ciphertext_bytes - offset))
        return ciphertext

    def _generation(self, vector: Generation) -> tuple[str, str]:
        self._monitor.write(BUFFERS["random"], vector.seed)
        if self._monitor.call(OPERATIONS["make-key"])[0] != 0:
            return "keys", "an error"
        got = [
            self._monitor.read(BUFFERS[name], size).hex()
            for name, size in zip(("encapsulation-key", "decapsulation-key"), self._key_bytes, strict=True)
        ]
        return f"{vector.encapsulation_key.hex()} {vector.decapsulation_key.hex()}", " ".join(got)

    def _encapsulation(self, vector: Encapsulation) -> tuple[str, str]:
        self._write_key(vector.encapsulation_key)
        self._monitor.write(BUFFERS["random"], vector.message)
        expected = f"{vector.ciphertext.hex()} {vector.shared_secret.hex()}" if vector.ciphertext else _REFUSED
        ciphertext = self._ciphertext()
        if ciphertext is None:
            return expected, _REFUSED
        return expected, f"{ciphertext.hex()} {self._monitor.read(BUFFERS['shared-secret'], SECRET_BYTES).hex()}"

    def _decapsulation(self, vector: Decapsulation) -> tuple[str, str]:
        self._monitor.write(BUFFERS["decapsulation-key"], vector.decapsulation_key)
        self._monitor.write(BUFFERS["ciphertext"], vector.ciphertext)
        if self._monitor.call(OPERATIONS["decapsulate"])[0] != 0:
            return vector.shared_secret.hex(), _REFUSED
        return vector.shared_secret.hex(), self._monitor.read(BUFFERS["shared-secret"], SECRET_BYTES).hex()

    def _random(self, full: bool) -> Iterator[Generation | Encapsulation | Decapsulation]:
        """Random keys, and a ciphertext in which one bit changed."""
        source = random.Random(self._algorithm.name)
        for number in range(_RANDOM_KEYS_FULL if full else _RANDOM_KEYS):
            what = f"random key {number}"
            seed, message = source.randbytes(SEED_BYTES), source.randbytes(MESSAGE_BYTES)
            key, secret_key = self._algorithm.generate(seed)
            ciphertext, secret = self._algorithm.encapsulate(key, message)
            changed = bytearray(ciphertext)
            changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
            yield Generation(f"{what}, keys", seed, key, secret_key)
            yield Encapsulation(f"{what}, encapsulation", key, message, ciphertext, secret)
            yield Decapsulation(f"{what}, decapsulation", secret_key, ciphertext, secret)
            rejected = self._algorithm.decapsulate(secret_key, bytes(changed))
            yield Decapsulation(f"{what}, one bit of the ciphertext changed", secret_key, bytes(changed), rejected)

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, then random keys, of the operations that the firmware has."""
        for vector in (*self._algorithm.vectors(full), *self._random(full)):
            if isinstance(vector, Generation) and "make-key" in self._operations:
                yield Check(vector.name, lambda vector=vector: self._generation(vector))  # type: ignore[misc]
            elif isinstance(vector, Encapsulation):
                yield Check(vector.name, lambda vector=vector: self._encapsulation(vector))  # type: ignore[misc]
            elif isinstance(vector, Decapsulation) and "decapsulate" in self._operations:
                yield Check(vector.name, lambda vector=vector: self._decapsulation(vector))  # type: ignore[misc]

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """Random bytes, a random key, and a ciphertext for it."""
        seed, message = source.randbytes(SEED_BYTES), source.randbytes(MESSAGE_BYTES)
        self._monitor.write(BUFFERS["random"], seed if case.operation == "make-key" else message)
        if case.operation != "make-key":
            key, secret_key = self._algorithm.generate(seed)
            if case.operation == "encapsulate":
                self._write_key(key)
            else:
                self._monitor.write(BUFFERS["decapsulation-key"], secret_key)
                self._monitor.write(BUFFERS["ciphertext"], self._algorithm.encapsulate(key, message)[0])

    def call(self, case: CaseView) -> int:
        """One pair of keys, one encapsulation or one decapsulation."""
        return accepted(self._monitor.call(OPERATIONS[case.operation], chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """Nothing is kept but the keys themselves."""
        return 0
