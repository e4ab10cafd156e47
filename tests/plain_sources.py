"""The sources of Tatu's plain variants, for programs that need ciphers to run and not every variant of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_SRC = Path(__file__).resolve().parents[1] / "tatu" / "src"
_OTHER = re.compile(r"tiny|small|_ram|on_the_fly|speck64|128_128|128_192|sha512|/avr/")


def plain_sources(parts: Iterable[str]) -> list[Path]:
    """The files for Arm and in C of these folders of tatu/src: AES, Speck-128/256 and the hashes, in one variant."""
    files = [path for part in parts for path in sorted((_SRC / part).rglob("*.[cS]"))]
    return [path for path in files if not _OTHER.search(str(path.relative_to(_SRC)))]
