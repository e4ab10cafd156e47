"""One made-up result, for tests that change what they are about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bancada.model.result import SCHEMA, Result
from bancada.model.status import Fidelity, Status

_EXAMPLE = Result(
    schema=SCHEMA,
    case="",
    target="uno",
    core="avr5",
    engine="simavr",
    engine_version="0.1.0",
    fidelity=Fidelity.EXACT,
    fidelity_band_percent=None,
    candidate="tatu",
    candidate_version="0.1.0",
    implementation="tatu/aes128",
    primitive="block-cipher",
    algorithm="aes",
    variant="plain",
    operation="encrypt",
    key_bits=128,
    size_bytes=16,
    associated_bytes=0,
    compiler="avr-gcc 5.4.0",
    optimisation="-Os",
    flags="-mmcu=atmega328p -Os",
    status=Status.OK,
    reason=None,
    conformance_passed=568,
    conformance_total=568,
    sp800_38a=None,
    samples=16,
    cycles_min=2000,
    cycles_median=2000,
    cycles_max=2000,
    instructions_median=1500,
    time_us=125.0,
    flash_bytes=1000,
    flash_both_bytes=1800,
    ram_static_bytes=0,
    ram_context_bytes=176,
    stack_bytes=24,
    energy_uj=5.9,
    energy_dynamic_uj=None,
    energy_static_uj=None,
    energy_source="a data sheet",
    initialisation_us=100.0,
    elf_sha256="0" * 64,
    date="2026-11-21T02:34:50+00:00",
)
_FIGURES = (
    "samples",
    "cycles_min",
    "cycles_median",
    "cycles_max",
    "instructions_median",
    "time_us",
    "flash_bytes",
    "flash_both_bytes",
    "ram_static_bytes",
    "ram_context_bytes",
    "stack_bytes",
    "energy_uj",
    "energy_dynamic_uj",
    "energy_static_uj",
    "energy_source",
    "initialisation_us",
)


def result(cycles: int | None = None, **changes: Any) -> Result:
    """The example with changes; `cycles` sets least, median, most and the time at 16 MHz. Its case follows from the
    rest."""
    if cycles is not None:
        changes = {
            "cycles_min": cycles,
            "cycles_median": cycles,
            "cycles_max": cycles,
            "time_us": cycles / 16,
        } | changes
    made = replace(_EXAMPLE, **changes)
    parts = (made.target, made.implementation, made.operation, made.size_bytes, made.compiler + made.optimisation)
    return replace(made, case="/".join(map(str, parts)))


def withheld(status: Status, reason: str, **changes: Any) -> Result:
    """The example as the laboratory reports a case that is not ok: no figure, and why."""
    return result(status=status, reason=reason, **dict.fromkeys(_FIGURES), **changes)
