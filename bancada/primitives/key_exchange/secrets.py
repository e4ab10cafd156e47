"""What is secret in a key exchange, the secret key, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.key_exchange.algorithm import KeyExchangeAlgorithm
from bancada.primitives.key_exchange.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import AuditedCalls


class _Calls(AuditedCalls):
    def __init__(
        self, monitor: Monitor, firmware: FirmwareView, algorithm: KeyExchangeAlgorithm, operation: str
    ) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)
        self._algorithm = algorithm
        self._peer_key = algorithm.public_key(bytes(range(1, firmware.key_bits // 8 + 1)))

    def prepare(self, source: random.Random) -> None:
        """A random secret key, and always the same public key."""
        self._monitor.write(BUFFERS["peer-key"], self._peer_key)
        self._monitor.write(BUFFERS["secret-key"], self._algorithm.random_secret_key(source, self._firmware.key_bits))

    def _length(self) -> int:
        return 0


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in OPERATIONS)


def _secrets(firmware: FirmwareView, algorithm: KeyExchangeAlgorithm, operation: str) -> tuple[Secret, ...]:
    return (Secret(BUFFERS["secret-key"], "secret_key", 0, firmware.key_bits // 8),)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
