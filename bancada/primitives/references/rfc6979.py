"""The nonces of deterministic ECDSA in plain Python, from RFC 6979, section 3.2:

the same key and digest give the same signature.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator


def nonces(order: int, private: int, digest: bytes, hash_name: str) -> Iterator[int]:
    """The nonces for a digest that hashlib's `hash_name` made, in the order in which they are tried.

    The first gives a signature, unless that has r or s zero, which FIPS 186-5 forbids.
    """
    order_bits = order.bit_length()
    number_bytes = (order_bits + 7) // 8

    def of_bits(data: bytes) -> int:
        """Section 2.3.2: the leftmost bits, as many as the order has."""
        return int.from_bytes(data, "big") >> max(8 * len(data) - order_bits, 0)

    def of_hash(key: bytes, *parts: bytes) -> bytes:
        return hmac.digest(key, b"".join(parts), hash_name)

    entropy = private.to_bytes(number_bytes, "big") + (of_bits(digest) % order).to_bytes(number_bytes, "big")
    value, key = b"\x01" * len(digest), bytes(len(digest))
    for separator in (b"\x00", b"\x01"):
        key = of_hash(key, value, separator, entropy)
        value = of_hash(key, value)
    while True:
        data = b""
        while len(data) < number_bytes:
            value = of_hash(key, value)
            data += value
        if 1 <= (nonce := of_bits(data)) < order:
            yield nonce
        key = of_hash(key, value, b"\x00")
        value = of_hash(key, value)
