"""The known answers of the designers of SPHINCS+ for SLH-DSA-SHA2-128s: ten signatures, of which the crate `slh-dsa`
has the digest (tests/known_answer_tests.rs). A signature takes seconds to make, so the first one is kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from bancada.catalogue.paths import cache_folder
from bancada.catalogue.whole_file import write_whole
from bancada.primitives.references.slh_dsa import SMALL, Key, N, Parameters, randomizer

COUNT = 10
DIGEST = "5e501f7c91fa189dff618dda9cca0511140fb85e133bab986c9ef89ed220389e"
_FIRST_DIGEST = "c2f3ee3057a571dd75f77c81db31f503b573b740235077e4604a1cd8d5cdd5c2"


class _Random:
    """AES-256 as CTR_DRBG without a derivation function (SP 800-90A, section 10.2.1)."""

    def __init__(self, seed: bytes) -> None:
        self._key, self._counter = bytes(32), 0
        self._update(seed)

    def _blocks(self, count: int) -> bytes:
        encryptor = Cipher(AES(self._key), ECB()).encryptor()
        numbers = [self._counter + 1 + i for i in range(count)]
        self._counter += count
        return encryptor.update(b"".join((number % 2**128).to_bytes(16, "big") for number in numbers))

    def _update(self, seed: bytes) -> None:
        made = bytes(one ^ other for one, other in zip(self._blocks(3), seed, strict=True))
        self._key, self._counter = made[:32], int.from_bytes(made[32:], "big")

    def bytes(self, count: int) -> bytes:
        """The next bytes."""
        made = self._blocks(-(-count // 16))[:count]
        self._update(bytes(48))
        return made


@dataclass(frozen=True)
class KnownAnswer:
    """One entry of the file: a key, a message and what is random."""

    seed: bytes
    message: bytes

    def signed(self, sizes: Parameters = SMALL) -> tuple[Key, bytes]:
        """The key, and the signature."""
        source = _Random(self.seed)
        seeds, additional = source.bytes(3 * N), source.bytes(N)
        key = Key(seeds[:N], seeds[N : 2 * N], seeds[2 * N :], sizes)
        return key, key.sign(self.message, randomizer(key.prf_seed, additional, self.message))


def known_answers() -> list[KnownAnswer]:
    """The entries of the file, without the signatures."""
    source = _Random(bytes(range(48)))
    return [KnownAnswer(source.bytes(48), source.bytes(33 * (i + 1))) for i in range(COUNT)]


def entry(number: int, answer: KnownAnswer, sizes: Parameters = SMALL) -> str:
    """An entry as the file has it."""
    key, signature = answer.signed(sizes)
    secret = key.secret_seed + key.prf_seed + key.public
    lines = {
        "count": str(number),
        "seed": answer.seed.hex().upper(),
        "mlen": str(len(answer.message)),
        "msg": answer.message.hex().upper(),
        "pk": key.public.hex().upper(),
        "sk": secret.hex().upper(),
        "smlen": str(sizes.signature_bytes + len(answer.message)),
        "sm": (signature + answer.message).hex().upper(),
    }
    return "".join(f"{name} = {value}\n" for name, value in lines.items()) + "\n"


def first() -> tuple[bytes, bytes, bytes]:
    """Public key, message and signature of the first entry."""
    answer = known_answers()[0]
    path = cache_folder() / "known-answers" / f"slh-dsa-sha2-128s-{_FIRST_DIGEST[:16]}"
    kept = path.read_bytes() if path.exists() else b""
    if hashlib.sha256(kept).hexdigest() != _FIRST_DIGEST:
        key, signature = answer.signed()
        kept = key.public + signature
        write_whole(path, kept)
    return kept[: 2 * N], answer.message, kept[2 * N :]
