"""The optional engine `gem5`: a second opinion, where gem5 is on the PATH (docs/reference/engine-qemu.md, "gem5")."""

from __future__ import annotations

from bancada.engines.gem5.engine import Gem5

ENGINE = Gem5
