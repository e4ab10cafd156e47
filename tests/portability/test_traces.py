"""No operation of Tatu executes other instructions or accesses other addresses for other secrets, on Arm and on a
big-endian processor. `make test-traces` compares more builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.portability.traces import PLANTED_BRANCH, PLANTED_LOOK_UP, differing, parts, traces
from tests.tatu.aes_programs import CORTEX_M0_PLUS_TABLES, CORTEX_M4_TABLES
from tests.tatu.machines import BIG_ENDIAN, CORTEX_M0_PLUS, CORTEX_M4, Machine, name_of

TABLES_IN_RAM = "AES with tables in RAM"


@pytest.mark.parametrize("machine", [CORTEX_M0_PLUS, CORTEX_M4, BIG_ENDIAN], ids=name_of)
def test_only_what_is_planted_depends_on_a_secret(machine: Machine, scratch: Path) -> None:
    found = traces(machine, scratch)
    assert differing(found) == {PLANTED_BRANCH, PLANTED_LOOK_UP}
    assert len(parts(found[PLANTED_BRANCH], 1)) > 1, "the branch is not seen in the blocks"
    assert len(parts(found[PLANTED_LOOK_UP], 1)) == 1 < len(parts(found[PLANTED_LOOK_UP], 3))
    # A trace of nothing would be equal too. The comparison is the shortest operation.
    assert all(int(pieces[0].split()[1]) > 10 for pieces in found.values())


@pytest.mark.parametrize("machine", [CORTEX_M0_PLUS_TABLES, CORTEX_M4_TABLES], ids=name_of)
def test_with_tables_in_ram_only_the_addresses_of_aes_depend_on_a_secret(machine: Machine, scratch: Path) -> None:
    """Of the variant ram, which is documented (tatu/aes.h); all else is as without the macro."""
    found = traces(machine, scratch)
    assert differing(found) == {PLANTED_BRANCH, PLANTED_LOOK_UP, TABLES_IN_RAM}
    assert len(parts(found[TABLES_IN_RAM], 1)) == 1 < len(parts(found[TABLES_IN_RAM], 3))
