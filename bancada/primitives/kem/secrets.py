"""What is secret in a KEM, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.kem.algorithm import MESSAGE_BYTES, SEED_BYTES, KemAlgorithm
from bancada.primitives.kem.client import store_key
from bancada.primitives.kem.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import AuditedCalls

_POLYNOMIAL_BYTES = 384


class _Calls(AuditedCalls):
    """The matrix is made of a part of the public key, and takes a time that depends on it: each call has the same
    public key. So a decapsulation key has other polynomials, which do not belong to it; the time must not tell."""

    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: KemAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)
        self._key, self._secret_key = algorithm.generate(bytes(range(SEED_BYTES)))
        self._ciphertext = algorithm.encapsulate(self._key, bytes(MESSAGE_BYTES))[0]
        if operation == "encapsulate":
            if firmware.variant == "pieces":
                store_key(monitor, self._key)
            else:
                monitor.write(BUFFERS["encapsulation-key"], self._key)

    def prepare(self, source: random.Random) -> None:
        """Random bytes, or the secret parts of a decapsulation key, and the same of everything else."""
        if self._operation == "encapsulate":
            self._monitor.write(BUFFERS["random"], source.randbytes(MESSAGE_BYTES))
            return
        rank = self._firmware.key_bits // 256
        numbers = (source.randrange(3329) for _ in range(256 * rank))
        polynomials = b"".join((a | b << 12).to_bytes(3, "little") for a, b in zip(numbers, numbers, strict=True))
        public = self._secret_key[len(polynomials) : -32]
        self._monitor.write(BUFFERS["decapsulation-key"], polynomials + public + source.randbytes(32))
        self._monitor.write(BUFFERS["ciphertext"], self._ciphertext)

    def _length(self) -> int:
        return 0


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    """Not those that make keys: a part of the seed becomes public on the way, and an audit cannot be told so."""
    return tuple(name for name in firmware.operations if name in ("encapsulate", "decapsulate"))


def _secrets(firmware: FirmwareView, algorithm: KemAlgorithm, operation: str) -> tuple[Secret, ...]:
    if operation == "encapsulate":
        return (Secret(BUFFERS["random"], "random_bytes", 0, MESSAGE_BYTES),)
    polynomials = _POLYNOMIAL_BYTES * (firmware.key_bits // 256)
    key = BUFFERS["decapsulation-key"]
    return (
        Secret(key, "decapsulation_key", 0, polynomials),
        Secret(key, "decapsulation_key", 2 * polynomials + 64, 32),
    )


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
