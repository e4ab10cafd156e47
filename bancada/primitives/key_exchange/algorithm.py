"""What the laboratory knows of a key exchange: its vectors, and a second implementation for random keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm


@dataclass(frozen=True)
class Exchange:
    """A secret key, the other end's public key, and the shared secret.

    `may_be_refused` says that the standard lets a library refuse this public key. Without that, it must not.
    """

    name: str
    secret_key: bytes
    peer_key: bytes
    shared_secret: bytes
    may_be_refused: bool = False


@dataclass(frozen=True, kw_only=True)
class KeyExchangeAlgorithm(Algorithm):
    """One key exchange.

    All keys and secrets have `key_bits` bits. `exchanges` gives the official vectors, without `full` some of each kind.
    The second implementation is `public_key(secret_key)` and `shared_secret(secret_key, peer_key)`. `edges` are secret
    keys at the ends.
    """

    exchanges: Callable[[bool], Iterable[Exchange]]
    public_key: Callable[[bytes], bytes]
    shared_secret: Callable[[bytes, bytes], bytes]
    edges: tuple[bytes, ...] = ()

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.exchanges(False))
