"""All long tests of the link, and at the end one table of what was reached. `make test-link` runs it.

Parts that only compute come first, one beside the other on two cores. Parts that keep times run alone.

python link/tests/long.py [--only TEXT] [--fuzz-seconds 300]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "testing"))

from long_table import ROWS_FILE, Row, read, table

LINK = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Part:
    """`keeps_times`: what it holds depends on the clock of this machine, so nothing runs beside it."""

    script: str
    arguments: tuple[str, ...] = ()
    keeps_times: bool = True

    @property
    def name(self) -> str:
        words = [word.lstrip("-") for word in self.arguments if "/" not in word and word != "--only"]
        return "_".join((Path(self.script).stem, *words))


def parts(fuzz_seconds: int) -> tuple[Part, ...]:
    return (
        *(
            Part("simulation/tests/long_simulation.py", ("--only", *names), keeps_times=False)
            for names in (("delivery", "rate"), ("EEPROM", "resets"), ("curve",))
        ),
        Part("firmware/tests/long_bootloader.py", keeps_times=False),
        Part("wire/tests/test_wire_codecs.py", ("--seconds", str(fuzz_seconds)), keeps_times=False),
        Part("firmware/tests/long_firmware.py", ("--fuzz-seconds", str(fuzz_seconds)), keeps_times=False),
        # Tests of every run, which a busy machine does not fail.
        Part("tests/long_rows.py", keeps_times=False),
        Part("tests/long_server.py", ("--untimed",), keeps_times=False),
        Part("gateway/tests/test_gateway_kills.py"),
        Part("gateway/tests/test_gateway_chain.py"),
        Part("tests/long_server.py", ("--timed",)),
        Part("fleet/tests/long_fleet.py"),
    )


def run(part: Part, folder: Path) -> tuple[list[Row], str]:
    """The rows of one part, and what it took; a part that ends without any row is a row that says so.

    A part that runs beside another one is shown when it has ended.
    """
    rows_file, output = folder / f"{part.name}.rows", folder / f"{part.name}.output"
    title = f"\n== {part.script} {' '.join(part.arguments)}"
    began = time.monotonic()
    if part.keeps_times:
        print(title, flush=True)
    with output.open("wb") as file:
        done = subprocess.run(
            [sys.executable, str(LINK / part.script), *part.arguments],
            env={**os.environ, ROWS_FILE: str(rows_file)},
            stdout=None if part.keeps_times else file,
            stderr=None if part.keeps_times else subprocess.STDOUT,
        )
    if not part.keeps_times:
        print(f"{title}\n{output.read_text(errors='replace')}", flush=True)
    rows = read(rows_file)
    if not rows or (done.returncode != 0 and all(row.holds for row in rows)):
        rows.append(
            Row(
                f"the whole of {part.script}",
                "to its end",
                f"ended with code {done.returncode} after {len(rows)} rows",
                False,
            )
        )
    return rows, f"{part.name} {time.monotonic() - began:.0f} s"


def run_all(chosen: tuple[Part, ...], folder: Path) -> list[tuple[list[Row], str]]:
    """What every part gave, those that keep no times two at once and first."""
    beside = [part for part in chosen if not part.keeps_times]
    with ThreadPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(lambda part: run(part, folder), beside))
    return found + [run(part, folder) for part in chosen if part.keeps_times]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only parts whose name contains this")
    parser.add_argument("--fuzz-seconds", type=int, default=300, help="for each of the two fuzzers")
    options = parser.parse_args()
    began, at = time.monotonic(), datetime.now(UTC)
    chosen = tuple(part for part in parts(options.fuzz_seconds) if options.only in part.script)
    with tempfile.TemporaryDirectory(prefix="test-link-") as folder:
        found = run_all(chosen, Path(folder))
    rows = [row for of_part, _ in found for row in of_part]
    times = [time_text for _, time_text in found]
    print(
        f"\n== The link's long tests, {at:%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, load at the end "
        f"{os.getloadavg()[0]:.1f}\n"
    )
    for line in table([Row("test", "to reach", "reached", True)]):
        print("        " + line[8:])
    for line in table(rows):
        print(line)
    missed = sum(not row.holds for row in rows)
    print(
        f"\n{len(rows) - missed} of {len(rows)} rows hold; {(time.monotonic() - began) / 60:.0f} minutes "
        f"({', '.join(times)})"
    )
    return 1 if missed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
