"""The report's part on boards: the measured figure beside the simulator's figure for the same firmware."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bancada.answers.ranking import display_name, number, size_text
from bancada.answers.report.input import ExtraSection
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status

_COLUMNS = (
    "Target",
    "Implementation",
    "Operation",
    "Level",
    "Simulated, cycles",
    "Measured, cycles",
    "Difference",
    "Conformance on the board",
)


def _is_measured(result: Result) -> bool:
    return result.fidelity is Fidelity.MEASURED


def without_boards(results: Iterable[Result]) -> list[Result]:
    """The results that answer questions. A board repeats the simulator's cases, so its results answer only for a target
    without others."""
    every = list(results)
    simulated = {result.target for result in every if not _is_measured(result)}
    return [result for result in every if not _is_measured(result) or result.target not in simulated]


def _question(result: Result) -> tuple[object, ...]:
    return (
        result.target,
        result.implementation,
        result.operation,
        result.key_bits,
        result.size_bytes,
        result.associated_bytes,
        result.compiler,
        result.optimisation,
    )


def _measured(result: Result) -> str:
    if result.cycles_median is None or result.cycles_min is None or result.cycles_max is None:
        return "-"
    spread = (
        f" ({number(result.cycles_min)} to {number(result.cycles_max)})"
        if result.cycles_min != result.cycles_max
        else ""
    )
    return f"{number(result.cycles_median)}{spread}"


def _row(board: Result, simulated: Result | None) -> tuple[str, ...]:
    beside = simulated.cycles_median if simulated is not None else None
    difference = board.cycles_median - beside if board.cycles_median is not None and beside is not None else None
    if difference is not None and simulated is not None and simulated.elf_sha256 != board.elf_sha256:
        shown = f"{difference:+d}, of another firmware"
    else:
        shown = "-" if difference is None else f"{difference:+d}" if difference else "0"
    tested = f"{board.conformance_passed} of {board.conformance_total} vectors" if board.conformance_total else "-"
    return (
        board.target,
        display_name(board),
        f"{board.operation}, {size_text(board.size_bytes, board.associated_bytes)}",
        board.optimisation,
        "-" if beside is None else number(beside),
        _measured(board),
        shown,
        tested if board.status is Status.OK else f"{board.status}: {board.reason}",
    )


def board_sections(results: Sequence[Result]) -> tuple[ExtraSection, ...]:
    """One section if anything was measured on a board; `results` are those of an experiment, the simulator's among
    them."""
    boards = [result for result in results if _is_measured(result)]
    if not boards:
        return ()
    simulated = {_question(result): result for result in results if not _is_measured(result)}
    pairs = [(board, simulated.get(_question(board))) for board in boards]
    rows = tuple(_row(board, beside) for board, beside in pairs)
    differ = tuple(
        index
        for index, (board, beside) in enumerate(pairs)
        if board.status is not Status.OK
        or (beside is not None and beside.cycles_median is not None and beside.cycles_median != board.cycles_median)
    )
    who = sorted({result.engine_version for result in boards if result.engine_version})
    return (
        ExtraSection(
            title="Measured on a board",
            paragraphs=(
                (
                    f"The same firmware on silicon, its own timer counting ({'; '.join(who) or 'nothing was counted'}),"
                    " beside what the simulator counted. A board does not tell its stack. Rows that differ, and those"
                    " that failed, are marked."
                ),
            ),
            columns=_COLUMNS,
            rows=rows,
            red_rows=differ,
        ),
    )
