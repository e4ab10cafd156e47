"""Finds the primitives and their algorithms: ours in this package, the user's in the folders of BANCADA_PATH.

A folder `primitives/<name>/` with a contract.h is a primitive: its `__init__.py` exposes PRIMITIVE, and each folder in
its `algorithms/` exposes ALGORITHM. A folder `primitives/<name of a known primitive>/` without a contract.h adds the
algorithms in its `algorithms/`. What is found again in a later folder of BANCADA_PATH replaces what was found before.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from bancada.catalogue.paths import data_root, room
from bancada.model.errors import UserError
from bancada.primitives.primitive import Algorithm, Primitive, plain_name

_HERE = Path(__file__).parent
_PACKAGE = __name__.rpartition(".")[0]
_PARTS = ("contract.h", "operations.c", "size.c")
_Kind = TypeVar("_Kind", Primitive, Algorithm)
_Import = Callable[[Path], ModuleType]


def read_primitives() -> Mapping[str, Primitive]:
    """Every primitive by name, in the order in which lists have them. Read afresh each time.

    UserError for a folder that does not load, or that does not expose what it must.
    """
    found = {}
    for folder in _folders(_HERE):
        if _is_primitive(folder):
            primitive = _primitive(folder, _import_ours)
            found[primitive.name] = primitive
    for root in _added_roots():
        for folder in _folders(root):
            primitive = _added(folder, found)
            found[primitive.name] = primitive
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[0])))


def _added_roots() -> Iterator[Path]:
    return (folder for folder in room("primitives") if folder.parent != data_root())


def _folders(root: Path) -> list[Path]:
    return [path for path in sorted(root.iterdir()) if path.is_dir() and not path.name.startswith(("_", "."))]


def _is_primitive(folder: Path) -> bool:
    return (folder / "contract.h").is_file()


def _added(folder: Path, known: Mapping[str, Primitive]) -> Primitive:
    """A primitive of the user's, or one that is known with the user's algorithms."""
    if _is_primitive(folder):
        primitive = _primitive(folder, _import_added)
        return replace(primitive, added_folders=(folder,))
    for primitive in known.values():
        if plain_name(primitive.name) == plain_name(folder.name):
            algorithms = {**primitive.algorithms, **_algorithms(folder, primitive, _import_added)}
            return replace(primitive, algorithms=algorithms, added_folders=(*primitive.added_folders, folder))
    raise UserError(
        f"{folder} is neither a primitive, which has a contract.h, nor named as a known one, whose algorithms it would "
        f"add; known: {', '.join(sorted(known))}."
    )


def _primitive(folder: Path, load: _Import) -> Primitive:
    primitive = _exposed(folder, load, "PRIMITIVE", Primitive)
    for name in _PARTS:
        if not (folder / name).is_file():
            raise UserError(f"{folder} has no {name}; a primitive has {', '.join(_PARTS)}.")
    found = replace(primitive, folder=folder)
    return replace(found, algorithms=_algorithms(folder, found, load))


def _algorithms(folder: Path, primitive: Primitive, load: _Import) -> dict[str, Algorithm]:
    root = folder / "algorithms"
    found = {}
    for place in _folders(root) if root.is_dir() else []:
        algorithm = _exposed(place, load, "ALGORITHM", primitive.algorithm_kind)
        found[algorithm.name] = algorithm
    return found


def _exposed(folder: Path, load: _Import, variable: str, kind: type[_Kind]) -> _Kind:
    """What a folder's `__init__.py` exposes.

    UserError if that is of another kind or of another name than the folder.
    """
    file = folder / "__init__.py"
    try:
        module = load(folder)
    except Exception as error:
        raise UserError(f"{file} does not load: {error}") from error
    exposed = getattr(module, variable, None)
    if not isinstance(exposed, kind):
        raise UserError(f"{file} must expose {variable}, which is of the class {kind.__name__} ({kind.__module__}).")
    if plain_name(exposed.name) != plain_name(folder.name):
        raise UserError(f"{file}: {variable} is named '{exposed.name}', but the folder '{folder.name}'.")
    return exposed


def _import_ours(folder: Path) -> ModuleType:
    parts = folder.relative_to(_HERE).parts
    return importlib.import_module(".".join((_PACKAGE, *parts)))


def _import_added(folder: Path) -> ModuleType:
    """The package in a folder anywhere.

    Its own modules can be imported relatively, those of a primitive by its algorithms too.
    """
    if folder.parent.name == "algorithms" and _is_primitive(folder.parents[1]):
        return importlib.import_module(f"{_module_name(folder.parents[1])}.algorithms.{folder.name}")
    name = _module_name(folder)
    for known in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[known]
    importlib.invalidate_caches()
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None  # true of every path that ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _module_name(folder: Path) -> str:
    return f"bancada_added_{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
