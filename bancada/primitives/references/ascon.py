"""Ascon-AEAD128 and Ascon-Hash256 in plain Python, from NIST SP 800-232 (August 2025), and the designers' Ascon-Mac."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_AEAD128_IV = 0x00001000808C0001  # section 4.1
_HASH256_IV = 0x0000080100CC0002  # section 5.1
_MAC_IV = 0x0010200080CC0005  # the designers' code, version 1.3: as in the standard, the rates last
_DOMAIN_SEPARATION = 1 << 63
_ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def _rotate_right(word: int, count: int) -> int:
    return (word >> count | word << (64 - count)) & _MASK


def _permute(state: list[int], rounds: int) -> None:
    """Section 3: constant addition, substitution (figure 3), linear diffusion."""
    for index in range(12 - rounds, 12):
        state[2] ^= 0xF0 - 0x0F * index
        a, b, c, d, e = state
        a, c, e = a ^ e, c ^ b, e ^ d
        chi = [
            a ^ (~b & c),
            b ^ (~c & d),
            c ^ (~d & e),
            d ^ (~e & a),
            e ^ (~a & b),
        ]
        a, b, c, d, e = chi[0] ^ chi[4], chi[1] ^ chi[0], ~chi[2] & _MASK, chi[3] ^ chi[2], chi[4]
        for word, value in enumerate((a, b, c, d, e)):
            first, second = _ROTATIONS[word]
            value &= _MASK
            state[word] = value ^ _rotate_right(value, first) ^ _rotate_right(value, second)


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def _bytes(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in words)


def _pad(data: bytes, rate: int) -> bytes:
    """Section 2.1: a one bit, then zeros, to a whole block."""
    return data + b"\x01" + bytes(rate - 1 - len(data) % rate)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _aead(key: bytes, nonce: bytes, associated: bytes, data: bytes, decrypting: bool) -> tuple[bytes, bytes]:
    """Sections 4.1.1 and 4.1.2: the other text, and the tag of 16 bytes."""
    k0, k1 = _words(key)
    state = [_AEAD128_IV, k0, k1, *_words(nonce)]
    _permute(state, 12)
    state[3] ^= k0
    state[4] ^= k1
    if associated:
        padded = _pad(associated, 16)
        for start in range(0, len(padded), 16):
            first, second = _words(padded[start : start + 16])
            state[0] ^= first
            state[1] ^= second
            _permute(state, 8)
    state[4] ^= _DOMAIN_SEPARATION
    output = b""
    for start in range(0, len(data) + 1, 16):
        block = data[start : start + 16]
        rate = _bytes(state[:2])
        result = _xor(block, rate[: len(block)])
        output += result
        plaintext = result if decrypting else block
        if len(block) == 16:
            state[0:2] = _words(_xor(rate, plaintext))
            _permute(state, 8)
        else:
            state[0:2] = _words(_xor(rate, _pad(plaintext, 16)))
    state[2] ^= k0
    state[3] ^= k1
    _permute(state, 12)
    return output, _bytes([state[3] ^ k0, state[4] ^ k1])


def aead128_encrypt(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    return _aead(key, nonce, associated, plaintext, decrypting=False)


def hash256(message: bytes) -> bytes:
    """Section 5.1."""
    state = [_HASH256_IV, 0, 0, 0, 0]
    _permute(state, 12)
    for word in _words(_pad(message, 8)):
        state[0] ^= word
        _permute(state, 12)
    digest = _bytes(state[:1])
    for _ in range(3):
        _permute(state, 12)
        digest += _bytes(state[:1])
    return digest


def mac(key: bytes, message: bytes) -> bytes:
    """ePrint 2021/1574, section 3."""
    state = [_MAC_IV, *_words(key), 0, 0]
    _permute(state, 12)
    padded = _pad(message, 32)
    for start in range(0, len(padded), 32):
        for place, word in enumerate(_words(padded[start : start + 32])):
            state[place] ^= word
        if start + 32 == len(padded):
            state[4] ^= _DOMAIN_SEPARATION
        _permute(state, 12)
    return _bytes(state[:2])
