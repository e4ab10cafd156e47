"""Snippets for Cortex-M, each counted by hand from the Technical Reference Manuals' tables.

A snippet is a path: runs of instructions, each run at an address of its own where it was jumped to. Its cycles are
counted from the manual, not from this program's output.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    """`runs` are executed one after the other; each is (its address, its assembly)."""

    why: str
    runs: tuple[tuple[int, str], ...]
    cycles: int


def straight(why: str, assembly: str, cycles: int) -> Snippet:
    return Snippet(why, ((0x1000, assembly),), cycles)


def jump(why: str, first: str, cycles: int, to: int = 0x2000, then: str = "nop") -> Snippet:
    """`first` ends in a branch to `to`, where `then` is executed (a NOP takes one cycle, everywhere)."""
    return Snippet(why, ((0x1000, first), (to, then)), cycles)


# DDI 0432C (Cortex-M0) and DDI 0484C (Cortex-M0+), table 3-1: the same except for changes of the program counter.
ARMV6M = (
    straight(
        "moves, arithmetic, logic, shifts: 1 each",
        "movs r0, #1; mov r8, r0; adds r0, r1; adcs r0, r1; rsbs r0, r1, #0; lsls r0, r0, #3; rors r0, r1; "
        "bics r0, r1; tst r0, r1; cmp r0, #3",
        10,
    ),
    straight(
        "addresses, extends, reverses: 1 each",
        "add r0, sp, #8; add r1, pc, #8; sub sp, #8; sxtb r0, r1; uxth r0, r1; rev r0, r1; rev16 r0, r1; revsh r0, r1",
        8,
    ),
    straight("MULS by the fast multiplier: 1", "muls r0, r1, r0", 1),
    straight(
        "single loads: 2 each, not pipelined",
        "ldr r0, [r1]; ldr r2, [r3, r4]; ldrb r0, [r1]; ldrh r0, [r1, r2]; ldrsb r0, [r1, r2]; ldr r0, [sp, #4]",
        12,
    ),
    straight("a literal load: 2", "ldr r0, [pc, #8]", 2),
    straight("single stores: 2 each", "str r0, [r1]; strb r0, [r1, #3]; strh r0, [r1]", 6),
    straight("stores with a register offset: 2 each", "str r0, [r1, r2]; strb r0, [r1, r2]", 4),
    straight("an address made by the instruction before costs nothing here", "adds r1, #4; ldr r0, [r1]", 3),
    straight("LDM and STM: 1+N", "ldm r0!, {r1, r2, r3, r4}; stm r0!, {r1, r2}", 8),
    straight("PUSH and POP without the program counter: 1+N", "push {r4, r5, r6, r7, lr}; pop {r4, r5, r6, r7}", 11),
    straight("NOP and SEV: 1", "nop; sev; cpsid i", 3),
    Snippet("a conditional branch not taken: 1", ((0x1000, "beq .+64"), (0x1002, "nop")), 2),
)

CORTEX_M0 = ARMV6M + (
    jump("B: 3", "b .", 3 + 1),
    jump("a conditional branch taken: 3", "beq .+4", 3 + 1),
    jump("BL: 4", "bl .", 4 + 1),
    jump("BX: 3", "bx lr", 3 + 1),
    jump("BLX: 3", "blx r3", 3 + 1),
    jump("MOV to PC: 3", "mov pc, r0", 3 + 1),
    jump("ADD to PC: 3", "add pc, r0", 3 + 1),
    jump("POP with PC: 4+N, N = 2", "pop {r4, pc}", 6 + 1),
    straight("MRS, MSR: 4 each", "mrs r0, primask; msr primask, r0", 8),
    straight("DMB, DSB, ISB: 4 each", "dmb; dsb; isb", 12),
)

CORTEX_M0PLUS = ARMV6M + (
    jump("B: 2", "b .", 2 + 1),
    jump("a conditional branch taken: 2", "beq .+4", 2 + 1),
    jump("BL: 3", "bl .", 3 + 1),
    jump("BX: 2", "bx lr", 2 + 1),
    jump("BLX: 2", "blx r3", 2 + 1),
    jump("MOV to PC: 2", "mov pc, r0", 2 + 1),
    jump("ADD to PC: 2", "add pc, r0", 2 + 1),
    jump("POP with PC: 3+N, N = 2", "pop {r4, pc}", 5 + 1),
    straight("MRS, MSR: 3 each", "mrs r0, primask; msr primask, r0", 6),
    straight("DMB, DSB, ISB: 3 each", "dmb; dsb; isb", 9),
)

# An instruction of 32 bits and one cycle.
WIDE = "add.w r8, r8, r9"

# DDI 0337I 3.3 (Cortex-M3) and 100166 3.3 (Cortex-M4); what is "measured", jnk0le measured on both
# (docs/reference/cores-cortex-m.md).
ARMV7M = (
    straight("16-bit data processing: 1 each", "movs r0, #1; adds r0, r1; lsls r0, r0, #3; cmp r0, #3; uxth r0, r1", 5),
    straight(
        "32-bit data processing: 1 each",
        "add.w r0, r1, r2, lsl #3; movw r0, #1234; movt r0, #1234; ubfx r0, r1, #3, #4; bfi r0, r1, #3, #4; "
        "clz r0, r1; rbit r0, r1; orn r0, r1, r2; teq r0, r1; usat r0, #8, r1",
        10,
    ),
    straight("MUL: 1", "muls r0, r1, r0; mul r8, r1, r0", 2),
    straight("divide, up to 12, the longest assumed", "udiv r0, r1, r2; sdiv r0, r1, r2", 24),
    straight("LDR: 2", "ldr r0, [r1]; nop", 3),
    straight("a literal load: 2", "ldr r0, [pc, #8]; nop", 3),
    straight("3.3.3: LDR R0,[R1]; LDR R1,[R2] normally three cycles", "ldr r0, [r1]; ldr r1, [r2]", 3),
    # The manual's "normally three" counts this STR as two; it is "always one cycle", and the cycle that is removed
    # leaves none.
    straight(
        "measured: LDR; STR with an immediate offset are two cycles in all", "ldr r0, [r1, r2]; str r0, [r3, #20]", 2
    ),
    straight("3.3.3: LDR R0,[R1,R2]; STR R1,[R3,R2] normally three cycles", "ldr r0, [r1, r2]; str r1, [r3, r2]", 3),
    straight(
        "3.3.3: LDR R0,[R1,R5]; LDR R1,[R2]; LDR R2,[R3,#4] normally four cycles",
        "ldr r0, [r1, r5]; ldr r1, [r2]; ldr r2, [r3, #4]",
        4,
    ),
    straight("a load is not pipelined after the load that makes its address", "ldr r0, [r1]; ldr r2, [r0]", 4),
    straight("a load of a literal is a load to the next", "ldr r0, [pc, #8]; ldr r1, [r2]", 3),
    straight(
        "STR with an immediate offset is always one cycle", "str r0, [r1]; str r0, [r1, #4]; strb r0, [r1, #1]", 3
    ),
    straight("STR with a register offset: 2", "str r0, [r1, r2]; strb r0, [r1, r2]", 4),
    straight("measured: a store that a load follows takes one more", "str r0, [r1]; ldr r2, [r3]", 1 + 2 + 1),
    straight(
        "measured: a store that a load multiple follows takes one more", "str r0, [r1]; ldm r3!, {r4, r5}", 1 + 3 + 1
    ),
    straight("measured: a store that a pop follows takes one more", "str r0, [sp, #8]; pop {r4, r5}", 1 + 3 + 1),
    straight("a store that an LDRD follows takes one more", "str r0, [r1]; ldrd r4, r5, [r2]", 1 + 3 + 1),
    straight("a load that follows a store multiple does not", "stm r0!, {r1, r2}; ldr r4, [r3]", 3 + 2),
    straight("nor one that follows a store with a register offset", "str r0, [r1, r2]; ldr r4, [r3]", 2 + 2),
    straight("nor a store multiple that follows a store", "str r0, [r1]; stm r3!, {r4, r5}", 1 + 3),
    straight("nor a load with an instruction between", "str r0, [r1]; adds r4, #1; ldr r2, [r3]", 1 + 1 + 2),
    # ePrint 2025/523: a multi-cycle instruction and three of 32 bits across words.
    straight(
        "a load before three wide ones across words: one more",
        f"nop; ldr.w r0, [r1]; {WIDE}; {WIDE}; {WIDE}",
        1 + 2 + 3 + 1,
    ),
    straight("a narrow load before them too", f"ldr r0, [r1]; {WIDE}; {WIDE}; {WIDE}", 2 + 3 + 1),
    straight("before words it is not", f"ldr.w r0, [r1]; {WIDE}; {WIDE}; {WIDE}", 2 + 3),
    straight("nor before two", f"nop; ldr.w r0, [r1]; {WIDE}; {WIDE}; nop; nop", 1 + 2 + 2 + 2),
    straight("nor after an instruction of one cycle", f"nop; {WIDE}; {WIDE}; {WIDE}; {WIDE}", 5),
    straight(
        "once, however many follow", f"nop; ldr.w r0, [r1]; {WIDE}; {WIDE}; {WIDE}; {WIDE}; {WIDE}", 1 + 2 + 5 + 1
    ),
    straight(
        "each of two multi-cycle instructions has its own: ARMed SPHINCS' ChaCha on a Cortex-M4",
        f"nop; push.w {{r9, r10}}; ldr.w r9, [sp, #8]; ldr.w r10, [sp, #12]; {WIDE}; {WIDE}; {WIDE}",
        1 + (3 + 1) + (2 + 1) + 1 + 3,
    ),
    Snippet(
        "what lies behind a branch does not follow it",
        ((0x1000, f"ldr r0, [r1]; {WIDE}; b.w ."), (0x2000, "nop; b ."), (0x100A, WIDE)),
        2 + 1 + (1 + 1) + 1 + (1 + 1) + (1 + 1),
    ),
    straight("an address made by data processing stalls for a cycle: load", "adds r1, #4; ldr r0, [r1]", 1 + 2 + 1),
    straight("an address made by data processing stalls for a cycle: store", "adds r1, #4; str r0, [r1]", 1 + 1 + 1),
    straight("an index made by data processing stalls for a cycle", "adds r2, #4; ldr r0, [r1, r2]", 1 + 2 + 1),
    straight("an address made by a multiplication stalls for a cycle", "muls r1, r2, r1; ldr r0, [r1]", 1 + 2 + 1),
    straight("a stored value made by data processing does not stall", "adds r0, #4; str r0, [r1]", 1 + 1),
    straight("an address made by a write-back does not stall", "ldr r0, [r1], #4; ldr r2, [r1]", 3),
    straight("LDM: a three-element LDM takes 2+1+1", "ldm r0!, {r1, r2, r3}", 4),
    straight("STM: an eight-element store takes nine cycles", "stm r0!, {r1-r7, r8}", 9),
    straight("PUSH and POP: 1+N", "push {r4, lr}; pop {r4, r5, r6}", 3 + 4),
    straight(
        "the wide PUSH and POP of one register are encodings of STR and LDR", "push.w {r8}; nop; pop.w {r8}", 1 + 1 + 2
    ),
    straight("LDRD and STRD: 1+N, not pipelined", "ldrd r0, r1, [r2]; ldrd r4, r5, [r2, #8]; strd r0, r1, [r2]", 9),
    straight("LDREX and STREX: 2", "ldrex r0, [r1]; nop; strex r0, r1, [r2]", 5),
    jump("B: 1+P, P = 1", "b .", 2 + 1),
    jump("a conditional branch taken: 1+P", "beq .+4", 2 + 1),
    Snippet("a conditional branch not taken: 1", ((0x1000, "beq .+64"), (0x1002, "nop")), 2),
    jump("CBZ taken: 1+P", "cbz r0, .+8", 2 + 1),
    Snippet("CBZ not taken: 1", ((0x1000, "cbz r0, .+64"), (0x1002, "nop")), 2),
    jump("BL: 1+P", "bl .", 2 + 1),
    jump("BX: 1+P, P = 2 from a register", "bx lr", 3 + 1),
    jump("BLX: 1+P", "blx r3", 3 + 1),
    jump("MOV to PC: 1+P", "mov pc, r0", 3 + 1),
    jump("LDR to PC: two for the load and three for the refill", "ldr pc, [r0]", 5 + 1),
    jump("POP with PC: 1+N and three for the refill", "pop {r4, pc}", 6 + 1),
    jump("TBB: two for the load, one for the addition, three for the refill", "tbb [pc, r0]", 6 + 1),
    jump("TBH: the same", "tbh [pc, r0, lsl #1]", 6 + 1),
    jump("a wide target across words: one fetch more", "b .", 2 + 1 + 1, to=0x2002, then="movw r0, #1234"),
    jump("a narrow target in the second half of a word costs no more", "b .", 2 + 1, to=0x2002),
    jump("a wide target within a word costs no more", "b .", 2 + 1, then="movw r0, #1234"),
    jump("no load is pipelined across a branch", "ldr r0, [r1]; b .", 2 + 2 + 2, then="ldr r2, [r3]"),
    straight("IT after a 16-bit instruction is folded: 0", "cmp r0, #1; it eq; moveq r0, r1", 2),
    straight("IT after a 32-bit instruction: 1", "cmp.w r0, #1; it eq; moveq r0, r1", 3),
    straight("an ITTE of three: folded, 1 each", "cmp r0, #1; itte eq; moveq r0, r1; addeq r0, #1; movne r0, #0", 4),
    straight("NOP, SEV, CLREX: 1", "nop; sev; clrex; cpsid i", 4),
    straight("MRS, MSR: 2", "mrs r0, primask; msr primask, r0", 4),
    straight("DMB, DSB, ISB: 1 and no wait", "dmb; dsb; isb", 3),
)

CORTEX_M3 = ARMV7M + (
    straight(
        "measured: a load that writes its address back is not pipelined after a load",
        "ldr r0, [r1], #4; ldr r2, [r3], #4",
        4,
    ),
    straight("MLA and MLS: 2", "mla r0, r1, r2, r3; mls r0, r1, r2, r3", 4),
    straight("UMULL and SMULL, 3 to 5, the longest assumed", "umull r0, r1, r2, r3; smull r0, r1, r2, r3", 5 + 5),
    straight("UMLAL 4 to 6, SMLAL 5 to 7, the longest assumed", "umlal r0, r1, r2, r3; smlal r0, r1, r2, r3", 6 + 7),
)

CORTEX_M4 = ARMV7M + (
    straight("measured: loads that write back two bases are pipelined", "ldr r0, [r1], #4; ldr r2, [r3], #4", 3),
    straight("measured: loads that write back one base are not", "ldr r0, [r1], #4; ldr r2, [r1], #4", 4),
    straight("nor is the first needed to write it back", "ldr r0, [r1]; ldr r2, [r1], #4", 3),
    straight("MLA and MLS: 1", "mla r0, r1, r2, r3; mls r0, r1, r2, r3", 2),
    straight("long multiplications: 1", "umull r0, r1, r2, r3; smull r0, r1, r2, r3", 2),
    straight("long multiply-accumulates: 1", "umlal r0, r1, r2, r3; smlal r0, r1, r2, r3", 2),
    straight(
        "multiplications of the DSP extension: 1",
        "umaal r0, r1, r2, r3; smlabb r0, r1, r2, r3; smulwb r0, r1, r2; smlad r0, r1, r2, r3; "
        "smmla r0, r1, r2, r3; usada8 r0, r1, r2, r3",
        6,
    ),
    straight(
        "parallel and saturating arithmetic, packing: 1",
        "uadd8 r0, r1, r2; shsub16 r0, r1, r2; uqasx r0, r1, r2; qadd r0, r1, r2; pkhbt r0, r1, r2, lsl #3; "
        "sel r0, r1, r2; uxtb16 r0, r1, ror #8; sxtah r0, r1, r2",
        8,
    ),
    straight(
        "7.2.3: VADD, VSUB, VMUL, VNEG, VABS, VCVT: 1",
        "vadd.f32 s0, s1, s2; vsub.f32 s3, s1, s2; vmul.f32 s4, s1, s2; vneg.f32 s5, s1; vabs.f32 s6, s1; "
        "vcvt.s32.f32 s7, s1",
        6,
    ),
    straight(
        "7.2.3: a result used by the next instruction: one more", "vadd.f32 s0, s1, s2; vmul.f32 s3, s0, s2", 1 + 1 + 1
    ),
    straight("a result used later does not stall", "vadd.f32 s0, s1, s2; nop; vmul.f32 s3, s0, s2", 3),
    straight("VABS and VNEG are not late", "vneg.f32 s0, s1; vmul.f32 s3, s0, s2", 2),
    straight("the other half of a double is not waited for", "vadd.f32 s0, s1, s2; vmul.f32 s3, s1, s2", 2),
    straight("a store of the result is one later too", "vadd.f32 s0, s1, s2; vstr s0, [r0]", 1 + 2 + 1),
    straight(
        "7.2.3: VMLA, VFMA and their kind: 3", "vmla.f32 s0, s1, s2; vfms.f32 s3, s4, s5; vnmls.f32 s6, s7, s8", 9
    ),
    straight("an addend is consumed one cycle later", "vadd.f32 s0, s1, s2; vmla.f32 s0, s3, s4", 1 + 3),
    straight("a factor is not", "vadd.f32 s0, s1, s2; vmla.f32 s5, s0, s4", 1 + 3 + 1),
    straight("7.2.3: VDIV and VSQRT: 14", "vdiv.f32 s0, s1, s2; vsqrt.f32 s3, s4", 28),
    straight("7.2.3: VMOV of one register: 1", "vmov s0, r0; vmov r1, s3; vmov.f32 s5, s6; vmov.f32 s7, #1.0", 4),
    straight("7.2.3: VMOV of two registers: 2", "vmov r0, r1, d3; vmov d4, r2, r3", 4),
    straight("7.2.3: VCMP 1, VMRS 1", "vcmp.f32 s0, s1; vmrs apsr_nzcv, fpscr; vmsr fpscr, r0", 3),
    straight("7.2.3: VLDR and VSTR single: 2", "vldr s0, [r0]; nop; vstr s1, [r0]", 5),
    straight("7.2.3: VLDR and VSTR double: 3", "vldr d0, [r0]; nop; vstr d1, [r0]", 7),
    straight("7.2.3: VLDM, VSTM: 1+N floats", "vldmia r0!, {s0-s3}; vstmia r1, {s4-s5}", 5 + 3),
    straight("7.2.3: VPUSH, VPOP: 1+2N doubles", "vpush {d8-d9}; vpop {d8-d9}", 5 + 5),
)

SNIPPETS = {"cortex-m0": CORTEX_M0, "cortex-m0plus": CORTEX_M0PLUS, "cortex-m3": CORTEX_M3, "cortex-m4": CORTEX_M4}
