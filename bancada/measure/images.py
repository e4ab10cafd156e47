"""What an operation adds to a program: the difference of two images (docs/reference/metrics.md, "flash")."""

from __future__ import annotations

from collections.abc import Callable

from bancada.model.build import Build, Image


def _difference(build: Build, image: str, size: Callable[[Image], int]) -> int | None:
    """The difference between an image and the baseline, a caller that keeps the same context."""
    if image not in build.images:
        return None
    decrypts_only = image in ("decrypt", "set-decrypt-key") and "none-decrypt" in build.images
    return size(build.images[image]) - size(build.images["none-decrypt" if decrypts_only else "none"])


def flash_bytes(build: Build, image: str) -> int | None:
    """Flash that an operation adds to a program; None where there is no such image."""
    return _difference(build, image, lambda found: found.flash_bytes)


def ram_static_bytes(build: Build, image: str) -> int | None:
    """Static RAM that an operation adds to a program, without the program's context and buffers. None where there is no
    such image."""
    return _difference(build, image, lambda found: found.ram_static_bytes)
