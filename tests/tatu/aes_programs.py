"""The Arm cores that AES is tested on: NEON, Thumb-1 and Thumb-2 assembly, and the twins in C."""

from __future__ import annotations

from tests.tatu.machines import CORES, CORTEX_M0_PLUS, CORTEX_M4

CORTEX_M0_PLUS_TABLES = CORTEX_M0_PLUS.named("cortex-m0plus-tables", "-DTATU_AES_TABLES_IN_RAM")
AES_MACHINES = (*CORES, CORTEX_M0_PLUS.in_c(), CORTEX_M4.in_c(), CORTEX_M0_PLUS_TABLES)
