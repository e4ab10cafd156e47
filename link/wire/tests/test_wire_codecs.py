"""The Rust tests of codecs and daemon, and the codecs under libFuzzer.

The fuzzer is clang's libFuzzer with the instrumentation that a stable rustc has; no nightly compiler is needed.
As a script: `python link/wire/tests/test_wire_codecs.py --seconds 600`.
"""

from __future__ import annotations

import argparse
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from link_cargo import cargo
from link_site import ack_payload, air_frame, chunk, serial_frame
from long_table import Row, tell
from sensorlink.binaries import GATEWAY
from sensorlink.laboratory import cache_folder

# Coverage counters, their table, and comparisons, as libFuzzer reads them: what clang's -fsanitize=fuzzer would ask
# for.
_COVERAGE = ("level=4", "inline-8bit-counters", "pc-table", "trace-compares")
_FLAGS = [
    "-Cpasses=sancov-module",
    *(f"-Cllvm-args=-sanitizer-coverage-{option}" for option in _COVERAGE),
    "-Ccodegen-units=1",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
    "-Clinker=clang",
    "-Clink-arg=-fsanitize=fuzzer",
]


def fuzz(folder: Path, *options: str) -> str:
    """Runs the fuzzer from inputs that begin well; what it printed."""
    target = cache_folder() / "link" / "fuzz"
    cargo(
        "build", "-p", "bancada-link-wire", "--features", "libfuzzer", "--bin", "fuzz-wire", target=target, flags=_FLAGS
    )
    corpus = folder / "corpus"
    corpus.mkdir()
    up = b"\x01" + bytes(range(16)) + struct.pack(">QQH", 5, 1_700_000_000_000, 32) + air_frame(5)
    stream = chunk(air_frame(1)) + serial_frame(struct.pack(">BBIIIHH", 2, 0, 10_000, 4, 128, 0, 0)) + chunk(bytes(58))
    seeds = [b"\x00" + stream, b"\x01" + up, b"\x02" + ack_payload(bytes(16), [1, 2, 3, 7]), b"\x03" + air_frame(1)]
    seeds.append(b"\x04" + bytes([0x3F, 0x7F, 0x7F, 0x45, 0x80, 0xFF, 0x01] * 6))
    for number, seed in enumerate(seeds):
        (corpus / str(number)).write_bytes(seed)
    command = [
        str(target / "release" / "fuzz-wire"),
        "-max_len=600",
        f"-artifact_prefix={folder}/",
        *options,
        str(corpus),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


def test_the_rust_tests() -> None:
    # The whole workspace with a choice of targets, rather than a choice of packages: so the dependencies are those of
    # the programs' own build, compiled once.
    chosen = ["--workspace", "--lib", "--bin", GATEWAY, "--test", "codecs"]
    printed = cargo("test", *chosen, target=cache_folder() / "link" / "build")
    counts = [int(count) for count in re.findall(r"(\d+) passed", printed)]
    assert sum(counts) >= 18, printed


def test_the_fuzzer_finds_nothing(tmp_path: Path) -> None:
    assert "Done 30000 runs" in fuzz(tmp_path, "-runs=30000", "-seed=1")


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzzes the codecs of gateway and server.")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        printed = fuzz(Path(name), f"-max_total_time={arguments.seconds}", f"-seed={arguments.seed}")
    runs = next(int(line.split()[1]) for line in printed.splitlines() if line.startswith("Done "))
    return tell(
        [
            Row(
                "what gateway and server parse, fuzzed (Rust)",
                f"{arguments.seconds} s, nothing found",
                f"{runs:,} inputs",
                True,
            )
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
