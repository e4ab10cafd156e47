"""The primitive "signature" (harness/include/bancada/signature.h)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.primitive import Check, Primitive
from bancada.primitives.status import accepted
from bancada.records import Case, Firmware
from bancada.vectors.signature import (
    DIGEST_BYTES,
    KeyPair,
    independent_sign,
    independent_verify,
    is_rsa,
    key_pair,
    official_verifications,
)

_SET_SIGN_KEY = 1
_SIGN = 2
_SET_VERIFY_KEY = 3
_VERIFY = 4
_BUFFER_KEY = 0
_BUFFER_SEED = 1
_BUFFER_DIGEST = 2
_BUFFER_SIGNATURE = 3
_SEED_BYTES = 16

_RANDOM_KEYS = 2
_RANDOM_KEYS_FULL = 40

# Digests at the ends: the least that is not zero (which a library may refuse), and one above the order of each curve.
_EDGE_DIGESTS = (bytes(DIGEST_BYTES - 1) + b"\x01", b"\xff" * DIGEST_BYTES)


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class SignatureClient:
    """A signature scheme on one device."""

    def __init__(self, monitor: Monitor, facts: Facts, firmware: Firmware, with_decrypt: bool) -> None:
        self._monitor = monitor
        self._facts = facts
        self._algorithm = firmware.algorithm
        self._key_bits = firmware.key_bits
        self._signature_bytes = firmware.key_bits // 8 * (1 if is_rsa(firmware.algorithm) else 2)
        self._verifying: bytes | None = None

    def _call_with_key(self, operation: int, key: bytes) -> tuple[int, int]:
        self._monitor.write(_BUFFER_KEY, key)
        return self._monitor.call(operation)

    def _set_sign_key(self, private: bytes) -> bool:
        return self._call_with_key(_SET_SIGN_KEY, private)[0] == 0

    def _set_verify_key(self, public: bytes) -> bool:
        if public == self._verifying:
            return True
        self._verifying = None
        if self._call_with_key(_SET_VERIFY_KEY, public)[0] != 0:
            return False
        self._verifying = public
        return True

    def _sign(self, digest: bytes, seed: bytes) -> bytes | None:
        self._monitor.write(_BUFFER_SEED, seed)
        self._monitor.write(_BUFFER_DIGEST, digest)
        if self._monitor.call(_SIGN)[0] != 0:
            return None
        return self._monitor.read(_BUFFER_SIGNATURE, self._signature_bytes)

    def _accepts(self, public: bytes, digest: bytes, signature: bytes) -> bool:
        if not self._set_verify_key(public):
            return False
        self._monitor.write(_BUFFER_DIGEST, digest)
        self._monitor.write(_BUFFER_SIGNATURE, signature)
        return self._monitor.call(_VERIFY)[0] == 0

    def _verdict(self, name: str, public: bytes, digest: bytes, signature: bytes, valid: bool) -> Check:
        words = {True: "accepted", False: "refused"}
        return Check(name, lambda: (words[valid], words[self._accepts(public, digest, signature)]))

    def _signs(self, name: str, pair: KeyPair, digest: bytes, source: random.Random) -> Check:
        """What the device signs, the independent implementation verifies; and PKCS #1 v1.5 has but one signature."""
        seed, other_source = source.randbytes(_SEED_BYTES), random.Random(name)

        def run() -> tuple[str, str]:
            if not self._set_sign_key(pair.private):
                return "a signature", "the key was refused"
            signature = self._sign(digest, seed)
            if signature is None:
                return "a signature", "an error"
            if self._algorithm == "rsa-pkcs1":
                return independent_sign(self._algorithm, pair, digest, other_source).hex(), signature.hex()
            holds = independent_verify(self._algorithm, pair.public, digest, signature)
            return "a signature that holds", "a signature that holds" if holds else f"one that does not: {signature.hex()}"

        return Check(name, run)

    def _own(self, pair: KeyPair, digest: bytes, seed: bytes) -> tuple[str, str]:
        if not self._set_sign_key(pair.private):
            return "accepted", "the key was refused"
        signature = self._sign(digest, seed)
        if signature is None:
            return "accepted", "signing failed"
        return "accepted", "accepted" if self._accepts(pair.public, digest, signature) else "refused"

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, then random keys: the device signs and another verifies, the other way round, and forgeries."""
        for vector in official_verifications(self._algorithm, full):
            yield self._verdict(vector.name, vector.public, vector.digest, vector.signature, vector.valid)
        source = random.Random(f"{self._algorithm} {self._key_bits}")
        digests = [*_EDGE_DIGESTS, *(source.randbytes(DIGEST_BYTES) for _ in range(_RANDOM_KEYS_FULL if full else _RANDOM_KEYS))]
        for number, digest in enumerate(digests):
            pair = key_pair(self._algorithm, source)
            what = f"random key {number}, digest {digest[:4].hex()}..."
            yield self._signs(f"{what}, sign", pair, digest, source)
            yield Check(f"{what}, verify its own signature", lambda pair=pair, digest=digest: self._own(pair, digest, bytes(_SEED_BYTES)))  # type: ignore[misc]
            signature = independent_sign(self._algorithm, pair, digest, source)
            yield self._verdict(f"{what}, verify", pair.public, digest, signature, True)
            bit = source.randrange(8 * len(signature))
            yield self._verdict(f"{what}, one bit of the signature changed", pair.public, digest, _flipped(signature, bit), False)
            bit = source.randrange(8 * len(digest))
            yield self._verdict(f"{what}, one bit of the digest changed", pair.public, _flipped(digest, bit), signature, False)
            other = key_pair(self._algorithm, source)
            if other != pair:
                yield self._verdict(f"{what}, another's key", other.public, digest, signature, False)

    def prepare(self, case: Case, source: random.Random) -> None:
        """A random key and digest; to be verified, their true signature."""
        pair, digest = key_pair(self._algorithm, source), source.randbytes(DIGEST_BYTES)
        if case.operation == "sign":
            accepted(self._call_with_key(_SET_SIGN_KEY, pair.private), "take the key to sign with")
            self._monitor.write(_BUFFER_SEED, source.randbytes(_SEED_BYTES))
        else:
            self._verifying = None
            accepted(self._call_with_key(_SET_VERIFY_KEY, pair.public), "take the key to verify with")
            self._monitor.write(_BUFFER_SIGNATURE, independent_sign(self._algorithm, pair, digest, source))
        self._monitor.write(_BUFFER_DIGEST, digest)

    def call(self, case: Case) -> int:
        """One signature made or verified."""
        return accepted(self._monitor.call(_SIGN if case.operation == "sign" else _VERIFY, chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """The key as the library keeps it; what it allocates besides is not in it."""
        return self._facts.encrypt_context_bytes if operation == "sign" else self._facts.decrypt_context_bytes


SIGNATURE = Primitive(
    operations_source="operations_signature.c",
    size_source="size_signature.c",
    images={"none": 0, "sign": 1, "verify": 2, "both": 3},
    decrypting=frozenset(),
    client=SignatureClient,
)
