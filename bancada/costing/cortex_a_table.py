"""The cost tables of the Cortex-A cores: for each class of instructions its units, its operands, and its latency."""

from __future__ import annotations

import re
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

# How an instruction uses a register that it reads: as an address, as a shifted operand, as data to store, as the addend
# of a multiply-accumulate, as flags, or as the last operand of a vector instruction if a table distinguishes it.
# "operand" is everything else.
Role = Literal["operand", "address", "shifted", "data", "addend", "flags", "last"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Timing(_Model):
    """One class of instructions.

    `uses` are the resources it holds, all from the cycle it issues: "ls" is that one, "alu0|alu1" the first free of the
    two, "neon:2" one held for two cycles. `cycles` are those it issues for (in order: nothing issues with it but in the
    last). `latency` is from issue to the issue of an instruction that reads the result as an ordinary operand. `early`
    says for each role how many cycles before (or, negative, after) an ordinary operand it is needed. `per_register`
    adds to latency, to cycles and to each resource's time for every register of a list beyond `free_registers` (vector
    registers counted in halves of 64 bits). `pairs`: whether it may issue together with the instruction before it
    ("second"), with the one after it ("first"), either ("any") or neither ("never"). `trails`: it takes a slot of the
    cycle behind it too. `operations` are the slots of dispatch that it takes (out of order), and
    `operations_per_register` those for every register of a list beyond `free_registers`.
    """

    uses: tuple[str, ...] = ()
    # For a vector instruction behind a queue: what it holds of the integer pipeline when it enters the queue. A list
    # holds longer only what a number of cycles is given for.
    core_uses: tuple[str, ...] = ()
    cycles: float = Field(default=1, ge=1)
    operations: int = Field(default=1, gt=0)
    operations_per_register: float = Field(default=0, ge=0)
    latency: float = Field(default=0, ge=0)
    early: dict[Role, float] = {}
    # The same for the second register that is written, where it comes at another time (the high half of a product).
    second_latency: float | None = Field(default=None, ge=0)
    # When a base register that the addressing mode updates is there again.
    writeback: float = Field(default=1, ge=0)
    pairs: Literal["any", "first", "second", "never"] = "any"
    trails: bool = False
    per_register: float = Field(default=0, ge=0)
    free_registers: int = Field(default=1, ge=0)
    # From the issue of this instruction to that of the next that has a chain too, where one's result is the other's
    # addend (out of order: and the low word of the one the low word of the other, or the high word the high word; and
    # the chain is that of the second).
    chain: float | None = Field(default=None, ge=0)
    # Out of order: how many cycles later it gets what one of the table's `integer_units` made.
    without_bypass: float = Field(default=0, ge=0)
    source: str

    @model_validator(mode="after")
    def _resources_can_be_read(self) -> Self:
        for resource in (*self.uses, *self.core_uses):
            if not re.fullmatch(r"[a-z][a-z0-9-]*(\|[a-z][a-z0-9-]*)*(:\d+(\.\d+)?)?", resource):
                raise ValueError(f"'{resource}' in 'uses' is not of the form name, name|name or name:cycles")
        return self


class Branches(_Model):
    """The cost of a branch after its issue.

    A conditional branch is predicted by its majority, so the rarer direction is mispredicted. All branches of a loop
    whose trip count is at most `history` are predicted.
    """

    taken_cycles: float = Field(ge=0)
    mispredict_cycles: float = Field(ge=0)
    history: int = Field(ge=0)
    # A branch to a register that is no return and does not go to its most frequent target.
    indirect_cycles: float = Field(ge=0)
    source: str


class Queue(_Model):
    """A vector unit behind a queue: the integer pipeline runs ahead until the queue is full (Cortex-A8)."""

    entries: int = Field(gt=0)
    delay_cycles: float = Field(ge=0)
    # From the vector unit back to a core register or the flags.
    to_core_cycles: float = Field(ge=0)
    width: int = Field(gt=0)
    source: str


class StoreToLoad(_Model):
    """A load whose data is in the same aligned block of `granule_bytes` as those of an earlier store waits for it.

    `cycles` is from the issue of the store to that of the load; of a store behind a queue, from its issue in the vector
    unit to the entry of the load into the integer pipeline. Where the walk knows the distance of the two, and not their
    alignment, the wait is weighted with the share of the possible alignments at which both are in one block.
    """

    stores: Literal["core", "vector"]
    loads: Literal["core", "vector"]
    cycles: float = Field(gt=0)
    granule_bytes: int = Field(default=1, gt=0)
    source: str


class _CoreTable(_Model):
    branches: Branches
    timing: dict[str, Timing]
    # How many instructions before an edge are executed in the model, so that the pipeline is in its real state.
    context_instructions: int = Field(gt=0)


class InOrderTable(_CoreTable):
    """A scoreboard: instructions issue in program order, at most `issue_width` in a cycle."""

    kind: Literal["cortex-a-in-order"]
    issue_width: int = Field(gt=0)
    queue: Queue | None = None
    store_to_load: tuple[StoreToLoad, ...] = ()


class OutOfOrderTable(_CoreTable):
    """Dispatch in order, issue when operands and a port are there, retire in order from a window."""

    kind: Literal["cortex-a-out-of-order"]
    dispatch_width: int = Field(gt=0)
    window: int = Field(gt=0)
    # How many instructions may wait for each kind of unit (the first of `uses`).
    queue_entries: int = Field(gt=0)
    # The simple integer units. They forward their results to each other, to some classes only later (their
    # `without_bypass`), and update the base register of a load or store in an operation of its own.
    integer_units: tuple[str, ...]
