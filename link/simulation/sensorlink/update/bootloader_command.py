"""`bancada link bootloader`: the bootloader of a site, for a programmer to write."""

from __future__ import annotations

from pathlib import Path

import click

from sensorlink.firmware import BOOTLOADER, build_firmware
from sensorlink.laboratory import UserError
from sensorlink.simulate import CHANNEL, Simulation
from sensorlink.update.device_types import DEVICE_TYPES
from sensorlink.update.flash_file import flash_of, intel_hex
from sensorlink.update.signing_key import SigningKey, folder_of, make_key, read_key

# link/firmware/bootloader/layout.h
BOOT_AT, IDENTITY_AT, FLASH_END = 0x7000, 0x7FC0, 0x8000

_ERASED = b"\xff"


def personal_bootloader(elf: Path, identifier: bytes, root: bytes, device_type: int) -> bytes:
    """The boot section from BOOT_AT on: the bootloader, and whose signatures hold on which device."""
    code = flash_of(elf, BOOT_AT, IDENTITY_AT)
    identity = identifier + root + b"BLF" + bytes((device_type,))
    return code + _ERASED * (IDENTITY_AT - BOOT_AT - len(code)) + identity


@click.command("bootloader")
@click.option("--site", required=True, type=click.Path(file_okay=False, path_type=Path), help="The site's folder.")
@click.option("--type", "device", required=True, type=click.Choice(sorted(DEVICE_TYPES)), help="What the device is.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Where to. Default: bootloader-TYPE.hex in the site's folder.",
)
def command(site: Path, device: str, output: Path | None) -> None:
    """Make the bootloader that runs only programs of this site, for a programmer to write once.

    The first time, this makes the site's signing key too.

    Example: bancada link bootloader --site farm --type sensor
    """
    key = _key(folder_of(site))
    elf = build_firmware(Simulation(sensors=1).air_rate, CHANNEL, BOOTLOADER) / "bootloader.elf"
    contents = personal_bootloader(elf, key.secret.identifier, key.root, DEVICE_TYPES[device])
    path = output or site / f"bootloader-{device}.hex"
    try:
        path.write_text(intel_hex(BOOT_AT, contents))
    except OSError as error:
        raise UserError(f"The bootloader cannot be written to {path}: {error.strerror}.") from error
    click.echo(f"{path} is written. Put it on the device once, with a programmer:")
    click.echo(
        f"avrdude -c usbasp -p m328p -e -U flash:w:{path}:i -U lfuse:w:0xff:m -U hfuse:w:0xd8:m -U efuse:w:0xfd:m "
        "-U lock:w:0xec:m"
    )


def _key(folder: Path) -> SigningKey:
    if folder.is_dir():
        return read_key(folder)
    key = make_key(folder)
    click.echo(f"The site's signing key is new, in {folder}. Whoever has it can put programs on your devices.")
    return key
