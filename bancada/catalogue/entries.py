"""Entries by name. A file that cannot be read stops what asks for it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from bancada.catalogue.entry import Entry
from bancada.model.errors import UserError, unknown_name

_E = TypeVar("_E", bound=Entry)


class Entries(Mapping[str, _E]):
    """Entries by their names.

    A file that cannot be read stops two kinds of requests: one for that entry, and one for all entries, since nothing
    is left out silently. Both get the UserError that names the file. A request for another entry is answered.
    """

    def __init__(self, readable: Mapping[str, _E], broken: Mapping[str, UserError] | None = None) -> None:
        self.readable = dict(readable)
        self.broken = dict(broken or {})

    def __getitem__(self, name: str) -> _E:
        """UserError for an entry that cannot be read; KeyError for one that does not exist."""
        if error := self._error(name):
            raise error
        return self.readable[name]

    def __contains__(self, name: object) -> bool:
        return name in self.readable or (isinstance(name, str) and self._error(name) is not None)

    def _error(self, name: str) -> UserError | None:
        """Why it cannot be read. The operating points of a target, `<target>@<clock>`, are unreadable with it."""
        return self.broken.get(name.partition("@")[0])

    def __iter__(self) -> Iterator[str]:
        """UserError if there is an entry that cannot be read."""
        for error in self.broken.values():
            raise error
        return iter(self.readable)

    def __len__(self) -> int:
        return len(self.readable) + len(self.broken)

    def changed(self, change: Callable[[_E], _E]) -> Entries[_E]:
        """The same entries, each that can be read changed."""
        return Entries({name: change(entry) for name, entry in self.readable.items()}, self.broken)

    def named(self, kind: str, name: str) -> _E:
        """The entry of that name. UserError if it cannot be read, or with the nearest name if there is none."""
        if name not in self:
            raise unknown_name(kind, name, (*self.readable, *self.broken))
        return self[name]


def entries(found: Mapping[str, _E]) -> Entries[_E]:
    """The same entries as Entries."""
    return found if isinstance(found, Entries) else Entries(found)
