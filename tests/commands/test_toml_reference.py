"""The reference pages of the TOML files say what the records read."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from bancada.catalogue.paths import data_root
from bancada.commands.toml_reference import toml_pages

ROOT = data_root()
PAGES = toml_pages()
FILES = {
    "toml-target.md": "targets/*/target.toml",
    "toml-core.md": "cores/*.toml",
    "toml-candidate.md": "candidates/*/candidate.toml",
    "toml-experiment.md": "experiments/*/experiment.toml",
}


@pytest.mark.parametrize("page", FILES)
def test_a_page_is_the_one_that_the_records_make(page: str) -> None:
    """`python -m bancada.commands.toml_reference` writes them."""
    assert (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8") == PAGES[page]


@pytest.mark.parametrize(("page", "pattern"), FILES.items())
def test_every_key_of_every_file_of_ours_is_on_the_page(page: str, pattern: str) -> None:
    described = set(re.findall(r"^\| `([^`]+)` \|", PAGES[page], re.MULTILINE))
    engines = {"qemu", "gem5", "simavr"}  # an engine's own table, which its folder describes

    def keys(table: dict[str, Any]) -> set[str]:
        return set(table) - engines

    paths = sorted(ROOT.glob(pattern))
    assert paths
    for path in paths:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        assert keys(data) <= described, path
        for rows in data.values():
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, dict):
                    assert keys(row) <= described, path
