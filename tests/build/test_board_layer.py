"""A target from outside brings a board layer of its own."""

from __future__ import annotations

from pathlib import Path

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.plan import plan


def _target(root: Path, layer: str) -> None:
    folder = root / "targets" / "mine"
    folder.mkdir(parents=True)
    text = (data_root() / "targets" / "uno" / "target.toml").read_text()
    named = text.replace('name = "uno"', 'name = "mine"').replace(
        'mcu = "atmega328p"', 'mcu = "atmega328p"\nboard_layer = "device_mine.c"', 1
    )
    assert named.count("mine") == 2
    (folder / "target.toml").write_text(named)
    (folder / "device_mine.c").write_text(layer)


def _firmware() -> Firmware:
    laboratory = open_laboratory()
    workloads = plan(laboratory, laboratory.experiment("sensor"), ("mine",), ("tatu",), quick=True)
    return next(one.firmware for one in workloads if one.firmware is not None)


def test_the_layer_in_the_targets_folder_is_compiled(added_root: Path) -> None:
    _target(added_root, (data_root() / "harness" / "src" / "device_avr.c").read_text())
    firmware = _firmware()
    made = build(firmware)
    assert made.status is Status.OK, made.reason
    with open_device(firmware, made) as device:
        assert device.facts.clock_hz == firmware.target.clock_hz


def test_its_mistakes_are_its_own(added_root: Path) -> None:
    _target(added_root, "#error this board has no serial port\n")
    made = build(_firmware())
    assert made.status is Status.DOES_NOT_BUILD
    assert made.reason is not None
    assert "this board has no serial port" in made.reason
