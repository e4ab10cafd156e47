"""What the modes cost on an ATmega328P beside the calls of the cipher, and the stack of ChaCha20-Poly1305."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.catalogue.target import FunctionRequest, Target
from bancada.measure.function import measure
from bancada.measure.laboratory import open_laboratory
from bancada.model.measurement import Call
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE

BLOCKS = {1: 1, 2: 2, 9: 3}  # of the message, and which call it is
PARTS = ("aes", "ccm", "chacha20", "cmac", "common", "modes", "poly1305")


class Device:
    def __init__(self, target: Target, elf: Path) -> None:
        self.target, self.elf = target, elf

    def call(self, function: str, blocks: int = 1) -> Call:
        request = FunctionRequest(elf=self.elf, function=function, first_call=BLOCKS[blocks])
        (call,) = measure(self.target, request).calls
        return call

    def cycles(self, function: str, blocks: int = 1) -> int:
        return round(self.call(function, blocks).cycles)

    def of_a_block(self, function: str) -> float:
        return (self.cycles(function, 9) - self.cycles(function, 2)) / 7


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    elf = tmp_path_factory.mktemp("cost") / "device.elf"
    target = open_laboratory().target("uno")
    options = (*target.toolchain.flags, "-Os")
    compiled(
        elf,
        "avr-gcc",
        options,
        HERE / "modes_cost_device.c",
        sources_of(PARTS),
        linking=target.toolchain.link_flags,
    )
    return Device(target, elf)


@pytest.mark.parametrize(("function", "calls"), [("tatu_cmac", 1), ("tatu_ctr_encrypt", 1), ("tatu_ccm_encrypt", 2)])
def test_a_block_costs_at_most_200_cycles_beside_the_cipher(device: Device, function: str, calls: int) -> None:
    cipher = device.cycles("tatu_aes128_encrypt")
    assert 0 < device.of_a_block(function) - calls * cipher <= 200


def test_cmac_of_one_block_costs_at_most_600_cycles_beside_the_cipher(device: Device) -> None:
    assert 0 < device.cycles("tatu_cmac") - device.cycles("tatu_aes128_encrypt") <= 600


@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_chacha20_poly1305_takes_at_most_200_bytes_of_stack(device: Device, direction: str) -> None:
    stack_bytes = device.call(f"tatu_chacha20_poly1305_{direction}", 9).stack_bytes
    assert 0 < stack_bytes <= 200
