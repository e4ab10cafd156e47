"""How answers name and count things."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from bancada.answers.ranking import number
from bancada.model.result import Result

_PARTS = {
    "chacha20": "ChaCha20",
    "poly1305": "Poly1305",
    "ascon": "Ascon",
    "ed25519": "Ed25519",
    "hash256": "Hash256",
    "secp256k1": "secp256k1",
}
# Names that are not the parts of their algorithm's.
_WHOLE = {"triple-des": "3DES"}
# Of algorithms whose primitive is named elsewhere.
_PREFIXES = ("mode-", "message-")
# Names in one piece that their designers write with a hyphen.
_HYPHENATED = ("speck",)
# Whose number is a parameter set, which their name has, and not the bits of a key: ML-KEM-512 (FIPS 203, section 8),
# ML-DSA-44 (FIPS 204, section 4).
_PARAMETER_SETS = ("ml-kem", "ml-dsa")


def algorithm_title(algorithm: str) -> str:
    """As its designers write it: AES, Speck-128, SHA-256, Ascon-AEAD128, SHA-256 with ECDSA-secp256k1."""
    for prefix in _PREFIXES:
        algorithm = algorithm.removeprefix(prefix)
    return " with ".join(_title(part) for part in algorithm.split("+"))


def has_parameter_set(algorithm: str) -> bool:
    """Whether its name says already what `key_bits` stands for."""
    return algorithm.startswith(_PARAMETER_SETS)


def key_text(key_bits: int, algorithms: Collection[str]) -> str:
    """The key of a question, as its label says it: `128 bit`, or the parameter sets of those who answer it."""
    if algorithms and all(has_parameter_set(algorithm) for algorithm in algorithms):
        return listing(sorted(algorithm_title(algorithm) for algorithm in algorithms))
    return f"{key_bits} bit" if key_bits else ""


def _title(algorithm: str) -> str:
    if algorithm in _WHOLE:
        return _WHOLE[algorithm]
    for name in _HYPHENATED:
        if algorithm.startswith(name):
            return f"{name.capitalize()}-{algorithm.removeprefix(name)}"
    return "-".join(_PARTS.get(part, part.upper()) for part in algorithm.split("-"))


def short_name(result: Result) -> str:
    """Candidate, algorithm and variant, where the key size is already given. `plain` is left out."""
    variant = "" if result.variant in ("", "plain") else f" {result.variant}"
    return f"{result.candidate} {result.algorithm}{variant}"


def plot_names(results: Iterable[Result]) -> dict[str, str]:
    """A name for each implementation of a plot: short, unless two would then have the same name."""
    short = {result.implementation: short_name(result) for result in results}
    shared = {name for name in short.values() if list(short.values()).count(name) > 1}
    return {implementation: implementation if name in shared else name for implementation, name in short.items()}


# The unit of a metric that is a time: figures are shown in s or ms where they are long.
TIME_UNIT = "µs"


def time_unit(time_us: float) -> tuple[str, float]:
    """The unit for a time, and how many µs it has."""
    if time_us >= 1_000_000:
        return "s", 1_000_000.0
    return ("ms", 1_000.0) if time_us >= 10_000 else (TIME_UNIT, 1.0)


def time_text(time_us: float) -> str:
    unit, scale = time_unit(time_us)
    return f"{number(time_us / scale)} {unit}"


def bytes_text(count: float) -> str:
    """Memory of a device: in KB, MB or GB where it is a whole number of them, as in data sheets; otherwise in bytes."""
    for unit, scale in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if count >= scale and count % scale == 0:
            return f"{number(count / scale)} {unit}"
    return f"{number(count)} B"


def frequency_text(clock_hz: float) -> str:
    for unit, scale in (("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3)):
        if clock_hz >= scale:
            return f"{number(clock_hz / scale)} {unit}"
    return f"{number(clock_hz)} Hz"


def date_text(made: str) -> str:
    """A date as `21 November 2026`. Text that is not an ISO 8601 date stays as it is."""
    try:
        date = datetime.fromisoformat(made)
    except ValueError:
        return made
    return f"{date.day} {date:%B %Y}"


def listing(words: Iterable[str]) -> str:
    """one, two and three"""
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}" if found else "nothing"


def count_text(count: int, one: str, many: str = "") -> str:
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def short_and_long(sizes: Iterable[int]) -> set[int]:
    """Two of many message sizes: the shortest that is not empty, and the longest. Tables show all."""
    known = sorted(set(sizes))
    if len(known) <= 2:
        return set(known)
    return {next(size for size in known if size > 0), known[-1]}


def least_associated(results: Iterable[Result]) -> list[Result]:
    """Only results with the least associated data that was measured, usually none. Tables show all."""
    known = list(results)
    least: dict[tuple[str, str], int] = {}
    for result in known:
        key = (result.primitive, result.operation)
        least[key] = min(result.associated_bytes, least.get(key, result.associated_bytes))
    return [result for result in known if result.associated_bytes == least[result.primitive, result.operation]]


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


_PRIMITIVES = {
    "block-cipher": "block cipher",
    "keystream": "key stream",
    "aead": "authenticated encryption",
    "hash": "hash",
    "mac": "authentication code",
    "signature": "signature",
    "key-exchange": "key exchange",
    "kem": "key encapsulation",
    "message": "protected message",
    "mode": "mode of operation",
}


def primitive_title(primitive: str) -> str:
    return _PRIMITIVES.get(primitive, primitive.replace("-", " "))


def primitive_order(primitive: str) -> tuple[int, str]:
    return (list(_PRIMITIVES).index(primitive) if primitive in _PRIMITIVES else len(_PRIMITIVES), primitive)
