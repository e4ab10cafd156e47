"""The primitive "message": sender and receiver of study `biglittle` (harness/include/bancada/message.h)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.catalogue import Source
from bancada.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.primitive import Check, Library, Primitive
from bancada.primitives.status import accepted
from bancada.records import Case, Firmware
from bancada.vectors.message import DIGEST_BYTES, digest, hash_and_signature, holds, keys, serialised, signature

_SET_SIGN_KEY = 1
_SEND = 2
_SET_VERIFY_KEY = 3
_RECEIVE = 4
_BUFFER_KEY = 0
_BUFFER_SEED = 1
_BUFFER_TEXT = 2
_BUFFER_PACKET = 3
_BUFFER_PACKET_BYTES = 4
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


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class MessageClient:
    """A sender and a receiver on one device."""

    def __init__(self, monitor: Monitor, facts: Facts, firmware: Firmware, with_decrypt: bool) -> None:
        self._monitor = monitor
        self._facts = facts
        self._hashed, self._signed = hash_and_signature(firmware.algorithm)
        self._signature_bytes = {None: 0, "rsa-pkcs1": 256}.get(self._signed, 64)

    def _packet(self, text: bytes, private: bytes) -> bytes:
        message = serialised(text)
        made = signature(self._hashed, self._signed, private, message) if self._signed else b""
        return message + digest(self._hashed, message) + made

    def _call_with_key(self, operation: int, key: bytes) -> tuple[int, int]:
        self._monitor.write(_BUFFER_KEY, key)
        return self._monitor.call(operation)

    def _set_key(self, operation: int, key: bytes) -> bool:
        return self._call_with_key(operation, key)[0] == 0

    def _send(self, text: bytes, seed: bytes) -> bytes | None:
        self._monitor.write(_BUFFER_TEXT, text + b"\0")
        if self._signed:
            self._monitor.write(_BUFFER_SEED, seed)
        if self._monitor.call(_SEND)[0] != 0:
            return None
        return self._monitor.read(_BUFFER_PACKET, int.from_bytes(self._monitor.read(_BUFFER_PACKET_BYTES, 2), "little"))

    def _sends(self, name: str, text: bytes, private: bytes, seed: bytes) -> Check:
        def run() -> tuple[str, str]:
            message = serialised(text)
            expected = message + digest(self._hashed, message)
            if self._signed and not self._set_key(_SET_SIGN_KEY, private):
                return "a packet", "the key was refused"
            packet = self._send(text, seed)
            if packet is None:
                return "a packet", "an error"
            if packet[: len(expected)] != expected:
                return expected.hex(), packet[: len(expected)].hex()
            made = packet[len(expected) :]
            if self._signed and not (
                len(made) == self._signature_bytes and holds(self._hashed, self._signed, private, message, made)
            ):
                return "a signature that holds", f"one that does not: {made.hex()}"
            return "", "" if self._signed or not made else made.hex()

        return Check(name, run)

    def _receives(self, name: str, packet: bytes, public: bytes, text: bytes | None) -> Check:
        """`text` is what must be read; None if the packet must be refused and nothing be left to read."""

        def run() -> tuple[str, str]:
            if self._signed and not self._set_key(_SET_VERIFY_KEY, public):
                return "a verdict", "the key was refused"
            self._monitor.write(_BUFFER_TEXT, b"\xff" * _LONGEST_TEXT_BYTES + b"\0")
            self._monitor.write(_BUFFER_PACKET, packet)
            accepted = self._monitor.call(_RECEIVE, length=len(packet))[0] == 0
            read = self._monitor.read(_BUFFER_TEXT, _LONGEST_TEXT_BYTES + 1)
            expected = (_REFUSED, b"") if text is None else (_ACCEPTED, text)
            got = (_ACCEPTED if accepted else _REFUSED, read.split(b"\0")[0] if accepted else read.rstrip(b"\0"))
            return f"{expected[0]} {expected[1].hex()}", f"{got[0]} {got[1].hex()}"

        return Check(name, run)

    def checks(self, full: bool) -> Iterator[Check]:
        """Packets of random texts both ways; each part of a packet changed, and the packet cut short, are refused."""
        source = random.Random(f"message {self._hashed} {self._signed}")
        for length in _RANDOM_TEXTS:
            text = bytes(source.choices(range(0x20, 0x7F), k=length))
            private, public = keys(self._signed, source) if self._signed else (b"", b"")
            yield self._sends(f"send a text of {length} B", text, private, source.randbytes(_SEED_BYTES))
            packet = self._packet(text, private)
            yield self._receives(f"receive a text of {length} B", packet, public, text)
            ends = (0, _HEADER_BYTES + length, _HEADER_BYTES + length + DIGEST_BYTES, len(packet))
            for part, begin, end in zip(("reading", "hash", "signature"), ends, ends[1:], strict=False):
                if end > begin:
                    bit = source.randrange(8 * begin, 8 * end)
                    yield self._receives(f"{length} B, a bit of the {part} changed", _flipped(packet, bit), public, None)
            yield self._receives(f"{length} B, cut short", packet[:-1], public, None)
            if self._signed:
                _, other = keys(self._signed, source)
                if other != public:
                    yield self._receives(f"{length} B, another's key", packet, other, None)

        if self._signed == "rsa-pkcs1":
            yield self._not_reduced(source)

    def _not_reduced(self, source: random.Random) -> Check:
        """A signature plus the modulus is the same number modulo it, and out of range (RFC 8017, section 5.2.2, step 1)."""
        while True:
            text = bytes(source.choices(range(0x20, 0x7F), k=_RANDOM_TEXTS[2]))
            private, public = keys("rsa-pkcs1", source)
            packet = self._packet(text, private)
            size = self._signature_bytes
            number = int.from_bytes(packet[-size:], "big") + int.from_bytes(private[:size], "big")
            if number < 1 << 8 * size:
                break
        forged = packet[:-size] + number.to_bytes(size, "big")
        return self._receives("a signature that is not reduced modulo n", forged, public, None)

    def prepare(self, case: Case, source: random.Random) -> None:
        """The study's text, a random key."""
        text = _text(case.size_bytes)
        private, public = keys(self._signed, source) if self._signed else (b"", b"")
        if case.operation == "send":
            if self._signed:
                accepted(self._call_with_key(_SET_SIGN_KEY, private), "take the key to sign with")
                self._monitor.write(_BUFFER_SEED, source.randbytes(_SEED_BYTES))
            self._monitor.write(_BUFFER_TEXT, text + b"\0")
        else:
            if self._signed:
                accepted(self._call_with_key(_SET_VERIFY_KEY, public), "take the key to verify with")
            self._monitor.write(_BUFFER_PACKET, self._packet(text, private))

    def call(self, case: Case) -> int:
        """One message sent or received."""
        if case.operation == "send":
            return accepted(self._monitor.call(_SEND, chain=MONITOR_TIMING), case.operation)
        length = case.size_bytes + DIGEST_BYTES + self._signature_bytes
        return accepted(self._monitor.call(_RECEIVE, length=length, chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """The key as the library keeps it."""
        return self._facts.encrypt_context_bytes if operation == "send" else self._facts.decrypt_context_bytes


_NANOPB = Library(
    source=Source(
        registry="debian-source",
        package="nanopb",
        version="0.4.7",
        sha256="e1d89b166367a3c42d42311bdc2ed57ff78f86aede9a66828516e45490d48c81",
    ),
    sources=("pb_common.c", "pb_encode.c", "pb_decode.c"),
    include=(".",),
)

MESSAGE = Primitive(
    operations_source="operations_message.c",
    size_source="size_message.c",
    images={"none": 0, "send": 1, "receive": 2, "both": 3},
    decrypting=frozenset(),
    client=MessageClient,
    library=_NANOPB,
)
