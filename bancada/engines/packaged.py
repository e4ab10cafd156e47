"""Programs of an engine that a package of its own brought, built from the same sources as ours (wheels/README.md)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from bancada.catalogue.paths import cache_folder


def program(engine: str, folder: str, name: str) -> Path:
    """Where the program is: in the package of the engine if that has the folder, else in the cache, where it is built.

    The folder's name holds the digest of the sources, so that a package of other sources is not used.
    """
    found = find_spec(f"bancada_engine_{engine}")
    for place in (found.submodule_search_locations or []) if found else []:
        packaged = Path(place) / folder / name
        if packaged.is_file():
            return packaged
    return cache_folder() / "engines" / folder / name
