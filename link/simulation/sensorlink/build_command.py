"""`bancada link build`: builds all that the demonstration and the other commands need, so that none of them has to wait
for it.
"""

from __future__ import annotations

import click

from sensorlink.binaries import SERVER, binary
from sensorlink.firmware import BOOTLOADER, build_firmware
from sensorlink.laboratory import air_simulator
from sensorlink.simulate import CHANNEL, Simulation


def build_everything() -> None:
    """Builds the Rust programs, the firmware and the simulator of the air, those that are missing. UserError if a tool
    is missing.
    """
    binary(SERVER)  # one build makes all programs of the workspace
    build_firmware(Simulation(sensors=1).air_rate, CHANNEL)
    build_firmware(Simulation(sensors=1).air_rate, CHANNEL, BOOTLOADER)
    air_simulator()


@click.command("build")
def command() -> None:
    """Build the programs and the firmware, if they are not built yet.

    Example: bancada link build
    """
    build_everything()
    click.echo("The link's programs and firmware are built.")
