"""Things that are Python: found by looking into the folders, ours and those of BANCADA_PATH."""

from __future__ import annotations

import hashlib
import importlib
import importlib.machinery
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from bancada.catalogue.paths import roots
from bancada.model.errors import UserError


def plugins(package: ModuleType, room: str, attribute: str, needed: Iterable[str] = ()) -> dict[str, Any]:
    """The object `attribute` of each package below `package`, and of each `<folder of
    BANCADA_PATH>/<room>/<name>/__init__.py`, by its `name`. One of the user's replaces one of ours with its name.

    UserError that names the file if a module of the user's does not load, has no such object, or the object lacks one
    of the attributes `needed`.
    """
    needed = tuple(needed)
    found = {}
    for module in _ours(package):
        thing = getattr(module, attribute)
        found[str(thing.name)] = thing
    for path in added_files(room, "*/__init__.py"):
        thing = getattr(load_file(path, f"bancada_added_{room}_{path.parent.name}"), attribute, None)
        lacking = [name for name in ("name", *needed) if not hasattr(thing, name)]
        if thing is None or lacking:
            raise UserError(f"{path}: there is no object {attribute} with {', '.join(lacking or needed)}.")
        found[str(thing.name)] = thing
    return found


def added_files(room: str, pattern: str) -> Iterator[Path]:
    """The files that match below the folder `room` of each folder of BANCADA_PATH."""
    for root in roots()[1:]:
        yield from sorted((root / room).glob(pattern))


def load_file(path: Path, name: str) -> ModuleType:
    """The module in a file of the user's. UserError, with the file's name, if it does not load."""
    loaded = sys.modules.get(name)
    if loaded is not None and loaded.__file__ == str(path):
        return loaded
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its own parts may import it, and objects of its classes may be pickled
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UserError(f"{path} does not load: {type(error).__name__}: {error}") from error
    return module


def load_neighbour(path: Path) -> ModuleType:
    """The module in a file whose folder is its package: `from .other import thing` finds other.py beside it.

    The package has a name of its own for each folder, so that two folders of one name, or one with a dash, do not meet.
    UserError, with the file's name, if it does not load.
    """
    folder = path.parent.resolve()
    where = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    package = f"bancada_{re.sub(r'[^0-9A-Za-z]', '_', folder.name)}_{where}"
    if package not in sys.modules:
        spec = importlib.machinery.ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        sys.modules[package] = importlib.util.module_from_spec(spec)
    importlib.invalidate_caches()  # the folder may be younger than what Python knows of it
    try:
        return importlib.import_module(f"{package}.{path.stem}")
    except UserError:
        _forget(package)
        raise
    except Exception as error:
        _forget(package)
        raise UserError(f"{path} does not load: {type(error).__name__}: {error}") from error


def _forget(package: str) -> None:
    """Takes a package and what was loaded of it out of the loaded modules, so that it can be loaded again."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]


def _ours(package: ModuleType) -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            yield importlib.import_module(f"{package.__name__}.{module.name}")
