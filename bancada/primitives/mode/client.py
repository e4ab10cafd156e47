"""A mode on one device."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.bits import flipped
from bancada.primitives.mode.algorithm import ModeAlgorithm, Sent
from bancada.primitives.mode.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

# operations.c: the longest message of a device without memory for packets, and its associated data.
_LONGEST_ON_SMALL_BYTES = 160
_LONGEST_ASSOCIATED_BYTES = 40
_PACKET_DEVICE_BODY_BYTES = 4096
_CALL_TIMEOUT_S = 600.0
# BANCADA_MODE_ROOM (contract.h).
_MOST_ADDED_BYTES = 48

_LENGTHS = (1, 15, 16, 17, 31, 32, 33, 47, 48, 64, 100, 159, 160)
# The study's own message, and one whose counters go beyond one byte and beyond two.
_LONG_LENGTHS = (1215, 4096, 70001)
_ASSOCIATED_LENGTHS = (0, 1, 16, 29, 40)
_REFUSED = "refused"


class ModeClient:
    """A mode on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: ModeAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._firmware = firmware
        self._algorithm = algorithm
        self._with_decrypt = with_decrypt
        self._has_packets = facts.largest_body >= _PACKET_DEVICE_BODY_BYTES

    def _load(self, key: bytes, nonce: bytes, associated: bytes, data: bytes) -> None:
        self._monitor.write(BUFFERS["key"], key)
        self._monitor.write(BUFFERS["nonce"], nonce)
        self._monitor.write(BUFFERS["associated"], associated)
        self._monitor.write(BUFFERS["associated-length"], bytes([len(associated)]))
        self._monitor.write(BUFFERS["input"], data)

    def _result(self, operation: int, length: int) -> str:
        if self._monitor.call(operation, length=length)[0] != 0:
            return _REFUSED
        written = int.from_bytes(self._monitor.read(BUFFERS["output-bytes"], 4), "little")
        if written > length + _MOST_ADDED_BYTES:
            return f"{written} bytes of output, for {length} of input"
        return self._monitor.read(BUFFERS["output"], written).hex()

    def _encrypt(self, message: Sent) -> str:
        self._load(message.key, message.nonce, message.associated, message.plaintext)
        return self._result(OPERATIONS["encrypt"], len(message.plaintext))

    def _decrypt(self, message: Sent) -> str:
        # The device's own nonce is another: what counts is the one that was sent.
        self._load(message.key, bytes(len(message.nonce)), message.associated, message.sent)
        return self._result(OPERATIONS["decrypt"], len(message.sent))

    def _both(self, message: Sent) -> Iterator[Check]:
        yield Check(f"{message.name}, encrypt", lambda: (message.sent.hex(), self._encrypt(message)))
        if self._with_decrypt:
            yield Check(f"{message.name}, decrypt", lambda: (message.plaintext.hex(), self._decrypt(message)))

    def _refuses(self, name: str, message: Sent) -> Check:
        return Check(name, lambda: (_REFUSED, self._decrypt(message)))

    def _forgeries(self, message: Sent, source: random.Random) -> Iterator[Check]:
        """One bit changed in each part, or the message cut: none may be accepted by what authenticates."""
        nonce_bits, tag_bits = 8 * self._firmware.nonce_bytes, 8 * self._firmware.tag_bytes
        every = 8 * len(message.sent)
        bits = {
            "nonce": (0, nonce_bits),
            "ciphertext": (nonce_bits, every - tag_bits),
            "tag": (every - tag_bits, every),
        }
        changed = {
            part: flipped(message.sent, source.randrange(*where)) for part, where in bits.items() if where[0] < where[1]
        }
        changed["end, which is cut"] = message.sent[:-1]
        for part, data in changed.items():
            forged = Sent(message.name, message.key, message.nonce, message.associated, b"", data)
            yield self._refuses(f"{message.name}, one bit of the {part} changed", forged)
        if message.associated:
            associated = flipped(message.associated, source.randrange(8 * len(message.associated)))
            forged = Sent(message.name, message.key, message.nonce, associated, b"", message.sent)
            yield self._refuses(f"{message.name}, one bit of the associated data changed", forged)

    def _bad_padding(
        self, send_unpadded: Callable[[bytes, bytes, bytes], bytes], source: random.Random
    ) -> Iterator[Check]:
        """Blocks that do not end in padding, and lengths that cannot be:

        a mode without a tag notices no more than that.
        """
        key, iv = source.randbytes(self._firmware.key_bits // 8), source.randbytes(self._firmware.nonce_bytes)
        data = source.randbytes(16)
        for ending in (b"\x00", b"\x11", b"\xff", b"\x01\x02", b"\x03" + b"\x10" * 15, b"\x02\x03\x03"):
            ends = send_unpadded(key, iv, data + data[: 16 - len(ending)] + ending)
            yield self._refuses(
                f"a message that ends in {ending.hex()}, which is not a padding", Sent("", key, iv, b"", b"", ends)
            )
        whole = send_unpadded(key, iv, bytes([16]) * 16)
        for name, cut in (("less than a block", whole[:-1]), ("an IV alone", whole[:16]), ("half an IV", whole[:8])):
            yield self._refuses(f"{name}", Sent("", key, iv, b"", b"", cut))

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, random messages of many lengths, and what must be refused."""
        firmware = self._firmware
        for message in self._algorithm.vectors(firmware.key_bits):
            # An empty message is only asked of what authenticates: RELIC encrypts none.
            if (
                message.plaintext
                and len(message.plaintext) <= _LONGEST_ON_SMALL_BYTES
                and len(message.associated) <= _LONGEST_ASSOCIATED_BYTES
            ):
                yield from self._both(message)
        source = random.Random(f"mode {firmware.algorithm} {firmware.key_bits}")
        lengths = (*(range(1, 161) if full else _LENGTHS), *(_LONG_LENGTHS if self._has_packets else ()))
        for number, length in enumerate(lengths):
            key, nonce = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.nonce_bytes)
            associated = b""
            if self._algorithm.authenticates:
                associated = source.randbytes(_ASSOCIATED_LENGTHS[number % len(_ASSOCIATED_LENGTHS)])
            plaintext = source.randbytes(length)
            expected = self._algorithm.send(key, nonce, associated, plaintext, firmware.tag_bytes)
            message = Sent(
                f"random message of {length} B with {len(associated)} B associated",
                key,
                nonce,
                associated,
                plaintext,
                expected,
            )
            yield from self._both(message)
            if self._with_decrypt and self._algorithm.authenticates:
                yield from self._forgeries(message, source)
        if self._with_decrypt and self._algorithm.send_unpadded is not None:
            yield from self._bad_padding(self._algorithm.send_unpadded, source)

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key, nonce and message. What is to be decrypted the device makes of it, outside the timed region."""
        firmware = self._firmware
        key, nonce = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.nonce_bytes)
        self._load(key, nonce, source.randbytes(case.associated_bytes), source.randbytes(case.size_bytes))
        if case.operation == "decrypt":
            accepted(
                self._monitor.call(OPERATIONS["make-input"], length=case.size_bytes, timeout_s=_CALL_TIMEOUT_S),
                "make the message to decrypt",
            )

    def call(self, case: CaseView) -> int:
        """One call, on the whole message; what is decrypted has the length that it was made with."""
        operation, length = OPERATIONS[case.operation], 0 if case.operation == "decrypt" else case.size_bytes
        return accepted(
            self._monitor.call(operation, length=length, chain=MONITOR_TIMING, timeout_s=_CALL_TIMEOUT_S),
            case.operation,
        )

    def context_bytes(self, operation: str) -> int:
        """Nothing: the key is expanded within the call."""
        return 0
