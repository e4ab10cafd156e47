"""The long tests of the firmware's portable core and of the fleet, on this computer. Prints what was reached.

Run as a program (make test-link does):
python link/firmware/tests/long_firmware.py [--resets 10000] [--vectors 10000] [--fuzz-seconds 60]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

import firmware_fuzz
from counter_lives import DAY_S, Life, lives
from firmware_host import (
    AES_CCM,
    ASCON,
    RECORD_BYTES,
    RECORDS,
    ROOT,
    Host,
    bits_flipped,
    header,
    record,
    reference_seal,
)
from long_table import Machine, Row, tell


def reset_row(name: str, life: Life, resets: int) -> Row:
    reached = f"{resets:,} resets, {len(life.used):,} counters, {len(life.repeated)} twice"
    return Row(name, "no counter twice", reached, not life.repeated and life.silent == 0 and len(life.used) > resets)


def counters(resets: int) -> Iterator[Row]:
    host = Host.shared()
    for seed, rot, name in ((11, 0.0, "resets, writes torn at any byte"), (12, 0.2, "the same, and bits that rot")):
        host.load(record())
        yield reset_row(name, lives(host, seed, resets, rot), resets)
    host.load(record())
    host.c.host_counter_start()
    host.take(DAY_S // 5)
    written = sum(host.wear[position * RECORD_BYTES + 6] for position in range(RECORDS))
    yield Row(
        "EEPROM in a day at 5 s",
        "at most 100 records",
        f"{written} records, {max(host.wear)} writes a cell",
        0 < written <= 100,
    )


def vectors(count: int) -> Iterator[Row]:
    host = Host.shared()
    for suite, name in ((ASCON, "Ascon-AEAD128 in plain Python"), (AES_CCM, "OpenSSL's AES-CCM")):
        source = random.Random(suite)
        agreed = opened = 0
        for _ in range(count):
            device, epoch, kind, counter = (
                source.randrange(1 << 16),
                source.randrange(16),
                source.randrange(16),
                source.randrange(1 << 32),
            )
            key, payload = source.randbytes(16), source.randbytes(16)
            frame = reference_seal(suite, key, header(1, kind, suite, epoch, device, counter), payload)
            agreed += host.seal(device, suite, epoch, key, kind, counter, payload) == frame
            opened += sum(
                host.open(device, suite, epoch, key, changed) is not None for changed in bits_flipped(frame)[::17]
            )
        reached = f"{agreed:,} agree; {16 * count:,} flipped bits, {opened} opened"
        yield Row(f"frames against {name}", f"{count:,} agree", reached, agreed == count and opened == 0)


def fuzzing(seconds: int, folder: Path) -> Row:
    program = firmware_fuzz.build(folder)
    corpus = folder / "corpus"
    firmware_fuzz.make_corpus(corpus)
    command = [
        str(program),
        f"-seed={int(time.time())}",
        "-max_len=700",
        f"-max_total_time={seconds}",
        "-print_final_stats=1",
    ]
    done = subprocess.run(
        [*command, f"-artifact_prefix={folder}/", str(corpus)], capture_output=True, text=True, check=False
    )
    runs = next((line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line), "0")
    return Row(
        "what the firmware reads, fuzzed (C)",
        f"{seconds} s, nothing found",
        f"{int(runs):,} inputs",
        done.returncode == 0,
    )


def fleet(folder: Path) -> Row:
    """10,000 sensors at 5 s, a minute of their time in real time."""
    subprocess.run(["make", "-s", "-C", str(ROOT / "link" / "fleet"), f"OUT={folder}"], check=True)
    source = random.Random(1)
    lines = [f"{device},0,1,,{source.randbytes(16).hex()},0,0,5" for device in range(1, 10_001)]
    keys = folder / "keys.csv"
    keys.write_text("\n".join(["device,epoch,suite,master_hex,key_hex,slot,slots,period", *lines]) + "\n")
    began = time.monotonic()
    with Machine() as machine:
        done = subprocess.run(
            [str(folder / "fleet"), "--keys", str(keys), "--duration", "60", "--output", "/dev/null"],
            capture_output=True,
            text=True,
            check=False,
        )
    took = time.monotonic() - began
    frames = int(done.stderr.split()[1]) if done.returncode == 0 else 0
    return Row(
        "10,000 sensors of the fleet",
        "2,000 frames/s",
        f"{frames / took:,.0f} frames/s",
        frames / took > 1950 / machine.slower,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resets", type=int, default=10_000)
    parser.add_argument("--vectors", type=int, default=10_000)
    parser.add_argument("--fuzz-seconds", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="long-firmware-") as name:
        folder = Path(name)
        rows = [
            *counters(options.resets),
            *vectors(options.vectors),
            fuzzing(options.fuzz_seconds, folder),
            fleet(folder),
        ]
    return tell(rows)


if __name__ == "__main__":
    sys.exit(main())
