"""A cipher that is a global C++ object of the adapter: what is constructed before main stays out of the baseline of a
size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.commands.new_candidate import new_candidate
from bancada.measure.check import check
from bancada.measure.laboratory import open_laboratory
from bancada.model.build import Build
from bancada.model.status import Status
from bancada.plan.everything_of import everything_of
from bancada.plan.plan import plan
from tests.own_library import QUATI_CALLS, filled_in

FIXTURES = Path(__file__).parent / "arduino"


def _built(name: str) -> Build:
    laboratory = open_laboratory()
    experiment = everything_of(laboratory, laboratory.candidates[name], "uno", "-Os")
    [firmware] = {one.firmware for one in plan(laboratory, experiment) if one.firmware}
    return build(firmware)


@pytest.fixture
def adapter(added_root: Path) -> Path:
    """Quati as the candidate `mine`, as its documentation calls it: an object beside the calls, and a copy of the key
    as the context."""
    written = new_candidate("mine", "aes", added_root, arduino=FIXTURES / "Quati")
    path = written.folder / "adapter.hpp"
    text = filled_in(path.read_text(), QUATI_CALLS)
    text = text.replace("typedef Quati128 bancada_encrypt_context;", "typedef uint8_t bancada_encrypt_context;")
    text = text.replace("context->", "quati.")
    path.write_text(re.sub(r"(#include [^\n]*Quati[^\n]*\n)", r"\1\nQuati128 quati;\n", text, count=1))
    return path


def test_a_global_object_of_the_adapter_builds_and_is_right(adapter: Path) -> None:
    assert "Quati128 quati;" in adapter.read_text()
    [checked] = check(open_laboratory(), "mine", "uno")
    assert checked.status is Status.OK, checked.reason


def test_the_object_and_what_constructs_it_are_part_of_the_size(adapter: Path) -> None:
    """Quati has two tables of 256 bytes in RAM, and an object of more than a key schedule."""
    made = _built("mine")
    assert made.status is Status.OK, made.reason
    ram = made.images["encrypt"].ram_static_bytes - made.images["none"].ram_static_bytes
    assert ram >= 512 + 176
