"""What a worker of a cluster does for a campaign: says what it has, works on batches, stops when told.

Imported by the workers; a campaign's client calls these functions there by name.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bancada import __version__, catalogue
from bancada.batch import Answer, Batch, device_of, measuring_code, work
from bancada.catalogue import Target
from bancada.compile import compiler_version, look_again
from bancada.compilers import compiler_of, compilers_of
from bancada.engines import engine, stop_all
from bancada.errors import UserError
from bancada.paths import data_root, room
from bancada.system_libraries import system_libraries


# The modules that decide what is built, beside those that decide what is measured (bancada.batch): what they make is in a result's
# key, but a worker that makes it otherwise answers another question than the one it was asked.
_BUILDING = (
    "arduino.py", "build.py", "catalogue.py", "compile.py", "compilers.py", "elf.py", "fetch*.py", "mistakes.py", "prebuilt.py", "store.py",
    "system_libraries.py", "toml_record.py",
)  # fmt: skip


def _own_code() -> str:
    """Hash of the code that builds and measures."""
    package = Path(__file__).parent
    digest = hashlib.sha256(measuring_code().encode())
    for path in sorted(path for pattern in _BUILDING for path in package.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


# Read when this module is: files that change under a worker that runs are not the code that it runs.
_CODE_AS_LOADED = _own_code()

_lock = threading.Lock()
_working: Counter[str] = Counter()
_stopped: set[str] = set()


def _files() -> Iterator[tuple[Path, Path]]:
    """Every file that builds are made of and described by, below its room."""
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


def facts(toolchains: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """All that must be equal on two machines for their results to be. `toolchains` are targets, each with a compiler ('' is its own)."""
    found = {
        "version of Bancada": __version__,
        "state of Bancada's own code": _CODE_AS_LOADED[:12],
        "state of targets, cores, candidates, harness and Tatu": _or_why_not(_definitions),
    }
    for name, wanted in toolchains:
        target = catalogue.targets().get(name)
        if target is not None:
            device = device_of(name)  # clang is linked by another gcc for each kind of device
            found[f"compiler {wanted or target.toolchain.compiler} for {device}"] = _or_why_not(partial(_compiler, target, wanted))
            found[f"state of the C library and what else {wanted or target.toolchain.compiler} links for {device}"] = _or_why_not(partial(_libraries, target, wanted))
            found[f"engine {target.engine} for {device}"] = _or_why_not(partial(engine(target.engine).version, target))
    return found


def facts_afresh(toolchains: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The facts of a worker, that may be older than its files: it reads its catalogue again, and looks at its sources and compilers again."""
    catalogue.forget()
    look_again()
    compiler_version.cache_clear()
    compilers_of.cache_clear()
    return facts(toolchains)


def work_on(campaign: str, batch: Batch) -> list[Answer]:
    """The answers to a batch; none at all if the campaign was stopped meanwhile, whose engines then said anything."""
    with _lock:
        _working[campaign] += 1
    try:
        answers: list[Answer] = []
        for some in work(batch):
            if campaign in _stopped:
                return []
            answers += some
        return answers
    finally:
        with _lock:
            _working[campaign] -= 1


def stop(campaign: str) -> None:
    """Stops working for a campaign: at once where nobody else's work would be stopped too."""
    with _lock:
        _stopped.add(campaign)
        others = any(count for name, count in _working.items() if name != campaign)
    if not others:
        stop_all()
