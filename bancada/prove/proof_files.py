"""Where proofs stand: a Python file, or a folder of such files."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from bancada.model.errors import UserError
from bancada.prove.proof import ProofFunction


def read_proofs(path: Path) -> dict[str, ProofFunction]:
    """The proofs of a Python file by name: its functions `name(proof) -> None`, and those in its dictionary PROOFS. Of
    a folder, those of each of its files, which may import from each other (`from .other import ...`).

    UserError: a file cannot be read, two files have a proof of the same name, or there is no proof.
    """
    found: dict[str, ProofFunction] = {}
    for file, module in _modules(path):
        for name, proof in _proofs_in(module).items():
            if name in found:
                raise UserError(f"{file} has a proof '{name}', which another file of {path} has too.")
            found[name] = proof
    if not found:
        raise UserError(f"{path} has no function `def name(proof: Proof) -> None`, which a proof is.")
    return found


def proofs_beside(folder: Path) -> Path | None:
    """The file `proofs.py` of a candidate's folder, or its folder `proofs`; None if it has neither."""
    return next((path for path in (folder / "proofs.py", folder / "proofs") if path.exists()), None)


def digest_of_proofs(path: Path) -> str:
    """SHA-256 of the file; of a folder, of its files' names and digests."""
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    parts = (f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in _files_of(path))
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def _files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def _modules(path: Path) -> list[tuple[Path, ModuleType]]:
    name = f"proofs_of_{path.resolve().parent.name if path.is_dir() else path.stem}"
    if not path.is_dir():
        return [(path, _module(name, path))]
    # The package is made anew each time: another folder of this name may have been read before.
    for known in [each for each in sys.modules if each == name or each.startswith(name + ".")]:
        del sys.modules[known]
    package = ModuleType(name)
    package.__path__ = [str(path)]
    sys.modules[name] = package
    return [(file, _module(f"{name}.{file.stem}", file)) for file in _files_of(path) if file.stem != "__init__"]


def _module(name: str, path: Path) -> ModuleType:
    if "." in name and name in sys.modules:  # a file of the same folder has imported it
        return sys.modules[name]
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None or not path.is_file():
        raise UserError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(specification)
    if "." in name:
        sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module


def _proofs_in(module: ModuleType) -> dict[str, ProofFunction]:
    found: dict[str, ProofFunction] = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and _is_a_proof(value)
    }
    return found | getattr(module, "PROOFS", {})


def _is_a_proof(function: Callable[..., object]) -> bool:
    signature = inspect.signature(function)
    returns_nothing = signature.return_annotation in (inspect.Signature.empty, None, "None")
    return not function.__name__.startswith("_") and list(signature.parameters) == ["proof"] and returns_nothing
