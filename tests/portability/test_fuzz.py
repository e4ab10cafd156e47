"""Short, repeatable runs of the fuzz targets in tatu/fuzz; each finds a fault that is planted for it."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from tests.portability.machines import C_FILES, HERE
from tests.tatu.compiled import objects_of
from tests.tatu.machines import STRICT, TATU_SRC

TARGETS = sorted(path.stem for path in (TATU_SRC.parent / "fuzz").glob("*.c"))
SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
RUNS = 4000
LONGEST_INPUT = 400
FAULTY_FUNCTION = {
    "aeads": "tatu_ascon_aead128_decrypt",
    "ciphers": "tatu_speck128_192_tiny_set_key",
    "cmac": "tatu_cmac_verify",
    "hashes": "tatu_sha3_512_update",
    "modes": "tatu_ctr_encrypt",
}


@pytest.fixture(scope="module")
def archive(scratch: Path) -> Path:
    folder = scratch / "fuzz"
    folder.mkdir()
    objects = objects_of("clang", (*STRICT, *SANITIZERS, "-fsanitize=fuzzer-no-link"), C_FILES)
    subprocess.run(["ar", "rcs", folder / "libtatu.a", *objects], check=True)
    return folder / "libtatu.a"


def build(folder: Path, archive: Path, target: str, *more: str | Path) -> Path:
    program = folder / target
    source = TATU_SRC.parent / "fuzz" / f"{target}.c"
    command = ["clang", *STRICT, *SANITIZERS, "-fsanitize=fuzzer", f"-I{TATU_SRC}", *more, source, archive]
    subprocess.run([*command, "-o", program], check=True)
    return program


def fuzz(folder: Path, program: Path) -> subprocess.CompletedProcess[str]:
    """The same inputs every time: the first ones are ours, since libFuzzer's own begin with one byte."""
    corpus = folder / "corpus"
    corpus.mkdir()
    chance = random.Random(program.name)
    for number in range(100):
        (corpus / str(number)).write_bytes(chance.randbytes(chance.randrange(1, LONGEST_INPUT)))
    options = ["-seed=1", f"-runs={RUNS}", f"-max_len={LONGEST_INPUT}", "-len_control=0", "-print_final_stats=1"]
    return subprocess.run(
        [program, *options, corpus], cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )


def test_each_target_has_a_fault_planted() -> None:
    assert list(FAULTY_FUNCTION) == TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_a_short_run_finds_nothing(tmp_path: Path, archive: Path, target: str) -> None:
    done = fuzz(tmp_path, build(tmp_path, archive, target))
    assert done.returncode == 0, done.stderr[-4000:]
    [runs] = [
        line.split()[-1] for line in done.stderr.splitlines() if line.startswith("stat::number_of_executed_units")
    ]
    assert int(runs) >= RUNS


@pytest.mark.parametrize("target", TARGETS)
def test_a_planted_fault_is_found(tmp_path: Path, archive: Path, target: str) -> None:
    wrap = f"-Wl,--wrap={FAULTY_FUNCTION[target]}"
    program = build(tmp_path, archive, target, f"-DFAULT_{target}", wrap, HERE / "planted_faults.c")
    done = fuzz(tmp_path, program)
    assert done.returncode != 0
    assert f"{target}.c" in done.stderr
    assert "not so:" in done.stderr or "AddressSanitizer" in done.stderr
