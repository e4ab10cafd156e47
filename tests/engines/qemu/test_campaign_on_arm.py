"""A campaign on emulated devices, as a user runs it: what its results say of themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from bancada.build.build import build
from bancada.engines.qemu.session import memory_as_linked
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from tests.engines.qemu.whole_firmware import firmware_on

Bancada = Callable[..., CompletedProcess[str]]


def exported(bancada: Bancada) -> list[dict[str, object]]:
    return [json.loads(line) for line in bancada("export", "--experiment", "libraries").stdout.splitlines()]


def test_results_of_a_microcontroller_have_every_figure_and_their_band(bancada: Bancada) -> None:
    done = bancada("run", "libraries", "--quick", "--target", "samd21", "--candidate", "tinyaes")
    assert done.returncode == 0, done.stdout + done.stderr
    results = exported(bancada)
    assert results
    memory = open_laboratory().targets["samd21"].memory
    assert memory is not None
    for result in results:
        assert result["status"] == "ok"
        assert (result["fidelity"], result["fidelity_band_percent"]) == ("modelled", memory.band_percent)
        for figure in (
            "cycles_median",
            "instructions_median",
            "flash_bytes",
            "ram_static_bytes",
            "stack_bytes",
            "energy_uj",
            "initialisation_us",
        ):
            assert result[figure] is not None, (result["case"], figure)
        assert "data sheet" in str(result["energy_source"])


def test_energy_without_published_power_is_the_users_or_none(bancada: Bancada) -> None:
    run_it = ("run", "libraries", "--quick", "--target", "bbb", "--candidate", "tinyaes")
    assert bancada(*run_it).returncode == 0
    assert {result["energy_uj"] for result in exported(bancada)} == {None}
    assert bancada(*run_it, "--watts", "2").returncode == 0
    for result in exported(bancada):
        assert result["energy_uj"] == pytest.approx(2 * float(str(result["time_us"])))
        assert result["energy_source"] == "2 W, as the user said (--watts)."


@pytest.mark.parametrize(
    ("target", "level"), [("samd21", "flash"), ("stm32f4", "flash"), ("nrf52840", "icache"), ("rp2040", "xip")]
)
def test_the_flash_of_every_microcontroller_is_asked(target: str, level: str) -> None:
    """Where the emulated machine has it elsewhere, the level goes with it."""
    firmware, cases = firmware_on(target)
    encrypt = next(case for case in cases if case.operation == "encrypt")
    [region] = run(firmware, build(firmware), (encrypt,), 1).regions[encrypt]
    assert region.instructions is not None
    assert 0 < region.events[f"{level}-misses"] <= region.events[f"{level}-accesses"]
    assert region.events[f"{level}-accesses"] > region.instructions / 16


def test_a_level_in_front_of_the_flash_moves_with_it_and_no_other() -> None:
    target = open_laboratory().targets["rp2040"]
    assert target.memory is not None
    flash = target.memory.level[0]
    ram = flash.model_copy(update={"name": "ram", "first_address": 0x2000_0000, "last_address": 0x2000_FFFF})
    memory = memory_as_linked(
        target.model_copy(update={"memory": target.memory.model_copy(update={"level": (flash, ram)})})
    )
    assert memory is not None
    assert (flash.first_address, flash.last_address) == (0x1000_0000, 0x101F_FFFF)
    assert [(level.first_address, level.last_address) for level in memory.level] == [
        (0, 0x1F_FFFF),
        (0x2000_0000, 0x2000_FFFF),
    ]
