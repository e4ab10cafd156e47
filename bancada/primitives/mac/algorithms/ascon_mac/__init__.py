"""Ascon-Mac of Ascon's designers (ePrint 2021/1574, their code's version 1.3). NIST SP 800-232 has no MAC.

Second implementation: bancada.primitives.references.ascon. It makes the vectors, with inputs as in the designers' file
of known answers; a test writes that whole file with it and compares.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.primitives.mac.algorithm import MacAlgorithm, MacVector
from bancada.primitives.references.ascon import mac


def _vectors(key_bits: int) -> Iterator[MacVector]:
    """Bytes that count, all lengths from 0 to 72: two blocks and a part of a third one."""
    key = bytes(range(16))
    for length in range(73):
        message = bytes(range(0x10, 0x10 + length))
        yield f"Ascon-Mac known answer, {length} B", key, message, mac(key, message)


ALGORITHM = MacAlgorithm(
    name="ascon-mac",
    title="Ascon-Mac",
    key_bits=(128,),
    sizes={"digest_bytes": 16},
    vectors=_vectors,
    tag=mac,
)
