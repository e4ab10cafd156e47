"""Ascon-Hash256 (NIST SP 800-232). Second implementation: bancada.primitives.references.ascon.

The vectors are made by the second implementation, with the inputs of the designers' file of known answers; a test
writes that whole file with it and compares.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.primitives.hash.algorithm import HashAlgorithm, HashVector
from bancada.primitives.references.ascon import hash256

_LENGTHS = (0, 1, 7, 8, 9, 64)


def _vectors(longest_bytes: int) -> Iterator[HashVector]:
    for length in _LENGTHS:
        if length <= longest_bytes:
            message = bytes(range(length))
            yield f"Ascon-Hash256 known answer, {length} B", message, hash256(message)


ALGORITHM = HashAlgorithm(
    name="ascon-hash256",
    title="Ascon-Hash256",
    sizes={"digest_bytes": 32},
    vectors=_vectors,
    digest=hash256,
)
