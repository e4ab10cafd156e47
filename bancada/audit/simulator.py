"""The audit of AVR firmware in the simulator: follows taint through every instruction, and compares cycles of fixed and
random secrets."""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.audit.declared import Public
from bancada.audit.findings import Finding, Timing, is_leak
from bancada.audit.lines import Frame, frames_of
from bancada.audit.secret_calls import secret_calls, secrets_of
from bancada.build.symbols import symbols
from bancada.catalogue.target import SecretBytes, SecretSession, Session, Target
from bancada.measure.demangle import demangled, plain_name
from bancada.monitor.monitor import DeviceError, Monitor
from bancada.plan.case import Firmware
from bancada.primitives import Secret, SecretCalls

# avr-gcc's addresses of RAM in an ELF begin here.
_RAM_OFFSET = 0x800000
_TIMEOUT_S = 120.0
_ASSEMBLY = (".S", ".s")

# Kind, address, the function's symbol, where the functions around were called.
Site = tuple[str, int, str, tuple[int, ...]]


def _variables(elf: Path, source_name: str) -> dict[str, int]:
    """Addresses of the static variables of one source file. A library may have others of the same names."""
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found: dict[str, int] = {}
        current = ""
        for symbol in table.iter_symbols():
            kind = symbol["st_info"]["type"]
            if kind == "STT_FILE":
                current = symbol.name
            elif kind == "STT_OBJECT" and current == source_name and symbol["st_info"]["bind"] == "STB_LOCAL":
                found[symbol.name] = symbol["st_value"] - _RAM_OFFSET
    # An adapter in C++ makes the contract's source C++ too, whose variables have mangled names: `_ZL3key` is `key`.
    names = demangled(found)
    return {names[name]: address for name, address in found.items()}


def _places_in_ram(elf: Path, firmware: Firmware, secrets: tuple[Secret, ...]) -> tuple[SecretBytes, ...]:
    known = _variables(elf, firmware.primitive.operations_source.name)
    for secret in secrets:
        if secret.symbol not in known:
            raise DeviceError(f"The firmware has no variable '{secret.symbol}' to follow.")
    return tuple(SecretBytes(known[secret.symbol] + secret.offset, secret.length) for secret in secrets)


def _calls(session: Session | SecretSession, firmware: Firmware, operation: str) -> SecretCalls:
    monitor = Monitor(session, _TIMEOUT_S)
    monitor.identify()
    return secret_calls(monitor, firmware, operation)


class _Places:
    """Which finding an executed place belongs to."""

    def __init__(self, elf: Path, sites: list[Site]) -> None:
        self._symbols = symbols(elf)
        self._frames = frames_of(elf, {address for _, pc, _, callers in sites for address in (pc, *callers)})

    def _is_of(self, frame: Frame, address: int) -> bool:
        """Whether the symbol table agrees: without this check, code without lines gets the lines of the code before it.

        Assembly may have several names for one place.
        """
        name = self._symbols.function_at(address)
        if frame.file.endswith(_ASSEMBLY) or name.startswith("0x"):
            return True
        # Debugging information may name a member without its class.
        return f"::{self._plain(name)}".endswith(f"::{frame.function}")

    @staticmethod
    @cache
    def _plain(symbol: str) -> str:
        return plain_name(demangled([symbol])[symbol])

    def of(self, site: Site) -> tuple[str, Frame, str | None]:
        """Kind, the nearest function with source, and the routine without one that was called from it."""
        kind, pc, symbol, callers = site
        for depth, address in enumerate((pc, *callers)):
            frames = self._frames.get(address, ())
            if frames and self._is_of(frames[-1], address):
                return kind, frames[0], self._plain(symbol) if depth else None
        return kind, Frame(self._plain(symbol), "", 0), None


def follow_secrets(
    target: Target, firmware: Firmware, elf: Path, operation: str, calls: int, public: dict[str, Public]
) -> tuple[Finding, ...]:
    """Every place where the course or an address depends on a secret, in `calls` calls. Branches come first.

    DeviceError if the firmware crashes or stops answering; UserError if the engine cannot follow secrets.
    """
    secrets = _places_in_ram(elf, firmware, secrets_of(firmware, operation))
    every: list[Counter[Site]] = []
    source = random.Random(f"{firmware.implementation} {operation}")
    with target.engine.follow(target, str(elf), secrets) as session:
        device = _calls(session, firmware, operation)
        for _ in range(calls):
            device.prepare(source)
            session.places()
            device.call()
            counted: Counter[Site] = Counter()
            for place in session.places():
                counted[place.kind, place.address, place.symbol or hex(place.address), place.callers] += place.count
            every.append(counted)
    total: Counter[Site] = sum(every, Counter())
    places = _Places(elf, list(total))
    return _findings(every, places, public)


def _findings(every: list[Counter[Site]], places: _Places, public: dict[str, Public]) -> tuple[Finding, ...]:
    counts: Counter[tuple[str, Frame, str | None]] = Counter()
    most_in_a_call: Counter[str] = Counter()
    for counted in every:
        branches: Counter[str] = Counter()
        for site, count in counted.items():
            place = places.of(site)
            counts[place] += count
            if place[0] == "branch":
                branches[place[1].function] += count
        for function, count in branches.items():
            most_in_a_call[function] = max(most_in_a_call[function], count)
    found = []
    for (kind, frame, routine), count in counts.items():
        declared = public.get(frame.function) if kind == "branch" and routine is None else None
        why = declared.why if declared and most_in_a_call[frame.function] <= declared.times else None
        found.append(
            Finding(
                kind,
                frame.function,
                frame.file or None,
                frame.line or None,
                routine,
                count,
                is_leak=why is None and is_leak(kind, has_cache=False),
                public=why,
            )
        )
    return tuple(
        sorted(found, key=lambda finding: (not finding.is_leak, finding.file or "", finding.line or 0, finding.kind))
    )


def _welch_t(fixed: list[int], varied: list[int]) -> float:
    """Welch's t statistic; infinite where neither class varies and the two differ."""
    difference = statistics.fmean(fixed) - statistics.fmean(varied)
    error = math.sqrt(statistics.variance(fixed) / len(fixed) + statistics.variance(varied) / len(varied))
    if error == 0.0:
        return float("inf") if difference else 0.0
    return abs(difference / error)


def time_secrets(target: Target, firmware: Firmware, elf: Path, operation: str, samples: int) -> Timing:
    """Cycles of `samples` calls. Each has the fixed secret or a random one, chosen at random.

    DeviceError if the firmware crashes or stops answering.
    """
    classes: tuple[list[int], list[int]] = ([], [])
    source = random.Random(f"{firmware.implementation} {operation} timing")
    with target.engine.open(target, str(elf), is_counted=True) as session:
        device = _calls(session, firmware, operation)
        for number in range(samples):
            # At least two of each class: one value has no variance.
            is_random = number % 2 == 1 if number < 4 else source.random() < 0.5
            device.prepare(source if is_random else random.Random("fixed"))
            session.regions()
            device.call()
            classes[is_random].append(session.regions()[0].cycles)
    fixed, varied = classes
    return Timing(
        fixed_samples=len(fixed),
        random_samples=len(varied),
        fixed_mean=statistics.fmean(fixed),
        random_mean=statistics.fmean(varied),
        cycles_min=min(fixed + varied),
        cycles_max=max(fixed + varied),
        t=_welch_t(fixed, varied),
    )
