"""What is secret when something is signed, key and random bytes, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import AuditedCalls
from bancada.primitives.signature.algorithm import SignatureAlgorithm
from bancada.primitives.signature.numbers import BUFFERS, OPERATIONS

_SEED_BYTES = 16


class _Calls(AuditedCalls):
    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: SignatureAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)
        self._algorithm = algorithm

    def prepare(self, source: random.Random) -> None:
        """A random key and seed."""
        # The seed goes first: it is secret from the first region on, which is that of the key.
        self._monitor.write(BUFFERS["seed"], source.randbytes(_SEED_BYTES))
        self._monitor.write(BUFFERS["digest"], bytes(range(1, self._firmware.digest_bytes + 1)))
        self._monitor.write(BUFFERS["key"], self._algorithm.key_pair(source).private)
        if self._operation != "set-key":
            self._set_key()

    def _length(self) -> int:
        return self._firmware.block_bytes


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    """Signing, and setting the key for it; verification has no secret."""
    return ("set-key", "sign") if "sign" in firmware.operations else ()


def _secrets(firmware: FirmwareView, algorithm: SignatureAlgorithm, operation: str) -> tuple[Secret, ...]:
    parts = tuple(Secret(BUFFERS["key"], "key", offset, length) for offset, length in algorithm.secret_parts)
    return *parts, Secret(BUFFERS["seed"], "seed", 0, _SEED_BYTES)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
