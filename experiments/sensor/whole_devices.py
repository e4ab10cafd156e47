"""The best cipher of whole programs, by flash or RAM, as the study's table 1 names it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(r"(aes|speck128-)(128|192|256)(?:-(small|tiny))?")
_FAMILIES = {"aes": "AES", "speck128-": "Speck"}


def parts_of(name: str) -> tuple[str, int, str] | None:
    """Family, key in bits, variant ('' is plain) of a cipher; None of a program without one."""
    found = _NAME.fullmatch(name)
    return None if found is None else (_FAMILIES[found[1]], int(found[2]), found[3] or "")


def title(name: str) -> str:
    """The study's name of a cipher: `speck128-128-tiny` is Speck Tiny 128."""
    found = _NAME.fullmatch(name)
    if found is None:
        return name
    variant = f" {found[3].capitalize()}" if found[3] else ""
    return f"{_FAMILIES[found[1]]}{variant} {found[2]}"


def offered(paper: Mapping[str, Mapping[str, Any]], device: str) -> dict[str, Mapping[str, Any]]:
    """The ciphers that the study compares on a device: its Tiny variants do not decrypt."""
    return {
        title(name): figures
        for name, figures in paper.items()
        if name != "none" and not (device == "gateway" and name.endswith("-tiny"))
    }


def least(paper: Mapping[str, Mapping[str, Any]], device: str, field: str) -> tuple[list[str], int]:
    """The ciphers whose program takes least, all that tie, and how much that is."""
    found = {name: int(figures[f"{device}_{field}"]) for name, figures in offered(paper, device).items()}
    if not found:
        return [], 0
    value = min(found.values())
    return [name for name, one in found.items() if one == value], value


def least_of_families(paper: Mapping[str, Mapping[str, Any]], device: str, field: str) -> str:
    """The least of AES and of Speck, in words."""
    said = []
    for family in _FAMILIES.values():
        own = {
            name: int(one[f"{device}_{field}"])
            for name, one in offered(paper, device).items()
            if name.startswith(family)
        }
        if own:
            name = min(own, key=lambda one: own[one])
            said.append(f"{name} {own[name]} B")
    return ", ".join(said)
