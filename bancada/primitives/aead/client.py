"""An AEAD on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed
from bancada.primitives.aead.numbers import BUFFERS, OPERATIONS
from bancada.primitives.bits import flipped
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

_LONGEST_ASSOCIATED_BYTES = 40
_LONGEST_BYTES = 512
_RANDOM_LENGTHS = (0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 300, 512)
_ASSOCIATED_LENGTHS = (0, 1, 8, 15, 16, 17, 32, 40)


class AeadClient:
    """An AEAD on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: AeadAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._facts = facts
        self._firmware = firmware
        self._algorithm = algorithm
        self._with_decrypt = with_decrypt
        self._key: bytes | None = None

    def _load(self, key: bytes, nonce: bytes, associated: bytes, data: bytes, tag: bytes | None) -> None:
        if key != self._key:
            self._monitor.write(BUFFERS["key"], key)
            accepted(self._monitor.call(OPERATIONS["set-key"]), "set-key")
            self._key = key
        self._monitor.write(BUFFERS["nonce"], nonce)
        self._monitor.write(BUFFERS["associated"], associated)
        self._monitor.write(BUFFERS["associated-length"], bytes([len(associated)]))
        self._monitor.write(BUFFERS["data"], data)
        if tag is not None:
            self._monitor.write(BUFFERS["tag"], tag)

    def _encrypt(self, message: Sealed) -> str:
        self._load(message.key, message.nonce, message.associated, message.plaintext, None)
        returned, _ = self._monitor.call(OPERATIONS["encrypt"], length=len(message.plaintext))
        ciphertext = self._monitor.read(BUFFERS["data"], len(message.plaintext))
        tag = self._monitor.read(BUFFERS["tag"], self._firmware.tag_bytes)
        return f"{ciphertext.hex()} {tag.hex()} {returned}"

    def _decrypt(self, message: Sealed) -> str:
        self._load(message.key, message.nonce, message.associated, message.ciphertext, message.tag)
        returned, _ = self._monitor.call(OPERATIONS["decrypt"], length=len(message.ciphertext))
        if returned != 0:
            return "rejected"
        return self._monitor.read(BUFFERS["data"], len(message.ciphertext)).hex()

    def _both(self, message: Sealed) -> Iterator[Check]:
        yield Check(
            f"{message.name}, encrypt",
            lambda: (f"{message.ciphertext.hex()} {message.tag.hex()} 0", self._encrypt(message)),
        )
        if self._with_decrypt:
            yield Check(f"{message.name}, decrypt", lambda: (message.plaintext.hex(), self._decrypt(message)))

    def _forgeries(self, message: Sealed, source: random.Random) -> Iterator[Check]:
        """One bit changed in each part: none may be accepted."""
        changed = {
            "tag": (
                message.ciphertext,
                flipped(message.tag, source.randrange(8 * len(message.tag))),
                message.associated,
                message.nonce,
            ),
            "nonce": (
                message.ciphertext,
                message.tag,
                message.associated,
                flipped(message.nonce, source.randrange(8 * len(message.nonce))),
            ),
        }
        if message.ciphertext:
            bit = source.randrange(8 * len(message.ciphertext))
            changed["ciphertext"] = (flipped(message.ciphertext, bit), message.tag, message.associated, message.nonce)
        if message.associated:
            bit = source.randrange(8 * len(message.associated))
            changed["associated data"] = (
                message.ciphertext,
                message.tag,
                flipped(message.associated, bit),
                message.nonce,
            )
        for part, (ciphertext, tag, associated, nonce) in changed.items():
            forged = Sealed(message.name, message.key, nonce, associated, b"", ciphertext, tag)
            yield Check(
                f"{message.name}, one bit of the {part} changed",
                lambda forged=forged: ("rejected", self._decrypt(forged)),  # type: ignore[misc]
            )

    def _random(self, full: bool) -> Iterator[Sealed]:
        firmware = self._firmware
        source = random.Random(f"{firmware.algorithm} {firmware.key_bits}")
        lengths = range(301) if full else _RANDOM_LENGTHS
        # Every length of associated data with an empty message too: padding must not depend on there being one.
        pairs = [(0, more) for more in _ASSOCIATED_LENGTHS]
        pairs += [
            (length, _ASSOCIATED_LENGTHS[number % len(_ASSOCIATED_LENGTHS)]) for number, length in enumerate(lengths)
        ]
        for length, associated_length in pairs:
            key, nonce = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.nonce_bytes)
            associated = source.randbytes(associated_length)
            plaintext = source.randbytes(length)
            ciphertext, tag = self._algorithm.seal(key, nonce, associated, plaintext, firmware.tag_bytes)
            name = f"random message of {length} B with {len(associated)} B associated"
            yield Sealed(name, key, nonce, associated, plaintext, ciphertext, tag)

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, random messages, forgeries."""
        firmware = self._firmware
        for message in self._algorithm.vectors(firmware.key_bits):
            fits = len(message.plaintext) <= _LONGEST_BYTES and len(message.associated) <= _LONGEST_ASSOCIATED_BYTES
            if fits and len(message.nonce) == firmware.nonce_bytes and len(message.tag) == firmware.tag_bytes:
                yield from self._both(message)
        source = random.Random(f"forgeries {firmware.algorithm} {firmware.key_bits}")
        for message in self._random(full):
            yield from self._both(message)
            if self._with_decrypt:
                yield from self._forgeries(message, source)

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key, nonce and message; for decryption their true ciphertext and tag."""
        firmware = self._firmware
        key, nonce = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.nonce_bytes)
        data, associated = source.randbytes(case.size_bytes), source.randbytes(case.associated_bytes)
        tag = None
        if case.operation == "decrypt":
            data, tag = self._algorithm.seal(key, nonce, associated, data, firmware.tag_bytes)
        self._load(key, nonce, associated, data, tag)

    def call(self, case: CaseView) -> int:
        """One call, on the whole message."""
        return accepted(
            self._monitor.call(OPERATIONS[case.operation], length=case.size_bytes, chain=MONITOR_TIMING),
            case.operation,
        )

    def context_bytes(self, operation: str) -> int:
        """The key, expanded or not."""
        return self._facts.encrypt_context_bytes
