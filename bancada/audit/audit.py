"""Audits implementations: builds them with line numbers, follows their secrets, and on an AVR compares cycles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from bancada.audit.declared import declarations, declared_look_ups, declared_public, made_public_by
from bancada.audit.findings import Audit, Finding, Timing
from bancada.audit.host import AUDIT_TARGET, HOST, host_toolchain_of, run_on_host
from bancada.audit.same_code import is_same_code
from bancada.audit.secret_calls import audited_operations, chosen_operations
from bancada.audit.simulator import follow_secrets, time_secrets
from bancada.build.build import build
from bancada.catalogue.candidate import Candidate
from bancada.catalogue.target import Target
from bancada.measure.own_code import code_digest
from bancada.model.build import Build
from bancada.model.errors import UserError, unknown_name
from bancada.model.status import Status
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Firmware
from bancada.plan.everything_of import everything_of
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan

# Calls that are followed, each with other secrets: a branch on a secret is found whichever way it goes. Code that only
# few secrets reach may hide more.
FOLLOWED_CALLS = 4


@dataclass(frozen=True)
class Place:
    """Where code is audited: on a target whose engine follows secrets, or compiled for this machine.

    `name` is what results are stored under. `target` decides which implementations there are and how they are built.
    """

    name: str
    target: Target
    is_simulated: bool


def place_of(laboratory: Laboratory, name: str) -> Place:
    """The place that a target's name means; `host` is this machine. UserError for a name that does not exist."""
    if name == HOST:
        return Place(HOST, laboratory.target(AUDIT_TARGET), is_simulated=False)
    target = laboratory.target(name)
    return Place(name, target, is_simulated=target.engine.follows_secrets)


def chosen_firmwares(
    laboratory: Laboratory, candidate: Candidate, place: Place, implementation: str | None, optimisation: str = "-Os"
) -> list[Firmware]:
    """The firmware of one implementation (`candidate/name`), or without it of each of the candidate that has a secret.

    UserError for an implementation that does not exist, or that cannot be at this place.
    """
    if candidate.compiled and not place.is_simulated:
        raise UserError(
            f"{candidate.title} comes compiled for Arm Linux: there are no sources to compile for this machine, so it"
            " cannot be audited."
        )
    workloads = plan(laboratory, everything_of(laboratory, candidate, place.target.name, optimisation), from_git=True)
    every = list(dict.fromkeys(workload.firmware for workload in workloads if workload.firmware is not None))
    if implementation is None:
        found = [firmware for firmware in every if audited_operations(firmware)]
    else:
        found = [firmware for firmware in every if firmware.implementation == implementation]
        if not found:
            known = (firmware.implementation for firmware in every)
            raise unknown_name(f"implementation for the target '{place.name}'", implementation, known)
    if not found:
        raise UserError(f"'{candidate.name}' has nothing for the target '{place.name}' that has a secret.")
    return found


def with_lines(target: Target) -> Target:
    """The target, compiled with line numbers. DWARF 4 has them for assembly too."""
    toolchain = target.toolchain
    return target.model_copy(
        update={"toolchain": toolchain.model_copy(update={"flags": (*toolchain.flags, "-gdwarf-4")})}
    )


@cache
def _code() -> str:
    return code_digest(("audit", "engines", "primitives"))


def auditor(candidate_folder: Path) -> str:
    """A digest of what can change an audit besides the firmware: the code that audits, and what the candidate declares
    public."""
    digest = hashlib.sha256(_code().encode())
    digest.update(declarations(candidate_folder))
    return digest.hexdigest()


def _in_simulator(
    target: Target, firmware: Firmware, plain: Build, built: Build, operation: str, samples: int
) -> tuple[tuple[Finding, ...], Timing]:
    folder = firmware.candidate.folder
    assert built.elf_path is not None
    assert plain.elf_path is not None
    measured, elf = Path(plain.elf_path), Path(built.elf_path)
    if not is_same_code(measured, elf):
        raise DeviceError("With line numbers (-g) the compiler made other code: this is not the measured one.")
    findings = follow_secrets(target, firmware, elf, operation, FOLLOWED_CALLS, declared_public(folder, operation))
    return findings, time_secrets(target, firmware, measured, operation, samples)


def _of_assembly(firmware: Firmware, operation: str) -> Iterator[Finding]:
    """What the candidate declares of its assembly for the target, which the audit on the host does not see."""
    candidate = firmware.candidate
    name = firmware.implementation.removeprefix(f"{candidate.name}/")
    for each in declared_look_ups(candidate.folder, name, firmware.target.core.name, operation):
        yield Finding("load", each.function, None, None, None, 0, is_leak=False)


def _date() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def audit(firmware: Firmware, place: Place, operations: tuple[str, ...], samples: int) -> Iterator[Audit]:
    """One audit for each operation, as it is finished. In the simulator `samples` calls are timed too.

    UserError if a tool is missing. Code that does not build, or that crashes, gives an audit that says so.
    """
    asked = chosen_operations(firmware, operations)
    target, folder = firmware.target, firmware.candidate.folder
    compiled_for = with_lines(target) if place.is_simulated else host_toolchain_of(target, made_public_by(folder))
    built = build(firmware, compiled_for)
    plain = build(firmware) if place.is_simulated else None
    nothing = Audit(
        place.name,
        firmware.implementation,
        "",
        firmware.optimisation,
        built.compiler_version,
        "simulator" if place.is_simulated else "host",
        FOLLOWED_CALLS,
        (),
        None,
        built.reason,
        "",
        plain.elf_sha256 if plain is not None else None,
        auditor(folder),
    )
    for operation in asked:
        done = replace(nothing, operation=operation, date=_date())
        if built.status is not Status.OK:
            yield replace(done, reason=built.reason or str(built.status))
            continue
        try:
            if "decrypt" in operation and not built.with_decrypt:
                raise DeviceError(built.operation_reason.get("decrypt", "Decryption does not fit."))
            if plain is not None:
                findings, timing = _in_simulator(target, firmware, plain, built, operation, samples)
                yield replace(done, findings=findings, timing=timing)
            else:
                assert built.elf_path is not None
                public = declared_public(folder, operation)
                findings = run_on_host(firmware, Path(built.elf_path), operation, FOLLOWED_CALLS, public)
                yield replace(done, findings=(*findings, *_of_assembly(firmware, operation)))
        except DeviceError as error:
            yield replace(done, reason=str(error))
