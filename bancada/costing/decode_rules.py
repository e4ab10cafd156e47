"""Which operands an instruction reads and which it writes, by its bare mnemonic (Arm Architecture Reference Manual, DDI
0406 and 0487)."""

from __future__ import annotations

import re

# ---- Arm and Thumb state ----

# Those whose `s` form sets the flags.
FLAG_SETTERS = frozenset(
    [
        "add",
        "sub",
        "rsb",
        "adc",
        "sbc",
        "rsc",
        "and",
        "orr",
        "orn",
        "eor",
        "bic",
        "mov",
        "mvn",
        "neg",
        "lsl",
        "lsr",
        "asr",
        "ror",
        "rrx",
        "mul",
        "mla",
        "umull",
        "umlal",
        "smull",
        "smlal",
    ]
)
ALWAYS_SET_FLAGS = frozenset(["cmp", "cmn", "tst", "teq"])
READS_FLAGS = frozenset(["adc", "sbc", "rsc", "rrx", "sel", "vsel"])
ARM_DIRECT_BRANCHES = frozenset(["b", "bl", "blx", "cbz", "cbnz"])
ARM_BRANCHES = ARM_DIRECT_BRANCHES | frozenset(["bx", "bxj", "tbb", "tbh"])
MULTIPLE = frozenset(
    [
        "ldm",
        "ldmia",
        "ldmib",
        "ldmda",
        "ldmdb",
        "stm",
        "stmia",
        "stmib",
        "stmda",
        "stmdb",
        "vldmia",
        "vldmdb",
        "vstmia",
        "vstmdb",
        "fldmx",
        "fstmx",
        "fldmdbx",
        "fstmiax",
        "fldmiax",
    ]
)

_NO_WRITE = frozenset(
    [
        "cmp",
        "cmn",
        "tst",
        "teq",
        "b",
        "bl",
        "blx",
        "bx",
        "bxj",
        "cbz",
        "cbnz",
        "tbb",
        "tbh",
        "push",
        "vpush",
        "pld",
        "pldw",
        "pli",
        "nop",
        "it",
        "dmb",
        "dsb",
        "isb",
        "svc",
        "bkpt",
        "udf",
        "yield",
        "wfe",
        "wfi",
        "sev",
        "hint",
        "vcmp",
        "vcmpe",
        "mcr",
        "vmsr",
        "msr",
        "clrex",
        "setend",
        "cps",
    ]
)
_STORES = ("str", "stm", "vst", "fst", "stl")
# The store-exclusives write a status register first.
_STORE_EXCLUSIVE = frozenset(["strex", "strexb", "strexh", "strexd", "stlex", "stlexb", "stlexh", "stlexd"])

# The first operand is read as well as written.
_UPDATES_FIRST = frozenset(
    [
        "movt",
        "bfi",
        "bfc",
        "vmla",
        "vmls",
        "vmlal",
        "vmlsl",
        "vfma",
        "vfms",
        "vfnma",
        "vfnms",
        "vnmla",
        "vnmls",
        "vbsl",
        "vbit",
        "vbif",
        "vsli",
        "vsri",
        "vaba",
        "vabal",
        "vsra",
        "vrsra",
        "vpadal",
        "vqdmlal",
        "vqdmlsl",
        "vtbx",
        "aese",
        "aesd",
        "sha1c",
        "sha1m",
        "sha1p",
        "sha1h",
        "sha256h",
        "sha256h2",
        "sha256su0",
        "sha256su1",
        "sha1su0",
        "sha1su1",
    ]
) - {"sha1h"}
_UPDATES_FIRST_TWO = frozenset(
    [
        "umlal",
        "smlal",
        "umaal",
        "smlalbb",
        "smlalbt",
        "smlaltb",
        "smlaltt",
        "smlald",
        "smlaldx",
        "smlsld",
        "smlsldx",
        "vswp",
        "vtrn",
        "vzip",
        "vuzp",
    ]
)
_WRITES_FIRST_TWO = frozenset(["umull", "smull", "ldrd", "ldrexd", "ldaexd"])

_LANE = re.compile(r"\b[dq]\d+\[\d+\]")


