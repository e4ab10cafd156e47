"""The class of an instruction in a Cortex-A cost table. Instructions that these pipelines treat in the same way share a
class.

The names of vector classes ("v-...") of 128-bit operands end in "-q". A table leaves them out if they take as long as
those of 64 bits. It may leave out the other finer classes too (`classes_to_look_up`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bancada.costing.decode import Instruction, UnknownInstruction
from bancada.costing.profile import InstructionSet


def _named(**classes: str) -> dict[str, str]:
    return {mnemonic: name.replace("_", "-") for name, mnemonics in classes.items() for mnemonic in mnemonics.split()}


_INTEGER = _named(
    move="mov movw movt mvn movz movn movk adr adrp",
    alu="add sub rsb adc sbc rsc and orr orn eor bic cmp cmn tst teq addw subw neg negs ngc ngcs adds subs adcs sbcs "
    "ands bics eon",
    shift="lsl lsr asr ror rrx",
    extend="uxtb uxth uxtb16 uxtw sxtb sxth sxtb16 sxtw uxtab uxtah uxtab16 sxtab sxtah sxtab16",
    bitfield="bfi bfc bfxil ubfx sbfx ubfiz sbfiz ubfm sbfm bfm",
    reverse="rev rev16 rev32 revsh rbit clz cls",
    extract="extr",
    select="sel csel csinc csinv csneg cset csetm cinc cinv cneg ccmp ccmn",
    parallel="uadd8 uadd16 usub8 usub16 sadd8 sadd16 ssub8 ssub16 uqadd8 uqsub8 uqadd16 uqsub16 qadd qsub qdadd qdsub "
    "qadd8 qadd16 "
    "qsub8 qsub16 uhadd8 uhadd16 uhsub8 uhsub16 shadd8 shadd16 shsub8 shsub16 uasx usax sasx ssax qasx qsax pkhbt "
    "pkhtb usat ssat "
    "usat16 ssat16 usad8 usada8",
    multiply="mul mneg smulbb smulbt smultb smultt smulwb smulwt smuad smuadx smusd smusdx smmul smmulr",
    multiply_add="mla mls madd msub smlabb smlabt smlatb smlatt smlawb smlawt smlad smladx smlsd smlsdx smmla smmlar "
    "smmls smmlsr",
    multiply_long="umull smull umnegl smnegl",
    multiply_long_add="umlal smlal smlalbb smlalbt smlaltb smlaltt smlald smlaldx smlsld smlsldx umaddl smaddl umsubl "
    "smsubl",
    multiply_double_add="umaal",
    multiply_high="umulh smulh",
    divide="udiv sdiv",
    load="ldr ldur ldrt ldar lda ldapr",
    load_narrow="ldrb ldrh ldrsb ldrsh ldrsw ldurb ldurh ldursb ldursh ldursw ldrbt ldrht ldrsbt ldrsht ldarb ldarh "
    "ldab ldah",
    load_double="ldrd ldp ldnp ldpsw",
    load_multiple="ldm ldmia ldmib ldmda ldmdb pop",
    load_exclusive="ldrex ldrexb ldrexh ldrexd ldaex ldaexb ldaexh ldaexd ldxr ldxrb ldxrh ldaxr ldaxrb ldaxrh ldxp "
    "ldaxp",
    store="str strb strh stur sturb sturh strt strbt strht stlr stlrb stlrh stl stlb stlh",
    store_double="strd stp stnp",
    store_multiple="stm stmia stmib stmda stmdb push",
    store_exclusive="strex strexb strexh strexd stlex stlexb stlexh stlexd stxr stxrb stxrh stlxr stlxrb stlxrh stxp "
    "stlxp",
    prefetch="pld pldw pli prfm prfum",
    branch="b cbz cbnz tbz tbnz",
    call="bl blx blr",
    indirect="bx br tbb tbh bxj ret",
    nothing="nop it hint yield bti paciasp autiasp xpaclri csdb",
    system="mrs msr mrc mrrc mcr mcrr dc dmb dsb isb svc clrex wfe wfi sev sevl udf brk bkpt setend cps",
)

_VECTOR = _named(
    v_logic="vand vorr veor vbic vorn vmvn and orr eor bic orn mvn not eor3 bcax",
    v_select="vbsl vbit vbif bsl bit bif",
    v_subtract="vsub",
    v_add="vadd vneg add sub neg",
    v_compare="vmax vmin vceq vcge vcgt vcle vclt vhadd vhsub vrhadd smax umax smin umin cmeq cmge cmgt cmhi cmhs cmle "
    "cmlt shadd uhadd srhadd "
    "urhadd shsub uhsub",
    v_difference="vabd vqsub",
    v_saturate="vabs vqadd vqneg vqabs vtst sabd uabd abs sqadd uqadd sqsub uqsub suqadd usqadd sqneg sqabs cmtst",
    v_add_wide="vaddw vsubw",
    v_add_long="vaddl vsubl vabdl uaddl uaddl2 saddl saddl2 uaddw uaddw2 saddw saddw2 usubl usubl2 ssubl ssubl2 usubw "
    "usubw2 "
    "ssubw ssubw2 uabdl uabdl2 sabdl sabdl2",
    v_pairwise="vpadd vpaddl vpmax vpmin addp uaddlp saddlp smaxp umaxp sminp uminp addv uaddlv saddlv umaxv smaxv "
    "uminv sminv",
    v_count="vcnt vclz vcls cnt clz cls",
    v_accumulate="vpadal vaba vabal uadalp sadalp saba uaba sabal sabal2 uabal uabal2",
    v_shift="vshl vshr shl sshr ushr sshl ushl",
    v_shift_saturate="vrshr vrshl vqshl vqrshl vqshlu srshr urshr srshl urshl sqshl uqshl sqshlu sqrshl uqrshl",
    v_shift_long="vshll ushll ushll2 sshll sshll2 shll shll2 uxtl uxtl2 sxtl sxtl2 vmovl",
    v_narrow_move="vmovn",
    v_narrow="vshrn vaddhn vsubhn xtn xtn2 shrn shrn2 addhn addhn2 subhn subhn2",
    v_narrow_saturate="vqmovn vqmovun vrshrn vqshrn vqrshrn vqshrun vqrshrun vraddhn vrsubhn sqxtn sqxtn2 uqxtn uqxtn2 "
    "sqxtun sqxtun2 rshrn "
    "rshrn2 sqshrn sqshrn2 uqshrn uqshrn2 sqrshrn sqrshrn2 uqrshrn uqrshrn2 sqshrun sqshrun2 sqrshrun sqrshrun2 raddhn "
    "raddhn2 rsubhn rsubhn2",
    v_shift_insert="vsli vsri sli sri",
    v_shift_accumulate="vsra vrsra ssra usra srsra ursra",
    v_multiply="vmul mul pmul sqdmulh sqrdmulh vqdmulh vqrdmulh",
    v_multiply_long="umull umull2 smull smull2 vqdmull sqdmull sqdmull2",
    v_multiply_add="vmla vmls mla mls",
    v_multiply_long_add="vmlal vmlsl umlal umlal2 umlsl umlsl2 smlal smlal2 smlsl smlsl2 vqdmlal vqdmlsl sqdmlal "
    "sqdmlal2",
    v_polynomial="pmull pmull2",
    v_reverse="vrev16 vrev32 vrev64 rev16 rev32 rev64",
    v_permute="vext vdup ext rbit dup zip1 zip2 uzp1 uzp2 trn1 trn2 mov ins",
    v_permute_two="vtrn vswp",
    v_interleave="vzip vuzp",
    v_table="vtbl vtbx tbl tbx",
    v_from_core="fmov ins dup",
    v_to_core="umov smov",
    v_immediate="movi mvni",
    v_aes="aese aesd",
    v_aes_mix="aesmc aesimc",
    v_sha="sha256h sha256h2",
    v_sha256_schedule="sha256su0 sha256su1",
    v_sha1_hash="sha1c sha1m sha1p",
    v_sha1_rotate="sha1h",
    v_sha1_schedule="sha1su0 sha1su1",
    v_status="vmrs vmsr fmstat",
    f_add="vadd vsub vneg vabs fadd fsub fneg fabs fmax fmin fmaxnm fminnm frinta frintm frintn frintp frintx frintz "
    "frinti fabd fcsel faddp",
    f_compare="vcmp vcmpe fcmp fcmpe fccmp fccmpe fcmeq fcmge fcmgt fcmle fcmlt",
    f_convert="vcvt vcvtr vcvtb vcvtt vcvta vcvtm fcvt fcvtzs fcvtzu fcvtas fcvtau fcvtms fcvtmu fcvtps fcvtpu fcvtl "
    "fcvtl2 fcvtn fcvtn2 scvtf ucvtf",
    f_multiply="vmul vnmul fmul fnmul fmulx",
    f_multiply_add="vmla vmls vnmla vnmls vfma vfms vfnma vfnms fmla fmls fmadd fmsub fnmadd fnmsub",
    f_divide="vdiv fdiv",
    f_square_root="vsqrt fsqrt",
)

# Arithmetic that has one name for integers and for floating-point numbers. The data type decides.
_FLOAT_NAMES = {
    "vadd": "f-add",
    "vsub": "f-add",
    "vneg": "f-add",
    "vabs": "f-add",
    "vmax": "f-add",
    "vmin": "f-add",
    "vabd": "f-add",
    "vmul": "f-multiply",
    "vmla": "f-multiply-add",
    "vmls": "f-multiply-add",
    "vceq": "f-compare",
    "vcge": "f-compare",
    "vcgt": "f-compare",
    "vcle": "f-compare",
    "vclt": "f-compare",
}
_INTEGER_NAMES = {
    "vadd": "v-add",
    "vsub": "v-subtract",
    "vneg": "v-add",
    "vabs": "v-saturate",
    "vmul": "v-multiply",
    "vmla": "v-multiply-add",
    "vmls": "v-multiply-add",
}


# Classes that only some cores distinguish, and the class that other cores use instead.
_FINER = {
    "load-narrow": "load",
    "load-narrow-scaled": "load-scaled",
    "v-multiply-long-narrow": "v-multiply-long",
    "v-multiply-long-add-narrow": "v-multiply-long-add",
    "v-select": "v-logic",
    "v-compare": "v-add",
    "v-saturate": "v-add",
    "v-difference": "v-saturate",
    "v-subtract": "v-add",
    "v-add-wide": "v-add-long",
    "v-count": "v-pairwise",
    "v-narrow-move": "v-narrow",
    "v-reverse": "v-permute",
    "v-duplicate": "v-permute",
    "v-interleave": "v-permute-two",
    "v-shift-saturate": "v-shift",
    "v-shift-saturate-by-register": "v-shift-by-register",
    "v-narrow-saturate": "v-narrow",
    "v-load-list-single": "v-load-list",
    "v-load-aligned-single": "v-load-aligned",
    "v-store-list-single": "v-store-list",
    "v-store-aligned-single": "v-store-aligned",
    "v-load-list-lane": "v-load-list-single",
    "v-load-aligned-lane": "v-load-aligned-single",
    "v-store-list-lane": "v-store-list-single",
    "v-store-aligned-lane": "v-store-aligned-single",
    "v-load-list-all-lanes": "v-load-list-single",
    "v-load-aligned-all-lanes": "v-load-aligned-single",
    **{f"v-{way}-{number}-lane": f"v-{way}-{number}" for way in ("load", "store") for number in (2, 3, 4)},
    **{f"v-load-{number}-all-lanes": f"v-load-{number}" for number in (2, 3, 4)},
    "v-sha1-hash": "v-sha",
    "v-sha1-rotate": "v-sha",
    "v-sha1-schedule": "v-sha",
    "v-sha256-schedule": "v-sha",
}


def classes_to_look_up(name: str) -> Iterator[str]:
    """The class, and the classes that stand for it in a table that does not have it, nearest first: the same for 64
    bits before a wider one."""
    widths = ("-q", "") if name.endswith("-q") else ("",)
    known: str | None = name.removesuffix("-q")
    while known is not None:
        for width in widths:
            yield f"{known}{width}"
        known = _FINER.get(known)


@lru_cache(maxsize=65536)
def instruction_class(instruction: Instruction, instruction_set: InstructionSet) -> str:
    """The class. UnknownInstruction if the instruction has none."""
    vectors = [name for name in instruction.registers if _is_vector(name)]
    if vectors or instruction.mnemonic in ("vmrs", "vmsr"):
        found = _vector_class(instruction, instruction_set, vectors)
    else:
        found = _integer_class(instruction)
    if found is None:
        raise UnknownInstruction(
            instruction.mnemonic, instruction.text, instruction.address, "it is of no class that the cost tables have"
        )
    return found


def _is_vector(name: str) -> bool:
    return name[0] in "dqvbh" and name[1:].isdigit() or (name[0] == "s" and name[1:].isdigit())


def _integer_class(instruction: Instruction) -> str | None:
    # The name (IT, ITT, ITE, ...) has one letter for each of the next instructions that is conditional.
    mnemonic = "it" if re.fullmatch("it[te]{0,3}", instruction.mnemonic) else instruction.mnemonic
    found = _INTEGER.get(mnemonic)
    shift = instruction.shift
    wide = bool(instruction.registers) and instruction.registers[0].startswith("x")
    if found == "alu":
        if shift is not None:
            return "alu-shifted-by-register" if shift.by is not None else "alu-shifted"
        return "alu-immediate" if instruction.immediates else "alu"
    if found == "move" and shift is not None:
        # MOV with a shift is the same instruction as LSL, LSR, ASR or ROR (DDI 0406, A8.8.105).
        return "shift-by-register" if shift.by is not None else "shift"
    if found == "move" and instruction.changes_pc:
        return "indirect"
    if found == "shift":
        by_register = len(instruction.registers) > 2 or (
            len(instruction.registers) == 2 and not instruction.immediates and shift is None
        )
        return "shift-by-register" if by_register and mnemonic != "rrx" else "shift"
    if found in ("multiply", "multiply-add", "divide") and wide:
        return f"{found}-64"
    if mnemonic in ("push", "pop") and len(instruction.registers) == 1:
        # A single register is pushed or popped by a store or load that updates its base (DDI 0406, A8.8.131 and
        # A8.8.133).
        found = "load" if mnemonic == "pop" else "store"
    if found == "load" and instruction.changes_pc:
        return "load-pc"
    if found in ("load", "load-narrow") and instruction.memory is not None and instruction.memory.index is not None:
        # The Cortex-A8 takes one more cycle for an address with a shifted index, except for the shift by two (DDI 0344,
        # 16.2.4).
        return found if instruction.memory.shift in (0, 2) else f"{found}-scaled"
    if mnemonic == "bx" and instruction.registers == ("lr",) or mnemonic == "ret":
        return "return"
    if mnemonic in ("blx", "blr") and instruction.registers:
        return "call-indirect"
    return found


def _vector_class(instruction: Instruction, instruction_set: InstructionSet, vectors: list[str]) -> str | None:
    mnemonic = instruction.mnemonic
    wide = _is_wide(instruction, instruction_set, vectors)
    if instruction.memory is not None:
        return _vector_memory(instruction, vectors)
    core = [name for name in instruction.registers if not _is_vector(name)]
    if mnemonic in ("vmov", "fmov", "mov", "umov", "smov", "ins", "dup", "vdup"):
        found = _vector_move(instruction, vectors, core)
    elif core and mnemonic in ("fcvtzs", "fcvtzu", "scvtf", "ucvtf", "fcvtas", "fcvtau"):
        found = "f-convert"
    elif instruction_set != "aarch64" and mnemonic in _FLOAT_NAMES:
        is_float = instruction.data_type.startswith("f")
        found = _FLOAT_NAMES[mnemonic] if is_float else _INTEGER_NAMES.get(mnemonic) or _VECTOR[mnemonic]
    elif mnemonic == "vmull":
        found = "v-polynomial" if instruction.data_type.startswith("p") else "v-multiply-long"
    else:
        found = _VECTOR.get(mnemonic, "")
    if not found:
        return None
    if found in ("v-multiply", "v-multiply-add") and instruction.data_type.endswith(("32", "2s", "4s")):
        found += "-32"
    if found in ("v-multiply-long", "v-multiply-long-add") and instruction.data_type.endswith(("8", "16")):
        found += "-narrow"
    if found in ("v-shift", "v-shift-saturate", "v-shift-accumulate") and not instruction.immediates:
        found += "-by-register"
    if found.startswith("f-") and _is_double(instruction, vectors):
        found += "-double"
    if found == "v-table":
        found += f"-{max(1, len(vectors) - 2)}"
    if found == "v-polynomial" and instruction.data_type in ("p64", "1q"):
        found += "-64"
    return f"{found}-q" if wide else found


def _is_wide(instruction: Instruction, instruction_set: InstructionSet, vectors: list[str]) -> bool:
    if instruction_set != "aarch64":
        return any(name[0] == "q" for name in vectors)
    return instruction.data_type in ("16b", "8h", "4s", "2d", "1q")


def _is_double(instruction: Instruction, vectors: list[str]) -> bool:
    return (
        "f64" in instruction.data_type
        or instruction.data_type == "2d"
        or (not instruction.data_type and any(n[0] == "d" for n in vectors))
    )


def _vector_move(instruction: Instruction, vectors: list[str], core: list[str]) -> str:
    if not core:
        if instruction.immediates and len(vectors) == 1 and "[" not in instruction.operands:
            return "v-immediate"
        if instruction.mnemonic == "vdup":
            return "v-duplicate"
        is_permutation = instruction.mnemonic in ("dup", "ins") or "[" in instruction.operands
        return (
            "v-permute"
            if is_permutation
            else "f-move"
            if vectors[0][0] in "sdh" and instruction.mnemonic != "mov"
            else "v-logic"
        )
    return "v-to-core" if not _is_vector(instruction.registers[0]) else "v-from-core"


def _vector_memory(instruction: Instruction, vectors: list[str]) -> str | None:
    """Loads and stores: a register ("v-load"), a list of them, interleaved structures ("v-load-2" to "v-load-4").

    On the Cortex-A8, a load or store of a list without an alignment qualifier takes one more cycle. So does VLDM, which
    has no such qualifier (DDI 0344, 16.6.7).
    """
    mnemonic = instruction.mnemonic
    if mnemonic in ("vldr", "vstr"):
        return "v-load" if mnemonic == "vldr" else "v-store"
    if mnemonic in ("vldmia", "vldmdb", "vpop", "fldmx", "fldmiax"):
        return "v-load-multiple"
    if mnemonic in ("vstmia", "vstmdb", "vpush", "fstmx", "fstmiax"):
        return "v-store-multiple"
    # One lane of a register, all lanes of it from one element, or one register of 64 bits.
    is_lane = re.search(r"(d\d+|\})\[(0x)?[0-9a-f]+\]", instruction.operands) is not None
    to_all_lanes = "[]" in instruction.operands or re.fullmatch("ld[1234]r", mnemonic) is not None
    is_single = len(vectors) == 1 and (vectors[0][0] == "d" or instruction.data_type in ("8b", "4h", "2s", "1d"))
    part = "-lane" if is_lane else "-all-lanes" if to_all_lanes else "-single" if is_single else ""
    if mnemonic in ("vld1", "vst1"):
        kind = "aligned" if ":" in instruction.operands else "list"
        return f"v-{'load' if mnemonic == 'vld1' else 'store'}-{kind}{part}"
    for prefix, name in (("vld", "v-load"), ("vst", "v-store"), ("ld", "v-load"), ("st", "v-store")):
        if mnemonic.startswith(prefix):
            rest = mnemonic[len(prefix) :].removesuffix("r")
            if rest in ("2", "3", "4"):
                return f"{name}-{rest}{'' if part == '-single' else part}"
            if rest == "1":
                return f"{name}-list{part}"
            if rest in ("", "ur", "u"):
                return f"{name}-q" if vectors[0][0] == "q" else name
            if rest in ("p", "np"):
                return f"{name}-pair-q" if vectors[0][0] == "q" else f"{name}-pair"
    return None
