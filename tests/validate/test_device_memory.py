"""The memories of devices that figures were published behind: found by name, refused with the reason, counted in a
validation."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.costing.cost import cost
from bancada.costing.memory import CacheLevel, LateRegion
from bancada.engines.qemu.profiler import profile_program
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.validate.device_memory import device_memory
from bancada.validate.programs import build, find_call
from bancada.validate.validate import validate


@pytest.fixture
def own_memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for memories of one's own; what was read before is forgotten."""
    folder = tmp_path / "cores" / "memories"
    folder.mkdir(parents=True)
    monkeypatch.setenv("BANCADA_PATH", str(tmp_path))
    device_memory.cache_clear()
    return folder


def test_an_unknown_memory_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match="nrf52840"):
        device_memory("nrf52480")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("about = ", "not valid TOML"),
        ("level = []", "key 'about'"),
        (
            'about = "x"\nlevel = [{name = "a", serves = ["fetch"], size_bytes = 3, line_bytes = 1, ways = 1, miss_cycles = 1, source = "x"}]',
            "power of two",
        ),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_the_reason(own_memories: Path, text: str, said: str) -> None:
    (own_memories / "mine.toml").write_text(text)
    with pytest.raises(UserError, match=said) as caught:
        device_memory("mine")
    assert "mine.toml" in str(caught.value)


def test_a_memory_of_ones_own_is_found(own_memories: Path) -> None:
    (own_memories / "mine.toml").write_text('about = "never waits"\n')
    assert device_memory("mine").level == ()


@pytest.mark.parametrize("name", ["nrf52840", "samd21", "stm32l4r5"])
def test_a_target_has_the_memory_that_was_validated(name: str) -> None:
    target, validated = open_laboratory().targets[name], device_memory(name)
    assert target.memory is not None

    def numbers(part: CacheLevel | LateRegion) -> dict[str, object]:
        return part.model_dump(exclude={"source"})

    assert [numbers(region) for region in target.memory.late_region] == [
        numbers(region) for region in validated.late_region
    ]
    assert [numbers(level) for level in target.memory.level] == [numbers(level) for level in validated.level]
    assert {level.last_address + 1 for level in target.memory.level} <= {target.flash_bytes}
    assert target.memory.band_percent == validated.band_percent
    assert target.band_of(1000) == validated.band_percent


def test_a_row_with_a_memory_is_predicted_with_its_waiting() -> None:
    """P-256's point decompression reads 33 words of constants from flash; each waits for two cycles, each missed line
    of code for three."""
    core = open_laboratory().cores["cortex-m4"]
    table = core.table
    assert table is not None
    [row] = [row for row in core.published if row.program == "p256-cortex-m4/decompress"]
    assert row.memory == "nrf52840"
    program, call = find_call(row.program)
    [profile] = profile_program(
        build(program, call, row.bytes),
        function="measured",
        first_call=2,
        qemu=program.emulator,
        memory=device_memory("nrf52840"),
    )
    misses = {count.name: count.misses for count in profile.caches}
    [found] = [outcome for outcome in validate(core) if outcome.program == row.program]
    assert misses["icache"] > 0
    assert misses["flashdata"] > 0
    assert found.predicted == cost(profile, table).cycles + 3 * misses["icache"] + 2 * misses["flashdata"]
