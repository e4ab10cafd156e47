"""The class of an instruction in a Cortex-M cost table, and the registers that its neighbours can wait for.

The classes are those that the instruction set summaries of the Technical Reference Manuals distinguish. v6-M, v7-M and
the DSP extension of v7E-M each add data processing, so a table without "data-dsp" does not know UADD8.
"""

from __future__ import annotations

import re

from bancada.costing.cortex_m_table import InstructionClass, Refill
from bancada.costing.decode import Instruction, UnknownInstruction

_PARALLEL = " ".join(
    f"{sign}{operation}"
    for sign in ("s", "q", "sh", "u", "uq", "uh")
    for operation in ("add8", "add16", "sub8", "sub16", "asx", "sax")
)

_BY_CLASS: dict[InstructionClass, str] = {
    "data": (
        "adc add adr and asr bic cmn cmp cpy eor lsl lsr mov mvn neg orr rev rev16 revsh ror rsb sbc sub sxtb sxth tst"
        " uxtb uxth"
    ),
    "data-v7": "addw subw movw movt bfi bfc sbfx ubfx clz rbit orn teq rrx ssat usat",
    "data-dsp": (
        "pkhbt pkhtb sxtab sxtah sxtab16 uxtab uxtah uxtab16 sxtb16 uxtb16 sel ssat16 usat16 qadd qsub qdadd qdsub "
        + _PARALLEL
    ),
    "multiply": "mul",
    "multiply-accumulate": "mla mls",
    "multiply-long-unsigned": "umull",
    "multiply-long-signed": "smull",
    "multiply-long-accumulate-unsigned": "umlal",
    "multiply-long-accumulate-signed": "smlal",
    "multiply-dsp": (
        "umaal usad8 usada8 smulbb smulbt smultb smultt smlabb smlabt smlatb smlatt smulwb smulwt smlawb smlawt smlalbb"
        " smlalbt smlaltb smlaltt smuad smuadx smusd smusdx smlad smladx smlsd smlsdx smlald smlaldx smlsld smlsldx"
        " smmul smmulr smmla smmlar smmls smmlsr"
    ),
    "divide": "sdiv udiv",
    "load": "ldr ldrb ldrh ldrsb ldrsh ldrt ldrbt ldrht ldrsbt ldrsht",
    "store-immediate": "str strb strh strt strbt strht",
    "multiple": "push pop ldm ldmia ldmdb stm stmia stmdb",
    "double": "ldrd strd",
    "exclusive": "ldrex ldrexb ldrexh strex strexb strexh",
    "branch": "b",
    "branch-link": "bl",
    "branch-register": "bx blx",
    "branch-v7": "cbz cbnz",
    "table-branch": "tbb tbh",
    "nop": "nop",
    "if-then": "it itt ite ittt itte itet itee itttt ittte ittet ittee itett itete iteet iteee",
    "hint": "sev wfe wfi yield pld clrex hint cpsie cpsid cps",
    "system": "mrs msr",
    "barrier": "dmb dsb isb",
    "fp-data": "vadd vsub vmul vnmul vabs vneg vcmp vcmpe vcvt vcvtr vcvtb vcvtt",
    "fp-multiply-accumulate": "vmla vmls vnmla vnmls vfma vfms vfnma vfnms",
    "fp-divide": "vdiv vsqrt",
    "fp-move": "vmov",
    "fp-system": "vmrs vmsr",
    "fp-load-single": "vldr vstr",
    "fp-multiple": "vpush vpop vldm vldmia vldmdb vstm vstmia vstmdb",
}

_CLASS_OF: dict[str, InstructionClass] = {
    mnemonic: kind for kind, mnemonics in _BY_CLASS.items() for mnemonic in mnemonics.split()
}

_ARITHMETIC: frozenset[InstructionClass] = frozenset(
    kind for kind in _BY_CLASS if kind.startswith(("data", "multiply", "divide", "fp-move", "system"))
)

_CORE_REGISTER = re.compile(r"r\d+|sp|lr")


