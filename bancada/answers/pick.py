"""Which implementations fit, best first, and by how much the others exceed the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bancada.answers.best import in_order
from bancada.answers.ranking import display_name, fidelity_line, number
from bancada.answers.words import listing, primitive_order, primitive_title
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.errors import UserError, unknown_name
from bancada.model.result import Result
from bancada.model.status import Status

if TYPE_CHECKING:
    from rich.console import RenderableType

# The size where messages of many sizes were measured and the question names none: one block of AES.
USUAL_SIZE_BYTES = 16

_OF_SOURCES = (
    "Constant-time here: the C sources were audited on the host, not the firmware; its assembly and its compiler's"
    " choices were not."
)


@dataclass(frozen=True)
class Question:
    """The question. `key_bits` is 0 for algorithms without a key. None leaves the choice to `pick`, which says what it
    chose (`by`: the first metric of the report's first table). `limits` gives the most that may be of a metric, by its
    name.

    `constant_time` asks for an audit that found no leak: of exactly this build on an AVR, of its C sources elsewhere.
    """

    target: str
    operation: str = "encrypt"
    key_bits: int = 128
    limits: Mapping[str, int] = field(default_factory=dict)
    by: str | None = None
    primitive: str | None = None
    algorithm: str | None = None
    size_bytes: int | None = None
    associated_bytes: int | None = None
    constant_time: bool = False


@dataclass(frozen=True)
class Choice:
    """An implementation that fits, at the level that is best for what was asked, and what it leaves of each limit."""

    result: Result
    value: float
    left: Mapping[str, int]


@dataclass(frozen=True)
class Miss:
    """An implementation that does not fit, at its nearest level, and every reason why.

    `excess` orders misses, nearest first: how many times each broken limit is used, added up.
    """

    result: Result
    reasons: tuple[str, ...]
    excess: float


@dataclass(frozen=True)
class Pick:
    """The answer, with the question it answers, and the metrics that it limits. `remarks` say which measured results
    are not in the answer, and how to ask for them."""

    question: Question
    metric: Metric
    per_byte: bool
    limited: tuple[tuple[Metric, int], ...]
    fits: tuple[Choice, ...]
    misses: tuple[Miss, ...]
    remarks: tuple[str, ...] = ()


def pick(results: Iterable[Result], question: Question, metrics: Metrics) -> Pick:
    """Picks the implementations within the limits, best first by a metric that tables show.

    An implementation is
    offered at the level that is best by the metric among those that fit. Where messages of several sizes were
    measured, `size_bytes` chooses; without it, 16 B, or the least where there is no such size. Without
    `associated_bytes`, it is the least that was measured, usually none. Primitives are not compared with each other:
    without `primitive` and `algorithm`, the first that has the operation is taken. Ciphers of different block sizes are
    compared by the byte (`Pick.per_byte`). UserError for a question that no result answers.
    """
    known = [metric.name for metric in metrics.shown_in("table")]
    by = question.by if question.by is not None else metrics.shown_in("headline")[0].name
    if by not in known:
        raise unknown_name("metric to pick by", by, known)
    metric, question = metrics[by], replace(question, by=by)
    limited = tuple((metrics[name], most) for name, most in question.limits.items())
    asked, remarks = _asked(list(results), question)
    not_offered = {result.implementation for result in asked if result.status is Status.NOT_OFFERED}
    asked = [result for result in asked if result.status is not Status.NOT_OFFERED]
    if not_offered:
        remarks.append(f"Do not offer it: {listing(sorted(not_offered))}.")
    levels: dict[tuple[str, str, str], list[Result]] = {}
    for result in asked:
        levels.setdefault((result.implementation, result.candidate_version, result.engine), []).append(result)

    sizes = {result.size_bytes for result in asked}
    per_byte = metric.timed and metric.less_is_better and len(sizes) > 1 and 0 not in sizes
    fits: list[Choice] = []
    misses: list[Miss] = []
    for members in levels.values():
        judged = [_judge(result, metric, per_byte, limited, question.constant_time) for result in members]
        fitting = [verdict for verdict in judged if isinstance(verdict, Choice)]
        if fitting:
            fits.append(_best_first(fitting, metric)[0])
        else:
            misses.append(min((verdict for verdict in judged if isinstance(verdict, Miss)), key=_miss_order))
    if question.constant_time and any(choice.result.audit != "clean" for choice in fits):
        remarks.append(_OF_SOURCES)
    return Pick(
        question=question,
        metric=metric,
        per_byte=per_byte,
        limited=limited,
        fits=tuple(_best_first(fits, metric)),
        misses=tuple(sorted(misses, key=_miss_order)),
        remarks=tuple(remarks),
    )


def pick_as_dict(answer: Pick) -> dict[str, Any]:
    """The answer as plain JSON values: the question, what fits (best first) and what does not, each with its whole
    record."""
    question = answer.question
    asked = {name: getattr(question, name) for name in question.__dataclass_fields__ if name != "limits"}
    return {
        "question": asked | {f"{metric.name}_limit": most for metric, most in answer.limited},
        "metric": {"name": answer.metric.name, "unit": answer.metric.unit, "per_byte": answer.per_byte},
        "fits": [
            {
                "value": choice.value,
                **{f"{name}_left": left for name, left in choice.left.items()},
                "result": choice.result.as_dict(),
            }
            for choice in answer.fits
        ],
        "misses": [{"reasons": list(miss.reasons), "result": miss.result.as_dict()} for miss in answer.misses],
        "remarks": list(answer.remarks),
    }


def render_pick(answer: Pick, metrics: Metrics) -> RenderableType:
    """The answer for a console."""
    from rich.console import Group  # rich is slow to import, and only the console needs it
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    question = _question_text(answer)
    parts: list[RenderableType] = []
    columns = metrics.shown_in("table")
    if answer.fits:
        by = answer.metric.title + (" a byte" if answer.per_byte else "")
        table = Table(title=f"{question}; best by {by} first", title_justify="left")
        table.add_column("implementation", overflow="fold")
        table.add_column("level")
        for metric in columns:
            unit = f" ({metric.unit})" if metric.unit and metric.unit != metric.title else ""
            table.add_column(metric.title + unit, justify="right")
        for choice in answer.fits:
            figures = (metric.value(choice.result) for metric in columns)
            cells = ["–" if figure is None else number(figure) for figure in figures]
            table.add_row(Text(display_name(choice.result)), Text(choice.result.optimisation), *cells)
        parts.append(table)
        parts.append(Text(fidelity_line(columns, (choice.result for choice in answer.fits))))
    else:
        parts.append(Text(f"{question}: nothing fits.", style="bold"))
    if answer.misses:
        table = Table(title="These do not fit", title_justify="left")
        for column in ("implementation", "level", "why not"):
            table.add_column(column, overflow="fold")
        for miss in answer.misses:
            level = Text(miss.result.optimisation)
            table.add_row(Text(display_name(miss.result)), level, escape("\n".join(miss.reasons)))
        parts.append(table)
    parts += [Text(remark) for remark in answer.remarks]
    return Group(*parts)


def _question_text(answer: Pick) -> str:
    question = answer.question
    shown = [*(choice.result for choice in answer.fits), *(miss.result for miss in answer.misses)]
    sizes = sorted({result.size_bytes for result in shown} - {0})
    parts = [question.operation]
    if question.key_bits:
        parts.append(f"{question.key_bits}-bit key")
    if sizes:
        parts.append(f"{' or '.join(number(size) for size in sizes)} B")
    parts += [f"{metric.title} ≤ {number(most)} {metric.unit}" for metric, most in answer.limited]
    if question.constant_time:
        parts.append("constant-time")
    return f"{question.target}: {', '.join(parts)}"


def _asked(results: list[Result], question: Question) -> tuple[list[Result], list[str]]:
    """The results of the question, and remarks on those left out. UserError, with the nearest name, for a name that no
    result has."""
    if not results:
        raise UserError("There are no results to pick from; run an experiment first: bancada run EXPERIMENT")
    found = results
    words: tuple[tuple[str, str | None, Callable[[Result], str]], ...] = (
        ("target with results", question.target, lambda result: result.target),
        ("operation with results there", question.operation, lambda result: result.operation),
        ("primitive with results for it", question.primitive, lambda result: result.primitive),
        ("algorithm with results for it", question.algorithm, lambda result: result.algorithm),
    )
    for kind, wanted, value in words:
        if wanted is None:
            continue
        known = {value(result) for result in found}
        if wanted not in known:
            raise unknown_name(kind, wanted, known)
        found = [result for result in found if value(result) == wanted]
    found = _narrow(found, "key size", "--key", "bit", question.key_bits, lambda result: result.key_bits)
    if question.size_bytes is not None:  # before the class is chosen: not every class has messages of that size
        found = _narrow(found, "message size", "--size", "B", question.size_bytes, lambda result: result.size_bytes)
    remarks: list[str] = []
    primitives = sorted({result.primitive for result in found}, key=primitive_order)
    if len(primitives) > 1:
        others = listing(f"{primitive_title(name)} (--primitive {name})" for name in primitives[1:])
        remarks.append(f"Of the class {primitive_title(primitives[0])}; measured too: {others}.")
        found = [result for result in found if result.primitive == primitives[0]]
    associated = question.associated_bytes
    if associated is None:
        associated = min(result.associated_bytes for result in found)
    kind = "size of associated data"
    found = _narrow(found, kind, "--associated", "B", associated, lambda result: result.associated_bytes)
    return (found if question.size_bytes is not None else _at_usual_size(found, remarks)), remarks


def _at_usual_size(results: list[Result], remarks: list[str]) -> list[Result]:
    """Each implementation at one size: its only one, or the usual one where several were measured."""
    sizes: dict[str, set[int]] = {}
    for result in results:
        sizes.setdefault(result.implementation, set()).add(result.size_bytes)
    if all(len(known) == 1 for known in sizes.values()):
        return results
    every = set().union(*sizes.values())
    usual = USUAL_SIZE_BYTES if USUAL_SIZE_BYTES in every else min(every - {0}, default=0)
    chosen = [result for result in results if result.size_bytes == usual or len(sizes[result.implementation]) == 1]
    remarks.append(f"Messages of {number(usual)} B; measured too: {_list(every - {usual})} B (--size).")
    left_out = sorted(set(sizes) - {result.implementation for result in chosen})
    if left_out:
        remarks.append(f"Not measured at {number(usual)} B: {listing(left_out)}.")
    return chosen


def _narrow(
    results: list[Result], kind: str, option: str, unit: str, wanted: int, value: Callable[[Result], int]
) -> list[Result]:
    known = {value(result) for result in results}
    if wanted not in known:
        raise UserError(f"There is no result for a {kind} of {wanted} {unit}; {option} can be {_list(known)}.")
    return [result for result in results if value(result) == wanted]


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))


def _judge(
    result: Result, metric: Metric, per_byte: bool, limited: Sequence[tuple[Metric, int]], constant_time: bool
) -> Choice | Miss:
    """Whether one result is within the limits. A result whose figure is unknown does not fit."""
    if result.status is not Status.OK:
        return Miss(result, (f"{result.status}: {result.reason or 'no reason was recorded'}",), float("inf"))
    reasons = []
    excess = 0.0
    left: dict[str, int] = {}
    for limit, most in limited:
        used, unit = limit.value(result), limit.unit
        if used is None:
            reasons.append(f"its {limit.title} is not measured")
            excess = float("inf")
        elif used > most:
            over = f"{number(used - most)} {unit} over the limit of {number(most)} {unit}"
            reasons.append(f"{limit.title} {number(used)} {unit} is {over}")
            excess += used / most if most else float("inf")
        else:
            left[limit.name] = round(most - used)
    if constant_time and not _is_clean(result):
        reasons.append(_why_not_constant_time(result))
        excess = float("inf")
    value = metric.value(result)
    if value is None:
        reasons.append(f"its {metric.title} is not measured")
        excess = float("inf")
    if value is None or reasons:
        return Miss(result, tuple(reasons), excess)
    return Choice(result=result, value=value / result.size_bytes if per_byte else value, left=left)


def _is_clean(result: Result) -> bool:
    return result.audit is not None and result.audit.startswith("clean")


def _why_not_constant_time(result: Result) -> str:
    if result.audit is not None:
        return result.audit
    return (
        f"no audit of it at {result.optimisation} is stored "
        f"(bancada audit {result.implementation} --target {result.target})"
    )


def _best_first(choices: Iterable[Choice], metric: Metric) -> list[Choice]:
    return in_order(
        choices, lambda choice: choice.value, lambda choice: choice.result, less_is_better=metric.less_is_better
    )


def _miss_order(miss: Miss) -> tuple[float, str, str]:
    return (miss.excess, miss.result.implementation, miss.result.optimisation)
