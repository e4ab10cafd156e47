"""Where things are: the rooms of the laboratory, those the user adds, and the user's own folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from bancada.model.errors import UserError

_PACKAGE = Path(__file__).resolve().parents[1]


def home_folder() -> Path | None:
    """The user's home; None for one who has none: no HOME, and no entry in the system's list of users, as in a
    container."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def expanded(name: str) -> Path:
    """An absolute path, `~` at its beginning replaced. UserError for who has no home."""
    if name.startswith("~"):
        _need_home()
    return Path(name).expanduser().absolute()


def _need_home() -> None:
    if home_folder() is None:
        raise UserError(
            "You have no home folder: HOME is not set, and the system knows none for you. Set HOME; or set"
            " BANCADA_CACHE to a folder for what is built, and name the file of results with --store."
        )


def data_root() -> Path:
    """The folder that holds harness/, targets/, candidates/...: the clone, or the copy inside the installed package."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def roots() -> tuple[Path, ...]:
    """The laboratory's own folder, then each folder of the environment variable BANCADA_PATH."""
    # Absolute: compilers name these files in what they include, and read a relative name as one beside the file that
    # includes it.
    added = tuple(expanded(part) for part in os.environ.get("BANCADA_PATH", "").split(os.pathsep) if part)
    for folder in added:
        if not folder.is_dir():
            raise UserError(f"BANCADA_PATH names the folder {folder}, which is not there.")
    return (data_root(), *added)


def room(name: str) -> Iterator[Path]:
    """Every folder called `name` ('targets', 'candidates', ...) below the roots, ours first."""
    for root in roots():
        folder = root / name
        if folder.is_dir():
            yield folder


def cache_folder() -> Path:
    """What can be made again: fetched sources, objects, engines. BANCADA_CACHE overrides the user's cache folder."""
    chosen = os.environ.get("BANCADA_CACHE")
    if chosen:
        return expanded(chosen)
    if not os.path.isabs(os.environ.get("XDG_CACHE_HOME", "")):
        _need_home()
    return Path(platformdirs.user_cache_dir("bancada"))


def default_store() -> Path:
    """The results of this user, unless --store says otherwise."""
    if not os.path.isabs(os.environ.get("XDG_DATA_HOME", "")):
        _need_home()
    return Path(platformdirs.user_data_dir("bancada")) / "results.sqlite"
