"""What the report is given: published figures beside ours come from every result, whichever of them the page shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bancada.answers.report.table import table
from bancada.commands.assemble import assemble, section_of
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.store.store import Store
from tests.example_results import result

# The record: 956 cycles a byte, between messages of 128 and 512 bytes. -O3 is best at no size but the shorter.
_CYCLES = {("-Os", 128): 200_000, ("-Os", 512): 500_000, ("-O3", 128): 190_000, ("-O3", 512): 510_000}


def test_cycles_a_byte_are_of_one_level_though_the_page_shows_the_best_level_of_each_size(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")
    for place, ((level, size), cycles) in enumerate(_CYCLES.items()):
        made = result(
            case=f"uno/tatu/sha3-256/hash/{size}/avr-gcc{level}",
            implementation="tatu/sha3-256",
            primitive="hash",
            algorithm="sha3-256",
            operation="hash",
            key_bits=0,
            size_bytes=size,
            optimisation=level,
            cycles_median=cycles,
        )
        store.put("records", place, f"key {place}", made)
    [section] = [one for one in assemble(open_laboratory(), store, read_metrics()).experiments if one.name == "records"]
    [figure] = [one for one in section.published if "sha3-256" in one.label and one.metric == "cycles_per_byte"]
    assert figure.ours == (500_000 - 200_000) / 384
    assert figure.ours_case in {shown.case for shown in section.results}


def test_the_studys_level_is_shown_though_another_is_best(tmp_path: Path) -> None:
    """Study `biglittle` compiled without optimisation."""
    store = Store(tmp_path / "results.sqlite")
    levels = {"-O0": 9000, "-O1": 8000, "-O2": 1000}
    for place, (level, cycles) in enumerate(levels.items()):
        made = result(
            cycles,
            target="xu3-little@600MHz",
            implementation="wolfssl/message-sha-256",
            primitive="message",
            algorithm="message-sha-256",
            operation="send",
            key_bits=0,
            size_bytes=21,
            optimisation=level,
        )
        store.put("biglittle", place, f"key {place}", made)
    laboratory, metrics = open_laboratory(), read_metrics()
    section = section_of(laboratory, laboratory.experiments["biglittle"], store, metrics)
    assert {one.optimisation for one in section.results} == {"-O0", "-O2"}
    view = table(section.name, section.results, metrics, study_optimisation=section.study_optimisation)
    assert len(view.rows) == 2 and all(row.best for row in view.rows)


def test_the_hash_of_a_page_is_the_same_in_every_process() -> None:
    """Python orders a set anew in each process, and a page that is up to date would be drawn again."""
    program = (
        "from bancada.answers.report.input import ReportInput; from bancada.commands.assemble import digest;"
        " from bancada.measure.read_metrics import read_metrics; from dataclasses import fields, MISSING;"
        " given = {one.name: '' for one in fields(ReportInput) if one.default is MISSING};"
        " given['not_advised'] = frozenset(map(str, range(20))); print(digest(ReportInput(**given), read_metrics()))"
    )
    seeds = ("1", "2", "3")
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    }
    assert len(said) == 1
