"""A survey in Markdown (docs/reference/survey.md): which library runs where, what its fastest implementation costs, and
why others were eliminated.

One table for each algorithm and message size: libraries against targets, of the first operation that has figures for
people (encrypt, hash, mac, sign), at the shortest key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bancada.answers.best import best
from bancada.answers.export.markdown import TABLE_ESCAPES
from bancada.answers.ranking import fidelity_text, number, size_text
from bancada.answers.words import algorithm_title, listing, primitive_order
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory
from bancada.sources.prebuilt import why_not_here

_ASKED = ("encrypt", "hash", "mac", "sign", "send")
_NOT_RUN, _CANNOT_BE = "·", "–"
_LEAKS = " †"
_LONG_HEX = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{8,}\b")

_HEAD = """# Which library runs where

A cell has the cycles of one call, with the key already set. It is the fastest of a library's implementations that are
correct on that device. A figure that is not *exact* comes from a model of the processor. The line *fidelity* has the
error band of the model (docs/reference/cores-*.md).

| cell | means |
|---|---|
| *does not build*, *does not fit* | the compiler refuses it; or it needs too much RAM or flash |
| *not conformant* | it was built and fits, but official vectors failed on that device |
| † | `bancada audit` found that the time, or an address in the cache, depends on a secret in this implementation (see below) |
| – | not possible: it is compiled for another machine, or has no such operation |
| · | not run |

The line *of registries, right* counts the libraries of package registries that are correct there. A library that is
fetched as source and also as a Debian package counts as two. The other libraries are this project's own.
docs/explanation/survey-notes.md discusses the results.
"""


def render(results: Sequence[Result], laboratory: Laboratory, metrics: Metrics) -> str:
    """The whole page."""
    asked = _asked(results)
    questions = sorted({_question(result) for result in asked})
    targets = _by_clock(laboratory, {result.target for result in results})
    parts = [_HEAD, _how(results)]
    first = metrics.shown_in("headline")[0]
    parts += [
        _table(laboratory, first, [result for result in asked if _question(result) == question], targets)
        for question in questions
    ]
    parts += [_leaks(asked), _eliminated(asked)]
    return "\n".join(part for part in parts if part)


def _asked(results: Sequence[Result]) -> list[Result]:
    """Of each algorithm one operation, at the shortest key and with the least associated data."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.operation in _ASKED:
            groups.setdefault((result.primitive, result.algorithm), []).append(result)
    kept = []
    for members in groups.values():
        operation = min((result.operation for result in members), key=_ASKED.index)
        key_bits = min(result.key_bits for result in members if result.operation == operation)
        associated = min(result.associated_bytes for result in members if result.operation == operation)
        wanted = (operation, key_bits, associated)
        kept += [result for result in members if (result.operation, result.key_bits, result.associated_bytes) == wanted]
    return kept


def _by_clock(laboratory: Laboratory, targets: Iterable[str]) -> list[str]:
    known = laboratory.targets
    return sorted(targets, key=lambda name: (known[name].clock_hz if name in known else 0, name))


def _question(result: Result) -> tuple[tuple[int, str], str, int]:
    return (primitive_order(result.primitive), result.algorithm, result.size_bytes)


def _how(results: Sequence[Result]) -> str:
    compilers = sorted(
        {f"`{result.compiler}` {result.optimisation}" for result in results if result.status is Status.OK}
    )
    return "\n".join(["Compiled by:\n", *(f"* {compiler}" for compiler in compilers), ""]) if compilers else ""


def _is_of_a_registry(laboratory: Laboratory, candidate: str) -> bool:
    known = laboratory.candidates.get(candidate)
    return known is not None and not known.is_from_git and (known.source is not None or bool(known.compiled))


