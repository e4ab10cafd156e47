"""The cost table of a Cortex-M core."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class CortexMTable(BaseModel):
    """What the model of the Cortex-M cores reads from cores/<core>.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["cortex-m"]