def arm_registers(mnemonic: str, registers: tuple[str, ...], operands: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(read, written) among the register operands. Bases and shift counts are in the memory operand and in the
    shift."""
    if mnemonic in _STORE_EXCLUSIVE:
        return registers[1:], registers[:1]
    if mnemonic == "vmrs":
        return ("fpflags",), ("flags",) if operands.startswith("apsr") else registers[:1]
    if mnemonic in ("mrs", "mrc"):
        # The model has no wait for a system register, so it is not an operand.
        return (), tuple(name for name in registers if re.fullmatch(r"r\d+|sp|lr", name))
    if mnemonic in ("vcmp", "vcmpe"):
        return registers, ("fpflags",)
    if mnemonic in _NO_WRITE or mnemonic.startswith(_STORES):
        return tuple(name for name in registers if not name.startswith(("apsr", "cpsr", "fpscr"))), ()
    if mnemonic in ("pop", "vpop") or (mnemonic in MULTIPLE and "ld" in mnemonic):
        return (), registers
    if mnemonic.startswith("vld"):
        # A load to one lane keeps the rest of the register. "d0[]" (all lanes) writes all of it.
        return (registers, registers) if _LANE.search(operands.split("}")[0]) else ((), registers)
    if mnemonic in _UPDATES_FIRST_TWO:
        return registers, registers[:2]
    if mnemonic in _WRITES_FIRST_TWO:
        return registers[2:], registers[:2]
    if mnemonic == "vmov":
        return _vmov(registers, operands)
    written = registers[:1]
    read = registers[1:]
    if mnemonic in _UPDATES_FIRST or (
        len(registers) == 1 and mnemonic in _TWO_OPERAND_SHORT | _BITS_BY_NUMBER and "#" in operands
    ):
        read = registers
    return read, written


# With a number in place of a second register, the instruction changes bits of its only register.
_BITS_BY_NUMBER = frozenset(["vbic", "vorr", "bic", "orr"])

# The text of Thumb's short forms has no first source: `adds r0, #1`, `adds r0, r1`.
_TWO_OPERAND_SHORT = frozenset(["add", "sub", "lsl", "lsr", "asr", "ror", "and", "orr", "eor", "bic", "adc", "sbc"])


def _vmov(registers: tuple[str, ...], operands: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """VMOV between one or two core registers and one double, two singles or a lane, or within the vector registers."""
    core = [bool(re.fullmatch(r"r\d+|sp|lr", name)) for name in registers]
    if len(registers) >= 3:
        return (registers[2:], registers[:2]) if core[0] else (registers[-2:], registers[:-2])
    read, written = registers[1:], registers[:1]
    if not core[0] and _LANE.match(operands):
        read = registers
    return read, written


def arm_storage(name: str) -> tuple[str, ...]:
    """The units that a register occupies: s1 is half of d0, q1 is d2 and d3."""
    number = int(name[1:]) if name[1:].isdigit() else -1
    if number >= 0 and name[0] == "q":
        return (f"d{2 * number}", f"d{2 * number + 1}")
    if number >= 0 and name[0] == "s":
        return (f"d{number // 2}",)
    return (name,)


# ---- AArch64 ----

AARCH64_SETS_FLAGS = frozenset(
    [
        "adds",
        "subs",
        "adcs",
        "sbcs",
        "ands",
        "bics",
        "cmp",
        "cmn",
        "tst",
        "negs",
        "ngcs",
        "ccmp",
        "ccmn",
        "fcmp",
        "fcmpe",
        "fccmp",
        "fccmpe",
    ]
)
AARCH64_READS_FLAGS = frozenset(
    [
        "adc",
        "adcs",
        "sbc",
        "sbcs",
        "ngc",
        "ngcs",
        "csel",
        "csinc",
        "csinv",
        "csneg",
        "cset",
        "csetm",
        "cinc",
        "cinv",
        "cneg",
        "ccmp",
        "ccmn",
        "fcsel",
        "fccmp",
        "fccmpe",
    ]
)
AARCH64_DIRECT_BRANCHES = frozenset(["b", "bl", "cbz", "cbnz", "tbz", "tbnz"])
AARCH64_BRANCHES = AARCH64_DIRECT_BRANCHES | frozenset(["br", "blr", "ret"])

ARRANGEMENTS = {
    1: "16b",
    2: "8b",
    3: "4b",
    4: "1b",
    5: "8h",
    6: "4h",
    7: "2h",
    8: "1h",
    9: "4s",
    10: "2s",
    11: "1s",
    12: "2d",
    13: "1d",
    14: "1q",
}
AARCH64_SHIFTS = ("", "lsl", "msl", "lsr", "asr", "ror")
AARCH64_EXTENSIONS = ("", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx")

_A64_NO_WRITE = frozenset(
    [
        "cmp",
        "cmn",
        "tst",
        "ccmp",
        "ccmn",
        "fcmp",
        "fcmpe",
        "fccmp",
        "fccmpe",
        "b",
        "bl",
        "cbz",
        "cbnz",
        "tbz",
        "tbnz",
        "br",
        "blr",
        "ret",
        "nop",
        "prfm",
        "prfum",
        "dmb",
        "dsb",
        "isb",
        "svc",
        "brk",
        "hint",
        "yield",
        "wfe",
        "wfi",
        "sev",
        "bti",
        "paciasp",
        "autiasp",
        "msr",
        "clrex",
        "udf",
    ]
)
_A64_STORE_EXCLUSIVE = frozenset(["stxr", "stxrb", "stxrh", "stlxr", "stlxrb", "stlxrh", "stxp", "stlxp"])
_A64_UPDATES_FIRST = frozenset(
    [
        "movk",
        "bfi",
        "bfxil",
        "bfm",
        "bfc",
        "mla",
        "mls",
        "fmla",
        "fmls",
        "umlal",
        "umlal2",
        "umlsl",
        "umlsl2",
        "smlal",
        "smlal2",
        "smlsl",
        "smlsl2",
        "bsl",
        "bit",
        "bif",
        "sli",
        "sri",
        "saba",
        "uaba",
        "sabal",
        "sabal2",
        "uabal",
        "uabal2",
        "ssra",
        "usra",
        "srsra",
        "ursra",
        "sadalp",
        "uadalp",
        "sqdmlal",
        "sqdmlal2",
        "sqdmlsl",
        "sqdmlsl2",
        "tbx",
        "ins",
        "xtn2",
        "sqxtn2",
        "uqxtn2",
        "sqxtun2",
        "shrn2",
        "rshrn2",
        "addhn2",
        "raddhn2",
        "subhn2",
        "rsubhn2",
        "suqadd",
        "usqadd",
        "aese",
        "aesd",
        "sha1c",
        "sha1m",
        "sha1p",
        "sha1su0",
        "sha1su1",
        "sha256h",
        "sha256h2",
        "sha256su0",
        "sha256su1",
        "sha512h",
        "sha512h2",
        "sha512su0",
        "sha512su1",
    ]
)
_A64_LOADS_TWO = frozenset(["ldp", "ldnp", "ldpsw", "ldxp", "ldaxp"])
_A64_LANE = re.compile(r"^v\d+(?:\.\w+)?\[\d+\]")


def aarch64_registers(
    mnemonic: str, registers: tuple[str, ...], operands: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(read, written) among the register operands."""
    if mnemonic in _A64_STORE_EXCLUSIVE:
        return registers[1:], registers[:1]
    if mnemonic == "mrs":
        return (), registers[:1]
    if mnemonic == "msr":
        return tuple(name for name in registers if re.fullmatch(r"[xw]\d+", name)), ()
    if mnemonic in _A64_NO_WRITE or mnemonic.startswith("st"):
        return registers, ()
    if mnemonic in _A64_LOADS_TWO:
        return (), registers[:2]
    if re.fullmatch(r"ld[1-4]r?", mnemonic):
        to_lane = "}[" in operands.replace(" ", "") or re.match(r"\{[^}]*\}\[", operands)
        return (registers, registers) if to_lane else ((), registers)
    if mnemonic.startswith("ld"):
        return (), registers[:1]
    written, read = registers[:1], registers[1:]
    by_number = mnemonic in _BITS_BY_NUMBER and len(registers) == 1
    if mnemonic in _A64_UPDATES_FIRST or by_number or (mnemonic == "mov" and _A64_LANE.match(operands)):
        read = registers
    return read, written


def aarch64_storage(name: str) -> tuple[str, ...]:
    """w3 is x3; b, h, s, d, q and v are all v; no instruction waits for the zero register."""
    if name in ("xzr", "wzr"):
        return ()
    if name in ("wsp", "sp"):
        return ("sp",)
    if name == "fp":
        return ("x29",)
    if name == "lr":
        return ("x30",)
    if name[1:].isdigit():
        if name[0] == "w":
            return (f"x{name[1:]}",)
        if name[0] in "bhsdqv":
            return (f"v{name[1:]}",)
    return (name,)