def _cell(laboratory: Laboratory, metric: Metric, results: Sequence[Result], candidate: str, target: str) -> str:
    found = best(results, metric)
    if found is not None:
        return number(found.value) + (_LEAKS if _leaking(found.winners[0]) else "")
    tried = [result for result in results if _was_tried(result)]
    if tried:
        return f"*{str(tried[0].status).replace('-', ' ')}*"
    return _CANNOT_BE if results or _is_for_other_machines(laboratory, candidate, target) else _NOT_RUN


def _is_for_other_machines(laboratory: Laboratory, candidate: str, target: str) -> bool:
    """Such a library is not planned where an experiment asks for every candidate."""
    candidates, targets = laboratory.candidates, laboratory.targets
    return (
        candidate in candidates
        and target in targets
        and why_not_here(candidates[candidate], targets[target]) is not None
    )


def _was_tried(result: Result) -> bool:
    """A case that no compiler saw: the library does not have it."""
    return bool(result.flags) and result.status is not Status.NOT_OFFERED


def _leaking(result: Result) -> bool:
    return result.audit is not None and result.audit.startswith("leaks")


def _title(result: Result) -> str:
    key = f", key of {result.key_bits} bits" if result.key_bits else ""
    return (
        f"{algorithm_title(result.algorithm)}{key}, {size_text(result.size_bytes, result.associated_bytes)}:"
        f" {result.operation}"
    )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(laboratory: Laboratory, metric: Metric, results: Sequence[Result], targets: Sequence[str]) -> str:
    cells: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        cells.setdefault(result.candidate, {}).setdefault(result.target, []).append(result)
    right: Counter[str] = Counter()
    for candidate, row in cells.items():
        if _is_of_a_registry(laboratory, candidate):
            right.update(target for target, found in row.items() if any(result.status is Status.OK for result in found))
    run = {result.target for result in results}
    lines = [
        f"## {_title(results[0])}\n",
        _row(["library", *targets]),
        _row(["---", *("--:" for _ in targets)]),
        *(
            _row(
                [
                    name.translate(TABLE_ESCAPES),
                    *(_cell(laboratory, metric, row.get(target, ()), name, target) for target in targets),
                ]
            )
            for name, row in sorted(cells.items())
        ),
        _row(["*of registries, right*", *(str(right[target]) if target in run else _NOT_RUN for target in targets)]),
        _row(["*fidelity*", *(_fidelity(results, target) for target in targets)]),
    ]
    return "\n".join(lines) + "\n"


def _fidelity(results: Sequence[Result], target: str) -> str:
    found = {fidelity_text(result) for result in results if result.target == target and result.status is Status.OK}
    return listing(sorted(found)) if found else _NOT_RUN


def _leaks(results: Sequence[Result]) -> str:
    found: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.status is Status.OK and result.audit is not None and _leaking(result):
            found.setdefault((result.implementation, result.audit), []).append(result.target)
    if not found:
        return ""
    lines = ["## † What leaks\n", _row(["implementation", "on", "what was found"]), _row(["---"] * 3)]
    lines += [
        _row([f"`{name}`", listing(dict.fromkeys(on)), what.translate(TABLE_ESCAPES)])
        for (name, what), on in sorted(found.items())
    ]
    return "\n".join(lines) + "\n"


def _eliminated(results: Sequence[Result]) -> str:
    """Each implementation that was tried and is not in the tables, with the first reason."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for result in results:
        if result.status is not Status.OK and _was_tried(result):
            reason = _LONG_HEX.sub(r"\1…", result.reason or "No reason was recorded.")
            found.setdefault((result.implementation, str(result.status).replace("-", " "), reason), []).append(
                result.target
            )
    if not found:
        return ""
    lines = ["## What was eliminated, and why\n", _row(["implementation", "on", "", "first reason"]), _row(["---"] * 4)]
    lines += [
        _row([f"`{name}`", listing(dict.fromkeys(on)), status, " ".join(reason.translate(TABLE_ESCAPES).split())])
        for (name, status, reason), on in sorted(found.items())
    ]
    return "\n".join(lines) + "\n"
