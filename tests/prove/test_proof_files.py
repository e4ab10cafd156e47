"""A file of proofs, and a folder of such files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.model.errors import UserError
from bancada.prove.proof import Proof
from bancada.prove.proof_files import digest_of_proofs, read_proofs

ONE = "def one(proof): pass\n"


def folder_of(path: Path, **files: str) -> Path:
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / f"{name}.py").write_text(text)
    return path


def test_files_of_a_folder_import_from_each_other(tmp_path: Path) -> None:
    """What a file imports, or what returns something, is no proof of it."""
    text = "from .shared import size, one\nPROOFS = {'two': lambda proof: size(proof)}\n"
    shared = "def size(proof) -> int:\n    return 16\n" + ONE
    found = read_proofs(folder_of(tmp_path / "proofs", a=text, shared=shared))
    assert sorted(found) == ["one", "two"]


def test_another_folder_of_the_same_name_is_read_by_itself(tmp_path: Path) -> None:
    for folder, size in (("first", 1), ("second", 2)):
        text = f"from .shared import SIZE\ndef proof_of_{size}(proof): assert SIZE == {size}\n"
        [(name, proof)] = read_proofs(
            folder_of(tmp_path / folder / "mine" / "proofs", a=text, shared=f"SIZE = {size}\n")
        ).items()
        assert name == f"proof_of_{size}"
        proof(Proof.__new__(Proof))


def test_two_proofs_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"b\.py has a proof 'one', which another file of .* has too"):
        read_proofs(folder_of(tmp_path / "proofs", a=ONE, b=ONE))


def test_the_file_of_a_folder_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"b\.py cannot be run: NameError: name 'nothing' is not defined"):
        read_proofs(folder_of(tmp_path / "proofs", a=ONE, b="nothing\n"))


def test_a_folder_without_proofs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no function"):
        read_proofs(folder_of(tmp_path / "proofs", a="SIZE = 1\n"))


def test_the_digest_is_of_every_file_and_its_name(tmp_path: Path) -> None:
    digests = {
        digest_of_proofs(folder_of(tmp_path / str(at) / "proofs", **files))
        for at, files in enumerate(({"a": ONE}, {"b": ONE}, {"a": ONE, "b": ""}, {"a": ONE + "\n"}))
    }
    assert len(digests) == 4
