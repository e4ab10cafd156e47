"""What the laboratory knows of a key exchange: its vectors, and a second implementation for random keys."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm
from bancada.primitives.some_of_each_kind import some_of_each_kind

# Wycheproof has up to two hundred vectors of one kind, and each takes millions of cycles: an ordinary run takes one of
# each kind, and of a large one another for each so many.
_FOR_EACH = 60


@dataclass(frozen=True)
class Exchange:
    """A secret key, the other end's public key, and the shared secret.

    `may_be_refused` says that the standard lets a library refuse this public key, `must_be_refused` that it has no
    other choice. Without them, it must not.
    """

    name: str
    secret_key: bytes
    peer_key: bytes
    shared_secret: bytes
    may_be_refused: bool = False
    must_be_refused: bool = False


@dataclass(frozen=True, kw_only=True)
class KeyExchangeAlgorithm(Algorithm):
    """One key exchange.

    All keys and secrets have `key_bits` bits, but public keys `public_key_bytes` bytes if that is not 0. `exchanges`
    gives the official vectors, without `full` some of each kind. The second implementation is `public_key(secret_key)`
    and `shared_secret(secret_key, peer_key)`. `edges` are secret keys at the ends, and `secret_key(source)` makes
    random ones where not every string of bytes is a key.
    """

    exchanges: Callable[[bool], Iterable[Exchange]]
    public_key: Callable[[bytes], bytes]
    shared_secret: Callable[[bytes, bytes], bytes]
    edges: tuple[bytes, ...] = ()
    public_key_bytes: int = 0
    secret_key: Callable[[random.Random], bytes] | None = None

    def random_secret_key(self, source: random.Random, key_bits: int) -> bytes:
        """A secret key with bytes from `source`."""
        return self.secret_key(source) if self.secret_key else source.randbytes(key_bits // 8)

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.exchanges(False))


def some_exchanges(vectors: Iterable[tuple[str, Exchange]], full: bool) -> Iterator[Exchange]:
    """All of (kind, vector), or without `full` some of each kind."""

    def how_many(size: int) -> int:
        return size if full else 1 + size // _FOR_EACH

    return some_of_each_kind(((kind, kind, vector) for kind, vector in vectors), how_many)
