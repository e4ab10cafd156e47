"""A sender and a receiver on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.bits import flipped
from bancada.primitives.message.algorithm import MessageAlgorithm, serialised
from bancada.primitives.message.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.signature.algorithm import DIGEST_BYTES, KeyPair
from bancada.primitives.status import accepted

_SEED_BYTES = 16
_HEADER_BYTES = 2
_LONGEST_TEXT_BYTES = 120

# The text of the study's message; of its length only what fills the packet's size is sent.
_STUDY_TEXT = "Isto é um exemplo de payload!".encode()
_RANDOM_TEXTS = (1, 5, 19, 30, 63, 64, _LONGEST_TEXT_BYTES)
_ACCEPTED, _REFUSED = "accepted", "refused"


def _text(size_bytes: int) -> bytes:
    """Letters of the study's text, so many that the serialised message has `size_bytes`."""
    wanted = size_bytes - _HEADER_BYTES
    return (_STUDY_TEXT * (wanted // len(_STUDY_TEXT) + 1))[:wanted]


class MessageClient:
    """A sender and a receiver on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: MessageAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._facts = facts
        self._algorithm = algorithm
        self._is_signed = algorithm.signature is not None

    def _call_with_key(self, operation: int, key: bytes) -> tuple[int, int]:
        self._monitor.write(BUFFERS["key"], key)
        return self._monitor.call(operation)

    def _set_key(self, operation: int, key: bytes) -> bool:
        return self._call_with_key(operation, key)[0] == 0

    def _send(self, text: bytes, seed: bytes) -> bytes | None:
        self._monitor.write(BUFFERS["text"], text + b"\0")
        if self._is_signed:
            self._monitor.write(BUFFERS["seed"], seed)
        if self._monitor.call(OPERATIONS["send"])[0] != 0:
            return None
        packet_bytes = int.from_bytes(self._monitor.read(BUFFERS["packet-bytes"], 2), "little")
        return self._monitor.read(BUFFERS["packet"], packet_bytes)

    def _sends(self, name: str, text: bytes, pair: KeyPair, seed: bytes) -> Check:
        def run() -> tuple[str, str]:
            message = serialised(text)
            expected = message + self._algorithm.hash.digest(message)
            if self._is_signed and not self._set_key(OPERATIONS["set-sign-key"], pair.private):
                return "a packet", "the key was refused"
            packet = self._send(text, seed)
            if packet is None:
                return "a packet", "an error"
            if packet[: len(expected)] != expected:
                return expected.hex(), packet[: len(expected)].hex()
            made = packet[len(expected) :]
            if self._is_signed and not (
                len(made) == self._algorithm.signature_bytes and self._algorithm.holds(pair, message, made)
            ):
                return "a signature that holds", f"one that does not: {made.hex()}"
            return "", "" if self._is_signed or not made else made.hex()

        return Check(name, run)

    def _receives(self, name: str, packet: bytes, public: bytes, text: bytes | None) -> Check:
        """`text` is what must be read; None if the packet must be refused and nothing be left to read."""

        def run() -> tuple[str, str]:
            if self._is_signed and not self._set_key(OPERATIONS["set-verify-key"], public):
                return "a verdict", "the key was refused"
            self._monitor.write(BUFFERS["text"], b"\xff" * _LONGEST_TEXT_BYTES + b"\0")
            self._monitor.write(BUFFERS["packet"], packet)
            accepted = self._monitor.call(OPERATIONS["receive"], length=len(packet))[0] == 0
            read = self._monitor.read(BUFFERS["text"], _LONGEST_TEXT_BYTES + 1)
            expected = (_REFUSED, b"") if text is None else (_ACCEPTED, text)
            got = (_ACCEPTED if accepted else _REFUSED, read.split(b"\0")[0] if accepted else read.rstrip(b"\0"))
            return f"{expected[0]} {expected[1].hex()}", f"{got[0]} {got[1].hex()}"

        return Check(name, run)

    def checks(self, full: bool) -> Iterator[Check]:
        """Packets of random texts both ways; each part of a packet changed, and the packet cut short, are refused."""
        source = random.Random(f"message {self._names()}")
        for length in _RANDOM_TEXTS:
            text = bytes(source.choices(range(0x20, 0x7F), k=length))
            pair = self._algorithm.keys(source)
            public = pair.public
            yield self._sends(f"send a text of {length} B", text, pair, source.randbytes(_SEED_BYTES))
            packet = self._algorithm.packet(text, pair)
            yield self._receives(f"receive a text of {length} B", packet, public, text)
            ends = (0, _HEADER_BYTES + length, _HEADER_BYTES + length + DIGEST_BYTES, len(packet))
            for part, begin, end in zip(("reading", "hash", "signature"), ends, ends[1:], strict=False):
                if end > begin:
                    bit = source.randrange(8 * begin, 8 * end)
                    yield self._receives(f"{length} B, a bit of the {part} changed", flipped(packet, bit), public, None)
            yield self._receives(f"{length} B, cut short", packet[:-1], public, None)
            if self._is_signed:
                other = self._algorithm.keys(source).public
                if other != public:
                    yield self._receives(f"{length} B, another's key", packet, other, None)

        if self._algorithm.signature is not None and self._algorithm.signature.is_unique:
            yield self._not_reduced(source)

    def _names(self) -> str:
        """Hash and signature, as the seed of the checks' random input has them."""
        return f"{self._algorithm.hash.name} {self._algorithm.signature.name if self._algorithm.signature else None}"

    def _not_reduced(self, source: random.Random) -> Check:
        """A signature plus the modulus: the same number modulo it, and out of range (RFC 8017, section 5.2.2)."""
        while True:
            text = bytes(source.choices(range(0x20, 0x7F), k=_RANDOM_TEXTS[2]))
            pair = self._algorithm.keys(source)
            packet = self._algorithm.packet(text, pair)
            size = self._algorithm.signature_bytes
            number = int.from_bytes(packet[-size:], "big") + int.from_bytes(pair.public[:size], "big")
            if number < 1 << 8 * size:
                break
        forged = packet[:-size] + number.to_bytes(size, "big")
        return self._receives("a signature that is not reduced modulo n", forged, pair.public, None)

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """The study's text, a random key."""
        text = _text(case.size_bytes)
        pair = self._algorithm.keys(source)
        if case.operation == "send":
            if self._is_signed:
                accepted(self._call_with_key(OPERATIONS["set-sign-key"], pair.private), "take the key to sign with")
                self._monitor.write(BUFFERS["seed"], source.randbytes(_SEED_BYTES))
            self._monitor.write(BUFFERS["text"], text + b"\0")
        else:
            if self._is_signed:
                accepted(self._call_with_key(OPERATIONS["set-verify-key"], pair.public), "take the key to verify with")
            self._monitor.write(BUFFERS["packet"], self._algorithm.packet(text, pair))

    def call(self, case: CaseView) -> int:
        """One message sent or received."""
        if case.operation == "send":
            return accepted(self._monitor.call(OPERATIONS["send"], chain=MONITOR_TIMING), case.operation)
        length = case.size_bytes + DIGEST_BYTES + self._algorithm.signature_bytes
        return accepted(self._monitor.call(OPERATIONS["receive"], length=length, chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """The key as the library keeps it."""
        return self._facts.encrypt_context_bytes if operation == "send" else self._facts.decrypt_context_bytes
