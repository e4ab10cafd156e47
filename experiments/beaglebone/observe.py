"""Counts which instructions RC6 executes, each program in each direction: exact, whatever a core's table says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bancada.build.build import build
from bancada.catalogue.experiment import Experiment
from bancada.costing.decode import Instruction, decode
from bancada.costing.profile import Profile
from bancada.engines.qemu.session import QemuSession
from bancada.measure.device import open_device
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity, Status
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Case
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.store.store import Store

from .packets import BLOCK_BYTES

KIND = "instructions"
_ALGORITHM = "rc6"
_KEY_BITS = 128
# What a rotation to the left by a register is made of: 32 less the amount, and a rotation to the right.
_SUBTRACT_FROM = ("rsb",)
_ROTATE = "ror"


def is_rotation_by_register(instruction: Instruction) -> bool:
    """Whether an instruction rotates by a register: ROR with three registers, or an operand that is shifted so."""
    if instruction.shift is not None:
        return instruction.shift.kind == _ROTATE and instruction.shift.by is not None
    return instruction.mnemonic == _ROTATE and not instruction.immediates


def counted(profile: Profile) -> Counter[str]:
    """How often each instruction was executed, by mnemonic; `rotations` are those by a register."""
    times: Counter[int] = Counter()
    for edge in profile.edges:
        times[edge.after] += edge.times
    found: Counter[str] = Counter()
    for number, block in enumerate(profile.blocks):
        for instruction in decode(block):
            found[instruction.mnemonic] += times[number]
            found["rotations"] += times[number] * is_rotation_by_register(instruction)
    return found


def _cases(laboratory: Laboratory, experiment: Experiment, right: set[str]) -> Iterator[Case]:
    """Of each program that is right on the device, the smallest packet in each direction."""
    for workload in plan(laboratory, experiment):
        if workload.firmware is None or workload.firmware.algorithm != _ALGORITHM:
            continue
        if workload.firmware.key_bits == _KEY_BITS:
            least = min(case.size_bytes for case in workload.cases)
            yield from (case for case in workload.cases if case.size_bytes == least and case.name in right)


def _observe(case: Case, elf_sha256: str) -> Observation:
    """UserError if the engine does not count blocks."""
    firmware = case.firmware
    made = build(firmware)
    with open_device(firmware, made) as device:
        if not isinstance(device.session, QemuSession):
            raise UserError(f"the engine of {case.target.name} does not say which instructions were executed")
        device.client.prepare(case, random.Random(case.name))
        device.session.profiles()
        device.client.call(case)
        found: Counter[str] = Counter()
        for profile in device.session.profiles():
            found += counted(profile)
    blocks = case.size_bytes / BLOCK_BYTES
    rotations = found.pop("rotations", 0)
    figures: dict[str, Any] = {
        "instructions_per_block": sum(found.values()) / blocks,
        "subtractions_from_per_block": sum(found[name] for name in _SUBTRACT_FROM) / blocks,
        "rotations_per_block": rotations / blocks,
        "by_mnemonic_per_block": {name: round(count / blocks, 3) for name, count in found.most_common()},
    }
    parameters = {
        "implementation": firmware.implementation,
        "candidate": firmware.candidate.name,
        "optimisation": firmware.optimisation,
        "operation": case.operation,
        "size_bytes": case.size_bytes,
        "elf_sha256": elf_sha256,
    }
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Observation(KIND, case.name, Fidelity.EXACT, parameters, figures, date)


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Counts what changed since it was stored. A program that cannot be counted is one line."""
    right = {
        result.case: result.elf_sha256 or "" for result in store.results(experiment.name) if result.status is Status.OK
    }
    code = Path(__file__).read_bytes()
    fresh = unchanged = 0
    for case in _cases(laboratory, experiment, set(right)):
        key = result_key(KIND, case.name, right[case.name], code)
        if store.find_observation(experiment.name, KIND, case.name, key) is not None:
            unchanged += 1
            continue
        try:
            store.put_observation(experiment.name, key, _observe(case, right[case.name]))
        except (UserError, DeviceError) as error:
            say(f"instructions of {case.name}: left out, {error}")
            continue
        fresh += 1
    say(f"instructions of RC6, counted: {fresh} run, {unchanged} unchanged")
