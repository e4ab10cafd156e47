"""How often a board's timer of sixteen bits went round: by itself, by the simulator on the same input, or not to be
told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.measure.timer import whole_count
from bancada.model.run import Region
from bancada.monitor.monitor import DeviceError
from bancada.plan.plan import plan
from tests.board_bench import Bench, with_board_at

_ROUND = 0x1_0000


def _regions(*cycles: int) -> list[Region]:
    return [Region(one, one, None, None) for one in cycles]


@pytest.mark.parametrize(
    ("timer", "simulated", "whole"),
    [
        (1000, (1000,), 1000),
        (49_000, (1000,), 49_000),  # a slow board that did not go round has the last word
        (3 * _ROUND + 7, (3 * _ROUND, 3 * _ROUND + 100), 3 * _ROUND + 7),
        (
            5 * _ROUND + 7,
            (3 * _ROUND, 3 * _ROUND + 100),
            5 * _ROUND + 7,
        ),  # the same computation twice: the board counts for itself
        (7, (3 * _ROUND, 900), 3 * _ROUND + 7),  # the repetition was another computation
        (4 * _ROUND - 9, (3 * _ROUND, 900), 3 * _ROUND - 9),
        (1, (_ROUND - 2,), _ROUND + 1),  # the markers' own cycles made it go round on the board alone
    ],
)
def test_a_count_is_made_whole(timer: int, simulated: tuple[int, ...], whole: int) -> None:
    assert whole_count(timer, _regions(*simulated)) == whole


@pytest.mark.parametrize(
    ("timer", "simulated"),
    [(0x8000, (3 * _ROUND, 900)), (0x4001, (3 * _ROUND, 900)), (0xBFFF, (3 * _ROUND, 900)), (0x9000, (_ROUND - 2,))],
)
def test_a_count_that_cannot_be_made_whole_is_none(timer: int, simulated: tuple[int, ...]) -> None:
    said = (
        rf"^The board's timer of 16 bits says {timer} and the simulator {simulated[0]} cycles for the same call on the"
        r" same input: .* how often the timer went round"
    )
    with pytest.raises(DeviceError, match=said):
        whole_count(timer, _regions(*simulated))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with Bench(tmp_path / "bench") as found:
        monkeypatch.setenv("PATH", found.path)
        yield found


@pytest.fixture
def uneven(added_root: Path) -> Path:
    """Tatu's Ascon, which before it encrypts waits for as long as the message's first byte says: from nothing to five
    rounds."""
    folder = added_root / "candidates" / "uneven"
    folder.mkdir(parents=True)
    ours = (data_root() / "candidates" / "tatu" / "ascon_aead128.h").read_text()
    waiting = """
static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{
    uneven_wait(input[0]);
    return ascon_encrypt(context, output, input, length, associated, associated_length, nonce, tag);
}
"""
    (folder / "uneven.h").write_text(
        "void uneven_wait(uint8_t turns);\n" + ours.replace("bancada_aead_encrypt(", "ascon_encrypt(", 1) + waiting
    )
    (folder / "uneven.c").write_text("""
#include <stdint.h>
void uneven_wait(uint8_t turns);
void uneven_wait(uint8_t turns)
{
    while (turns--) {
        for (volatile uint8_t turn = 0; turn < 130; turn++) {
        }
    }
}
""")
    (folder / "candidate.toml").write_text("""
name = "uneven"
title = "Uneven"
version = "0"
licence = "MIT"
about = "For a test."
root = "tatu/src"

[[implementation]]
name = "ascon-aead128"
primitive = "aead"
algorithm = "ascon-aead128"
variant = ["plain"]
key_bits = [128]
nonce_bytes = 16
tag_bytes = 16
adapter = "uneven.h"
sources = ["ascon/**/*.[cS]", "common/**/*.[cS]", "uneven.c"]
include = ["."]
operations = ["set-key", "encrypt", "decrypt"]
""")
    return folder


def test_calls_whose_time_depends_on_their_data_are_each_held_beside_their_own(bench: Bench, uneven: Path) -> None:
    """In place, the repetition encrypts what the first call made, and takes another time: only the same input tells."""
    workload = next(
        one
        for one in plan(open_laboratory(), open_laboratory().experiments["aead"], ("uno",), ("uneven",), True)
        if one.firmware is not None
    )
    assert workload.firmware is not None
    case = next(case for case in workload.cases if case.operation == "encrypt" and case.size_bytes == 16)
    made = build(workload.firmware)
    simulated = [region.cycles for region in run(workload.firmware, made, (case,), 8).regions[case]]
    assert len({cycles // _ROUND for cycles in simulated}) > 2, "they differ by whole rounds"
    with with_board_at("uno", bench.port) as laboratory:
        on_board = replace(workload.firmware, target=laboratory.target("uno"))
        measured = [region.cycles for region in run(on_board, made, (case,), 8).regions[case]]
    assert measured == simulated
