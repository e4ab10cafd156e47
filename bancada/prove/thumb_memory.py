"""Loads and stores of Thumb: one register, two, and several."""

from __future__ import annotations

from bancada.prove.errors import CannotProve
from bancada.prove.thumb_cpu import PC, SP, Cpu
from bancada.prove.thumb_decode import Address, Instruction, Register
from bancada.prove.thumb_operands import place_of, read, write, write_back
from bancada.prove.thumb_words import extended

LOADS = {"ldr": (4, False), "ldrb": (1, False), "ldrh": (2, False), "ldrsb": (1, True), "ldrsh": (2, True)}
STORES = {"str": 4, "strb": 1, "strh": 2}


def execute_memory(cpu: Cpu, instruction: Instruction) -> None:
    register, address = instruction.operands
    assert isinstance(register, Register)
    assert isinstance(address, Address)
    place = place_of(cpu, address)
    if instruction.name in STORES:
        size = STORES[instruction.name]
        value = read(cpu, register.number)
        cpu.store(cpu.aligned(place, size), value, size)
        write_back(cpu, instruction, address, place)
        return
    size, is_signed = LOADS[instruction.name]
    if cpu.tables and not isinstance(place, int):
        loaded = cpu.load_selected(place, size)
    else:
        loaded = cpu.load(cpu.aligned(place, size), size)
    if is_signed:
        loaded = extended(loaded, 8 * size, True)
    write_back(cpu, instruction, address, place)
    if register.number == PC:
        cpu.jump(loaded)
    else:
        write(cpu, register.number, loaded)


def execute_double(cpu: Cpu, instruction: Instruction) -> None:
    first, second, address = instruction.operands
    assert isinstance(first, Register)
    assert isinstance(second, Register)
    assert isinstance(address, Address)
    place = place_of(cpu, address)
    start = cpu.aligned(place, 4, always=True)
    if instruction.name == "strd":
        for at, register in enumerate((first, second)):
            cpu.store(start + 4 * at, read(cpu, register.number), 4)
        write_back(cpu, instruction, address, place)
        return
    found = [cpu.load(start + 4 * at, 4) for at in range(2)]
    write_back(cpu, instruction, address, place)
    for register, value in zip((first, second), found, strict=True):
        write(cpu, register.number, value)


def execute_multiple(cpu: Cpu, instruction: Instruction) -> None:
    name = instruction.name
    numbers = [each.number for each in instruction.operands if isinstance(each, Register)]
    base = SP if name in ("push", "pop") else numbers.pop(0)
    start = cpu.aligned(read(cpu, base), 4, always=True)
    goes_down = name in ("push", "stmdb", "ldmdb")
    ordered = sorted(numbers)
    size = 4 * len(ordered)
    place = start - size if goes_down else start
    writes_back = instruction.writes_back or base == SP and name in ("push", "pop")
    after = place if goes_down else start + size
    if name in ("push", "stm", "stmdb"):
        values = [read(cpu, number) for number in ordered]
        if base in ordered and writes_back and ordered[0] != base:
            raise CannotProve(f"'{instruction.text}' at {cpu.where()} stores a base that it changes")
        if goes_down and writes_back:
            write(cpu, base, place)
        for at, value in enumerate(values):
            cpu.store(place + 4 * at, value, 4)
        if not goes_down and writes_back:
            write(cpu, base, after)
        return
    found = [cpu.load(place + 4 * at, 4) for at in range(len(ordered))]
    if writes_back and base not in ordered:
        write(cpu, base, after)
    for number, value in zip(ordered, found, strict=True):
        if number == PC:
            cpu.jump(value)
        else:
            write(cpu, number, value)
