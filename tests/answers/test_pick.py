"""What fits, best first, and by how much the others do not."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from bancada.answers.pick import Pick, Question, pick_as_dict, render_pick
from bancada.answers.pick import pick as pick_by
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick

METRICS = read_metrics()
_CAVEAT = METRICS["energy"].caveat


def pick(results: list[Result], target: str, operation: str, key_bits: int, **wanted: Any) -> Pick:
    return pick_by(results, Question(target, operation, key_bits, **wanted), METRICS)


def of(name: str, cycles: int, flash: int, stack: int = 24, **changes: object) -> Result:
    """A result of another library; its RAM is 176 + stack."""
    named = {"candidate": name, "implementation": f"{name}/aes128", "flash_bytes": flash, "stack_bytes": stack}
    return result(cycles, **(named | changes))


FAST = of("fast", 1000, 3000)
MIDDLE = of("middle", 2000, 2000)
SMALL = of("small", 9000, 500, stack=4)
ALL = [SMALL, FAST, MIDDLE]


def names(answer: Pick) -> list[str]:
    return [choice.result.candidate for choice in answer.fits]


def shown(answer: Pick) -> str:
    console = Console(file=StringIO(), width=200)
    console.print(render_pick(answer, METRICS))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("cycles", ["fast", "middle", "small"]),
        ("time", ["fast", "middle", "small"]),
        ("flash", ["small", "middle", "fast"]),
    ],
)
def test_best_first(by: str, order: list[str]) -> None:
    assert names(pick(ALL, "uno", "encrypt", 128, by=by)) == order


def test_by_ram_and_by_energy() -> None:
    assert names(pick(ALL, "uno", "encrypt", 128, by="ram"))[0] == "small"
    frugal = of("frugal", 5000, 1, energy_uj=0.1)
    assert names(pick([*ALL, frugal], "uno", "encrypt", 128, by="energy"))[0] == "frugal"


def test_limits_are_inclusive_and_say_what_is_left() -> None:
    answer = pick(ALL, "uno", "encrypt", 128, limits={"flash": 2000, "ram": 200})
    assert names(answer) == ["middle", "small"]
    assert answer.fits[0].left == {"flash": 0, "ram": 0}
    assert answer.fits[1].left == {"flash": 1500, "ram": 20}


def test_a_miss_says_by_how_much_for_every_limit() -> None:
    answer = pick([FAST], "uno", "encrypt", 128, limits={"flash": 2048, "ram": 199})
    (miss,) = answer.misses
    assert miss.reasons == (
        "flash 3\u202f000 B is 952 B over the limit of 2\u202f048 B",
        "RAM 200 B is 1 B over the limit of 199 B",
    )


def test_an_implementation_is_offered_at_its_best_level_among_those_that_fit() -> None:
    levels = [of("lib", 1000, 3000, optimisation="-O3"), of("lib", 1500, 1000, optimisation="-Os")]
    assert pick(levels, "uno", "encrypt", 128).fits[0].result.optimisation == "-O3"
    answer = pick(levels, "uno", "encrypt", 128, limits={"flash": 2000})
    assert [choice.result.optimisation for choice in answer.fits] == ["-Os"]
    assert answer.misses == ()


def test_a_miss_is_shown_at_its_nearest_level_and_the_nearest_miss_first() -> None:
    levels = [of("lib", 1000, 4000, optimisation="-O3"), of("lib", 1500, 3000, optimisation="-Os"), of("near", 1, 2100)]
    answer = pick(levels, "uno", "encrypt", 128, limits={"flash": 2000})
    assert [(miss.result.candidate, miss.result.optimisation) for miss in answer.misses] == [
        ("near", "-Os"),
        ("lib", "-Os"),
    ]


def test_what_is_not_ok_does_not_fit_and_says_why() -> None:
    wrong = withheld(Status.NOT_CONFORMANT, "vector 3", candidate="wrong", implementation="wrong/aes128")
    answer = pick([wrong, MIDDLE], "uno", "encrypt", 128)
    assert names(answer) == ["middle"]
    assert answer.misses[0].reasons == ("not-conformant: vector 3",)


def test_what_is_not_measured_is_not_taken_to_fit() -> None:
    unknown = of("unknown", 1000, 100, ram_static_bytes=None)
    assert names(pick([unknown], "uno", "encrypt", 128, limits={"flash": 2000})) == ["unknown"]
    answer = pick([unknown], "uno", "encrypt", 128, limits={"ram": 2000})
    assert answer.fits == ()
    assert answer.misses[0].reasons == ("its RAM is not measured",)
    answer = pick([of("powerless", 1, 1, energy_uj=None)], "uno", "encrypt", 128, by="energy")
    assert answer.misses[0].reasons == ("its energy is not measured",)


def test_algorithm_narrows() -> None:
    speck = of("tatu", 500, 900, algorithm="speck128")
    assert names(pick([speck, MIDDLE], "uno", "encrypt", 128, algorithm="aes")) == ["middle"]


def test_ciphers_of_different_blocks_are_compared_by_the_byte() -> None:
    narrow = of("narrow", 1200, 900, size_bytes=8)  # 150 a byte; MIDDLE is 125 a byte
    answer = pick([narrow, MIDDLE], "uno", "encrypt", 128)
    assert answer.per_byte
    assert names(answer) == ["middle", "narrow"]
    assert answer.fits[0].value == 125.0
    assert names(pick([narrow, MIDDLE], "uno", "encrypt", 128, by="flash")) == ["narrow", "middle"]


def test_a_size_chooses_among_the_classes_that_have_it() -> None:
    """A block cipher has blocks of 16 B; messages of 512 B are of another class."""
    block, sealed = of("block", 1000, 100), of("sealed", 9000, 100, primitive="aead", algorithm="x", size_bytes=512)
    assert names(pick([block, sealed], "uno", "encrypt", 128)) == ["block"]
    assert names(pick([block, sealed], "uno", "encrypt", 128, size_bytes=512)) == ["sealed"]
    with pytest.raises(UserError, match="--size can be 16, 512"):
        pick([block, sealed], "uno", "encrypt", 128, size_bytes=99)


def test_of_several_message_sizes_one_block_is_taken_and_the_others_are_said() -> None:
    sizes = [
        of("lib", 1000, 100, size_bytes=16),
        of("lib", 9000, 100, size_bytes=512),
        of("long", 1, 1, size_bytes=512),
    ]
    sizes.append(of("long", 1, 1, size_bytes=64))
    answer = pick(sizes, "uno", "encrypt", 128)
    assert names(answer) == ["lib"]
    assert answer.fits[0].value == 1000
    text = shown(answer)
    assert "Messages of 16 B; measured too: 64, 512 B (--size)." in text
    assert "Not measured at 16 B: long/aes128." in text
    assert pick(sizes, "uno", "encrypt", 128, size_bytes=512).fits[0].value == 1
    with pytest.raises(UserError, match="--size can be 16, 64, 512"):
        pick(sizes, "uno", "encrypt", 128, size_bytes=99)


def test_without_a_message_of_one_block_the_shortest_is_taken() -> None:
    sizes = [of("lib", 1000, 100, size_bytes=64), of("lib", 9000, 100, size_bytes=512), of("lib", 9, 100, size_bytes=0)]
    assert pick(sizes, "uno", "encrypt", 128).fits[0].value == 1000


def test_primitives_are_not_held_against_each_other_and_the_others_are_said() -> None:
    aead = of("aead", 1, 1, primitive="aead", algorithm="ascon-aead128")
    answer = pick([aead, MIDDLE], "uno", "encrypt", 128)
    assert names(answer) == ["middle"]
    assert "measured too: authenticated encryption (--primitive aead)" in shown(answer)
    assert names(pick([aead, MIDDLE], "uno", "encrypt", 128, primitive="aead")) == ["aead"]
    assert names(pick([aead, MIDDLE], "uno", "encrypt", 128, algorithm="ascon-aead128")) == ["aead"]


def test_constant_time_takes_only_what_an_audit_of_this_very_build_found_clean() -> None:
    clean, leaking = replace(SMALL, audit="clean"), replace(FAST, audit="leaks: branch at aes.c:1 in f")
    answer = pick([clean, leaking, MIDDLE], "uno", "encrypt", 128, constant_time=True)
    assert names(answer) == ["small"]
    assert {miss.result.candidate: miss.reasons[0] for miss in answer.misses} == {
        "fast": "leaks: branch at aes.c:1 in f",
        "middle": "no audit of it at -Os is stored (bancada audit middle/aes128 --target uno)",
    }
    assert names(pick([clean, leaking, MIDDLE], "uno", "encrypt", 128)) == ["fast", "middle", "small"]


def test_constant_time_by_an_audit_of_the_sources_says_so() -> None:
    """The firmware of an Arm target may have assembly in the place of what was audited."""
    sources, firmware = replace(SMALL, audit="clean (its sources, on the host)"), replace(SMALL, audit="clean")
    remark = "Constant-time here: the C sources were audited on the host, not the firmware"
    for one, is_said in ((sources, True), (firmware, False)):
        answer = pick([one], "uno", "encrypt", 128, constant_time=True)
        assert names(answer) == ["small"]
        assert any(said.startswith(remark) for said in answer.remarks) == is_said
    assert pick([sources], "uno", "encrypt", 128).remarks == ()


def test_the_answer_as_json_has_the_question_and_every_record() -> None:
    answer = pick(ALL, "uno", "encrypt", 128, limits={"flash": 2048})
    told = json.loads(json.dumps(pick_as_dict(answer)))
    assert told["question"]["flash_limit"] == 2048
    assert told["metric"]["unit"] == "cycles"
    assert [(fit["value"], fit["flash_left"], fit["result"]["stack_bytes"]) for fit in told["fits"]] == [
        (2000, 48, 24),
        (9000, 1548, 4),
    ]
    assert told["misses"][0]["result"]["candidate"] == "fast"
    assert "952 B over" in told["misses"][0]["reasons"][0].replace("\u202f", "")


def test_associated_data_is_the_least_unless_asked_for() -> None:
    both = [of("lib", 1000, 100), of("lib", 2000, 100, associated_bytes=16)]
    assert pick(both, "uno", "encrypt", 128).fits[0].value == 1000
    assert pick(both, "uno", "encrypt", 128, associated_bytes=16).fits[0].value == 2000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("unoo", "encrypt", 128), "There is no target with results 'unoo'; did you mean 'uno'?"),
        (("uno", "encrpyt", 128), "There is no operation with results there 'encrpyt'; did you mean 'encrypt'?"),
        (("uno", "encrypt", 100), "There is no result for a key size of 100 bit; --key can be 128."),
    ],
)
def test_a_question_nobody_can_answer_is_one_clear_sentence(arguments: tuple[str, str, int], sentence: str) -> None:
    with pytest.raises(UserError) as error:
        pick(ALL, *arguments)
    assert str(error.value) == sentence


def test_an_unknown_metric_and_no_results_at_all() -> None:
    with pytest.raises(UserError, match="did you mean 'cycles'"):
        pick(ALL, "uno", "encrypt", 128, by="cycle")
    with pytest.raises(UserError, match="bancada run EXPERIMENT"):
        pick([], "uno", "encrypt", 128)


def test_on_the_console() -> None:
    text = shown(pick(ALL, "uno", "encrypt", 128, limits={"flash": 2048}))
    assert "uno: encrypt, 128-bit key, 16 B, flash ≤ 2\u202f048 B; best by cycles first" in text
    assert text.index("middle aes-128") < text.index("small aes-128") < text.index("fast aes-128")
    assert "952 B over" in text
    assert "nothing fits" in shown(pick(ALL, "uno", "encrypt", 128, limits={"ram": 10}))


def test_what_the_figures_are_worth_stands_under_them() -> None:
    assert f"Cycles and time: exact. {_CAVEAT}" in shown(pick(ALL, "uno", "encrypt", 128))
    modelled = [of("model", 1000, 1, fidelity=Fidelity.MODELLED, fidelity_band_percent=39.0)]
    assert f"Cycles and time: modelled ±39 %. {_CAVEAT}" in shown(pick(modelled, "uno", "encrypt", 128))
