"""BibTeX entries: of the studies (study.bib in an experiment's folder) and of the tool (CITATION.cff)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from bancada.catalogue.experiment import Experiment
from bancada.model.errors import UserError

_FILE = "study.bib"
_FIELD = re.compile(r'^(title|version|license): *"?(.*?)"?$', re.MULTILINE)
_AUTHOR = re.compile(r"^ +- name: *(.+)$", re.MULTILINE)


def bibliography(experiments: Iterable[Experiment], citation: Path) -> str:
    """The tool's entry, then those of the experiments that have a file `study.bib`, as it is.

    `citation` is CITATION.cff (Citation File Format 1.2.0). UserError if it is missing or has no title.
    """
    entries = [_tool(citation)]
    for experiment in experiments:
        path = experiment.folder / _FILE
        if path.is_file():
            entries.append(path.read_text(encoding="utf-8").strip() + "\n")
    return "\n".join(entries)


def _tool(citation: Path) -> str:
    if not citation.is_file():
        raise UserError(f"There is no file {citation}: this installation has no citation of the tool.")
    text = citation.read_text(encoding="utf-8")
    fields = dict(_FIELD.findall(text))
    if "title" not in fields:
        raise UserError(f"{citation}: there is no title.")
    authors = " and ".join(f"{{{name.strip()}}}" for name in _AUTHOR.findall(text))
    lines = [
        "@software{bancada,",
        f"  author = {{{authors}}},",
        f"  title = {{{{{fields['title']}}}}},",
        f"  version = {{{fields.get('version', '')}}},",
        f"  license = {{{fields.get('license', '')}}},",
        "}",
    ]
    return "\n".join(lines) + "\n"
