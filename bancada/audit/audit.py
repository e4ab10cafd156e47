"""Audits implementations: builds them with line numbers, follows their secrets, and on an AVR compares cycles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bancada import catalogue
from bancada.audit.declared import declared_public
from bancada.audit.findings import Audit, Finding, Timing
from bancada.audit.host import AUDIT_TARGET, HOST, host_toolchain_of, run_on_host
from bancada.audit.same_code import is_same_code
from bancada.audit.secret_calls import audited_operations, chosen_operations
from bancada.audit.simulator import follow_secrets, time_secrets
from bancada.build import build
from bancada.catalogue import Target, named
from bancada.errors import UserError, unknown_name
from bancada.everything_of import everything_of
from bancada.monitor import DeviceError
from bancada.plan import plan
from bancada.records import Build, Firmware, Status

# Calls that are followed, each with other secrets: a branch on a secret is found whichever way it goes, but code that
# few secrets reach may hide more.
FOLLOWED_CALLS = 4


def chosen_firmwares(what: str, target_name: str, optimisation: str = "-Os") -> list[Firmware]:
    """The firmware of an implementation (candidate/name), or of every one of a candidate that has a secret.

    UserError for a name that does not exist, or if what it names cannot be on this target.
    """
    candidate = named("candidate", catalogue.candidates(), what.partition("/")[0])
    planned_for = AUDIT_TARGET if target_name == HOST else target_name
    target = named("target", catalogue.targets(), planned_for)
    if candidate.compiled and (target_name == HOST or target.engine != "simavr"):
        raise UserError(
            f"{candidate.title} comes compiled for Arm Linux: there are no sources to compile for this machine, so it cannot be audited."
        )
    workloads = plan(everything_of(candidate, planned_for, optimisation))
    every = list(dict.fromkeys(workload.firmware for workload in workloads if workload.firmware is not None))
    if what == candidate.name:
        found = [firmware for firmware in every if audited_operations(firmware)]
    else:
        found = [firmware for firmware in every if firmware.implementation == what]
        if not found:
            raise unknown_name(f"implementation for the target '{target_name}'", what, (firmware.implementation for firmware in every))
    if not found:
        raise UserError(f"'{candidate.name}' has nothing for the target '{target_name}' that has a secret.")
    return found


def with_lines(target: Target) -> Target:
    """The target, compiled with line numbers: of this version, assembly has its own too."""
    toolchain = target.toolchain
    return target.model_copy(update={"toolchain": toolchain.model_copy(update={"flags": (*toolchain.flags, "-gdwarf-4")})})


def _in_simulator(
    target: Target, firmware: Firmware, built: Build, operation: str, samples: int, folder: Path
) -> tuple[tuple[Finding, ...], Timing]:
    plain = build(firmware)
    assert built.elf_path is not None and plain.elf_path is not None
    measured, elf = Path(plain.elf_path), Path(built.elf_path)
    if not is_same_code(measured, elf):
        raise DeviceError("Compiled with line numbers (-g) the code is another one: the compiler must not do that.")
    findings = follow_secrets(target, firmware, elf, operation, FOLLOWED_CALLS, declared_public(_folder(firmware), operation))
    return findings, time_secrets(target, firmware, measured, operation, samples)


def _folder(firmware: Firmware) -> Path:
    return named("candidate", catalogue.candidates(), firmware.candidate).folder


def _date() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def audit(firmware: Firmware, target_name: str, operations: tuple[str, ...], samples: int) -> Iterator[Audit]:
    """One audit for each operation, as it is finished. On an AVR `samples` calls are timed too.

    UserError if a tool is missing; what does not build or crashes is an audit that says so.
    """
    asked = chosen_operations(firmware, operations)
    target = named("target", catalogue.targets(), firmware.target)
    is_simulated = target_name != HOST and target.engine == "simavr"
    compiled_for = with_lines(target) if is_simulated else host_toolchain_of(target)
    built = build(firmware, compiled_for)
    nothing = Audit(
        target_name, firmware.implementation, "", firmware.optimisation, built.compiler_version, "simulator" if is_simulated else "host",
        FOLLOWED_CALLS, (), None, built.reason, "",
    )  # fmt: skip
    for operation in asked:
        done = replace(nothing, operation=operation, date=_date())
        if built.status is not Status.OK:
            yield replace(done, reason=built.reason or str(built.status))
            continue
        try:
            if "decrypt" in operation and not built.with_decrypt:
                raise DeviceError(built.operation_reason.get("decrypt", "Decryption does not fit."))
            if is_simulated:
                findings, timing = _in_simulator(target, firmware, built, operation, samples, _folder(firmware))
                yield replace(done, findings=findings, timing=timing)
            else:
                assert built.elf_path is not None
                public = declared_public(_folder(firmware), operation)
                yield replace(done, findings=run_on_host(firmware, Path(built.elf_path), operation, FOLLOWED_CALLS, public))
        except DeviceError as error:
            yield replace(done, reason=str(error))
