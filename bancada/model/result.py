"""One measured case with its figures: one line of the export.

The fields of `Result` but `added`, in this order, are the fields of one line of `bancada export --format jsonl` (schema
`SCHEMA`). The figures in `added` follow them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from bancada.model.status import Fidelity, Status

SCHEMA = "bancada-result-4"

# A figure of a result; None means not measured or withheld.
FigureValue = int | float | str | None

# A keystream's block is asked for by its counter and nonce: so many bytes, whatever is made of them.
KEYSTREAM_START_BYTES = 16


@dataclass(frozen=True)
class Result:
    """One line of the export. `None` means not measured or withheld, never zero.

    `audit` is what `bancada audit` found of this operation, put beside the figures when they are read
    (bancada.audit.marks); None: not audited. `proved` is what `bancada prove` showed of it in this very firmware
    (bancada.prove.marks); None: nothing. `added` are the figures of metrics from outside
    (bancada.measure.read_metrics): pairs of field and value.
    """

    schema: str
    case: str
    target: str
    core: str
    engine: str
    engine_version: str
    fidelity: Fidelity
    fidelity_band_percent: float | None
    candidate: str
    candidate_version: str
    implementation: str
    primitive: str
    algorithm: str
    variant: str
    operation: str
    key_bits: int
    size_bytes: int
    associated_bytes: int
    compiler: str
    optimisation: str
    flags: str
    status: Status
    reason: str | None
    conformance_passed: int | None
    conformance_total: int | None
    sp800_38a: str | None
    samples: int | None
    cycles_min: int | None
    cycles_median: int | None
    cycles_max: int | None
    instructions_median: int | None
    time_us: float | None
    flash_bytes: int | None
    flash_both_bytes: int | None
    ram_static_bytes: int | None
    ram_context_bytes: int | None
    stack_bytes: int | None
    energy_uj: float | None
    energy_dynamic_uj: float | None
    energy_static_uj: float | None
    energy_source: str | None
    initialisation_us: float | None
    elf_sha256: str | None
    date: str
    audit: str | None = None
    proved: str | None = None
    added: tuple[tuple[str, FigureValue], ...] = ()

    @property
    def is_keystream_block(self) -> bool:
        """Whether `size_bytes` is that of a counter and nonce, and so none of a message: no figure a byte can be made
        of it."""
        return self.primitive == "keystream" and self.size_bytes == KEYSTREAM_START_BYTES

    @property
    def ram_bytes(self) -> int | None:
        """All the RAM that one call needs: static, key context and stack. None if one of the three is not known."""
        if self.ram_static_bytes is None or self.ram_context_bytes is None or self.stack_bytes is None:
            return None
        return self.ram_static_bytes + self.ram_context_bytes + self.stack_bytes

    def value(self, field: str) -> Any:
        """The value of a field of the record, added ones included; None for a field that the record does not have."""
        if field in FIELDS:
            return getattr(self, field)
        return dict(self.added).get(field)

    def number(self, field: str) -> float | None:
        """The value of a field that is a number; None for what is not measured, and for words."""
        found = self.value(field)
        return found if isinstance(found, (int, float)) else None

    def as_dict(self) -> dict[str, Any]:
        """The record as plain JSON values: fields in the order of the schema, then the added ones."""
        return {name: getattr(self, name) for name in FIELDS} | dict(self.added)


# The fields that every record has, in the order of the schema.
FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Result) if field.name != "added")


def fields_of(results: Iterable[Result]) -> tuple[str, ...]:
    """The fields that a table of these results has: those of every record, then the added ones in the order in which
    they come."""
    return tuple(dict.fromkeys((*FIELDS, *(name for result in results for name, _ in result.added))))
