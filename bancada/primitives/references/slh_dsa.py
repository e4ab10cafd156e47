"""SLH-DSA with SHA-2 and 16 bytes (FIPS 205): SLH-DSA-SHA2-128s and 128f. Section and algorithm numbers are those of
FIPS 205.

A signature needs the roots of seven trees of 512 leaves, which takes seconds. `QuickKey` computes the uppermost tree
alone: its root is the public key. Of a tree below it, verification sees one leaf and the nodes beside its path, so
these nodes can be random.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

N = 16
PUBLIC_BYTES = 2 * N
_W, _CHAINS = 16, 35

# Section 4.2
_WOTS_HASH, _WOTS_PK, _TREE, _FORS_TREE, _FORS_ROOTS, _WOTS_PRF, _FORS_PRF = range(7)

Path = list[bytes]


@dataclass(frozen=True)
class Parameters:
    """A parameter set (table 2): d, h', k and a."""

    layers: int
    layer_height: int
    fors_trees: int
    fors_height: int

    @property
    def signature_bytes(self) -> int:
        """How long a signature is."""
        return N * (1 + self.fors_trees * (self.fors_height + 1) + self.layers * (_CHAINS + self.layer_height))


SMALL = Parameters(7, 9, 14, 12)
FAST = Parameters(22, 3, 33, 6)


class _Hashes:
    """F, H, T_l and PRF of a public seed (section 11.2.1)."""

    def __init__(self, seed: bytes) -> None:
        self._begun = hashlib.sha256(seed + bytes(64 - N))

    def __call__(self, address: bytes, *parts: bytes) -> bytes:
        hashed = self._begun.copy()
        hashed.update(address + b"".join(parts))
        return hashed.digest()[:N]


def _address(layer: int, tree: int, kind: int, *words: int) -> bytes:
    """A compressed address."""
    first, second, third = (*words, 0, 0, 0)[:3]
    numbers = ((layer, 1), (tree, 8), (kind, 1), (first, 4), (second, 4), (third, 4))
    return b"".join(value.to_bytes(length, "big") for value, length in numbers)


def _digits(message: bytes) -> list[int]:
    """The digits that the chains of WOTS+ sign (algorithm 7, steps 1 to 7)."""
    digits = [half for byte in message for half in (byte >> 4, byte & 15)]
    checksum = sum(_W - 1 - digit for digit in digits)
    return [*digits, checksum >> 8, checksum >> 4 & 15, checksum & 15]


@dataclass(frozen=True)
class _Parts:
    """What H_msg gives (algorithm 20, steps 6 to 12)."""

    leaves: list[int]
    tree: int
    leaf: int


