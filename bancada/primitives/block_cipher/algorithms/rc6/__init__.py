"""RC6-32/20. Vectors: its designers'. Second implementation: reference.py, written from their paper."""

from __future__ import annotations

from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, BlockFunction, Vector, both_ways
from bancada.primitives.block_cipher.algorithms.rc6.reference import RC6

# R. Rivest et al., "The RC6 Block Cipher", v1.1, 1998, appendix: of each key size the vector that is not of zeros.
_PLAINTEXT = bytes.fromhex("02132435465768798a9bacbdcedfe0f1")
_KEY = bytes.fromhex("0123456789abcdef0112233445566778899aabbccddeeff01032547698badcfe")
_CIPHERTEXTS = {
    128: "524e192f4715c6231f51f6367ea43f18",
    192: "688329d019e505041e52e92af95291d4",
    256: "c8241816f0d7e48920ad16a1674e5d48",
}


def _vectors(key_bits: int) -> tuple[Vector, ...]:
    name = f"designers' vector rc6 with a {key_bits}-bit key"
    return both_ways(name, _KEY[: key_bits // 8], _PLAINTEXT, bytes.fromhex(_CIPHERTEXTS[key_bits]))


def _block(key: bytes, decrypting: bool) -> BlockFunction:
    cipher = RC6(key)
    return cipher.decrypt if decrypting else cipher.encrypt


ALGORITHM = BlockCipherAlgorithm(
    name="rc6",
    title="RC6",
    key_bits=(128, 192, 256),
    sizes={"block_bytes": 16},
    vectors=_vectors,
    block=_block,
)
