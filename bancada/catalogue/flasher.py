"""How firmware gets to a target's board: the table [flasher] of target.toml."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Flasher(BaseModel):
    """The program that writes firmware to a target's board: `{port}`, `{hex}` and `{elf}` in its arguments are filled
    in. `verify` are the arguments that only compare; exit status 0 means that the firmware is there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    program: str
    package: str
    arguments: tuple[str, ...]
    verify: tuple[str, ...] = ()
    timeout_s: float = Field(gt=0)
