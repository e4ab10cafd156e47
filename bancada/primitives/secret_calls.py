"""The part that the audited calls of all primitives with a key have in common."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping

from bancada.monitor.monitor import DeviceError, Monitor
from bancada.primitives.primitive import FirmwareView

# Messages end within a block of every algorithm, and have more than one of most.
MESSAGE_BYTES = 72


class AuditedCalls(ABC):
    """An operation on one device. A primitive's own class writes its buffers."""

    def __init__(self, monitor: Monitor, firmware: FirmwareView, operation: str, operations: Mapping[str, int]) -> None:
        self._monitor = monitor
        self._firmware = firmware
        self._operation = operation
        self._operations = operations

    @abstractmethod
    def prepare(self, source: random.Random) -> None:
        """Secrets from `source` and the same of everything else; sets the key where the operation needs one."""

    def _set_key(self, operation: str = "set-key") -> None:
        """DeviceError if the implementation refuses the key."""
        if self._monitor.call(self._operations[operation])[0] != 0:
            raise DeviceError(f"{self._firmware.implementation} refused a key.")

    def _length(self) -> int:
        """Bytes of the message that is called with."""
        return MESSAGE_BYTES

    def call(self) -> None:
        """The call that is audited. DeviceError if the implementation says that it failed."""
        self._need(self._monitor.call(self._operations[self._operation], length=self._length())[0])

    def _need(self, returned: int) -> None:
        if returned != 0:
            raise DeviceError(
                f"{self._firmware.implementation} failed at '{self._operation}' on valid input: "
                "see what bancada check says of it."
            )
