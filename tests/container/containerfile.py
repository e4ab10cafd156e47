"""Reads a Containerfile: enough of the Dockerfile reference for the one that is here."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

KNOWN = {"FROM", "ARG", "WORKDIR", "COPY", "RUN", "ENV", "ENTRYPOINT", "CMD"}


@dataclass(frozen=True)
class Instruction:
    name: str
    value: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.value)


def read(path: Path) -> list[Instruction]:
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return [Instruction(*line.split(None, 1)) for line in lines]
