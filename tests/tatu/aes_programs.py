"""The Arm cores that AES is tested on: NEON, Thumb-1 and Thumb-2 assembly, and the twins in C."""

from __future__ import annotations

from tests.tatu.machines import CORES, CORTEX_M0_PLUS, CORTEX_M3, CORTEX_M4

CORTEX_M0_PLUS_TABLES = CORTEX_M0_PLUS.named("cortex-m0plus-tables", "-DTATU_AES_TABLES_IN_RAM")
CORTEX_M3_TABLES = CORTEX_M3.named("cortex-m3-tables", "-DTATU_AES_TABLES_IN_RAM")
CORTEX_M4_TABLES = CORTEX_M4.named("cortex-m4-tables", "-DTATU_AES_TABLES_IN_RAM")
WITH_TABLES = (CORTEX_M0_PLUS_TABLES, CORTEX_M3_TABLES, CORTEX_M4_TABLES)
AES_MACHINES = (*CORES, CORTEX_M0_PLUS.in_c(), CORTEX_M4.in_c(), *WITH_TABLES)
