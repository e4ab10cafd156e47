"""Puts the findings of audits beside the results that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bancada.audit.findings import TITLES, Audit, Finding, together
from bancada.model.result import Result

_SHOWN_PLACES = 3


def places_text(findings: Sequence[Finding]) -> str:
    """Kinds, functions and lines, each function once: the first few."""
    told = list(dict.fromkeys(f"{TITLES[place.kind]} at {place.text}" for place in together(findings)))
    rest = [f"{len(told) - _SHOWN_PLACES} more places"] if len(told) > _SHOWN_PLACES else []
    return "; ".join([*told[:_SHOWN_PLACES], *rest])


def with_audits(results: Sequence[Result], audits: Sequence[Audit]) -> list[Result]:
    """The results, each with what audits found of its operation on its device.

    An audit of the very same build says 'clean' or 'leaks: ...', with "(its sources, on the host)" where C sources were
    audited in the place of the firmware. One of another optimisation level or compiler says
    which, and only that it leaks: another compiler may branch where this one does not.
    """
    known: dict[tuple[str, str, str], list[Audit]] = {}
    for audit in audits:
        if audit.reason is None:
            known.setdefault((_device(audit.target), audit.implementation, audit.operation), []).append(audit)
    return [
        replace(
            result,
            audit=_mark(result, known.get((_device(result.target), result.implementation, result.operation), ())),
        )
        for result in results
    ]


def _device(target: str) -> str:
    """A device at any clock is one device: clocks change no branch."""
    return target.partition("@")[0]


def _mark(result: Result, audits: Sequence[Audit]) -> str | None:
    same = [audit for audit in audits if _is_of(audit, result)]
    if same:
        return _leak(same[-1]) or f"clean{_by(same[-1])}"
    leaking = [audit for audit in audits if _leak(audit)]
    return _leak(leaking[-1], f" at {leaking[-1].optimisation} by {leaking[-1].compiler}") if leaking else None


def _is_of(audit: Audit, result: Result) -> bool:
    """Valgrind's findings are about the sources, whichever compiler the target has. In the simulator one firmware was
    audited: with other sources it is another one."""
    if audit.optimisation != result.optimisation:
        return False
    if audit.method == "host":
        return True
    is_same_firmware = audit.elf_sha256 is None or audit.elf_sha256 == result.elf_sha256
    return audit.compiler == result.compiler and is_same_firmware


def _leak(audit: Audit, when: str = "") -> str | None:
    if audit.verdict != "leaks":
        return None
    timing = audit.timing.text if audit.timing is not None and audit.timing.varies else ""
    return f"leaks{when}{_by(audit)}: {places_text(audit.leaks) or timing}"


def _by(audit: Audit) -> str:
    """What was audited, where it is not the firmware itself: assembly and the choices of its compiler were not."""
    return " (its sources, on the host)" if audit.method == "host" else ""
