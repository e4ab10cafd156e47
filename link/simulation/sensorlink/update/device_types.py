"""The devices that have the bootloader, by the number that a signed program and the bootloader name them with."""

from __future__ import annotations

DEVICE_TYPES = {"sensor": 1, "gateway": 2}


def device_name(number: int) -> str:
    """What a device type is called."""
    return next((name for name, known in DEVICE_TYPES.items() if known == number), f"device type {number}")
