"""Each instruction costs what the data sheet says, in the engine and (except for one known defect) in the second
simulator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import EXIT_OK, Timing, build, run, run_second, timing_firmware, timings

# "131 Powerful Instructions", ATmega328P data sheet, "Features", less SPM, SLEEP and BREAK.
FORMS_IN_DATA_SHEET = 131 - 3

# avr8js 0.21 counts one cycle for CBI; the data sheet says two.
DEFECT_OF_AVR8JS = {"CBI P, b": 1}


@dataclass(frozen=True)
class Bench:
    mcu: str
    rows: list[Timing]
    elf: Path


# On the ATmega2560, the table lies once where a program counter of 16 bits reaches and once where it does not. Far
# away, ICALL and IJMP cannot be used: they clear the upper bits of the program counter (Instruction Set Manual).
@pytest.fixture(scope="module", params=[("atmega328p", 0x1000), ("atmega2560", 0x1000), ("atmega2560", 0x30000)])
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    mcu, address = request.param
    is_far = address > 0x20000
    rows = [row for row in timings(mcu) if not (is_far and row.form in ("ICALL", "IJMP"))]
    folder = tmp_path_factory.mktemp("timings")
    source = folder / "timings.S"
    source.write_text(timing_firmware(rows))
    return Bench(mcu, rows, build(folder, [source], f"-Wl,--section-start=.table={address:#x}", mcu=mcu))


def test_the_table_lists_every_instruction_of_the_data_sheet() -> None:
    assert len({row.form for row in timings("atmega328p")}) == FORMS_IN_DATA_SHEET


def test_every_instruction_takes_the_data_sheets_cycles(bench: Bench) -> None:
    done = run(bench.elf, mcu=bench.mcu)
    assert done.exit_code == EXIT_OK, done.events[-1]
    assert len(done.regions) == len(bench.rows)
    expected = {row.name: (row.cycles, row.stack_bytes) for row in bench.rows}
    found = {
        row.name: (region["region_cycles"], region["stack_bytes"])
        for row, region in zip(bench.rows, done.regions, strict=False)
    }
    assert found == expected


def test_the_second_simulator_agrees_but_for_its_defect(bench: Bench, avr8js: Path) -> None:
    regions = run_second(avr8js, bench.elf, bench.mcu)["regions"]
    assert len(regions) == len(bench.rows)
    different = {
        row.name: region["region_cycles"]
        for row, region in zip(bench.rows, regions, strict=False)
        if region["region_cycles"] != row.cycles
    }
    has_cbi = any(row.form == "CBI P, b" for row in bench.rows)
    assert different == (DEFECT_OF_AVR8JS if has_cbi else {})
