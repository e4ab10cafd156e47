"""Profiles of the programs of `bancada validate`, kept in the cache: they depend on the program, the emulator and the
simulated memory, not on the cost table."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from bancada.catalogue.paths import cache_folder
from bancada.catalogue.whole_file import write_whole
from bancada.costing.memory import Memory
from bancada.costing.profile import Block, CacheCounts, Edge, Profile
from bancada.engines.qemu.profiler import engine_version, profile_program

# The function of cores/programs/driver.c that is measured, and which of its calls: the first finds things not yet set
# up.
_FUNCTION = "measured"
_CALL = 2


def kept_profile(elf: Path, emulator: str, cpu: str | None, size_bytes: int, memory: Memory | None) -> Profile:
    """The profile of the program's measured call, taken if it is not in the cache. UserError as of
    `profile_program`."""
    simulated = None if memory is None else (memory.level, memory.late_region)
    what = (elf.read_bytes().hex(), engine_version(emulator), str(cpu), str(size_bytes), repr(simulated))
    key = hashlib.sha256("\0".join(what).encode()).hexdigest()
    path = cache_folder() / "profiles" / f"{key}.json"
    if path.is_file():
        return _read(path.read_text())
    [profile] = profile_program(
        elf, function=_FUNCTION, first_call=_CALL, qemu=emulator, cpu=cpu, arguments=(str(size_bytes),), memory=memory
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _written(profile))
    return profile


def _written(profile: Profile) -> str:
    record = asdict(profile)
    for block in record["blocks"]:
        block["code"] = block["code"].hex()
    return json.dumps(record)


def _read(text: str) -> Profile:
    record = json.loads(text)
    return Profile(
        blocks=tuple(
            Block(one["address"], bytes.fromhex(one["code"]), one["instruction_set"]) for one in record["blocks"]
        ),
        edges=tuple(Edge(**one) for one in record["edges"]),
        stack_bytes=record["stack_bytes"],
        caches=tuple(CacheCounts(**one) for one in record["caches"]),
        behind=record["behind"],
    )
