"""What the long tests have in common: a row of the table, and how much slower than alone this machine is at the
moment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROWS_FILE = "LINK_LONG_ROWS"
"""The variable that names the file which rows are added to, for the one table at the end."""


@dataclass(frozen=True)
class Row:
    test: str
    to_reach: str
    reached: str
    holds: bool


def tell(rows: Sequence[Row]) -> int:
    """Prints rows, adds them to the table of the whole run if there is one; the exit code."""
    for line in table(rows):
        print(line, flush=True)
    if path := os.environ.get(ROWS_FILE):
        with Path(path).open("a") as file:
            file.writelines(json.dumps(asdict(row)) + "\n" for row in rows)
    return 0 if all(row.holds for row in rows) else 1


def read(path: Path) -> list[Row]:
    return [Row(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


_WIDTHS = (52, 44, 76)


def table(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        columns = [
            textwrap.wrap(text, width) or [""]
            for text, width in zip((row.test, row.to_reach, row.reached), _WIDTHS, strict=True)
        ]
        for line in range(max(map(len, columns))):
            cells = [column[line] if line < len(column) else "" for column in columns]
            mark = ("" if row.holds else "MISSED") if line == 0 else ""
            yield (
                f"{mark or ('holds' if line == 0 else ''):6}  "
                + "  ".join(f"{cell:{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)).rstrip()
            )


# Every 2 s: how long 20 ms of processor time take.
_SAMPLER = """
import time
while True:
    wall, cpu = time.monotonic(), time.process_time()
    while time.process_time() - cpu < 0.02:
        pass
    print((time.monotonic() - wall) / (time.process_time() - cpu), flush=True)
    time.sleep(2)
"""


class Machine:
    """How much longer work takes than it would if this machine did nothing else: 1 alone, 3 if others take two thirds
    of it.

    What a row allows in seconds is multiplied by it, and the row says so. The times to reach are those of a machine
    that runs nothing else.
    """

    def __enter__(self) -> Machine:
        self._sampler = subprocess.Popen([sys.executable, "-c", _SAMPLER], stdout=subprocess.PIPE, text=True)
        self.slower = 1.0
        return self

    def __exit__(self, *_: object) -> None:
        self._sampler.terminate()
        said, _none = self._sampler.communicate()
        self.slower = slowness(said)

    def next_sample(self) -> str:
        """What the sampler says next, which is then no part of the mean."""
        assert self._sampler.stdout is not None
        return self._sampler.stdout.readline()


def slowness(said: str) -> float:
    """The mean of the samples, never below 1. Of a sampler that was ended in the middle of a line, that line may be a
    part of a number.
    """
    samples = [float(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]
    return max(1.0, sum(samples) / len(samples)) if samples else 1.0


def allowance(limit_s: float, slower: float) -> str:
    """For the column `reached`."""
    return (
        f"allowed {limit_s * slower:.1f} s: the machine was {slower:.1f} x slower than alone"
        if slower > 1.05
        else f"allowed {limit_s:g} s"
    )


def rate_line(name: str, frames: int, took_s: float, cpu_s: dict[str, float]) -> str:
    """What the table judges by: the rate as it was, and that of one core which does nothing else."""
    spent = " + ".join(f"{who} {seconds:.2f} s" for who, seconds in cpu_s.items())
    on_one_core = frames / max(sum(cpu_s.values()), 1 / os.sysconf("SC_CLK_TCK"))
    return (
        f"{name}: {frames} frames in {took_s:.2f} s: {frames / took_s:.0f}/s; processor time {spent}: "
        f"{on_one_core:.0f}/s on one core"
    )
