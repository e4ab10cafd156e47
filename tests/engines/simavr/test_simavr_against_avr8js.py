"""Two simulators with nothing in common count the same cycles, instructions and stack for whole AES and Speck
operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import EXIT_OK, FIRMWARE, HERE, build, run, run_second

TATU = HERE.parents[2] / "tatu" / "src"
SOURCES = sorted(path for folder in ("aes", "speck", "common") for path in (TATU / folder).rglob("*.[cS]"))

WITH_ONE_CONTEXT = ("set-key", "encrypt", "decrypt")
WITH_TWO_CONTEXTS = ("set-key", "encrypt", "set-decrypt-key", "decrypt")
OPERATIONS = [
    f"{name} {operation}"
    for name, operations in {
        "aes128": WITH_ONE_CONTEXT,
        "aes128/ram": WITH_ONE_CONTEXT,
        "aes128/small": WITH_TWO_CONTEXTS,
        "aes128/tiny": WITH_ONE_CONTEXT,
        "speck128": WITH_ONE_CONTEXT,
        "speck128/small": WITH_TWO_CONTEXTS,
        "speck128/tiny": WITH_ONE_CONTEXT,
    }.items()
    for operation in operations
]

GENEROUS_CYCLES = 5_000_000


@pytest.mark.parametrize("flags", [("-Os",), ("-O3", "-DTATU_PORTABLE")], ids=["assembly", "portable C"])
def test_both_simulators_count_the_same(tmp_path: Path, avr8js: Path, flags: tuple[str, ...]) -> None:
    pruned = ("-ffunction-sections", "-fdata-sections", "-mrelax", "-Wl,--gc-sections", "-I", str(TATU))
    elf = build(tmp_path, [FIRMWARE / "ciphers.c", *SOURCES], *pruned, *flags)
    done = run(elf, limit_cycles=GENEROUS_CYCLES)
    assert done.exit_code == EXIT_OK, done.events[-1]
    compared = ("cycles", "region_cycles", "stack_bytes", "instructions")
    ours = {name: {key: region[key] for key in compared} for name, region in zip(OPERATIONS, done.regions, strict=True)}
    other = run_second(avr8js, elf, max_cycles=GENEROUS_CYCLES)["regions"]
    assert ours == dict(zip(OPERATIONS, other, strict=True))
