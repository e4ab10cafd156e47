"""What proofs need is kept in the cache. It is asked anew when the proofs have changed or the cache is not whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.prove import needs
from bancada.prove.needs import Needs, needs_of_every
from bancada.prove.proof import ProofFunction

PROOF = """
def {name}(proof):
    \"\"\"A statement about nothing.\"\"\"
    key = proof.secret("key", 2)
    proof.call("{function}", key)
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the proofs that were asked, in an empty cache."""
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))
    names: list[str] = []
    ask = needs.needs_of

    def noted(function: ProofFunction) -> Needs:
        names.append(function.__name__)
        return ask(function)

    monkeypatch.setattr(needs, "needs_of", noted)
    return names


def test_a_file_of_proofs_is_asked_once(tmp_path: Path, asked: list[str]) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(PROOF.format(name="one", function="first"))
    expected = {"one": Needs(("first",), (), ("avr", "thumb"))}
    assert needs_of_every(proofs) == expected
    assert needs_of_every(proofs) == expected
    assert asked == ["one"]
    # Of another length: Python keeps compiled code by a file's second and size.
    proofs.write_text(PROOF.format(name="one", function="another"))
    assert needs_of_every(proofs)["one"].functions == ("another",)
    assert asked == ["one"] * 2


def test_another_prover_asks_anew(tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(PROOF.format(name="one", function="first"))
    needs_of_every(proofs)
    monkeypatch.setattr(needs, "prover_digest", lambda: "another" * 10)
    needs_of_every(proofs)
    assert asked == ["one"] * 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"one": 3}', '{"one": {"functions": 1}}'])
def test_a_cache_that_is_not_whole_is_made_anew(tmp_path: Path, asked: list[str], text: str) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(PROOF.format(name="one", function="first"))
    expected = needs_of_every(proofs)
    [kept] = (tmp_path / "cache" / "needs-of-proofs").iterdir()
    kept.write_text(text)
    assert needs_of_every(proofs) == expected
    assert asked == ["one"] * 2


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, asked: list[str]) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(PROOF.format(name="one", function="first"))
    (tmp_path / "cache").write_text("a file where a folder should be")
    assert needs_of_every(proofs)["one"].functions == ("first",)
