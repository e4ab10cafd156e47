"""`bancada prove`: a candidate's firmware by its own file of proofs, verdicts that are stored, and every mistake."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.laboratory_fixtures import Bancada
from tests.prove.changed_proofs import changed_proofs

TINY = "tatu/speck64-128/tiny"


def test_a_candidates_firmware_is_proved_once(bancada: Bancada, tmp_path: Path) -> None:
    """The second run has nothing to do; a byte more in the file of proofs, and the certificate counts no more."""
    store = ("--store", str(tmp_path / "results.sqlite"))
    first = bancada("prove", TINY, *store, "--jobs", "2")
    assert first.returncode == 0, first.stderr
    assert "speck64_128_tiny_encrypt: proved in " in first.stderr
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
    assert done.stderr == "Not proved, because no firmware has their functions: equal_16.\n"


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
