"""Measures functions of a program, compares them with those of the program before, and says it in Markdown and JSON.

The exit code is 0 if nothing got worse than tolerated; 1 if a function takes more cycles or more stack, or vanished; 2
for a mistake in the call.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_WORSE, _MISTAKE = 1, 2


@dataclass(frozen=True)
class Figures:
    """Of the first call of a function."""

    cycles: int
    stack_bytes: int
    fidelity: str


@dataclass(frozen=True)
class Row:
    """A function before and after; None where it is not there or was not called."""

    function: str
    before: Figures | None
    after: Figures | None

    def is_worse(self, tolerance_percent: float) -> bool:
        """Whether it takes more than tolerated. A function that is new is not worse; one that vanished is."""
        if self.before is None:
            return False
        if self.after is None:
            return True
        most = 1 + tolerance_percent / 100
        pairs = ((self.before.cycles, self.after.cycles), (self.before.stack_bytes, self.after.stack_bytes))
        return any(after > before * most for before, after in pairs)


def measure(program: Path, target: str, function: str) -> Figures | str:
    """The figures of a function, or bancada's sentence on why there are none."""
    command = [sys.executable, "-m", "bancada", "measure", str(program), "--target", target]
    done = subprocess.run(
        [*command, "--function", function, "--json"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["bancada said nothing"])[-1]
    found = json.loads(done.stdout)
    [measured] = found if isinstance(found, list) else [found]
    call = measured["calls"][0]
    return Figures(round(call["cycles"]), call["stack_bytes"], measured["fidelity"])


def summary(rows: Sequence[Row], target: str, tolerance_percent: float) -> str:
    """A table in Markdown."""
    lines = [f"### Functions on `{target}`", "", "| function | cycles | before | change | stack, B | before | |"]
    lines.append("|---|---:|---:|---:|---:|---:|---|")
    for row in rows:
        before, after = row.before, row.after
        change = f"{100 * (after.cycles / before.cycles - 1):+.2f} %" if before and after else ""
        verdict = "**worse**" if row.is_worse(tolerance_percent) else "new" if before is None else ""
        cells = (
            f"`{row.function}`",
            f"{after.cycles:,}" if after else "vanished",
            f"{before.cycles:,}" if before else "",
            change,
            str(after.stack_bytes) if after else "",
            str(before.stack_bytes) if before else "",
            verdict,
        )
        lines.append("| " + " | ".join(cells) + " |")
    fidelities = sorted({row.after.fidelity for row in rows if row.after})
    return "\n".join([*lines, "", f"Cycles are {' and '.join(fidelities)}.", ""]) if fidelities else "\n".join(lines)


def benchmark(rows: Sequence[Row]) -> str:
    """What github-action-benchmark reads as customSmallerIsBetter."""
    points = []
    for row in rows:
        if row.after is not None:
            points.append({"name": row.function, "unit": "cycles", "value": row.after.cycles})
            points.append({"name": f"{row.function}, stack", "unit": "bytes", "value": row.after.stack_bytes})
    return json.dumps(points, indent=2)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="compare_functions.py", description=__doc__)
    parser.add_argument("program", type=Path, help="the program of this revision")
    parser.add_argument("--before", type=Path, help="the program to compare with")
    parser.add_argument("--target", required=True)
    parser.add_argument("--function", action="append", required=True, dest="functions")
    parser.add_argument("--tolerance-percent", type=float, default=0.0)
    parser.add_argument("--summary", type=Path, help="a file of Markdown, to which the table is added")
    parser.add_argument("--benchmark", type=Path, help="a file of JSON, which is written")
    given = parser.parse_args(arguments)
    rows = []
    for function in dict.fromkeys(given.functions):
        after = measure(given.program, given.target, function)
        before = measure(given.before, given.target, function) if given.before else "nothing to compare with"
        if isinstance(after, str):
            print(f"{function}: {after}", file=sys.stderr)
            if isinstance(before, str):
                return _MISTAKE
        rows.append(
            Row(
                function, before if isinstance(before, Figures) else None, after if isinstance(after, Figures) else None
            )
        )
    table = summary(rows, given.target, given.tolerance_percent)
    print(table)
    if given.summary:
        with given.summary.open("a", encoding="utf-8") as file:
            file.write(table + "\n")
    if given.benchmark:
        given.benchmark.write_text(benchmark(rows), encoding="utf-8")
    return _WORSE if any(row.is_worse(given.tolerance_percent) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
