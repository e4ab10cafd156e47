"""The Arm cores that AES is tested on: NEON, Thumb-1 and Thumb-2 assembly, and the twins in C."""

from __future__ import annotations

from tests.tatu.machines import CORES, CORTEX_M0_PLUS, CORTEX_M4, LINUX, Machine

AES_MACHINES = (
    *CORES,
    Machine("cortex-a7-O3", LINUX, ("-mcpu=cortex-a7", "-mfpu=neon-vfpv4", "-O3"), ("qemu-arm", "-cpu", "cortex-a7")),
    Machine(
        "cortex-a15-Os", LINUX, ("-mcpu=cortex-a15", "-mfpu=neon-vfpv4", "-Os"), ("qemu-arm", "-cpu", "cortex-a15")
    ),
    CORTEX_M0_PLUS.in_c(),
    CORTEX_M4.in_c(),
)
