"""`bancada audit --experiment`: audits what experiments have measured, and prints what leaks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bancada.audit.findings import Audit
from bancada.audit.marks import places_text
from bancada.audit.of_experiment import answer, open_questions
from bancada.audit.store import read_audits, store_audit
from bancada.catalogue.experiment import Experiment
from bancada.commands.console import progress
from bancada.commands.options import console, store_to_read
from bancada.measure.laboratory import open_laboratory
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store


def audit_experiments(names: Sequence[str], samples: int, store_path: Path | None) -> None:
    """Audits what these experiments have measured, as far as it is not audited, and stores each audit at once."""
    laboratory = open_laboratory()
    experiments = [laboratory.experiment(name) for name in names]
    for experiment in experiments:
        _audit(laboratory, experiment, samples, store_to_read(store_path), console())


def _audit(laboratory: Laboratory, experiment: Experiment, samples: int, store: Store, shown: Console) -> None:
    results, known = store.results(experiment.name), read_audits(store.path)
    questions, unchanged = open_questions(laboratory, experiment, results, known, samples)
    found: list[Audit] = []
    title = f"audit of {experiment.name}"
    with progress(title, sum(len(question.operations) for question in questions), shown) as advance:

        def take(audits: Sequence[Audit]) -> None:
            for one in audits:
                store_audit(store.path, one)
            found.extend(audits)
            advance(len(audits), f"{audits[-1].target}/{audits[-1].implementation}/{audits[-1].optimisation}")

        answer(laboratory, questions, samples, os.cpu_count() or 1, take)
    for line in _leaking(found):
        shown.print(f"  {line}", style="yellow", highlight=False, markup=False)
    counts = Counter(one.verdict for one in found)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("clean", "leaks", "not audited"))
    shown.print(f"{title}: {told} ({len(found)} operations audited, {unchanged} unchanged)", highlight=False)


def _leaking(audits: Sequence[Audit]) -> list[str]:
    """One line for each implementation that leaks, with the places of the first audit that says so."""
    lines: dict[tuple[str, str], str] = {}
    for one in audits:
        if one.verdict == "leaks":
            timing = one.timing.text if one.timing is not None else ""
            lines.setdefault((one.target, one.implementation), places_text(one.leaks) or timing)
    return [f"{name} on {target} leaks: {where}" for (target, name), where in sorted(lines.items())]
