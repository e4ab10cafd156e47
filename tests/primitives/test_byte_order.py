"""Speck has two byte orders in use: a library says which it has, is judged in that, and is timed as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.measure.check import check
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.everything_of import everything_of
from bancada.plan.plan import plan

# Speck128/128 as the paper writes it (section 4 and appendix C): bytes are the printed digits, the first word first.
_SOURCE = """
#include "speck.h"

static uint64_t loaded(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static void stored(uint8_t *bytes, uint64_t word)
{
    for (int i = 7; i >= 0; i--) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

#define ROUND(x, y, k) ((x) = ((((x) >> 8 | (x) << 56) + (y)) ^ (k)), (y) = (((y) << 3 | (y) >> 61) ^ (x)))

void speck_set_key(uint64_t keys[32], const uint8_t key[16])
{
    uint64_t left = loaded(key), right = loaded(key + 8);
    for (uint64_t i = 0; i < 32; i++) {
        keys[i] = right;
        ROUND(left, right, i);
    }
}

void speck_encrypt(const uint64_t keys[32], uint8_t output[16], const uint8_t input[16])
{
    uint64_t x = loaded(input), y = loaded(input + 8);
    for (int i = 0; i < 32; i++) {
        ROUND(x, y, keys[i]);
    }
    stored(output, x);
    stored(output + 8, y);
}
"""
_HEADER = """
#include <stdint.h>
void speck_set_key(uint64_t keys[32], const uint8_t key[16]);
void speck_encrypt(const uint64_t keys[32], uint8_t output[16], const uint8_t input[16]);
"""
_ADAPTER = """
#include "speck.h"
#define BANCADA_ONE_KEY 1
typedef struct { uint64_t keys[32]; } bancada_encrypt_context;
static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    speck_set_key(context->keys, key);
}
static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    speck_encrypt(context->keys, output, input);
}
"""
_TOML = """
name = "paper"
title = "Speck as in the paper"
version = "0"
licence = "MIT"
about = "For a test."

[[implementation]]
name = "speck128"
primitive = "block-cipher"
algorithm = "speck128"
variant = ["plain"]
key_bits = [128]
block_bytes = 16
adapter = "adapter.h"
sources = ["speck.c"]
include = ["."]
operations = ["set-key", "encrypt"]
"""


def _candidate(root: Path, order: str) -> None:
    folder = root / "candidates" / "paper"
    folder.mkdir(parents=True)
    files = {"speck.c": _SOURCE, "speck.h": _HEADER, "adapter.h": _ADAPTER, "candidate.toml": _TOML + order}
    for name, text in files.items():
        (folder / name).write_text(text)


def test_a_library_in_the_papers_order_is_right_when_it_says_so(added_root: Path) -> None:
    _candidate(added_root, 'byte_order = "paper"\n')
    (checked,) = check(open_laboratory(), "paper", "uno")
    assert checked.status is Status.OK, checked.reason
    assert checked.tested is not None
    # The designers' vector, 64 random blocks, and the guard bytes
    assert checked.tested.passed == checked.tested.total == 66


@pytest.mark.parametrize("order", ["", 'byte_order = "guide"\n'])
def test_the_reason_of_a_failure_names_the_other_order(added_root: Path, order: str) -> None:
    _candidate(added_root, order)
    (checked,) = check(open_laboratory(), "paper", "uno")
    assert checked.status is Status.NOT_CONFORMANT
    assert checked.reason is not None
    assert checked.reason.endswith(
        ", which is right in the byte order 'paper': say byte_order = \"paper\" in candidate.toml"
    )


def test_an_answer_that_is_wrong_in_both_orders_gets_no_hint(added_root: Path) -> None:
    _candidate(added_root, "")
    source = added_root / "candidates" / "paper" / "speck.c"
    source.write_text(_SOURCE.replace("i < 32; i++) {\n        ROUND(x", "i < 31; i++) {\n        ROUND(x"))
    (checked,) = check(open_laboratory(), "paper", "uno")
    assert checked.status is Status.NOT_CONFORMANT
    assert "byte order" not in (checked.reason or "")


def test_an_order_that_the_algorithm_does_not_have_is_refused(added_root: Path) -> None:
    _candidate(added_root, 'byte_order = "papers"\n')
    with pytest.raises(UserError, match="There is no byte order of speck128 'papers'; did you mean 'paper'?"):
        list(check(open_laboratory(), "paper", "uno"))


def _elf_sha256(order: str) -> str | None:
    folder = open_laboratory().candidates["paper"].folder
    (folder / "candidate.toml").write_text(_TOML + order)
    experiment = everything_of(open_laboratory(), open_laboratory().candidates["paper"], "uno", "-Os")
    (firmware,) = {
        workload.firmware for workload in plan(open_laboratory(), experiment) if workload.firmware is not None
    }
    return build(firmware).elf_sha256


def test_it_is_timed_without_turning_bytes(added_root: Path) -> None:
    """The firmware is the same whichever order is declared: only what the host expects differs."""
    _candidate(added_root, "")
    assert _elf_sha256('byte_order = "paper"\n') == _elf_sha256("") is not None
