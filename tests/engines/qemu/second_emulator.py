"""The second opinion: Unicorn executes the same program one instruction at a time and shows each address, access and
SP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import capstone
import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const, arm_const

from bancada.build.symbols import symbols
from bancada.costing.profile import ENTRY, Profile
from tests.engines.qemu.qemu_bench import Machine

_PAGE = 0x1000

_DECODERS = {
    "thumb": capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB),
    "arm": capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM),
    "aarch64": capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
}


@dataclass
class Trace:
    """One call of a function: how often each instruction followed which, and every access to memory in order."""

    steps: Counter[tuple[int, int]] = field(default_factory=Counter)
    executed: Counter[int] = field(default_factory=Counter)
    stack_bytes: int = 0


@dataclass(frozen=True)
class Access:
    """One instruction fetched, or one datum loaded or stored."""

    kind: str
    address: int
    size: int


@dataclass
class Whole:
    """What the program did from its start: traces by function, and all accesses with the number of those before each
    function."""

    traces: dict[str, Trace] = field(default_factory=dict)
    accesses: list[Access] = field(default_factory=list)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)


def _machine(machine: Machine) -> tuple[unicorn.Uc, int]:
    if machine.instruction_set == "aarch64":
        return unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM), arm64_const.UC_ARM64_REG_SP
    return unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM), arm_const.UC_ARM_REG_SP


def _skipped(emulator: unicorn.Uc, decoder: capstone.Cs, last: list[int], address: int) -> Iterator[capstone.CsInsn]:
    """Unicorn passes over instructions of an IT block whose condition does not hold, which the processor issues and
    QEMU counts: they are those between an instruction that does not branch and the next that was executed."""
    if not last or not last[0] < address <= last[0] + 24:
        return
    for number, instruction in enumerate(decoder.disasm(bytes(emulator.mem_read(last[0], address - last[0])), last[0])):
        if number > 0:
            yield instruction
        elif {capstone.CS_GRP_JUMP, capstone.CS_GRP_CALL} & set(instruction.groups) or "pc" in instruction.op_str:
            return


def execute(machine: Machine, path: Path, functions: tuple[str, ...]) -> Whole:
    """Runs the program from its entry until the last of `functions`, each called once from `run`, has returned."""
    emulator, sp_register = _machine(machine)
    found = symbols(path)
    with path.open("rb") as file:
        elf = ELFFile(file)
        for segment in elf.iter_segments("PT_LOAD"):
            start = segment["p_vaddr"] & -_PAGE
            end = (segment["p_vaddr"] + segment["p_memsz"] + _PAGE - 1) & -_PAGE
            emulator.mem_map(start, end - start)
            emulator.mem_write(segment["p_vaddr"], segment.data())
    whole = Whole()
    names = {found.address(name): name for name in functions}
    decoder = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB)
    decoder.detail = True
    now: list[tuple[str, int]] = []  # the function under way and SP at its entry
    last: list[int] = []

    def step(_: unicorn.Uc, address: int, size: int, __: object) -> None:
        for skipped in _skipped(emulator, decoder, last, address) if machine.instruction_set == "thumb" else ():
            executed(skipped.address, skipped.size)
        executed(address, size)

    def executed(address: int, size: int) -> None:
        sp = emulator.reg_read(sp_register)
        if now and address not in names and found.function_at(address) == "run":
            name = now.pop()[0]
            whole.spans[name] = (whole.spans[name][0], len(whole.accesses))
            if name == functions[-1]:
                emulator.emu_stop()
                return
        if not now and address in names:
            now.append((names[address], sp))
            whole.traces[names[address]] = Trace()
            whole.spans[names[address]] = (len(whole.accesses), 0)
            last.clear()
        whole.accesses.append(Access("fetch", address, size))
        if now:
            trace = whole.traces[now[0][0]]
            trace.executed[address] += 1
            if last:
                trace.steps[last[0], address] += 1
            last[:] = [address]
            trace.stack_bytes = max(trace.stack_bytes, now[0][1] - sp)

    def access(_: unicorn.Uc, kind: int, address: int, size: int, __: int, ___: object) -> None:
        whole.accesses.append(Access("store" if kind == unicorn.UC_MEM_WRITE else "load", address, size))

    emulator.hook_add(unicorn.UC_HOOK_CODE, step)
    emulator.hook_add(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, access)
    emulator.emu_start(found.entry, 0)
    return whole


def trace_of(profile: Profile) -> Trace:
    """The profile unrolled to instructions."""
    addresses = []
    for block in profile.blocks:
        decoded = list(_DECODERS[block.instruction_set].disasm(block.code, block.address))
        assert sum(instruction.size for instruction in decoded) == len(block.code)
        addresses.append([instruction.address for instruction in decoded])
    trace = Trace(stack_bytes=profile.stack_bytes)
    for edge in profile.edges:
        after = addresses[edge.after]
        if edge.before != ENTRY:
            trace.steps[addresses[edge.before][-1], after[0]] += edge.times
        for address in after:
            trace.executed[address] += edge.times
        for pair in zip(after, after[1:], strict=False):
            trace.steps[pair] += edge.times
    return trace
