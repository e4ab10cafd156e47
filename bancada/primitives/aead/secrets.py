"""What is secret in a call of an AEAD, its key and its plaintext, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.aead.algorithm import AeadAlgorithm
from bancada.primitives.aead.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import MESSAGE_BYTES, AuditedCalls

_ASSOCIATED_BYTES = 16


class _Calls(AuditedCalls):
    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: AeadAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)
        self._algorithm = algorithm

    def prepare(self, source: random.Random) -> None:
        """A random key and plaintext; for decryption their true ciphertext and tag."""
        firmware = self._firmware
        key, plaintext = source.randbytes(firmware.key_bits // 8), source.randbytes(MESSAGE_BYTES)
        nonce, associated = bytes(range(firmware.nonce_bytes)), bytes(range(_ASSOCIATED_BYTES))
        self._monitor.write(BUFFERS["nonce"], nonce)
        self._monitor.write(BUFFERS["associated"], associated)
        self._monitor.write(BUFFERS["associated-length"], bytes([_ASSOCIATED_BYTES]))
        if self._operation == "decrypt":
            ciphertext, tag = self._algorithm.seal(key, nonce, associated, plaintext, firmware.tag_bytes)
            self._monitor.write(BUFFERS["data"], ciphertext)
            self._monitor.write(BUFFERS["tag"], tag)
        else:
            self._monitor.write(BUFFERS["data"], plaintext)
        self._monitor.write(BUFFERS["key"], key)
        if self._operation != "set-key":
            self._set_key()


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in OPERATIONS)


def _secrets(firmware: FirmwareView, algorithm: AeadAlgorithm, operation: str) -> tuple[Secret, ...]:
    key = Secret(BUFFERS["key"], "key", 0, firmware.key_bits // 8)
    return (key, Secret(BUFFERS["data"], "data", 0, MESSAGE_BYTES)) if operation == "encrypt" else (key,)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
