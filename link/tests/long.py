"""All long tests of the link, one part after the other, and at the end one table of what was reached. `make test-link`
runs it.

python link/tests/long.py [--only TEXT] [--fuzz-seconds 300]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "testing"))

from long_table import ROWS_FILE, Row, read, table

LINK = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Part:
    script: str
    arguments: tuple[str, ...] = ()


def parts(fuzz_seconds: int) -> tuple[Part, ...]:
    return (
        Part("tests/long_rows.py"),
        Part("firmware/tests/long_firmware.py", ("--fuzz-seconds", str(fuzz_seconds))),
        Part("firmware/tests/long_bootloader.py"),
        Part("wire/tests/test_wire_codecs.py", ("--seconds", str(fuzz_seconds))),
        Part("gateway/tests/test_gateway_kills.py"),
        Part("gateway/tests/test_gateway_chain.py"),
        Part("tests/long_server.py"),
        Part("fleet/tests/long_fleet.py"),
        Part("simulation/tests/long_simulation.py"),
    )


def run(part: Part, rows_file: Path) -> tuple[list[Row], float]:
    """The rows of one part; a part that ends without any is a row that says so."""
    rows_file.unlink(missing_ok=True)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(LINK / part.script), *part.arguments], env={**os.environ, ROWS_FILE: str(rows_file)}
    )
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
    return rows, time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only parts whose name contains this")
    parser.add_argument("--fuzz-seconds", type=int, default=300, help="for each of the two fuzzers")
    options = parser.parse_args()
    began, at = time.monotonic(), datetime.now(UTC)
    rows: list[Row] = []
    times: list[str] = []
    with tempfile.TemporaryDirectory(prefix="test-link-") as folder:
        for part in parts(options.fuzz_seconds):
            if options.only not in part.script:
                continue
            print(f"\n== {part.script} {' '.join(part.arguments)}", flush=True)
            found, took_s = run(part, Path(folder) / "rows")
            rows += found
            times.append(f"{Path(part.script).stem} {took_s:.0f} s")
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
