"""What a paper cites, as BibTeX: the tool, each study that has results here, and the sources of its published
figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada.answers.paper.bibtex import bibliography
from bancada.answers.sources import sources_of
from bancada.catalogue.paths import data_root
from bancada.model.result import Result
from bancada.model.source import Source
from bancada.plan.laboratory import Laboratory

# What BibTeX and LaTeX would read as markup.
_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def render(results: Sequence[Result], laboratory: Laboratory) -> str:
    """The tool's entry, those of the studies, and one @misc for each source, by experiment."""
    with_results = {(result.target, result.algorithm) for result in results}
    experiments = [
        experiment
        for experiment in laboratory.experiments.values()
        if with_results & {(target, name) for target in experiment.targets for name in experiment.algorithms}
    ]
    sources = [_entry(experiment.name, source) for experiment in experiments for source in sources_of(experiment)]
    return "\n".join([bibliography(experiments, data_root() / "CITATION.cff"), *sources])


def _entry(experiment: str, source: Source) -> str:
    year, _, month = source.date.partition("-")
    fields = {
        "author": _text(source.author),
        "title": "{" + _text(source.title) + "}",
        "year": year,
        "month": month[:2],
        "version": _text(source.version),
        "howpublished": rf"\url{{{source.address}}}",
        "note": _text(source.note),
    }
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value and value != "{}"]
    return f"@misc{{{experiment}-{source.key},\n{''.join(lines)}}}\n"


def _text(text: str) -> str:
    return _CONTROL.sub(" ", text).translate(_ESCAPES)
