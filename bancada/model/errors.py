"""Mistakes a user can make: one clear sentence, exit code 2, no traceback."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """A sentence that says what is wrong, where, and what to do about it."""


class NotInThisRelease(UserError):
    """The distribution offers another version of a source package than the one that is pinned: final on this
    machine."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a name that does not exist, with the nearest one that does."""
    every = sorted(set(known))
    nearest = get_close_matches(name, every, n=1, cutoff=0.5)
    names = ", ".join(every)
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"known: {names}." if names else "known: none."
    return UserError(f"There is no {kind} '{name}'; {hint}")
