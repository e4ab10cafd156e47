"""Whole processes of a sender and a receiver (programs/process.c), from their first instruction to their last: alone,
and four at once, one on each core. Also: the heap that each takes, and a message with each of wolfSSL's
multiplications."""

from __future__ import annotations

import hashlib
import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bancada.build.build import program_of
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.paths import cache_folder
from bancada.catalogue.target import Target
from bancada.catalogue.whole_file import write_whole
from bancada.costing.cost import cost
from bancada.costing.events import events_of
from bancada.costing.memory import Memory
from bancada.costing.profile import Profile
from bancada.engines.qemu.profiler import engine_version, profile_program
from bancada.engines.qemu.settings import qemu_settings
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity
from bancada.plan.case import Firmware
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.primitives.message.algorithm import MessageAlgorithm, serialised
from bancada.store.store import Store

from .costs import CORES, HASHES, SIGNED

PROCESS_KIND, MESSAGE_KIND, HEAP_KIND = "process", "message", "heap"
ALONE, AT_ONCE = "alone", "four at once"
ROLES = ("send", "receive")
_CANDIDATE, _LEVEL = "wolfssl", "-O0"
_PROGRAM = Path(__file__).resolve().with_name("programs") / "process.c"
# Serialised it has the study's 21 bytes; the rest of its text has no room in them (experiment.toml).
_TEXT = "Isto é um exemplo ".encode()[:19]
_SEED_BYTES = 16
_LIMIT_S = 300.0
# The level 2 cache is one for four cores: what a quarter of it is to each of four programs that do the same.
_SHARED = "l2"
_CORES_AT_ONCE = 4
_BEGIN, _END, _MESSAGE = "_start", "_exit", "process_message"
_WRAPPED = tuple(f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc", "free"))
_BIG_NUMBERS = "wolfssl-src/wolfcrypt/src/sp_int.c"
_SP = "WOLFSSL_SP_MATH_ALL"


@dataclass(frozen=True)
class Multiplication:
    """One of wolfSSL's modules for big numbers, instead of the one that the candidate has."""

    title: str
    source: str = _BIG_NUMBERS
    defines: tuple[str, ...] = (_SP,)

    def in_firmware(self, firmware: Firmware) -> Firmware:
        """The firmware with it."""
        sources = tuple(self.source if one == _BIG_NUMBERS else one for one in firmware.sources)
        others = tuple(one for one in firmware.defines if one != _SP)
        return replace(firmware, sources=sources, defines=(*others, *self.defines))


# The settings are wolfSSL's own. sp_int.c is the newest of the modules; older versions had the two others alone.
MULTIPLICATIONS = {
    "sp-assembly": Multiplication("sp_int.c, assembly"),
    "sp-c": Multiplication("sp_int.c, C", defines=(_SP, "BANCADA_WITHOUT_SP_ASSEMBLY")),
    "fast": Multiplication("tfm.c, assembly", "wolfssl-src/wolfcrypt/src/tfm.c", ("USE_FAST_MATH", "TFM_ARM")),
    "heap": Multiplication("integer.c", "wolfssl-src/wolfcrypt/src/integer.c", ("USE_INTEGER_HEAP_MATH",)),
}
_OWN = "sp-assembly"


@dataclass(frozen=True)
class _Process:
    """A program, and the target whose core executes it."""

    cluster: str
    target: Target
    algorithm: MessageAlgorithm
    firmware: Firmware
    role: str
    multiplication: str = _OWN

    @property
    def name(self) -> str:
        return f"{self.algorithm.name} {self.role} on {CORES[self.cluster]}"

    def build(self, *flags: str, options: tuple[str, ...] = ()) -> Path:
        """UserError if it does not."""
        sends = ("-DPROCESS_SENDS=1",) if self.role == "send" else ()
        firmware = MULTIPLICATIONS[self.multiplication].in_firmware(self.firmware)
        data = f'-DPROCESS_DATA="{_data_file(self.algorithm, self.role)}"'
        return program_of(firmware, _PROGRAM, (data, *sends, *flags), options)


def _data_file(algorithm: MessageAlgorithm, role: str) -> Path:
    """The header with what the process has from its start: the same key and text in every run."""
    source = random.Random(algorithm.name)
    pair = algorithm.keys(source)
    parts = {
        "text": _TEXT + b"\0",
        "seed": source.randbytes(_SEED_BYTES),
        "key": pair.private if role == "send" else pair.public,
        "packet": algorithm.packet(_TEXT, pair),
    }
    text = "".join(
        f"static const uint8_t process_{name}[] = {{{', '.join(map(str, value))}}};\n"
        for name, value in parts.items()
        if value
    )
    folder = cache_folder() / "biglittle"
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.h"
    if not path.is_file():
        write_whole(path, text)
    return path


def _processes(laboratory: Laboratory, experiment: Experiment) -> Iterator[_Process]:
    """Both roles of each algorithm on each core, at the core's lowest clock: what is counted is the same at each."""
    by_cluster: dict[str, Target] = {}
    for name in experiment.targets:
        by_cluster.setdefault(name.partition("@")[0].removeprefix("xu3-"), laboratory.target(name))
    wanted = {f"message-{name}" for name in HASHES} | set(SIGNED.values())
    for cluster, target in by_cluster.items():
        for workload in plan(laboratory, experiment, (target.name,), (_CANDIDATE,)):
            firmware = workload.firmware
            if firmware is None or firmware.optimisation != _LEVEL or firmware.algorithm not in wanted:
                continue
            algorithm = firmware.primitive.algorithms[firmware.algorithm]
            assert isinstance(algorithm, MessageAlgorithm)
            for role in ROLES:
                yield _Process(cluster, target, algorithm, firmware, role)


def _quartered(memory: Memory) -> Memory:
    levels = tuple(
        level.model_copy(update={"size_bytes": level.size_bytes // _CORES_AT_ONCE}) if level.name == _SHARED else level
        for level in memory.level
    )
    return memory.model_copy(update={"level": levels})


def _check(process: _Process, elf: Path) -> str:
    """Runs it, and returns what it wrote on standard error. UserError if its packet or text is not what it must be."""
    settings = qemu_settings(process.target)
    done = subprocess.run(
        [settings.program, "-cpu", settings.cpu, str(elf)], stdin=subprocess.DEVNULL, capture_output=True, env={}
    )
    algorithm, message = process.algorithm, serialised(_TEXT)
    pair = algorithm.keys(random.Random(algorithm.name))
    if process.role == "receive":
        right = done.stdout == _TEXT
    else:
        expected = message + algorithm.hash.digest(message)
        signature = done.stdout[len(expected) :]
        is_signed = algorithm.signature is None or algorithm.holds(pair, message, signature)
        right = done.stdout.startswith(expected) and is_signed
    if done.returncode != 0 or not right:
        raise UserError(f"the process {process.name} ({process.multiplication}) does not do what it must")
    return done.stderr.decode()


def _profile(process: _Process, elf: Path, memory: Memory | None, is_whole: bool) -> Profile:
    settings = qemu_settings(process.target)
    places: dict[str, Any] = {"begin": _BEGIN, "end": _END} if is_whole else {"function": _MESSAGE}
    (profile,) = profile_program(
        elf, qemu=settings.program, cpu=settings.cpu, memory=memory, limit_s=_LIMIT_S, stack=True, **places
    )
    return profile


def _counted(process: _Process, profile: Profile) -> dict[str, Any]:
    """What follows from the counts at any clock: cycles without waiting for memory, and what waits for it."""
    table = process.target.core.table
    assert table is not None
    costed = cost(profile, table)
    return {
        "core_cycles": costed.cycles,
        "instructions": costed.instructions,
        "stack_bytes": profile.stack_bytes,
        "events": events_of(profile),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _observation(kind: str, process: _Process, figures: dict[str, Any], how: str) -> Observation:
    parameters = {
        "cluster": process.cluster,
        "algorithm": process.algorithm.name,
        "role": process.role,
        "how": how,
        "optimisation": _LEVEL,
        "multiplication": process.multiplication,
    }
    return Observation(kind, f"{process.name}, {how}", Fidelity.MODELLED, parameters, figures, _now())


def _whole(process: _Process, how: str) -> Observation:
    elf = process.build()
    _check(process, elf)
    memory = process.target.memory
    assert memory is not None
    profile = _profile(process, elf, memory if how == ALONE else _quartered(memory), is_whole=True)
    return _observation(PROCESS_KIND, process, _counted(process, profile), how)


def _message(process: _Process) -> Observation:
    elf = process.build()
    _check(process, elf)
    profile = _profile(process, elf, process.target.memory, is_whole=False)
    title = MULTIPLICATIONS[process.multiplication].title
    return _observation(MESSAGE_KIND, process, _counted(process, profile), title)


def _heap(process: _Process) -> Observation:
    """The most that is taken from the heap at a time, key included, and the context, which the program has."""
    elf = process.build("-DPROCESS_COUNTS_HEAP=1", options=_WRAPPED)
    heap_bytes, context_bytes = map(int, _check(process, elf).split())
    title = MULTIPLICATIONS[process.multiplication].title
    return _observation(HEAP_KIND, process, {"heap_bytes": heap_bytes, "context_bytes": context_bytes}, title)


def _runs(
    laboratory: Laboratory, experiment: Experiment
) -> Iterator[tuple[str, _Process, str, Callable[[], Observation]]]:
    """(kind, process, how, what observes it)"""
    for process in _processes(laboratory, experiment):
        for how in (ALONE, AT_ONCE):
            yield PROCESS_KIND, process, how, lambda one=process, how=how: _whole(one, how)  # type: ignore[misc]
        every = MULTIPLICATIONS if process.algorithm.name in SIGNED.values() else (_OWN,)
        for name in every:
            variant = replace(process, multiplication=name)
            title = MULTIPLICATIONS[name].title
            if process.algorithm.name in SIGNED.values():
                yield MESSAGE_KIND, variant, title, lambda one=variant: _message(one)  # type: ignore[misc]
            if process.cluster == "little":
                yield HEAP_KIND, variant, title, lambda one=variant: _heap(one)  # type: ignore[misc]


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Runs what changed since it was stored. A program that cannot be run is one line."""
    code = Path(__file__).read_bytes()
    fresh = unchanged = 0
    for kind, process, how, run in _runs(laboratory, experiment):
        try:
            elf = process.build()
            settings = qemu_settings(process.target)
            table = process.target.core.model_dump_json()
            key = result_key(
                kind, process.name, how, elf.read_bytes(), _PROGRAM.read_bytes(), code, table,
                process.target.memory, engine_version(settings.program),
            )  # fmt: skip
            if store.find_observation(experiment.name, kind, f"{process.name}, {how}", key) is not None:
                unchanged += 1
                continue
            store.put_observation(experiment.name, key, run())
        except UserError as error:
            say(f"process {process.name}, {how}: left out, {error}")
            continue
        fresh += 1
    say(f"whole processes: {fresh} run, {unchanged} unchanged")
