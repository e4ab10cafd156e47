"""A simulated device, programs signed for it, and what it runs, judged without the link's code."""

from __future__ import annotations

import hashlib
import random
import struct
from dataclasses import dataclass
from pathlib import Path

from laboratory_references import lms_holds
from sensorlink.firmware import BOOTLOADER, build_firmware
from sensorlink.simulate import CHANNEL, Simulation
from sensorlink.update import lms
from sensorlink.update.bootloader_command import BOOT_AT, personal_bootloader
from sensorlink.update.device_types import DEVICE_TYPES
from sensorlink.update.image import Image, make_image, read_image
from sensorlink.update.signing_key import leaf_of
from sensorlink.update.upload import UpdateFailed, upload
from simulated_device import SimulatedDevice, SimulatedPort

SENSOR = DEVICE_TYPES["sensor"]

MANIFEST_AT, FLOOR_AT = 0x6500, 0x6F00
PAGE_BYTES, MANIFEST_PAGES = 128, 20

# rjmp to itself: a program that does nothing.
_PROGRAM = b"\xff\xcf"


def built() -> Path:
    """The folder with bootloader.elf, sensor.elf and gateway.elf."""
    air_rate = Simulation(sensors=1).air_rate
    build_firmware(air_rate, CHANNEL, BOOTLOADER)
    return build_firmware(air_rate, CHANNEL)


@dataclass(frozen=True)
class Site:
    """A signing key of which the leaves up to a version are real: all 1,024 take more than a second."""

    secret: lms.SecretKey
    leaves: tuple[bytes, ...]

    @property
    def root(self) -> bytes:
        return lms.root_of(self.secret, self.leaves)

    def image(self, version: int, program: bytes, device_type: int = SENSOR) -> Image:
        leaf = leaf_of(device_type, version)
        randomizer = hashlib.sha256(program).digest()
        contents = make_image(
            device_type,
            version,
            leaf,
            program,
            lambda header: lms.sign(self.secret, self.leaves, leaf, randomizer, header),
        )
        return read_image(contents)


def make_site(seed: int = 1, versions: int = 8) -> Site:
    source = random.Random(seed)
    secret = lms.SecretKey(source.randbytes(lms.IDENTIFIER_BYTES), source.randbytes(lms.SEED_BYTES))
    real = leaf_of(len(DEVICE_TYPES), versions) + 1
    leaves = (
        lms.leaf_node(secret, leaf) if leaf < real else source.randbytes(lms.HASH_BYTES) for leaf in range(lms.LEAVES)
    )
    return Site(secret, tuple(leaves))


def program_of(pages: int, seed: int) -> bytes:
    """A program of so many pages, of which none is like another."""
    return _PROGRAM + random.Random(f"program {seed}").randbytes(pages * PAGE_BYTES - len(_PROGRAM))


def new_device(bootloader: Path, site: Site, device_type: int = SENSOR) -> SimulatedDevice:
    device = SimulatedDevice(bootloader)
    device.write_flash(BOOT_AT, personal_bootloader(bootloader, site.secret.identifier, site.root, device_type))
    device.power_on()
    return device


def install(device: SimulatedDevice, image: Image) -> None:
    """As a person would, and the device runs it."""
    upload(SimulatedPort(device), image, lambda progress: None)
    assert device.boot()


def refusal(device: SimulatedDevice, contents: bytes, of: Image) -> str:
    """Why the device refuses these contents of an image, which the host's own checks have not seen. "" if it does
    not.
    """
    try:
        upload(SimulatedPort(device), Image(of.device_type, of.version, of.pages, contents), lambda progress: None)
    except UpdateFailed as error:
        return str(error)
    return ""


def signed_in_flash(device: SimulatedDevice, site: Site) -> bytes | None:
    """The program in flash if it and its manifest are whole and signed, by the reference of RFC 8554 and hashlib."""
    manifest = device.read_flash(MANIFEST_AT, MANIFEST_PAGES * PAGE_BYTES)
    header, signature = manifest[:64], manifest[64:]
    pages, leaf = struct.unpack(">HH", header[6:10])
    if pages * PAGE_BYTES > MANIFEST_AT:
        return None
    program = device.read_flash(0, pages * PAGE_BYTES)
    following = bytes(32)
    for at in reversed(range(0, len(program), PAGE_BYTES)):
        following = hashlib.sha256(program[at : at + PAGE_BYTES] + following).digest()
    public = struct.pack(">II", 6, 3) + site.secret.identifier + site.root
    head = struct.pack(">II", leaf, 3) + signature[:32]
    chains, path = signature[32 : 32 * 68], signature[32 * 68 :]
    is_signed = lms_holds(public, header, head + chains + struct.pack(">I", 6) + path)
    return program if is_signed and following == header[32:] else None


def flash_below_bootloader(device: SimulatedDevice) -> bytes:
    return device.read_flash(0, BOOT_AT)
