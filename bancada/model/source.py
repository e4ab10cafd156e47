"""Where a published figure is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A work or a program: who, what, which version or commit, where it is, and its date (ISO 8601, as exact as known).

    `key` names it in one experiment. `note` says how its figures were obtained.
    """

    key: str
    author: str
    title: str
    version: str
    address: str
    date: str
    note: str = ""
