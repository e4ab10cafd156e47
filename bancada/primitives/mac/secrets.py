"""What is secret in a call of a MAC, its key and its message, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.mac.algorithm import MacAlgorithm
from bancada.primitives.mac.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import MESSAGE_BYTES, AuditedCalls


class _Calls(AuditedCalls):
    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: MacAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)

    def prepare(self, source: random.Random) -> None:
        """A random key and message."""
        key = source.randbytes(self._firmware.key_bits // 8)
        self._monitor.write(BUFFERS["message"], source.randbytes(MESSAGE_BYTES))
        self._monitor.write(BUFFERS["key"], key)
        if self._operation != "set-key":
            self._set_key()


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in OPERATIONS)


def _secrets(firmware: FirmwareView, algorithm: MacAlgorithm, operation: str) -> tuple[Secret, ...]:
    key = Secret(BUFFERS["key"], "key", 0, firmware.key_bits // 8)
    message = Secret(BUFFERS["message"], "message", 0, MESSAGE_BYTES)
    return (key,) if operation == "set-key" else (key, message)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
