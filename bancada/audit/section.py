"""The report's section on leaks: one row for each audited implementation. Those that leak are red."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.answers.words import count_text, listing
from bancada.audit.findings import TITLES, Audit, together
from bancada.audit.marks import places_text


def _by_implementation(audits: Sequence[Audit]) -> list[list[Audit]]:
    """Audits in the simulator come first. Of each target, implementations that leak come first."""
    groups: dict[tuple[str, str, str], list[Audit]] = {}
    for audit in audits:
        groups.setdefault((audit.target, audit.implementation, audit.optimisation), []).append(audit)
    return sorted(groups.values(), key=lambda group: (group[0].method == "host", group[0].target, not _leaks(group)))


def _leaks(audits: Sequence[Audit]) -> bool:
    return any(audit.verdict == "leaks" for audit in audits)


def _verdict(audits: Sequence[Audit]) -> str:
    leaking = [audit.operation for audit in audits if audit.verdict == "leaks"]
    if leaking:
        return f"leaks: {listing(leaking)}"
    missing = [f"{audit.operation}: {audit.reason}" for audit in audits if audit.reason is not None]
    return "not audited" if len(missing) == len(audits) else "clean" + (" in what was audited" if missing else "")


def _harmless(audits: Sequence[Audit]) -> str:
    """Findings that tell nothing on this processor (addresses, branches of equal length), and those declared public."""
    harmless = [finding for audit in audits for finding in audit.findings if not finding.is_leak and not finding.public]
    places = {(one.kind == "even-branch", one.function, one.file, one.line) for one in harmless}
    addresses = sum(not is_branch for is_branch, *_ in places)
    even = sum(is_branch for is_branch, *_ in places)
    told = []
    if addresses:
        told.append(count_text(addresses, "address", "addresses"))
    if even:
        told.append(count_text(even, "branch", "branches") + " equally long both ways")
    told += sorted({finding.public for audit in audits for finding in audit.findings if finding.public})
    return "; ".join(told) or "–"


def _cycles(audits: Sequence[Audit]) -> str:
    timed = [audit for audit in audits if audit.timing is not None]
    if not timed:
        return "not timed" if any(audit.method == "host" and not audit.reason for audit in audits) else "–"
    varying = [
        f"{audit.operation} {number(audit.timing.cycles_min)} to {number(audit.timing.cycles_max)}"
        for audit in timed
        if audit.timing is not None and audit.timing.varies
    ]
    return "; ".join(varying) or "the same for every secret"


def audit_sections(audits: Sequence[Audit]) -> tuple[ExtraSection, ...]:
    """The section; none if nothing was audited."""
    groups = _by_implementation(audits)
    if not groups:
        return ()
    levels: dict[tuple[str, ...], list[str]] = {}
    red = set()
    for group in groups:
        first = group[0]
        reasons = "; ".join(dict.fromkeys(audit.reason for audit in group if audit.reason))
        row = (
            first.implementation,
            first.target,
            _verdict(group),
            places_text([one for audit in group for one in audit.leaks]) or reasons or "–",
            _cycles(group),
            _harmless(group),
        )
        levels.setdefault(row, []).append(first.optimisation)
        if _leaks(group):
            red.add(row)
    # Levels of which all the same is said share a row.
    rows = [(name, f"{target}, {', '.join(levels[row])}", *rest) for row in levels for name, target, *rest in (row,)]
    return (
        ExtraSection(
            title="Does it leak?",
            paragraphs=(
                (
                    "`bancada audit` follows secrets (keys, plaintexts, nonces of signatures) through every"
                    " instruction. On an AVR the measured firmware runs in the simulator, and calls with one"
                    " fixed secret and with random ones are timed. A branch that depends on a secret"
                    " leaks; an address leaks where there is a cache, which an AVR has not: it is counted apart."
                ),
                (
                    "For other targets the same C sources are compiled for the machine that audits and run under"
                    " valgrind: what is said is of the sources, not of the Arm program, and assembly is not audited"
                    " (`docs/reference/audit.md`)."
                ),
                _what_leaks(audits),
            ),
            columns=("Implementation", "Compiled for", "Verdict", "Where", "Cycles", "Harmless here"),
            rows=tuple(rows),
            red_rows=tuple(number for number, row in enumerate(levels) if row in red),
        ),
    )


def _what_leaks(audits: Sequence[Audit]) -> str:
    """One sentence, which stands before a table that may be long and closed."""
    leaking: dict[str, None] = {}
    for audit in audits:
        if audit.verdict == "leaks":
            leaking.setdefault(f"{audit.implementation} on {audit.target}")
    whole = count_text(len({(audit.target, audit.implementation) for audit in audits}), "implementation")
    if not leaking:
        return f"None of {whole} leaks."
    return f"Of {whole}, {count_text(len(leaking), 'leaks', 'leak')}: {listing(sorted(leaking))}."


def audit_note(audits: Sequence[Audit], implementations: Sequence[str], targets: Sequence[str]) -> str | None:
    """One sentence beside an experiment's results: which of its implementations leak on its targets. None if none
    leaks."""
    leaking: dict[str, str] = {}
    for audit in audits:
        if audit.leaks and audit.implementation in implementations and audit.target in targets:
            first = together(audit.leaks)[0]
            leaking.setdefault(audit.implementation, f"{TITLES[first.kind]} at {first.text}")
    if not leaking:
        return None
    told = [f"{name} ({what})" for name, what in sorted(leaking.items())]
    return f"Leaks, by `bancada audit`: {listing(told)}. More in the section `Does it leak?`"
