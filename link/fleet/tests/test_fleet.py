"""The fleet: what it writes is what its log says, and the same seeds give the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from firmware_host import AES_CCM, ASCON, ROOT, Host, payloads, reference_seal
from link_site import DEADLINE_S, wait_until

START_S = 1_800_000_000
HEADER = "device,epoch,suite,master_hex,key_hex,slot,slots,period"


@dataclass(frozen=True)
class Device:
    id: int
    epoch: int
    suite: int
    key: bytes
    slot: int = 0
    slots: int = 0
    period: int = 5

    def line(self) -> str:
        return (
            f"{self.id},{self.epoch},{self.suite},{'00' * 32},{self.key.hex()},{self.slot},{self.slots},{self.period}"
        )


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fleet")
    sanitizers = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
    subprocess.run(
        ["make", "-j2", "-C", str(ROOT / "link" / "fleet"), f"OUT={out}", f"CFLAGS={sanitizers}"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return out / "fleet"


def devices(count: int, seed: int = 1) -> list[Device]:
    source = random.Random(seed)
    return [
        Device(1 + i, source.randrange(16), source.choice([ASCON, AES_CCM]), source.randbytes(16)) for i in range(count)
    ]


@dataclass
class Ran:
    stream: bytes
    log: list[dict[str, Any]]


def run(fleet: Path, folder: Path, table: list[Device], *options: str) -> Ran:
    keys, stream, log = folder / "keys.csv", folder / "stream", folder / "log.jsonl"
    keys.write_text("\n".join([HEADER, *(device.line() for device in table)]) + "\n")
    done = subprocess.run(
        [
            str(fleet),
            "--keys",
            str(keys),
            "--output",
            str(stream),
            "--log",
            str(log),
            "--speed",
            "0",
            "--start-time",
            str(START_S),
            *options,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Ran(stream.read_bytes(), [json.loads(line) for line in log.read_text().splitlines()])


def bursts(stream: bytes) -> list[bytes]:
    """What the daemon would join: chunks, and those that continue them."""
    joined: list[bytes] = []
    for payload in payloads(stream):
        if payload[0] == 1:
            if payload[1] & 1:
                joined[-1] += payload[6:]
            else:
                joined.append(payload[6:])
    return joined


def found(table: list[Device], stream: bytes) -> Counter[tuple[int, int, int]]:
    """The frames in the stream that open, at any offset: how often each (device, epoch, counter)."""
    known = {(device.id, device.epoch): device for device in table}
    host = Host.shared()
    seen: Counter[tuple[int, int, int]] = Counter()
    for burst in bursts(stream):
        for at in range(len(burst) - 31):
            frame = burst[at : at + 32]
            identity = (int.from_bytes(frame[2:4], "big"), frame[1] & 15)
            device = known.get(identity)
            if device and host.open(device.id, device.suite, device.epoch, device.key, frame):
                seen[(*identity, int.from_bytes(frame[4:8], "big"))] += 1
    return seen


def test_every_frame_is_the_one_in_the_log(fleet: Path, tmp_path: Path) -> None:
    """Each frame is sealed again from the log's values by implementations that are not Tatu's."""
    table = devices(20)
    ran = run(fleet, tmp_path, table, "--frames", "300", "--reset", "0.05")
    expected = []
    for entry in ran.log:
        device = table[entry["device"] - 1]
        assert (entry["epoch"], entry["fate"]) == (device.epoch, "sent")
        if entry["type"] == 1:
            payload = struct.pack(">IIII", entry["unix_s"], entry["reset_cause"], entry["version"], entry["mark"])
            assert entry["mark"] == entry["counter"] and entry["counter"] % 256 == 0
        else:
            payload = struct.pack(
                ">IIiHH",
                entry["unix_s"],
                entry["rain_pulses"],
                entry["temperature_mc"],
                entry["flags"],
                entry["supply_mv"],
            )
        assert entry["unix_s"] == START_S + entry["ms"] // 1000
        head = struct.pack(">BBHI", 0x10 | entry["type"], device.suite << 4 | device.epoch, device.id, entry["counter"])
        expected.append(reference_seal(device.suite, device.key, head, payload))
    assert bursts(ran.stream) == expected
    assert len(expected) == 300
    assert {entry["reset_cause"] for entry in ran.log if entry["type"] == 1} == {1, 8}
    assert len({(entry["device"], entry["counter"]) for entry in ran.log}) == 300


FAULTS = (
    "--reset",
    "0.02",
    "--loss",
    "0.1",
    "--corrupt",
    "0.1",
    "--truncate",
    "0.1",
    "--duplicate",
    "0.1",
    "--replay",
    "0.1",
    "--forge",
    "0.1",
    "--glue",
    "0.3",
    "--garbage",
    "0.1",
    "--noise",
    "0.1",
)


def test_the_same_seeds_give_the_same_bytes(fleet: Path, tmp_path: Path) -> None:
    table = devices(30)
    first = run(fleet, tmp_path, table, "--frames", "2000", *FAULTS)
    again = run(fleet, tmp_path, table, "--frames", "2000", *FAULTS)
    assert (first.stream, first.log) == (again.stream, again.log)
    other_air = run(fleet, tmp_path, table, "--frames", "2000", "--air-seed", "2", *FAULTS)
    assert other_air.stream != first.stream

    def readings(ran: Ran) -> set[tuple[Any, ...]]:
        once = ("sent", "lost", "corrupted", "truncated", "noise")
        return {
            tuple(sorted((k, v) for k, v in entry.items() if k != "fate")) for entry in ran.log if entry["fate"] in once
        }

    # The same sensors through another air: the readings stay.
    assert readings(other_air) == readings(first)
    assert run(fleet, tmp_path, table, "--frames", "2000", "--seed", "2", *FAULTS).stream != first.stream


def test_what_was_damaged_is_gone_and_the_rest_is_all_there(fleet: Path, tmp_path: Path) -> None:
    table = devices(30)
    ran = run(fleet, tmp_path, table, "--frames", "3000", *FAULTS[: FAULTS.index("--noise")])
    fates: dict[str, Counter[tuple[int, int, int]]] = {}
    for entry in ran.log:
        fates.setdefault(entry["fate"], Counter())[(entry["device"], entry["epoch"], entry["counter"])] += 1
    assert set(fates) == {"sent", "lost", "corrupted", "truncated", "duplicate", "replayed", "forged"}
    assert min(sum(fate.values()) for fate in fates.values()) > 100
    assert found(table, ran.stream) == fates["sent"] + fates["duplicate"] + fates["replayed"]


def test_noise_on_the_line_costs_the_damaged_message_only(fleet: Path, tmp_path: Path) -> None:
    table = devices(10)
    ran = run(fleet, tmp_path, table, "--frames", "1000", "--noise", "0.1")
    good = []
    for message in ran.stream.split(b"\0")[:-1]:
        try:
            good += payloads(message + b"\0")
        except AssertionError:
            continue
    kept = {bytes(payload[6:]) for payload in good if payload[0] == 1}
    sent = [entry for entry in ran.log if entry["fate"] == "sent"]
    assert 50 < 1000 - len(sent) < 200
    assert len(kept) == len(sent)


def test_the_state_goes_on_where_it_stopped_and_another_epoch_begins_anew(fleet: Path, tmp_path: Path) -> None:
    table = devices(5)
    state = ("--state", str(tmp_path / "state"))
    used: list[tuple[int, int]] = []
    for _ in range(3):
        used += [
            (entry["device"], entry["counter"]) for entry in run(fleet, tmp_path, table, "--frames", "100", *state).log
        ]
    assert len(set(used)) == len(used) == 300
    renewed = [Device(device.id, (device.epoch + 1) % 16, ASCON, bytes(16)) for device in table]
    first = run(fleet, tmp_path, renewed, "--frames", "20", *state).log
    assert {entry["counter"] for entry in first if entry["type"] == 1} == {0}


def test_slotted_sensors_send_in_their_slots(fleet: Path, tmp_path: Path) -> None:
    table = [Device(slot + 1, 0, ASCON, bytes([slot]) * 16, slot, 11, 5) for slot in range(11)]
    ran = run(fleet, tmp_path, table, "--duration", "60")
    in_slots = [entry for entry in ran.log if entry["type"] == 0]
    assert len(in_slots) > 100
    for entry in in_slots:
        assert (START_S * 1000 + entry["ms"]) % 5000 == 5000 * (entry["device"] - 1) // 11


def test_the_rate_is_the_sensors_over_their_period(fleet: Path, tmp_path: Path) -> None:
    ran = run(fleet, tmp_path, devices(200), "--duration", "100", "--period", "2")
    assert abs(len(ran.log) - 200 * 100 / 2) < 300


def test_a_pseudo_terminal_loses_nothing(fleet: Path, tmp_path: Path) -> None:
    table = devices(20)
    expected = run(fleet, tmp_path, table, "--frames", "500")
    name = tmp_path / "tty"
    process = subprocess.Popen(
        [
            str(fleet),
            "--keys",
            str(tmp_path / "keys.csv"),
            "--pty",
            str(name),
            "--speed",
            "0",
            "--frames",
            "500",
            "--start-time",
            str(START_S),
        ],
        stderr=subprocess.PIPE,
    )
    wait_until(name.exists, "the fleet's terminal is there")
    terminal = os.open(name, os.O_RDONLY | os.O_NOCTTY)
    got = b""
    while len(got) < len(expected.stream):
        got += os.read(terminal, 4096)
    os.close(terminal)
    assert process.wait(DEADLINE_S) == 0
    assert got == expected.stream
    assert not name.is_symlink()


def test_it_ends_at_once_and_tidily_when_told_to(fleet: Path, tmp_path: Path) -> None:
    run(fleet, tmp_path, devices(3), "--frames", "1")
    process = subprocess.Popen(
        [str(fleet), "--keys", str(tmp_path / "keys.csv"), "--pty", str(tmp_path / "tty")],
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until((tmp_path / "tty").is_symlink, "the fleet's terminal is there")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0 and said.startswith("fleet: ")
    assert not (tmp_path / "tty").is_symlink()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("1,0,1,,00,0,0,5", "line 2: key_hex is not 32 hexadecimal digits"),
        (f"70000,0,1,,{'00' * 16},0,0,5", "line 2: device is '70000', not a number from 0 to 65535"),
        (f"1,16,1,,{'00' * 16},0,0,5", "line 2: epoch is '16'"),
        (f"1,0,3,,{'00' * 16},0,0,5", "line 2: suite is '3', not a number from 1 to 2"),
        (f"1,0,1,,{'00' * 16},0,0", "line 2: there must be 8 columns"),
        (f"1,0,1,,{'00' * 16},0,0,5,9", "line 2: there must be 8 columns"),
        ("", "has no devices"),
    ],
)
def test_a_wrong_table_is_one_sentence(fleet: Path, tmp_path: Path, line: str, complaint: str) -> None:
    keys = tmp_path / "keys.csv"
    keys.write_text(f"{HEADER}\n{line}\n")
    done = subprocess.run(
        [str(fleet), "--keys", str(keys), "--frames", "1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and complaint in done.stderr


@pytest.mark.parametrize(
    "options", [["--frames", "x"], ["--loss", "1.5"], ["--nope"], ["more"], ["--keys", "absent.csv"], []]
)
def test_a_wrong_command_line_is_one_sentence(fleet: Path, options: list[str]) -> None:
    done = subprocess.run([str(fleet), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("fleet: ") and done.stderr.count("\n") == 1
