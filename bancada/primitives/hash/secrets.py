"""What is secret in a call of a hash, its message, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.hash.algorithm import HashAlgorithm
from bancada.primitives.hash.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import MESSAGE_BYTES, AuditedCalls


class _Calls(AuditedCalls):
    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: HashAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)

    def prepare(self, source: random.Random) -> None:
        """A random message."""
        self._monitor.write(BUFFERS["message"], source.randbytes(MESSAGE_BYTES))


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in OPERATIONS)


def _secrets(firmware: FirmwareView, algorithm: HashAlgorithm, operation: str) -> tuple[Secret, ...]:
    return (Secret(BUFFERS["message"], "message", 0, MESSAGE_BYTES),)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
