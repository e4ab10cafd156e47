"""What is secret in a call of a block cipher, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm
from bancada.primitives.block_cipher.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import AuditedCalls

_AUDITED = ("set-key", "encrypt", "set-decrypt-key", "decrypt")
_SETTING_KEY = ("set-key", "set-decrypt-key")


class _Calls(AuditedCalls):
    def __init__(
        self, monitor: Monitor, firmware: FirmwareView, algorithm: BlockCipherAlgorithm, operation: str
    ) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)

    def prepare(self, source: random.Random) -> None:
        """A random key and block."""
        key = source.randbytes(self._firmware.key_bits // 8)
        self._monitor.write(BUFFERS["input"], source.randbytes(self._firmware.block_bytes))
        self._monitor.write(BUFFERS["key"], key)
        if self._operation not in _SETTING_KEY:
            self._set_key("set-decrypt-key" if self._operation == "decrypt" else "set-key")

    def _length(self) -> int:
        return self._firmware.block_bytes


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in _AUDITED)


def _secrets(firmware: FirmwareView, algorithm: BlockCipherAlgorithm, operation: str) -> tuple[Secret, ...]:
    key = Secret(BUFFERS["key"], "key", 0, firmware.key_bits // 8)
    if operation in _SETTING_KEY:
        return (key,)
    return key, Secret(BUFFERS["input"], "input", 0, firmware.block_bytes)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
