"""Keys that are no longer in use are no longer in the server's memory: looked for in all of it, as who steals a core
dump would.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from server_support import Device, Server, Site

CHUNK_BYTES = 16 << 20
# Where the key is in a device's EEPROM image (docs/reference/link-formats.md, "EEPROM").
KEY_AT, KEY_BYTES = 8, 16


def times_in_memory(server: Server, secrets: dict[str, bytes]) -> dict[str, int]:
    """How often each of these is in the memory that the process can read or write, its stacks included."""
    assert server.process is not None
    folder = Path(f"/proc/{server.process.pid}")
    found = dict.fromkeys(secrets, 0)
    longest = max(map(len, secrets.values()))
    with (folder / "mem").open("rb", buffering=0) as memory:
        for line in (folder / "maps").read_text().splitlines():
            span, access, *_ = line.split()
            if "r" not in access or line.endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                continue
            at, end = (int(part, 16) for part in span.split("-"))
            kept = b""
            while at < end:
                memory.seek(at)
                part = memory.read(min(CHUNK_BYTES, end - at))
                if not part:
                    break
                text = kept + part
                for name, secret in secrets.items():
                    # What lies in the part that was kept as a whole has been counted.
                    found[name] += text.count(secret) - kept.count(secret)
                kept = text[1 - longest :]
                at += len(part)
    return found


def image_key(farm: Site, device: int, epoch: int) -> bytes:
    image = (farm.folder / "devices" / f"{device}-epoch{epoch}.bin").read_bytes()
    return image[KEY_AT : KEY_AT + KEY_BYTES]


@pytest.mark.parametrize("suite", ["ascon", "ccm"])
@pytest.mark.parametrize("end", ["at once", "in a while"])
def test_a_key_that_has_ended_is_wiped(farm: Site, suite: str, end: str) -> None:
    farm.create(fleet=2, gateways=("gw-a",), suite=suite)
    table = [line.split(",") for line in (farm.folder.parent / "fleet.csv").read_text().splitlines()[1:]]
    masters = {f"master {row[0]}": bytes.fromhex(row[3]) for row in table}
    seal = bytes.fromhex((farm.folder / "server" / "seal.key").read_text().strip())
    rotated, other = farm.devices
    server = farm.server()
    gateway = farm.gateway()
    gateway.deliver([device.frame(counter) for counter in range(50) for device in farm.devices])
    secrets = {"old": rotated.key, "other": other.key, **masters}
    before = times_in_memory(server, secrets)
    # That this test sees a key that is there.
    assert before["old"] >= 1 and before["other"] >= 1, before
    assert not any(before[name] for name in masters), before

    farm.run("rotate", str(rotated.id), "--old-for", "0s" if end == "at once" else "5s")
    fresh = Device(rotated.id, 1, rotated.suite, image_key(farm, rotated.id, 1))
    secrets["fresh"] = fresh.key
    counter = 0
    while True:
        # The frames go on: the thread that stores them also loads the keys again.
        gateway.deliver([fresh.frame(counter), other.frame(50 + counter)])
        found = times_in_memory(server, secrets)
        counter += 1
        if found["old"] == 0 or end == "at once" or counter == 100:
            break
    assert found["fresh"] >= 1 and found["other"] >= 1, found
    assert found["old"] == 0, f"the old key is in memory {found['old']} times"
    assert not any(found[name] for name in masters), found
    # The server goes on without it: what comes under the old key is refused.
    gateway.deliver([rotated.frame(60)])
    assert farm.refusals() == {"wrong suite or epoch": 1}
    assert times_in_memory(server, {"seal": seal})["seal"] <= 1, "the sealing key is kept once"
