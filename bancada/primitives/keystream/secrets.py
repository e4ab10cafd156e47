"""What is secret in a call of a keystream, its key, and calls with chosen secrets."""

from __future__ import annotations

import random

from bancada.monitor.monitor import Monitor, NoSuchBuffer
from bancada.primitives.keystream.algorithm import KeystreamAlgorithm
from bancada.primitives.keystream.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Secret, Secrets
from bancada.primitives.secret_calls import AuditedCalls

_AUDITED = ("set-key", "keystream")
# More than the blocks that a kernel makes at once, and a part of one.
_STREAM_BYTES = 712


class _Calls(AuditedCalls):
    def __init__(self, monitor: Monitor, firmware: FirmwareView, algorithm: KeystreamAlgorithm, operation: str) -> None:
        super().__init__(monitor, firmware, operation, OPERATIONS)
        self._takes_messages = False

    def prepare(self, source: random.Random) -> None:
        """A random key."""
        key = source.randbytes(self._firmware.key_bits // 8)
        self._monitor.write(BUFFERS["start"], bytes(range(self._firmware.block_bytes)))
        try:
            self._monitor.write(BUFFERS["input"], bytes(_STREAM_BYTES))
            self._takes_messages = True
        except NoSuchBuffer:  # one block at a time, on this device or in this library
            self._takes_messages = False
        self._monitor.write(BUFFERS["key"], key)
        if self._operation != "set-key":
            self._set_key()

    def _length(self) -> int:
        return self._firmware.block_bytes

    def call(self) -> None:
        """A block, and a message where there is a call for one."""
        super().call()
        if self._takes_messages and self._operation != "set-key":
            self._need(self._monitor.call(OPERATIONS["stream"], length=_STREAM_BYTES)[0])


def _operations(firmware: FirmwareView) -> tuple[str, ...]:
    return tuple(name for name in firmware.operations if name in _AUDITED)


def _secrets(firmware: FirmwareView, algorithm: KeystreamAlgorithm, operation: str) -> tuple[Secret, ...]:
    return (Secret(BUFFERS["key"], "key", 0, firmware.key_bits // 8),)


SECRETS = Secrets(operations=_operations, of=_secrets, calls=_Calls)
