"""`bancada link sign-firmware`: signs a program for the devices of a site."""

from __future__ import annotations

from pathlib import Path

import click

from sensorlink.firmware import build_firmware
from sensorlink.laboratory import UserError
from sensorlink.simulate import CHANNEL, Simulation
from sensorlink.update.device_types import DEVICE_TYPES
from sensorlink.update.flash_file import flash_of
from sensorlink.update.image import MAX_PAGES, PAGE_BYTES, make_image
from sensorlink.update.signing_key import LARGEST_VERSION, folder_of, leaf_of, read_key


@click.command("sign-firmware")
@click.option("--site", required=True, type=click.Path(file_okay=False, path_type=Path), help="The site's folder.")
@click.option(
    "--type", "device", required=True, type=click.Choice(sorted(DEVICE_TYPES)), help="What the program is for."
)
@click.option(
    "--version",
    required=True,
    type=click.IntRange(1, LARGEST_VERSION),
    help="Higher than that of every earlier program: a device takes no older one.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Where to. Default: TYPE-VERSION.signed.",
)
@click.argument("program", required=False, type=click.Path(dir_okay=False, path_type=Path))
def command(site: Path, device: str, version: int, output: Path | None, program: Path | None) -> None:
    """Sign PROGRAM, an ELF file, for the devices of a site. Without PROGRAM, the link's own program of this type.

    Example: bancada link sign-firmware --site farm --type sensor --version 2
    """
    key = read_key(folder_of(site))
    elf = program or build_firmware(Simulation(sensors=1).air_rate, CHANNEL) / f"{device}.elf"
    contents = flash_of(elf, 0, MAX_PAGES * PAGE_BYTES)
    leaf = leaf_of(DEVICE_TYPES[device], version)
    image = make_image(DEVICE_TYPES[device], version, leaf, contents, lambda header: key.sign(leaf, header))
    path = output or Path(f"{device}-{version}.signed")
    try:
        path.write_bytes(image)
    except OSError as error:
        raise UserError(f"The signed program cannot be written to {path}: {error.strerror}.") from error
    click.echo(f"{path}: version {version} for each {device} of the site, {len(contents)} bytes of program.")
