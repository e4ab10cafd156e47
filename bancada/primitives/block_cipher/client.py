"""A block cipher on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import Facts, Monitor
from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm
from bancada.primitives.block_cipher.calls import BlockCipherCalls
from bancada.primitives.block_cipher.checks import block_cipher_checks
from bancada.primitives.primitive import CaseView, Check, FirmwareView

# Devices whose memory has room for packets say so by the length of their frames
# (harness/include/bancada/device_cortex_m.h).
_PACKET_DEVICE_BODY_BYTES = 512


class BlockCipherClient:
    """A block cipher on one device."""

    def __init__(
        self,
        monitor: Monitor,
        facts: Facts,
        firmware: FirmwareView,
        algorithm: BlockCipherAlgorithm,
        with_decrypt: bool,
    ) -> None:
        self._calls = BlockCipherCalls(monitor, firmware.block_bytes, firmware.cbc)
        self._facts = facts
        self._algorithm = algorithm
        self._firmware = firmware
        self._with_decrypt = with_decrypt

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, random blocks, packets, IVs."""
        takes_packets = self._facts.largest_body >= _PACKET_DEVICE_BODY_BYTES
        return block_cipher_checks(
            self._calls, self._firmware, self._algorithm, self._with_decrypt, full, takes_packets
        )

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key, set if the operation needs it, and a random block, or as many as the packet has."""
        key = source.randbytes(self._firmware.key_bits // 8)
        self._calls.prepare_timed_call(case.operation, key, source.randbytes(case.size_bytes))

    def call(self, case: CaseView) -> int:
        """One call of the operation."""
        return self._calls.timed_call(case.operation, case.size_bytes)

    def context_bytes(self, operation: str) -> int:
        """The encryption context, or for decryption its own."""
        if operation in ("decrypt", "set-decrypt-key"):
            return self._facts.decrypt_context_bytes
        return self._facts.encrypt_context_bytes
