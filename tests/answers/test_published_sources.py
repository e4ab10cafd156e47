"""Each published figure of the records names its source, as data, in the page and as BibTeX."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.answers.export import export
from bancada.answers.published import published_figures, rows_of
from bancada.answers.sources import source_by_row, sources_of
from bancada.catalogue.experiment import Experiment
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from tests.example_results import result

pytestmark = pytest.mark.quick

_FILE = """
[[source]]
key = "mine"
author = "Doe, Jane & Co"
title = "100 % of {it}"
version = "commit 1"
address = "https://example.org/a_b"
date = "2020-02-30"
of = [{ algorithm = "aes", operation = "encrypt" }]
"""


@pytest.mark.parametrize("name", ["records", "records-arm"])
def test_every_row_of_the_records_has_a_source(name: str) -> None:
    experiment = open_laboratory().experiments[name]
    sources = source_by_row(experiment, rows_of(experiment))
    assert len(sources) == len(rows_of(experiment)) > 0
    assert None not in sources
    assert set(sources) == set(sources_of(experiment)), "a source without a row"
    for source in sources_of(experiment):
        assert all((source.author, source.title, source.version, source.address, source.date)), source.key
    for row in rows_of(experiment):
        assert "not found" not in row["source"], row


def test_a_row_cannot_be_declared_to_have_no_source(tmp_path: Path) -> None:
    experiment = replace_folder(tmp_path, 'not_recorded = [{ algorithm = "rc6" }]\n' + _FILE.replace("02-30", "02-28"))
    with pytest.raises(UserError, match=r"sources.toml: key 'not_recorded'"):
        sources_of(experiment)


def test_a_row_has_the_first_source_that_names_its_columns(tmp_path: Path) -> None:
    experiment = replace_folder(tmp_path, _FILE.replace("02-30", "02-28"))
    (mine,) = source_by_row(experiment, [{"algorithm": "aes", "operation": "encrypt", "value": "1"}])
    assert mine is not None
    assert (mine.key, mine.author, mine.address) == ("mine", "Doe, Jane & Co", "https://example.org/a_b")
    with pytest.raises(UserError, match="no source for this row of published.csv: algorithm aes, operation decrypt"):
        source_by_row(experiment, [{"algorithm": "aes", "operation": "decrypt"}])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("2020-02-30", "2020-02-30", "day"),
        ("https://example.org", "example.org", "address"),
        ('author = "Doe, Jane & Co"\n', "", "author"),
        ("of = [", "rows = [", "of"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path: Path, old: str, new: str, words: str) -> None:
    experiment = replace_folder(tmp_path, _FILE.replace(old, new))
    with pytest.raises(UserError, match=f"sources.toml: key .*{words}"):
        sources_of(experiment)


def test_published_figures_carry_their_source() -> None:
    experiment = open_laboratory().experiments["records"]
    figures = published_figures(experiment, [], read_metrics())
    by_label = {figure.label: figure.source for figure in figures}
    found = by_label["aes-128 plain: encrypt"]
    assert found is not None
    assert found.key == "avr-aes-faster"


def test_bibtex_has_the_sources_of_the_experiments_that_have_results() -> None:
    laboratory = open_laboratory()
    text = export([result(target="uno", algorithm="aes")], "bibtex", read_metrics(), laboratory)
    keys = re.findall(r"^@misc\{(.*),$", text, re.MULTILINE)
    assert "records-avr-aes-faster" in keys
    assert not [key for key in keys if key.startswith("records-arm")], "no result is of its devices"
    assert len(set(keys)) == len(keys)
    assert r"howpublished = {\url{https://github.com/rgrgrg/AVR-AES-faster}}" in text
    assert text.count("{") == text.count("}")


def test_bibtex_escapes_what_latex_would_read(tmp_path: Path) -> None:
    laboratory = open_laboratory()
    experiment = replace_folder(tmp_path, _FILE.replace("02-30", "02-28"))
    laboratory = replace(laboratory, experiments={"records": experiment})
    text = export([result(target="uno", algorithm="aes")], "bibtex", read_metrics(), laboratory)
    assert r"author = {Doe, Jane \& Co}" in text
    assert r"title = {{100 \% of \{it\}}}" in text
    assert "year = {2020}" in text
    assert "month = {02}" in text


def replace_folder(folder: Path, text: str) -> Experiment:
    """The experiment `records` with this file of sources."""
    (folder / "sources.toml").write_text(text)
    return open_laboratory().experiments["records"].model_copy(update={"folder": folder})
