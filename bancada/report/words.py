"""How the report names and counts things."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bancada.ranking import number
from bancada.records import Result

_TITLES = {
    "aes": "AES",
    "rc6": "RC6",
    "ascon-aead128": "Ascon-AEAD128",
    "ascon-hash256": "Ascon-Hash256",
    "chacha20-poly1305": "ChaCha20-Poly1305",
    "x25519": "X25519",
    "chaskey": "Chaskey",
}


def algorithm_title(algorithm: str) -> str:
    """As its designers write it: AES, Speck-128, SHA-256."""
    if algorithm in _TITLES:
        return _TITLES[algorithm]
    if algorithm.startswith("speck"):
        return f"Speck-{algorithm.removeprefix('speck')}"
    head, dash, rest = algorithm.partition("-")
    return f"{head.upper() if len(head) <= 4 else head.capitalize()}{dash}{rest}"


def short_name(result: Result, *, with_key: bool = False) -> str:
    """Candidate, algorithm and variant, for where the key size is already said. `plain` is what is not said."""
    key = f"-{result.key_bits}" if with_key and result.key_bits else ""
    variant = "" if result.variant in ("", "plain") else f" {result.variant}"
    return f"{result.candidate} {result.algorithm}{key}{variant}"


def time_unit(time_us: float) -> tuple[str, float]:
    """The unit for a time, and how many µs it has."""
    if time_us >= 1_000_000:
        return "s", 1_000_000.0
    return ("ms", 1_000.0) if time_us >= 10_000 else ("µs", 1.0)


def time_text(time_us: float) -> str:
    unit, scale = time_unit(time_us)
    return f"{number(time_us / scale)} {unit}"


def bytes_text(count: float) -> str:
    """Memory of a device: round in KB, MB or GB, as data sheets have it; otherwise in bytes."""
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
    """21 November 2026. What is not a date of ISO 8601 is left as it is."""
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
    """Of many message sizes the two that stand for them, the shortest that is not empty and the longest; tables have all."""
    known = sorted(set(sizes))
    if len(known) <= 2:
        return set(known)
    return {next(size for size in known if size > 0), known[-1]}


def least_associated(results: Iterable[Result]) -> list[Result]:
    """Without the results of more associated data than the least that was measured, as a rule none; tables have all."""
    known = list(results)
    least: dict[tuple[str, str], int] = {}
    for result in known:
        key = (result.primitive, result.operation)
        least[key] = min(result.associated_bytes, least.get(key, result.associated_bytes))
    return [result for result in known if result.associated_bytes == least[result.primitive, result.operation]]


def sentence(text: str) -> str:
    """With a capital at its beginning, everything else as it is."""
    return text[:1].upper() + text[1:]


_PRIMITIVES = {"block-cipher": "block cipher", "aead": "authenticated encryption", "hash": "hash", "signature": "signature"}


def primitive_title(primitive: str) -> str:
    return _PRIMITIVES.get(primitive, primitive.replace("-", " "))


def primitive_order(primitive: str) -> tuple[int, str]:
    return (list(_PRIMITIVES).index(primitive) if primitive in _PRIMITIVES else len(_PRIMITIVES), primitive)
