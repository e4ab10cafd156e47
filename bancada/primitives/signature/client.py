"""A signature scheme on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.bits import flipped
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.signature.algorithm import DIGEST_BYTES, KeyPair, SignatureAlgorithm
from bancada.primitives.signature.numbers import BUFFERS, OPERATIONS
from bancada.primitives.status import accepted

_SEED_BYTES = 16
_PIECE_BYTES = 64

_RANDOM_KEYS = 2
_RANDOM_KEYS_FULL = 40

# Digests at the ends: the least that is not zero (which a library may refuse), and one above the order of each curve.
_EDGE_DIGESTS = (bytes(DIGEST_BYTES - 1) + b"\x01", b"\xff" * DIGEST_BYTES)


class SignatureClient:
    """A signature scheme on one device."""

    def __init__(
        self, monitor: Monitor, facts: Facts, firmware: FirmwareView, algorithm: SignatureAlgorithm, with_decrypt: bool
    ) -> None:
        self._monitor = monitor
        self._facts = facts
        self._algorithm = algorithm
        self._key_bits = firmware.key_bits
        self._signs_too = "sign" in firmware.operations
        self._verifying: bytes | None = None
        self._signature = b""

    def _call_with_key(self, operation: int, key: bytes) -> tuple[int, int]:
        self._monitor.write(BUFFERS["key"], key)
        return self._monitor.call(operation)

    def _set_sign_key(self, private: bytes) -> bool:
        return self._call_with_key(OPERATIONS["set-key"], private)[0] == 0

    def _set_verify_key(self, public: bytes) -> bool:
        if public == self._verifying:
            return True
        self._verifying = None
        if self._call_with_key(OPERATIONS["set-verify-key"], public)[0] != 0:
            return False
        self._verifying = public
        return True

    def _sign(self, digest: bytes, seed: bytes) -> bytes | None:
        self._monitor.write(BUFFERS["seed"], seed)
        self._monitor.write(BUFFERS["digest"], digest)
        if self._monitor.call(OPERATIONS["sign"], length=len(digest))[0] != 0:
            return None
        return self._monitor.read(BUFFERS["signature"], self._algorithm.signature_bytes)

    def _accepts(self, public: bytes, digest: bytes, signature: bytes) -> bool:
        if not self._set_verify_key(public):
            return False
        self._monitor.write(BUFFERS["digest"], digest)
        if self._algorithm.beginning_bytes:
            return self._verify_in_pieces(digest, signature) == 0
        self._monitor.write(BUFFERS["signature"], signature)
        return self._monitor.call(OPERATIONS["verify"], length=len(digest))[0] == 0

    def _verify_in_pieces(self, message: bytes, signature: bytes) -> int:
        """What the device says of a signature that it gets in pieces. A wrong beginning is no reason to stop."""
        beginning, rest = (
            signature[: self._algorithm.beginning_bytes],
            signature[self._algorithm.beginning_bytes :],
        )
        self._monitor.write(BUFFERS["signature"], beginning)
        self._monitor.call(OPERATIONS["verify-begin"], length=len(message))
        for at in range(0, len(rest), _PIECE_BYTES):
            piece = rest[at : at + _PIECE_BYTES]
            self._monitor.write(BUFFERS["signature"], piece)
            self._monitor.call(OPERATIONS["verify-piece"], length=len(piece))
        return self._monitor.call(OPERATIONS["verify-end"])[0]

    def _verdict(self, name: str, public: bytes, digest: bytes, signature: bytes, valid: bool) -> Check:
        words = {True: "accepted", False: "refused"}
        return Check(name, lambda: (words[valid], words[self._accepts(public, digest, signature)]))

    def _signs(self, name: str, pair: KeyPair, digest: bytes, source: random.Random) -> Check:
        """The second implementation verifies what the device signs, or is equal where only one signature is right."""
        seed, other_source = source.randbytes(_SEED_BYTES), random.Random(name)

        def run() -> tuple[str, str]:
            if not self._set_sign_key(pair.private):
                return "a signature", "the key was refused"
            signature = self._sign(digest, seed)
            if signature is None:
                return "a signature", "an error"
            if self._algorithm.is_unique:
                return self._algorithm.sign(pair, digest, other_source).hex(), signature.hex()
            holds = self._algorithm.holds(pair.public, digest, signature)
            return (
                "a signature that holds",
                "a signature that holds" if holds else f"one that does not: {signature.hex()}",
            )

        return Check(name, run)

    def _own(self, pair: KeyPair, digest: bytes, seed: bytes) -> tuple[str, str]:
        if not self._set_sign_key(pair.private):
            return "accepted", "the key was refused"
        signature = self._sign(digest, seed)
        if signature is None:
            return "accepted", "signing failed"
        return "accepted", "accepted" if self._accepts(pair.public, digest, signature) else "refused"

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, then random keys:

        the device signs and another verifies, the other way round, and forgeries.
        """
        for vector in self._algorithm.verifications(full):
            yield self._verdict(vector.name, vector.public, vector.digest, vector.signature, vector.valid)
        source = random.Random(f"{self._algorithm.name} {self._key_bits}")
        digests = [
            *_EDGE_DIGESTS,
            *(source.randbytes(DIGEST_BYTES) for _ in range(_RANDOM_KEYS_FULL if full else _RANDOM_KEYS)),
        ]
        for number, digest in enumerate(digests):
            pair = self._algorithm.key_pair(source)
            what = f"random key {number}, digest {digest[:4].hex()}..."
            if self._signs_too:
                yield self._signs(f"{what}, sign", pair, digest, source)
                yield Check(
                    f"{what}, verify its own signature",
                    lambda pair=pair, digest=digest: self._own(pair, digest, bytes(_SEED_BYTES)),  # type: ignore[misc]
                )
            signature = self._algorithm.sign(pair, digest, source)
            yield self._verdict(f"{what}, verify", pair.public, digest, signature, True)
            bit = source.randrange(8 * len(signature))
            yield self._verdict(
                f"{what}, one bit of the signature changed", pair.public, digest, flipped(signature, bit), False
            )
            bit = source.randrange(8 * len(digest))
            yield self._verdict(
                f"{what}, one bit of the digest changed", pair.public, flipped(digest, bit), signature, False
            )
            other = self._algorithm.key_pair(source)
            if other != pair:
                yield self._verdict(f"{what}, another's key", other.public, digest, signature, False)

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random key and digest; to be verified, their true signature. A key that is set is to sign with."""
        pair, digest = self._algorithm.key_pair(source), source.randbytes(DIGEST_BYTES)
        if case.operation == "set-key":
            self._monitor.write(BUFFERS["key"], pair.private)
        elif case.operation == "sign":
            accepted(self._call_with_key(OPERATIONS["set-key"], pair.private), "take the key to sign with")
            self._monitor.write(BUFFERS["seed"], source.randbytes(_SEED_BYTES))
        else:
            self._verifying = None
            accepted(self._call_with_key(OPERATIONS["set-verify-key"], pair.public), "take the key to verify with")
            self._signature = self._algorithm.sign(pair, digest, source)
            if not self._algorithm.beginning_bytes:
                self._monitor.write(BUFFERS["signature"], self._signature)
        self._monitor.write(BUFFERS["digest"], digest)

    def call(self, case: CaseView) -> int:
        """One signature made or verified, or one key set."""
        if self._algorithm.beginning_bytes and case.operation == "verify":
            return accepted((self._verify_in_pieces(bytes(DIGEST_BYTES), self._signature), 0), case.operation)
        called = self._monitor.call(OPERATIONS[case.operation], length=DIGEST_BYTES, chain=MONITOR_TIMING)
        return accepted(called, case.operation)

    def context_bytes(self, operation: str) -> int:
        """The key as the library keeps it; what it allocates besides is not in it."""
        return self._facts.decrypt_context_bytes if operation == "verify" else self._facts.encrypt_context_bytes
