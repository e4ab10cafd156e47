"""Addresses within the page that can be cited: they are made of what a figure shows, not of its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_LONGEST = 72


def addresses(kind: str, section: str, texts: Iterable[str]) -> list[str]:
    """An `id` for each text of a section: its words in small letters, with a number behind it where two are alike."""
    taken: Counter[str] = Counter()
    made = []
    for text in texts:
        words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LONGEST].rstrip("-")
        taken[words] += 1
        number = f"-{taken[words]}" if taken[words] > 1 else ""
        made.append(f"{kind}-{section}-{words}{number}")
    return made
