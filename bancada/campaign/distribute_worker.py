"""The worker's side of a campaign on a cluster: it says what it has, works on batches, and stops when told.

Workers import this module. The campaign's client calls its functions there by name.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bancada import __version__
from bancada.campaign.wire import packed, unpacked
from bancada.catalogue.paths import data_root, room
from bancada.catalogue.target import Target
from bancada.compilers.compile import compiler_version, look_again
from bancada.compilers.compilers import compiler_of, compilers_of
from bancada.compilers.system_libraries import system_libraries
from bancada.measure.batch import Answer, Batch, work
from bancada.measure.laboratory import open_laboratory
from bancada.measure.own_code import BUILDING_ROOMS, MEASURING_ROOMS, code_digest
from bancada.model.errors import UserError
from bancada.plan.laboratory import Laboratory


def _own_code() -> str:
    """Hash of the code that builds and measures. A worker with other code would answer another question than the one
    that it was asked."""
    return code_digest((*BUILDING_ROOMS, *MEASURING_ROOMS), Path(__file__).resolve().parents[1])


# Read when this module is imported: files that change later are not the code that the worker runs.
_CODE_AS_LOADED = _own_code()


class _State:
    """What this process is working on. It is state of the process because dask calls functions of this module by name
    and gives them no object of ours."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.working: Counter[str] = Counter()
        self.stopped: set[str] = set()
        self._laboratories: dict[str, Laboratory] = {}

    def laboratory(self, campaign: str) -> Laboratory:
        """The laboratory of this machine, read once for each campaign."""
        with self.lock:
            if campaign not in self._laboratories:
                self._laboratories[campaign] = open_laboratory()
            return self._laboratories[campaign]

    def stop_engines(self) -> None:
        """Ends every session of every engine of this process."""
        for laboratory in list(self._laboratories.values()):
            for engine in {id(target.engine): target.engine for target in laboratory.targets.values()}.values():
                engine.stop_all()


_state = _State()


def _files() -> Iterator[tuple[Path, Path]]:
    """Every file that builds depend on, with its room."""
    rooms = [folder for name in ("cores", "targets", "candidates") for folder in room(name)]
    for folder in (*rooms, data_root() / "harness", data_root() / "tatu" / "src", data_root() / "tatu" / "include"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts):
                yield folder, path


def _definitions() -> str:
    digest = hashlib.sha256()
    for folder, path in _files():
        digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _or_why_not(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except UserError as error:
        return f"none ({str(error).rstrip('.')})"


def _compiler(target: Target, wanted: str) -> str:
    found = compiler_of(target, wanted)
    return found.version if found is not None else "none"


def _libraries(target: Target, wanted: str) -> str:
    found = compiler_of(target, wanted)
    return system_libraries(found.linker, target.toolchain.link_flags)[:12] if found is not None else "none"


def facts(laboratory: Laboratory, toolchains: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Everything that must be equal on two machines so that their results are equal. `toolchains` are targets, each
    with a compiler ('' is its own)."""
    found = {
        "version of Bancada": __version__,
        "state of Bancada's own code": _CODE_AS_LOADED[:12],
        "state of targets, cores, candidates, harness and Tatu": _or_why_not(_definitions),
    }
    for name, wanted in toolchains:
        target = laboratory.targets.get(name)
        if target is not None:
            device = target.device  # clang is linked by another gcc for each kind of device
            found[f"compiler {wanted or target.toolchain.compiler} for {device}"] = _or_why_not(
                partial(_compiler, target, wanted)
            )
            found[f"state of the C library and what else {wanted or target.toolchain.compiler} links for {device}"] = (
                _or_why_not(partial(_libraries, target, wanted))
            )
            found[f"engine {target.engine.name} for {device}"] = _or_why_not(partial(target.engine.version, target))
    return found


def facts_afresh(toolchains: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The facts of a worker. The worker may be older than its files, so it reads its catalogue, sources and compilers
    again."""
    look_again()
    compiler_version.cache_clear()
    compilers_of.cache_clear()
    return facts(open_laboratory(), toolchains)


def work_on(campaign: str, batch: bytes) -> bytes:
    """The answers to a batch. None if the campaign was stopped meanwhile: stopped engines give no valid answer."""
    with _state.lock:
        _state.working[campaign] += 1
    try:
        answers: list[Answer] = []
        asked: Batch = unpacked(batch, _state.laboratory(campaign))
        for some in work(asked):
            if campaign in _state.stopped:
                return packed([])
            answers += some
        return packed(answers)
    finally:
        with _state.lock:
            _state.working[campaign] -= 1


def stop(campaign: str) -> None:
    """Stops working for a campaign. Engines are stopped at once only if no other campaign uses them."""
    with _state.lock:
        _state.stopped.add(campaign)
        others = any(count for name, count in _state.working.items() if name != campaign)
    if not others:
        _state.stop_engines()
