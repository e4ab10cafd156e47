"""What every target, core, candidate and experiment has: a folder, a name, a title."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Entry(BaseModel):
    """One thing that a TOML file describes. Equal entries have equal fields; the name alone is hashed."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    folder: Path = Field(exclude=True)
    name: str
    title: str

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.name))
