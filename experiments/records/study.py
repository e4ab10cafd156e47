"""Experiment `records`: the report also has the size of each function of Tatu."""

from __future__ import annotations

from bancada.answers.report.input import ExtraSection
from bancada.studies.study import Evidence, Study

from .function_sizes import tatu_function_sizes

_TARGET = "uno"


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """The flash and RAM of each function and table of Tatu in a program that calls it."""
    sizes = sorted(
        tatu_function_sizes(evidence.laboratory.target(_TARGET)),
        key=lambda size: (-size.flash_bytes, -size.ram_bytes, size.name),
    )
    return (
        ExtraSection(
            title="The flash of each function of Tatu",
            paragraphs=(
                "Compiled for the Arduino UNO at -Os, one section each; the linker keeps only what a program calls "
                "(--gc-sections) and may shorten calls a little more.",
            ),
            columns=("Function or table", "File", "Flash, B", "Static RAM, B"),
            rows=tuple((size.name, size.source_file, str(size.flash_bytes), str(size.ram_bytes)) for size in sizes),
        ),
    )


STUDY = Study(sections=sections)
