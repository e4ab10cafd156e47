"""`bancada prove`: a candidate's firmware by its own file of proofs, verdicts that are stored, and every mistake."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bancada.commands.prove import _band_of_cycles, _fidelity
from bancada.measure.laboratory import open_laboratory
from bancada.prove.program import Program
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import Demand, prove_one
from tests.laboratory_fixtures import Bancada
from tests.prove.changed_proofs import changed_proofs

TINY = "tatu/speck64-128/tiny"
_NOTHING = Program(Path("/dev/null"), b"", {}, {}, {}, 0x100)


def test_a_candidates_firmware_is_proved_once(bancada: Bancada, tmp_path: Path) -> None:
    """The second run has nothing to do; a byte more in the file of proofs, and the certificate counts no more."""
    store = ("--store", str(tmp_path / "results.sqlite"))
    first = bancada("prove", TINY, *store, "--jobs", "2")
    assert first.returncode == 0, first.stderr
    assert "speck64_128_tiny_encrypt: proved in " in first.stderr
    assert first.stdout.endswith("\nCycles: exact.\n")
    again = bancada("prove", TINY, *store)
    assert (again.returncode, again.stderr) == (0, "")
    assert "stored" in again.stdout
    changed = changed_proofs(tmp_path, "speck.py")
    with (changed / "speck.py").open("a") as file:
        file.write("\n# A remark.\n")
    anew = bancada("prove", TINY, *store, "--proofs", str(changed))
    assert anew.returncode == 0
    assert "speck64_128_tiny_encrypt: proved in " in anew.stderr


def test_what_is_proved_as_json(bancada: Bancada, tmp_path: Path) -> None:
    done = bancada(
        "prove", "tatu", "--proof", "speck64_128_tiny_encrypt", "--proof", "equal_16", "--json",
        "--store", str(tmp_path / "results.sqlite"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [proved] = json.loads(done.stdout)
    assert (proved["implementation"], proved["verdict"], len(proved["elf_sha256"])) == (TINY, "proved", 64)
    assert (proved["cycles_fidelity"], proved["cycles_band_percent"]) == ("exact", None)
    assert done.stderr == "Not proved, because no firmware has their functions: equal_16.\n"


@pytest.mark.parametrize("target", ["samd21", "stm32f4"])
def test_the_cycles_of_a_cortex_m_carry_their_band(target: str) -> None:
    band_percent = open_laboratory().target(target).core.band_percent
    assert band_percent is not None
    assert _band_of_cycles(TINY, target) == band_percent
    assert _fidelity(band_percent) == f"Cycles: modelled ±{band_percent:g} %, without waits for flash."


def test_where_nothing_is_proved_the_command_fails(bancada: Bancada, tmp_path: Path) -> None:
    done = bancada("prove", TINY, "--proof", "equal_16", "--store", str(tmp_path / "results.sqlite"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Not proved, because no firmware has their functions: equal_16.\n"
        f"bancada: Nothing was proved: no proof is of a function that {TINY} has on the target 'uno'.\n"
    )


def test_what_is_undecided_is_asked_again(bancada: Bancada, tmp_path: Path) -> None:
    """With more time, or a solver that is there by now, it may be decided."""
    path = tmp_path / "results.sqlite"
    asked = ("prove", TINY, "--proof", "speck64_128_tiny_encrypt", "--store", str(path))
    assert bancada(*asked).returncode == 0
    with sqlite3.connect(path) as database:
        database.execute("UPDATE proof SET record = json_set(record, '$.verdict', 'undecided')")
    database.close()
    again = bancada(*asked)
    assert again.returncode == 0
    assert "speck64_128_tiny_encrypt: proved in " in again.stderr


def test_a_mistake_in_a_file_of_proofs_is_told_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the file is named by a relative path, and a folder of proofs that was read before has its name."""
    monkeypatch.setitem(sys.modules, "proofs_of_mine", ModuleType("proofs_of_mine"))
    (tmp_path / "mine.py").write_text("def mistaken(proof):\n    proof.call(no_such_name)\n")
    monkeypatch.chdir(tmp_path)
    path = Path("mine.py")
    mistaken = prove_one(_NOTHING, "mistaken", read_proofs(path)["mistaken"], path, Demand(1, 1))
    assert mistaken.reason == f"{tmp_path}/mine.py, line 2: NameError: name 'no_such_name' is not defined"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("tatu/speck64-128/tny",), "There is no implementation for the target 'uno' 'tatu/speck64-128/tny'; "),
        (("tatu", "--proof", "speck64_128_tiny_encript"), "There is no proof 'speck64_128_tiny_encript'; "),
        (("tinyaes",), "'tinyaes' has no proofs.py in "),
        (("firmware.elf",), "There is no file firmware.elf."),
        (("tatu", "--target", "unno"), "There is no target 'unno'; "),
    ],
)
def test_each_mistake_is_one_sentence(bancada: Bancada, asked: tuple[str, ...], sentence: str) -> None:
    done = bancada("prove", *asked)
    assert done.returncode == 2
    assert done.stderr.startswith(f"bancada: {sentence}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_a_program_needs_a_file_of_proofs(bancada: Bancada, tmp_path: Path) -> None:
    program = tmp_path / "firmware.elf"
    shutil.copy(shutil.which("true") or "/bin/true", program)
    done = bancada("prove", str(program))
    assert done.returncode == 2
    assert f"{program} is a program: say with --proofs which file of proofs it is held to." in done.stderr
