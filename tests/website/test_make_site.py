"""The pages of the site before Sphinx sees them, and what archives are told of the project."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
import yaml

from bancada.catalogue.paths import data_root

pytestmark = pytest.mark.quick

ROOT = data_root()
_SPEC = importlib.util.spec_from_file_location("make_site", ROOT / "website" / "make_site.py")
assert _SPEC is not None and _SPEC.loader is not None
site = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(site)


def _write(folder: Path, pages: dict[str, str]) -> None:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_each_page_is_in_the_contents_once_in_the_indexs_order(tmp_path: Path) -> None:
    index = "# Documentation\n\n[a](../README.md)\n\n## Learn\n\n* [b](b.md)\n* [a](../README.md)\n* [c](c.py)\n"
    _write(
        tmp_path,
        {
            "docs/index.md": index,
            "README.md": "",
            **{f"docs/{name}": "" for name in ("b.md", "c.py")},
            "x/README.md": "",
        },
    )
    trees = re.findall(r":caption: (.*)\n\n([^`]*)```", site._contents(tmp_path))
    assert [(caption, names.split()) for caption, names in trees] == [
        ("Begin", ["/README"]),
        ("Learn", ["/docs/b"]),
        ("Each folder", ["/x/README"]),
    ]


def test_a_link_to_a_folder_leads_to_its_readme(tmp_path: Path) -> None:
    text = "[one](one) [two](two/) [three](one/README.md#x) [four](https://a.example/one)"
    _write(tmp_path, {"page.md": text, "one/README.md": "", "two/code.py": ""})
    expected = "[one](one/README.md) two [three](one/README.md#x) [four](https://a.example/one)"
    assert site._folders_as_pages(tmp_path / "page.md", tmp_path) == expected


def test_a_folder_that_is_no_site_is_left_alone(tmp_path: Path) -> None:
    _write(tmp_path, {"thesis.tex": "years"})
    assert site.make_site(tmp_path) == 2
    assert site.make_site(tmp_path / "thesis.tex") == 2
    assert (tmp_path / "thesis.tex").read_text() == "years"


def test_archives_are_told_what_the_citation_says() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    names = [author["name"] for author in citation["authors"]]
    for archive, title, authors in ((zenodo, "title", "creators"), (codemeta, "name", "author")):
        assert archive[title] == citation["title"]
        assert archive["description"] == citation["abstract"].strip()
        assert archive["version"] == citation["version"]
        assert archive["keywords"] == citation["keywords"]
        assert [author["name"] for author in archive[authors]] == names
    assert zenodo["license"] == citation["license"]
    assert codemeta["license"].endswith("/" + citation["license"])


def test_each_reference_of_the_paper_is_there_and_used() -> None:
    paper = (ROOT / "paper" / "paper.md").read_text()
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(), re.MULTILINE)
    assert set(re.findall(r"\[@(\w+)\]", paper)) == set(entries)
