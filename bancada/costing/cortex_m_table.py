"""The cost table of a Cortex-M core: cycles of each class of instructions, the refill after a change of the program
counter, and the interaction of neighbours."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

# The classes that the Technical Reference Manuals distinguish. If a core's table does not have a class, the core does
# not have its instructions.
InstructionClass = Literal[
    "data",
    "data-v7",
    "data-dsp",
    "multiply",
    "multiply-accumulate",
    "multiply-long-unsigned",
    "multiply-long-signed",
    "multiply-long-accumulate-unsigned",
    "multiply-long-accumulate-signed",
    "multiply-dsp",
    "divide",
    "load",
    "load-literal",
    "store-immediate",
    "store-register",
    "multiple",
    "multiple-register",
    "double",
    "exclusive",
    "branch",
    "branch-link",
    "branch-register",
    "branch-v7",
    "table-branch",
    "nop",
    "if-then",
    "if-then-folded",
    "hint",
    "system",
    "barrier",
    "fp-data",
    "fp-multiply-accumulate",
    "fp-divide",
    "fp-move",
    "fp-move-two",
    "fp-system",
    "fp-load-single",
    "fp-load-double",
    "fp-multiple",
]

# Where the new program counter comes from: a direct branch (also CBZ), a direct branch with link, a register (also a
# move to pc), memory (also a pop), a table branch.
Refill = Literal["branch", "branch-link", "register", "memory", "table"]

# Neighbouring instructions (docs/reference/cores-cortex-m.md). An interaction that a table does not have does not exist
# on its core.
Interaction = Literal[
    "load-after-load",
    "store-immediate-after-load",
    "store-register-after-load",
    "load-after-store-immediate",
    "writeback-load-after-load",
    "writeback-load-after-same-base",
    "address-from-data",
    "wide-target-misaligned",
    "wide-run-misaligned",
    "fp-result-used-next",
]


class Cycles(BaseModel):
    """One number and its source. `least` and `most` are given if the time depends on the values of the operands. Then
    `cycles` is assumed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cycles: float
    least: float | None = None
    most: float | None = None
    source: str

    @model_validator(mode="after")
    def _is_between(self) -> Self:
        if (self.least is None) != (self.most is None):
            raise ValueError("'least' and 'most' come together")
        if self.least is not None and self.most is not None and not self.least <= self.cycles <= self.most:
            raise ValueError("'cycles' is not between 'least' and 'most'")
        return self


class CortexMTable(BaseModel):
    """What the model of the Cortex-M cores reads from cores/<core>.toml.

    `instruction` is the time of an instruction alone, without the refill of the pipeline. `refill` is added when the
    program counter changes. `interaction` is added (negative: saved) for a pair of neighbours.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["cortex-m"]
    instruction: dict[InstructionClass, Cycles]
    refill: dict[Refill, Cycles]
    interaction: dict[Interaction, Cycles] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_refills(self) -> Self:
        for needed in ("branch", "branch-link", "register", "memory"):
            if needed not in self.refill:
                raise ValueError(f"refill '{needed}' is missing: every core has it")
        return self