def _parts(sizes: Parameters, randomizer: bytes, public: bytes, message: bytes) -> _Parts:
    inner = hashlib.sha256(randomizer + public + message).digest()
    blocks = (hashlib.sha256(randomizer + public[:N] + inner + bytes((0, 0, 0, i))).digest() for i in range(2))
    digest, at, numbers = b"".join(blocks), 0, []
    tree_bits = sizes.layer_height * (sizes.layers - 1)
    for bits in (sizes.fors_trees * sizes.fors_height, tree_bits, sizes.layer_height):
        length = -(-bits // 8)
        numbers.append(int.from_bytes(digest[at : at + length], "big"))
        at += length
    fors, tree, leaf = numbers
    fors >>= -sizes.fors_trees * sizes.fors_height % 8
    shifts = (sizes.fors_height * (sizes.fors_trees - 1 - i) for i in range(sizes.fors_trees))
    leaves = [fors >> shift & (2**sizes.fors_height - 1) for shift in shifts]
    return _Parts(leaves, tree % 2**tree_bits, leaf % 2**sizes.layer_height)


def _climb(hashes: _Hashes, node: bytes, leaf: int, path: Path, address: Callable[[int, int], bytes]) -> bytes:
    """From a node to the root; `address` is that of a height and a number."""
    for height, beside in enumerate(path, start=1):
        pair = (beside, node) if leaf % 2 else (node, beside)
        leaf //= 2
        node = hashes(address(height, leaf), *pair)
    return node


def _walk(hashes: _Hashes, place: tuple[int, int, int], chain: int, value: bytes, steps: range) -> bytes:
    """Algorithm 5. `place` is the layer, the tree and the leaf."""
    layer, tree, leaf = place
    for step in steps:
        value = hashes(_address(layer, tree, _WOTS_HASH, leaf, chain, step), value)
    return value


def _one_time_key(hashes: _Hashes, place: tuple[int, int, int], ends: list[bytes]) -> bytes:
    layer, tree, leaf = place
    return hashes(_address(layer, tree, _WOTS_PK, leaf), *ends)


def holds(public: bytes, message: bytes, signature: bytes, sizes: Parameters = SMALL) -> bool:
    """slh_verify_internal (algorithm 20)."""
    if len(signature) != sizes.signature_bytes:
        return False
    values = [signature[at : at + N] for at in range(0, sizes.signature_bytes, N)]
    hashes, parts = _Hashes(public[:N]), _parts(sizes, values[0], public, message)
    at, roots = 1, []
    for i, leaf in enumerate(parts.leaves):
        number = i * 2**sizes.fors_height + leaf
        node = hashes(_address(0, parts.tree, _FORS_TREE, parts.leaf, 0, number), values[at])
        path = values[at + 1 : at + 1 + sizes.fors_height]
        at += 1 + sizes.fors_height

        def fors(height: int, number: int) -> bytes:
            return _address(0, parts.tree, _FORS_TREE, parts.leaf, height, number)

        roots.append(_climb(hashes, node, number, path, fors))
    node = hashes(_address(0, parts.tree, _FORS_ROOTS, parts.leaf), *roots)
    tree, leaf = parts.tree, parts.leaf
    for layer in range(sizes.layers):
        place = (layer, tree, leaf)
        digits, chains = _digits(node), values[at : at + _CHAINS]
        ends = [
            _walk(hashes, place, i, value, range(digit, _W - 1))
            for i, (digit, value) in enumerate(zip(digits, chains, strict=True))
        ]
        path = values[at + _CHAINS : at + _CHAINS + sizes.layer_height]
        at += _CHAINS + sizes.layer_height
        node = _climb(hashes, _one_time_key(hashes, place, ends), leaf, path, _nodes_of(layer, tree))
        leaf, tree = tree % 2**sizes.layer_height, tree >> sizes.layer_height
    return node == public[N:]


def _nodes_of(layer: int, tree: int) -> Callable[[int, int], bytes]:
    """The addresses of a tree's nodes, by height and number."""
    return lambda height, number: _address(layer, tree, _TREE, 0, height, number)


def _tree(hashes: _Hashes, leaves: Path, address: Callable[[int, int], bytes], first: int = 0) -> list[Path]:
    """All nodes of a tree, level by level; its first leaf has the number `first`."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below, height = levels[-1], len(levels)
        first //= 2
        levels.append(
            [hashes(address(height, first + i), below[2 * i], below[2 * i + 1]) for i in range(len(below) // 2)]
        )
    return levels


def _path(levels: list[Path], leaf: int) -> Path:
    return [level[(leaf >> height) ^ 1] for height, level in enumerate(levels[:-1])]


@dataclass(frozen=True)
class Key:
    """A private key (section 9.1): whole trees everywhere."""

    secret_seed: bytes
    prf_seed: bytes
    seed: bytes
    sizes: Parameters = SMALL

    @cached_property
    def _hashes(self) -> _Hashes:
        return _Hashes(self.seed)

    def _start(self, place: tuple[int, int, int], chain: int) -> bytes:
        layer, tree, leaf = place
        return self._hashes(_address(layer, tree, _WOTS_PRF, leaf, chain), self.secret_seed)

    def _levels(self, layer: int, tree: int) -> list[Path]:
        """Algorithm 9, for a whole tree."""
        leaves = []
        for leaf in range(2**self.sizes.layer_height):
            place = (layer, tree, leaf)
            ends = [_walk(self._hashes, place, i, self._start(place, i), range(_W - 1)) for i in range(_CHAINS)]
            leaves.append(_one_time_key(self._hashes, place, ends))
        return _tree(self._hashes, leaves, _nodes_of(layer, tree))

    @cached_property
    def _top(self) -> list[Path]:
        return self._levels(self.sizes.layers - 1, 0)

    @property
    def public(self) -> bytes:
        """PK.seed and PK.root (algorithm 18)."""
        return self.seed + self._top[-1][0]

    def _path_and_root(self, place: tuple[int, int, int], key: Callable[[], bytes]) -> tuple[Path, bytes]:
        """The path of a leaf of the hypertree, whose one-time public key is `key()`, and the root of its tree."""
        layer, tree, leaf = place
        levels = self._top if layer == self.sizes.layers - 1 else self._levels(layer, tree)
        return _path(levels, leaf), levels[-1][0]

    def _fors(self, parts: _Parts, tree: int) -> tuple[bytes, Path, bytes]:
        """The secret of a tree of FORS, its path, and the root (algorithm 16)."""

        def address(height: int, number: int) -> bytes:
            return _address(0, parts.tree, _FORS_TREE, parts.leaf, height, number)

        first = tree << self.sizes.fors_height
        numbers = range(first, first + 2**self.sizes.fors_height)
        secrets = [
            self._hashes(_address(0, parts.tree, _FORS_PRF, parts.leaf, 0, number), self.secret_seed)
            for number in numbers
        ]
        leaves = [self._hashes(address(0, number), value) for number, value in zip(numbers, secrets, strict=True)]
        levels = _tree(self._hashes, leaves, address, first)
        return secrets[parts.leaves[tree]], _path(levels, parts.leaves[tree]), levels[-1][0]

    def sign(self, message: bytes, randomizer: bytes) -> bytes:
        """slh_sign_internal (algorithm 19), with R given."""
        parts = _parts(self.sizes, randomizer, self.public, message)
        values, roots = [randomizer], []
        for i in range(self.sizes.fors_trees):
            secret, path, root = self._fors(parts, i)
            values += [secret, *path]
            roots.append(root)
        node = self._hashes(_address(0, parts.tree, _FORS_ROOTS, parts.leaf), *roots)
        tree, leaf = parts.tree, parts.leaf
        for layer in range(self.sizes.layers):
            place = (layer, tree, leaf)
            starts = [self._start(place, i) for i in range(_CHAINS)]
            chains = [
                _walk(self._hashes, place, i, start, range(digit))
                for i, (digit, start) in enumerate(zip(_digits(node), starts, strict=True))
            ]

            def key(place: tuple[int, int, int] = place, starts: list[bytes] = starts) -> bytes:
                ends = [_walk(self._hashes, place, i, start, range(_W - 1)) for i, start in enumerate(starts)]
                return _one_time_key(self._hashes, place, ends)

            path, node = self._path_and_root(place, key)
            values += [*chains, *path]
            leaf, tree = tree % 2**self.sizes.layer_height, tree >> self.sizes.layer_height
        return b"".join(values)


@dataclass(frozen=True)
class QuickKey(Key):
    """A key whose trees below the uppermost one have one leaf each, beside random nodes."""

    def _random(self, address: bytes, count: int) -> Path:
        source = random.Random(self.secret_seed + address)
        return [source.randbytes(N) for _ in range(count)]

    def _path_and_root(self, place: tuple[int, int, int], key: Callable[[], bytes]) -> tuple[Path, bytes]:
        layer, tree, leaf = place
        if layer == self.sizes.layers - 1:
            return super()._path_and_root(place, key)
        path = self._random(_address(layer, tree, _TREE, leaf), self.sizes.layer_height)
        return path, _climb(self._hashes, key(), leaf, path, _nodes_of(layer, tree))

    def _fors(self, parts: _Parts, tree: int) -> tuple[bytes, Path, bytes]:
        number = (tree << self.sizes.fors_height) + parts.leaves[tree]

        def address(height: int, number: int) -> bytes:
            return _address(0, parts.tree, _FORS_TREE, parts.leaf, height, number)

        secret, *path = self._random(address(0, number), 1 + self.sizes.fors_height)
        return secret, path, _climb(self._hashes, self._hashes(address(0, number), secret), number, path, address)


def randomizer(prf_seed: bytes, additional: bytes, message: bytes) -> bytes:
    """R: PRF_msg (section 11.2.1), which is HMAC-SHA-256."""
    import hmac

    return hmac.digest(prf_seed, additional + message, "sha256")[:N]
