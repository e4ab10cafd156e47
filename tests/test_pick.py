"""What fits, best first, and by how much the others do not."""

from __future__ import annotations

from io import StringIO

import pytest
from example_results import result, withheld
from rich.console import Console

from bancada.errors import UserError
from bancada.pick import Pick, pick, render_pick
from bancada.records import Fidelity, Result, Status


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
    console.print(render_pick(answer))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("by", "order"),
    [("cycles", ["fast", "middle", "small"]), ("time", ["fast", "middle", "small"]), ("flash", ["small", "middle", "fast"])],
)
def test_best_first(by: str, order: list[str]) -> None:
    assert names(pick(ALL, "uno", "encrypt", 128, by=by)) == order


def test_by_ram_and_by_energy() -> None:
    assert names(pick(ALL, "uno", "encrypt", 128, by="ram"))[0] == "small"
    frugal = of("frugal", 5000, 1, energy_uj=0.1)
    assert names(pick([*ALL, frugal], "uno", "encrypt", 128, by="energy"))[0] == "frugal"


def test_limits_are_inclusive_and_say_what_is_left() -> None:
    answer = pick(ALL, "uno", "encrypt", 128, flash_limit_bytes=2000, ram_limit_bytes=200)
    assert names(answer) == ["middle", "small"]
    assert (answer.fits[0].flash_left_bytes, answer.fits[0].ram_left_bytes) == (0, 0)
    assert (answer.fits[1].flash_left_bytes, answer.fits[1].ram_left_bytes) == (1500, 20)


def test_a_miss_says_by_how_much_for_every_limit() -> None:
    answer = pick([FAST], "uno", "encrypt", 128, flash_limit_bytes=2048, ram_limit_bytes=199)
    (miss,) = answer.misses
    assert miss.reasons == (
        "flash 3\u202f000 B is 952 B over the limit of 2\u202f048 B",
        "RAM 200 B is 1 B over the limit of 199 B",
    )


def test_an_implementation_is_offered_at_its_best_level_among_those_that_fit() -> None:
    levels = [of("lib", 1000, 3000, optimisation="-O3"), of("lib", 1500, 1000, optimisation="-Os")]
    assert pick(levels, "uno", "encrypt", 128).fits[0].result.optimisation == "-O3"
    answer = pick(levels, "uno", "encrypt", 128, flash_limit_bytes=2000)
    assert [choice.result.optimisation for choice in answer.fits] == ["-Os"] and answer.misses == ()


def test_a_miss_is_shown_at_its_nearest_level_and_the_nearest_miss_first() -> None:
    levels = [of("lib", 1000, 4000, optimisation="-O3"), of("lib", 1500, 3000, optimisation="-Os"), of("near", 1, 2100)]
    answer = pick(levels, "uno", "encrypt", 128, flash_limit_bytes=2000)
    assert [(miss.result.candidate, miss.result.optimisation) for miss in answer.misses] == [("near", "-Os"), ("lib", "-Os")]


def test_what_is_not_ok_does_not_fit_and_says_why() -> None:
    wrong = withheld(Status.NOT_CONFORMANT, "vector 3", candidate="wrong", implementation="wrong/aes128")
    answer = pick([wrong, MIDDLE], "uno", "encrypt", 128)
    assert names(answer) == ["middle"] and answer.misses[0].reasons == ("not-conformant: vector 3",)


def test_what_is_not_measured_is_not_taken_to_fit() -> None:
    unknown = of("unknown", 1000, 100, ram_static_bytes=None)
    assert names(pick([unknown], "uno", "encrypt", 128, flash_limit_bytes=2000)) == ["unknown"]
    answer = pick([unknown], "uno", "encrypt", 128, ram_limit_bytes=2000)
    assert answer.fits == () and answer.misses[0].reasons == ("its RAM is not measured",)
    answer = pick([of("powerless", 1, 1, energy_uj=None)], "uno", "encrypt", 128, by="energy")
    assert answer.misses[0].reasons == ("its energy is not measured",)


def test_algorithm_narrows() -> None:
    speck = of("tatu", 500, 900, algorithm="speck128")
    assert names(pick([speck, MIDDLE], "uno", "encrypt", 128, algorithm="aes")) == ["middle"]


def test_ciphers_of_different_blocks_are_compared_by_the_byte() -> None:
    narrow = of("narrow", 1200, 900, size_bytes=8)  # 150 a byte; MIDDLE is 125 a byte
    answer = pick([narrow, MIDDLE], "uno", "encrypt", 128)
    assert answer.per_byte and names(answer) == ["middle", "narrow"]
    assert answer.fits[0].value == 125.0
    assert names(pick([narrow, MIDDLE], "uno", "encrypt", 128, by="flash")) == ["narrow", "middle"]


def test_several_message_sizes_are_asked_for() -> None:
    sizes = [of("lib", 1000, 100, size_bytes=16), of("lib", 9000, 100, size_bytes=512)]
    with pytest.raises(UserError, match="16, 512 B: choose with --size"):
        pick(sizes, "uno", "encrypt", 128)
    assert pick(sizes, "uno", "encrypt", 128, size_bytes=512).fits[0].value == 9000


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
    with pytest.raises(UserError, match="bancada run libraries"):
        pick([], "uno", "encrypt", 128)


def test_on_the_console() -> None:
    text = shown(pick(ALL, "uno", "encrypt", 128, flash_limit_bytes=2048))
    assert "uno: encrypt, 128-bit key, flash ≤ 2\u202f048 B; best by cycles first" in text
    assert text.index("middle aes-128") < text.index("small aes-128") < text.index("fast aes-128")
    assert "952 B over" in text
    assert "nothing fits" in shown(pick(ALL, "uno", "encrypt", 128, ram_limit_bytes=10))


def test_what_the_figures_are_worth_stands_under_them() -> None:
    assert "Cycles, time and energy: exact." in shown(pick(ALL, "uno", "encrypt", 128))
    modelled = [of("model", 1000, 1, fidelity=Fidelity.MODELLED, fidelity_band_percent=39.0)]
    assert "Cycles, time and energy: modelled ±39 %." in shown(pick(modelled, "uno", "encrypt", 128))
