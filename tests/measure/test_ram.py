"""What needs more RAM than there is does not fit, though it links: static RAM, context and stack together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.measure.batch import Batch, work
from bancada.measure.laboratory import open_laboratory
from bancada.measure.ram import why_not_in_ram
from bancada.measure.samples import Run
from bancada.model.build import Build, Image
from bancada.model.run import Region
from bancada.model.status import Status
from bancada.plan.case import Case
from bancada.plan.plan import plan


@pytest.fixture
def deep(added_root: Path) -> Callable[[str, int], dict[str, tuple[Status, str | None]]]:
    """Tatu's Speck with a buffer on the stack of encryption, run on a target: what became of each operation."""

    def run(target: str, stack_bytes: int) -> dict[str, tuple[Status, str | None]]:
        folder = added_root / "candidates" / "deep"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "deep.h").write_text("""
#include <tatu/speck.h>
#define BANCADA_ONE_KEY 1
typedef struct tatu_speck128_128 bancada_encrypt_context;
void deep_encrypt(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input);
static inline void bancada_set_encrypt_key(bancada_encrypt_context *c, const uint8_t *key) { tatu_speck128_128_set_key(c, key); }
static inline void bancada_encrypt(bancada_encrypt_context *c, uint8_t *out, const uint8_t *in) { deep_encrypt(c, out, in); }
""")
        (folder / "deep.c").write_text(f"""
#include <tatu/speck.h>
void deep_encrypt(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input)
{{
    volatile uint8_t buffer[{stack_bytes}];
    for (unsigned int i = 0; i < sizeof buffer; i++) {{
        buffer[i] = 0xa5;
    }}
    tatu_speck128_128_encrypt(context, output, input);
}}
""")
        (folder / "candidate.toml").write_text("""
name = "deep"
title = "Deep"
version = "0"
licence = "MIT"
about = "For a test."
root = "tatu/src"

[[implementation]]
name = "speck128-{key_bits}"
primitive = "block-cipher"
algorithm = "speck128"
variant = ["plain"]
key_bits = [128]
block_bytes = 16
adapter = "deep.h"
sources = ["speck/**/*.[cS]", "common/**/*.[cS]", "deep.c"]
include = ["."]
operations = ["set-key", "encrypt"]
""")
        experiment = open_laboratory().experiments["libraries"].model_copy(update={"algorithms": ("speck128",)})
        workload = next(
            one for one in plan(open_laboratory(), experiment, (target,), ("deep",), True) if one.firmware is not None
        )
        firmware = workload.firmware
        assert firmware is not None
        batch = Batch((workload,), 2, False, {target: firmware.target.described}, frozenset())
        answers = [answer for some in work(batch) for answer in some]
        return {one.case.operation: (one.found.status, one.found.reason) for one in answers if one.found is not None}

    return run


@pytest.mark.parametrize("target", ["samd21", "rp2040"])
def test_a_stack_that_is_too_deep_for_a_cortex_m_does_not_fit(
    target: str, deep: Callable[[str, int], dict[str, tuple[Status, str | None]]]
) -> None:
    """Alone in its memory it is measured, and nobody is wronged by what it would have overwritten: conformance
    holds."""
    ram_bytes = open_laboratory().targets[target].ram_bytes
    found = deep(target, ram_bytes)
    status, reason = found["encrypt"]
    assert status is Status.DOES_NOT_FIT and reason is not None, found
    said = re.fullmatch(
        r"it needs (\d+) B more RAM than the (\d+) B there are: 0 B of static RAM, a context of 256 B and (\d+) B of"
        r" stack",
        reason,
    )
    assert said is not None, reason
    over, there, stack = map(int, said.groups())
    assert there == ram_bytes < stack
    assert over == 256 + stack - ram_bytes
    assert found["set-key"] == (Status.OK, None)


def test_a_stack_that_fits_fits(deep: Callable[[str, int], dict[str, tuple[Status, str | None]]]) -> None:
    assert deep("samd21", 20_000) == {"set-key": (Status.OK, None), "encrypt": (Status.OK, None)}


def test_a_stack_that_reaches_static_ram_on_the_uno_does_not_fit(
    deep: Callable[[str, int], dict[str, tuple[Status, str | None]]],
) -> None:
    status, reason = deep("uno", 1800)["encrypt"]
    assert status is Status.DOES_NOT_FIT and reason is not None, reason
    assert "the firmware with the monitor has " in reason
    assert "the context of 256 B among them" in reason
    assert "of 2048 B are too few for the stack, which reached static RAM in deep_encrypt" in reason


def _measured(target: str, static: int, context: int | None, stack: int) -> tuple[Case, Build, Run]:
    workloads = plan(open_laboratory(), open_laboratory().experiments["libraries"], (target,), ("tinyaes",), quick=True)
    case = next(case for workload in workloads for case in workload.cases if case.operation == "encrypt")
    images = {"none": Image("x.elf", 450, 60), "encrypt": Image("x.elf", 1450, 60 + static)}
    made = Build(Status.OK, None, "x.elf", "ab" * 32, "gcc", "-Os", images=images)
    regions = (Region(1000, 1009, stack - 8, 700), Region(1000, 1009, stack, 700))
    return case, made, Run({case: regions}, {"encrypt": context} if context is not None else {}, None, "engine")


@pytest.mark.parametrize("target", ["uno", "mega2560", "samd21"])
def test_the_three_together_may_be_all_there_is_and_no_byte_more(target: str) -> None:
    ram_bytes = open_laboratory().targets[target].ram_bytes
    assert why_not_in_ram(*_measured(target, 1000, 176, ram_bytes - 1176)) is None
    said = why_not_in_ram(*_measured(target, 1001, 176, ram_bytes - 1176))
    assert (
        said == f"it needs 1 B more RAM than the {ram_bytes} B there are: 1001 B of static RAM, a context of 176 B and"
        f" {ram_bytes - 1176} B of stack"
    )


def test_a_heap_is_not_counted_and_said() -> None:
    said = why_not_in_ram(*_measured("uno", 1000, None, 1049))
    assert said is not None
    assert "1000 B of static RAM, a context on the heap, which is not counted, and 1049 B of stack" in said


def test_a_board_that_tells_nothing_of_its_stack_is_not_judged() -> None:
    case, made, run = _measured("uno", 4000, 176, 100)
    silent = replace(run, regions={case: (Region(1000, 1009, None, None),)})
    assert why_not_in_ram(case, made, silent) is None


def test_without_memory_of_its_own_the_stack_must_fit_beside_the_monitor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The STM32F4's emulated machine has the device's RAM and no more: a stack that met the firmware's buffers measured
    something else."""
    ram_bytes = open_laboratory().targets["stm32f4"].ram_bytes
    monkeypatch.setattr("bancada.measure.ram.image_of", lambda path: Image(str(path), 0, 5000))
    fits = _measured("stm32f4", 0, 176, ram_bytes - 5000 - 96)
    assert why_not_in_ram(*fits) is None
    said = why_not_in_ram(*_measured("stm32f4", 0, 176, ram_bytes - 5000 - 96 + 4))
    assert said is not None
    assert said.startswith("it cannot be measured: alone it takes 0 B of static RAM, a context of 176 B and")
    assert (
        "beside the monitor, whose firmware has 5000 B of static RAM, 4 B more RAM than the 131072 B there are" in said
    )
