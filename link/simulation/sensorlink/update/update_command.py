"""`bancada link update`: puts a signed program on a device, over a serial line."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click
import serial

from sensorlink.laboratory import UserError
from sensorlink.update.device_types import device_name
from sensorlink.update.image import Image, NotAnImage, read_image
from sensorlink.update.upload import BAUD, READ_S, Port, UpdateFailed, upload


@click.command("update")
@click.option("--port", "port_name", required=True, help="The device's serial port: /dev/ttyUSB0, COM3.")
@click.argument("image", type=click.Path(dir_okay=False, path_type=Path))
def command(port_name: str, image: Path) -> None:
    """Put IMAGE, a signed program, on the device at a serial port. Its keys and counters stay.

    An update that was interrupted goes on where it stopped when this is started again.

    Example: bancada link update --port /dev/ttyUSB0 sensor-2.signed
    """
    signed = _read(image)
    try:
        port = serial.serial_for_url(port_name, baudrate=BAUD, timeout=READ_S)
    except (serial.SerialException, ValueError, OSError) as error:
        raise UserError(f"The serial port {port_name} cannot be opened: {error}.") from error
    try:
        _upload(port, signed)
    except (serial.SerialException, OSError) as error:
        raise UserError(
            f"The serial port {port_name} is gone ({error}). Start this again: it goes on where it stopped."
        ) from error
    except UpdateFailed as error:
        raise UserError(f"The device was not updated: {error}.") from error
    finally:
        port.close()
    click.echo(f"The {device_name(signed.device_type)} has version {signed.version}, and starts it.")


def _read(path: Path) -> Image:
    try:
        return read_image(path.read_bytes())
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except NotAnImage as error:
        raise UserError(f"{path} cannot be put on a device: {error}.") from error


def _upload(port: serial.SerialBase, image: Image) -> None:
    label = f"version {image.version} to the {device_name(image.device_type)}"
    with click.progressbar(length=image.items, label=label) as bar:
        port.reset_input_buffer()
        upload(cast(Port, port), image, lambda progress: bar.update(progress.done - bar.pos))
