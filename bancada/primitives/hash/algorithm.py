"""What the laboratory knows of a hash: its vectors, and a second implementation for random input."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from bancada.primitives.primitive import Algorithm
from bancada.primitives.vector_files import entries

# A vector: its name, the message, the digest.
HashVector = tuple[str, bytes, bytes]


@dataclass(frozen=True, kw_only=True)
class HashAlgorithm(Algorithm):
    """One hash.

    `vectors` gives the official vectors of messages of at most so many bytes, `digest` the digest of a message by the
    second implementation. `hashlib_name` is what the standard library calls the hash, if it has it.
    """

    vectors: Callable[[int], Iterable[HashVector]]
    digest: Callable[[bytes], bytes]
    hashlib_name: str = ""

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector. A hash has no key."""
        return any(True for _ in self.vectors(64))


@cache
def _cavp(stem: str, longest_bytes: int) -> tuple[HashVector, ...]:
    """NIST's messages of whole bytes in the files of that stem, for example 'SHA2/SHA256'."""
    found = []
    for kind in ("ShortMsg", "LongMsg"):
        for _, entry in entries(f"hashes/{stem}{kind}.rsp"):
            if "md" not in entry:
                continue
            length = int(entry["len"]) // 8
            if length <= longest_bytes:
                name = f"CAVP {stem.rpartition('/')[2]}{kind} Len = {entry['len']}"
                found.append((name, bytes.fromhex(entry["msg"])[:length], bytes.fromhex(entry["md"])))
    return tuple(found)


def nists_hash(name: str, title: str, stem: str, hashlib_name: str, digest_bytes: int) -> HashAlgorithm:
    """A hash with CAVP files, which the standard library implements too."""
    return HashAlgorithm(
        name=name,
        title=title,
        sizes={"digest_bytes": digest_bytes},
        vectors=lambda longest_bytes: _cavp(stem, longest_bytes),
        digest=lambda message: hashlib.new(hashlib_name, message).digest(),
        hashlib_name=hashlib_name,
    )
