"""The cost table of a Cortex-M core: cycles by class of instruction, what changing the program counter adds, how
neighbours interact."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

# What the Technical Reference Manuals tell apart. An instruction of a class that a core's table lacks is unknown to
# that core.
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

# Neighbouring instructions, as docs/reference/cores-cortex-m.md explains them. What a table does not have does not
# happen on its core.
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
    """One number and where it is from. `least` and `most` are given where the operands' values decide: `cycles` is then
    assumed."""

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

    `instruction` is the time of an instruction by itself, pipeline refill apart; `refill` is added when the program
    counter changes; `interaction` is added (negative: saved) for a pair of neighbours.
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
