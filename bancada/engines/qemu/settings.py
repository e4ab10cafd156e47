"""The table [qemu] of target.toml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bancada.catalogue.target import EngineSettings, Target


class QemuSettings(EngineSettings):
    """How QEMU runs a target's programs: without `machine`, `program` runs a Linux process."""

    program: Literal["qemu-arm", "qemu-aarch64", "qemu-system-arm"]
    cpu: str
    machine: str | None = None
    # Where the machine has its flash, if elsewhere than the device.
    flash_origin: int | None = Field(default=None, ge=0)
    # RAM of the machine from the target's 'ram_origin' on, where it has more than the device.
    ram_bytes: int | None = Field(default=None, gt=0)
    # Extensions that the emulated processor has and the device does not: a program that executes one fails.
    missing_on_device: tuple[Literal["cryptography"], ...] = ()

    @property
    def is_linux(self) -> bool:
        return self.machine is None

    @property
    def linked_flash_origin(self) -> int | None:
        return self.flash_origin

    @property
    def linked_ram_bytes(self) -> int | None:
        return self.ram_bytes

    @property
    def stack_is_watched(self) -> bool:
        """A machine without memory of its own for the stack lets it run into static RAM unseen."""
        return self.machine is None or self.ram_bytes is not None


def qemu_settings(target: Target) -> QemuSettings:
    """The settings of a target that QEMU runs."""
    assert isinstance(target.settings, QemuSettings)
    return target.settings
