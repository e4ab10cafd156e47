"""What is proved stands beside the results of that very firmware, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bancada.answers.report.input import ExperimentSection, ReportInput
from bancada.answers.report.page import draw_report
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.result import Result
from bancada.prove.candidate import proofs_of, table_of
from bancada.prove.certificate import key_of, store_certificate
from bancada.prove.marks import marked, with_proofs
from bancada.prove.proof_files import digest_of_proofs
from bancada.prove.prove import PROVED, REFUTED, Proved
from bancada.prove.records import Shows
from bancada.prove.second_solver import AGREES, DISAGREES, NO_ANSWER, SecondWord
from tests.example_results import result

pytestmark = pytest.mark.quick

ELF = "e" * 64
IMPLEMENTATION = "tatu/speck64-128"


def certificate(name: str, *shows: Shows, verdict: str = PROVED, word: str = "", proofs: str = "p" * 64) -> Proved:
    second = SecondWord("cadical", "1.5.3", word, 3, 0.1, "c" * 64) if word else None
    return Proved(name, verdict, "", "normal form", (), 2, 1.0, None, ELF, proofs, shows=shows, second=second)


def measured(operation: str = "encrypt", elf: str = ELF) -> Result:
    return replace(result(), implementation=IMPLEMENTATION, operation=operation, elf_sha256=elf)


ENCRYPT = Shows(IMPLEMENTATION, "encrypt", "")


@pytest.mark.parametrize(
    ("certificates", "text"),
    [
        ([certificate("one", ENCRYPT)], "proved: one"),
        ([certificate("two", ENCRYPT), certificate("one", ENCRYPT)], "proved: one, two"),
        ([certificate("one", ENCRYPT, word=AGREES)], "proved: one (cadical agrees)"),
        ([certificate("one", ENCRYPT, word=DISAGREES)], None),
        ([certificate("one", ENCRYPT, word=NO_ANSWER)], "proved: one"),
        ([certificate("one", replace(ENCRYPT, part="its rounds"))], "in part: its rounds: one"),
        ([certificate("one", ENCRYPT, verdict=REFUTED)], None),
        ([certificate("one", replace(ENCRYPT, operation="decrypt"))], None),
        ([certificate("one", replace(ENCRYPT, implementation="tatu/speck64-128/small"))], None),
        ([certificate("one")], None),
        ([], None),
    ],
)
def test_what_is_said_of_a_result(certificates: list[Proved], text: str | None) -> None:
    [found] = marked([measured()], certificates)
    assert found.proved == text


def test_another_firmware_is_not_proved() -> None:
    proofs = [certificate("one", ENCRYPT)]
    assert [found.proved for found in marked([measured(elf="f" * 64), measured("decrypt")], proofs)] == [None, None]


def test_a_certificate_goes_stale_with_a_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the program, of the file of proofs, of the prover, or of the table that gives the cycles."""
    laboratory = open_laboratory()
    digest = digest_of_proofs(proofs_of(laboratory.candidate("tatu")))
    store = tmp_path / "results.sqlite"

    def said(proofs: str, key: str) -> str | None:
        store.unlink(missing_ok=True)
        store_certificate(store, key, "uno", IMPLEMENTATION, certificate("one", ENCRYPT, proofs=proofs))
        [found] = with_proofs(laboratory, [measured()], store)
        return found.proved

    assert said(digest, key_of(ELF, digest, "one", 2)) == "proved: one"
    assert said("0" * 64, key_of(ELF, "0" * 64, "one", 2)) is None
    assert said(digest, key_of("f" * 64, digest, "one", 2)) is None
    tables = {
        name: table
        for name in ("uno", "samd21", "stm32f4", "bbb")
        if (table := table_of(laboratory.target(name))) is not None
    }
    keys = {name: key_of(ELF, digest, "one", 2, table) for name, table in tables.items()}
    assert list(keys) == ["samd21", "stm32f4"]
    assert [said(digest, key) for key in keys.values()] == ["proved: one"] * 2
    dearer = tables["samd21"].model_copy(update={"instruction": {}})
    assert said(digest, key_of(ELF, digest, "one", 2, dearer)) is None
    key = key_of(ELF, digest, "one", 2)
    monkeypatch.setattr("bancada.prove.marks.prover_digest", lambda: "another prover")
    assert said(digest, key) is None


def test_each_row_of_the_report_that_is_proved_has_a_badge_that_says_by_what() -> None:
    rows = marked(
        [measured(), measured("decrypt"), measured("set-key")],
        [
            certificate("one", ENCRYPT),
            certificate("two", replace(ENCRYPT, operation="decrypt", part="its rounds")),
        ],
    )
    section = ExperimentSection("mine", "Mine", "?", "", "", tuple(rows))
    page = draw_report(
        ReportInput(title="", made="2026-11-21", tool_version="1", targets=(), experiments=(section,)), read_metrics()
    )
    assert page.count('<span class="proved" title="proved: one">proved</span>') == 1
    assert page.count('<span class="proved" title="in part: its rounds: two">part proved</span>') == 1
    assert page.count('<span class="proved" title=') == 2