def classify(instruction: Instruction) -> InstructionClass:
    """The class. UnknownInstruction where no Cortex-M table could have one."""
    kind = _CLASS_OF.get(instruction.mnemonic)
    if kind is None:
        raise UnknownInstruction(instruction.mnemonic, instruction.text, instruction.address)
    memory = instruction.memory
    if kind == "load" and memory is not None and memory.base == "pc":
        return "load-literal"
    if kind == "store-immediate" and memory is not None and memory.index is not None:
        return "store-register"
    if kind == "fp-move" and len(instruction.registers) > 2:
        return "fp-move-two"
    if kind == "fp-load-single" and instruction.registers[0].startswith("d"):
        return "fp-load-double"
    if kind.startswith("fp-") and "f64" in instruction.data_type:
        # The FPv4-SP of the Cortex-M4 has single precision only (DDI 0439, 7.1).
        raise UnknownInstruction(instruction.mnemonic, instruction.text, instruction.address)
    return kind


def words_moved(instruction: Instruction) -> int:
    """How many words a load or store of several registers moves; a double-precision register is two."""
    return sum(2 if name.startswith("d") else 1 for name in instruction.registers)


def refill_of(instruction: Instruction) -> Refill:
    """Where an instruction that changes the program counter gets the new value from."""
    if instruction.mnemonic in ("b", "cbz", "cbnz"):
        return "branch"
    if instruction.mnemonic == "bl":
        return "branch-link"
    if instruction.mnemonic in ("tbb", "tbh"):
        return "table"
    return "memory" if instruction.memory is not None else "register"


def address_registers(instruction: Instruction) -> tuple[str, ...]:
    """The registers in the address of a load or store."""
    memory = instruction.memory
    if memory is None:
        return ()
    return tuple(name for name in (memory.base, memory.index) if name is not None and name != "pc")


def registers_from_data(instruction: Instruction) -> tuple[str, ...]:
    """The core registers that a data-processing instruction writes; none for loads."""
    if classify(instruction) not in _ARITHMETIC:
        return ()
    return tuple(name for name in instruction.writes if _CORE_REGISTER.fullmatch(name))


def loads(instruction: Instruction) -> bool:
    """Whether an instruction loads core registers from memory: one, two or several."""
    kind = classify(instruction)
    return kind in ("load", "load-literal") or (
        kind in ("double", "multiple") and instruction.mnemonic.startswith(("ldrd", "ldm", "pop"))
    )


def registers_loaded(instruction: Instruction) -> tuple[str, ...]:
    """The registers that a single load writes; none for all other instructions."""
    return instruction.registers[:1] if classify(instruction) in ("load", "load-literal") else ()


def fp_result(instruction: Instruction) -> str | None:
    """The register that floating-point arithmetic leaves a cycle late. VABS, VNEG and the comparisons are not late."""
    kind = classify(instruction)
    if kind not in ("fp-data", "fp-multiply-accumulate", "fp-divide") or instruction.mnemonic in (
        "vcmp",
        "vcmpe",
        "vabs",
        "vneg",
    ):
        return None
    return instruction.registers[0]


def fp_sources(instruction: Instruction) -> tuple[str, ...]:
    """The floating-point registers that an instruction needs in its first cycle, doubles as their halves.

    The addend of a multiply-accumulate is not among them: it is consumed a cycle later.
    """
    kind = classify(instruction)
    if not kind.startswith("fp-"):
        return ()
    first_is_read = instruction.mnemonic.startswith(("vcmp", "vst", "vpush"))
    to_core = kind in ("fp-move", "fp-move-two") and _CORE_REGISTER.fullmatch(instruction.registers[0])
    if instruction.mnemonic.startswith(("vldr", "vldm", "vpop")) or kind == "fp-system":
        return ()
    named = instruction.registers if first_is_read or to_core else instruction.registers[1:]
    halves: list[str] = []
    for name in named:
        number = name[1:]
        halves += [f"s{2 * int(number)}", f"s{2 * int(number) + 1}"] if name.startswith("d") else [name]
    return tuple(halves)
