"""What is added in a folder of BANCADA_PATH shows up as ours does: no file of the laboratory is edited for it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.laboratory_fixtures import Bancada

OUTSIDE = Path(__file__).parent / "primitives" / "outside"
ENGINE_OUTSIDE = Path(__file__).parent / "engines" / "outside"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of BANCADA_PATH: a primitive with an algorithm, a candidate and an experiment."""
    root = tmp_path / "outside"
    shutil.copytree(OUTSIDE, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_a_primitive_is_listed_judged_and_timed(bancada: Bancada, outside: Path) -> None:
    listed = bancada("list", "primitives", BANCADA_PATH=str(outside))
    assert "prf" in listed.stdout and "siphash" in listed.stdout, listed.stderr
    checked = bancada("check", "sip", "--target", "uno", BANCADA_PATH=str(outside))
    # SipHash's own vector, seven random messages, and the guard bytes
    assert "right, 9 of 9 vectors" in checked.stdout, checked.stdout + checked.stderr
    done = bancada("run", "prfs", BANCADA_PATH=str(outside))
    assert done.returncode == 0, done.stdout + done.stderr
    exported = bancada("export", "--format", "jsonl", BANCADA_PATH=str(outside)).stdout
    results = {(result["operation"], result["size_bytes"]): result for result in map(json.loads, exported.splitlines())}
    assert set(results) == {("set-key", 0), ("evaluate", 16), ("evaluate", 64)}
    assert {result["status"] for result in results.values()} == {"ok"}
    # Six more words of eight bytes take two rounds each.
    short, long = (results["evaluate", size] for size in (16, 64))
    assert 2 * short["cycles_median"] < long["cycles_median"] < 4 * short["cycles_median"]
    assert short["flash_bytes"] > 500
    assert short["ram_context_bytes"] == 16


def test_a_primitive_that_computes_wrongly_is_refused_by_its_vector(bancada: Bancada, outside: Path) -> None:
    source = outside / "candidates" / "sip" / "siphash.c"
    text = source.read_text()
    assert text.count("v[2] ^= 0xff;") == 1
    source.write_text(text.replace("v[2] ^= 0xff;", "v[2] ^= 0xee;"))
    checked = bancada("check", "sip", "--target", "uno", BANCADA_PATH=str(outside))
    assert checked.returncode == 1
    assert "SipHash paper, appendix A: expected e545be4961ca29a1" in " ".join(checked.stdout.split()), checked.stdout


def test_a_stricter_vector_of_ones_own_is_a_new_question(bancada: Bancada, outside: Path) -> None:
    assert "3 run, 0 unchanged" in bancada("run", "prfs", BANCADA_PATH=str(outside)).stdout
    assert "0 run, 3 unchanged" in bancada("run", "prfs", BANCADA_PATH=str(outside)).stdout
    client = outside / "primitives" / "prf" / "client.py"
    client.write_text(client.read_text().replace("(0, 1, 7, 8, 9, 31, 64)", "(0, 1, 7, 8, 9, 31, 63, 64)"))
    assert "3 run, 0 unchanged" in bancada("run", "prfs", BANCADA_PATH=str(outside)).stdout


def test_an_engine_is_in_run_export_report_pick_and_compare(bancada: Bancada, tmp_path: Path) -> None:
    """The engine `twice` counts each cycle twice: whatever shows one of its figures shows twice simavr's."""
    root = tmp_path / "outside"
    shutil.copytree(ENGINE_OUTSIDE, root, ignore=shutil.ignore_patterns("__pycache__"))
    path = {"BANCADA_PATH": str(root)}
    ran = bancada("run", "twice", **path)
    assert "6 run, 0 unchanged" in ran.stdout, ran.stdout + ran.stderr
    before = tmp_path / "before.jsonl"
    before.write_text(bancada("export", "--format", "jsonl", **path).stdout)
    lines = map(json.loads, before.read_text().splitlines())
    results = {(one["target"], one["implementation"]): one for one in lines}
    names = {implementation for _, implementation in results}
    assert names == {"tatu/speck64-128", "tatu/speck64-128/small", "tatu/speck64-128/tiny"}
    for name in names:
        ours, added = results["uno", name], results["uno-twice", name]
        assert added["cycles_median"] == 2 * ours["cycles_median"]
        assert added["time_us"] == 2 * ours["time_us"]
        assert added["engine_version"].startswith("twice, bancada-simavr")
    cycles = results["uno-twice", "tatu/speck64-128"]["cycles_median"]

    picked = bancada("pick", "--target", "uno-twice", "--size", "8", "--json", **path)
    assert str(cycles) in picked.stdout, picked.stdout + picked.stderr

    page = tmp_path / "page.html"
    assert bancada("report", "--output", str(page), **path).returncode == 0
    assert "Arduino UNO, counted twice" in page.read_text()
    assert f"[{cycles}," in page.read_text()

    # What the engine is made of is a part of the question: the same engine with another factor is asked again.
    engine = root / "engines" / "twice" / "__init__.py"
    assert engine.read_text().count("cycles=2 * one.cycles") == 1
    engine.write_text(engine.read_text().replace("cycles=2 * one.cycles", "cycles=3 * one.cycles"))
    assert "3 run, 3 unchanged" in bancada("run", "twice", **path).stdout
    after = tmp_path / "after.jsonl"
    after.write_text(bancada("export", "--format", "jsonl", **path).stdout)
    compared = bancada("compare", str(before), str(after), **path)
    assert compared.returncode == 1
    assert compared.stdout.count("+50.00 %") == 3, compared.stdout
