"""The emulated E32 module, as firmware sees it through its pins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sensorlink.air import LINE_BYTE_S, time_on_air_s
from simulation_bench import PROBES, WIRES, build, firmware, listener, native, of, run, summary_of

FACTORY = "c000001a1744"


def said(events: list[dict[str, Any]], node: str) -> list[tuple[str, str]]:
    text = b"".join(bytes.fromhex(event["bytes"]) for event in of(events, "uart", node)).decode()
    return [(line.split("=")[0], line.split("=")[1]) for line in text.splitlines()]


def probe(folder: Path, source: str, *flags: str, **settings: Any) -> dict[str, Any]:
    elf = build(folder, PROBES / source, *flags)
    return firmware("probe", elf, uart={"file": str(folder / "uart")}, **settings)


def test_commands(tmp_path: Path) -> None:
    """E32-433T20D user manual, section 7: what is saved survives a power failure, what is not does not."""
    resets = {"at": [{"time_s": 4, "cause": "power-loss"}, {"time_s": 8, "cause": "power-loss"}]}
    events = run([probe(tmp_path, "module_probe.c", resets=resets)], 12)
    assert said(events, "probe") == [
        ("aux-at-power-on", "0"),
        ("parameters", FACTORY),
        ("version", "c3322702"),
        ("incomplete", ""),
        ("temporary", "c212341b0544"),
        ("afterwards", "c012341b0544"),
        ("aux-on-leaving-sleep", "0"),
        ("not-asleep", ""),
        ("back-asleep", "c012341b0544"),
        ("aux-at-power-on", "0"),
        ("parameters", FACTORY),
        ("version", "c3322702"),
        ("incomplete", ""),
        ("saved", "c000071c0944"),
        ("aux-at-power-on", "0"),
        ("parameters", "c000071c0944"),
        ("version", "c3322702"),
        ("incomplete", ""),
        ("aux-after-reset-command", "0"),
        ("after-reset-command", "c000071c0944"),
    ]
    # Awake, the command's bytes are data, and go out by the temporary parameters.
    (packet,) = of(events, "transmit-begin")
    assert (packet["bytes"], packet["channel"], packet["air_rate"]) == ("c1c1c1", 5, 4800)
    assert [event["what"] for event in of(events, "complaint")] == [
        "an incomplete or unknown command was sent to the module"
    ] * 3


@pytest.mark.parametrize(
    ("length", "pause_ms", "tail", "packets"),
    [
        (1, 0, 0, [1]),
        (57, 0, 0, [57]),
        (58, 0, 0, [58]),
        (59, 0, 0, [58, 1]),
        (150, 0, 0, [58, 58, 34]),
        (10, 2, 10, [20]),  # less than three bytes' time: still one packet
        (10, 4, 10, [10, 10]),
        (500, 0, 0, [58] * 8 + [36]),
    ],
)
def test_packets_end_at_58_bytes_or_silence(
    tmp_path: Path, length: int, pause_ms: int, tail: int, packets: list[int]
) -> None:
    fast = "00001B1744"
    flags = (f"-DLENGTH={length}", f"-DPAUSE_MS={pause_ms}", f"-DTAIL={tail}")
    events = run([probe(tmp_path, "stream_probe.c", *flags, parameters=fast), listener(module=fast)], 3.5)
    begins = of(events, "transmit-begin")
    assert [len(event["bytes"]) // 2 for event in begins] == packets
    sent = bytes(index % 256 for index in range(length)) + b"\xaa" * tail
    assert bytes.fromhex("".join(event["bytes"] for event in begins)) == sent
    # One after the other, as one stream.
    for before, after in zip(begins, begins[1:], strict=False):
        assert after["time_us"] == pytest.approx(before["end_us"], abs=1)
    assert dict(said(events, "probe"))["aux-after-one-byte"] == "0"


@pytest.mark.parametrize("aux_rises", ["at-end", "at-begin"])
def test_aux_rises_when_the_packet_has_been_sent(tmp_path: Path, aux_rises: str) -> None:
    events = run([probe(tmp_path, "stream_probe.c", "-DLENGTH=16", aux_rises=aux_rises)], 2)
    rises_us = int(dict(said(events, "probe"))["aux-rises-us"])
    begins_us = (16 + 3) * LINE_BYTE_S * 1e6
    on_air_us = time_on_air_s(2400, 16) * 1e6 if aux_rises == "at-end" else 0
    assert rises_us == pytest.approx(begins_us + on_air_us, rel=0.01)  # the probe's delays are as good as that


def test_reception_on_the_line(tmp_path: Path) -> None:
    """AUX falls, 5 ms later the module speaks, and AUX rises after the last byte: section 6.2."""
    events = run([probe(tmp_path, "receive_probe.c"), native("a")], 8)
    packets = [event["bytes"] for event in of(events, "transmit-begin")]
    lines = said(events, "probe")
    assert [value for name, value in lines if name == "bytes"] == packets
    assert [int(value) for name, value in lines if name == "lead-us"] == pytest.approx([5000, 5000], abs=3)
    assert {value for name, value in lines if name == "aux-after"} == {"1"}


@pytest.mark.parametrize(
    ("wake_up", "parameters", "preamble_s"), [(0, "00001A1744", 0), (1, "00001A1744", 0.25), (1, "00001A175C", 1)]
)
def test_who_saves_power_hears_only_what_wakes_it(
    tmp_path: Path, wake_up: int, parameters: str, preamble_s: float
) -> None:
    """Sections 6.3 and 6.4; the preamble is as long as the option byte says."""
    sleeper = probe(tmp_path, "receive_probe.c", "-DPOWER_SAVING=1")
    elf = build(tmp_path, PROBES / "stream_probe.c", "-DLENGTH=16", f"-DWAKE_UP={wake_up}")
    events = run([sleeper, firmware("sender", elf, parameters=parameters), listener()], 3)
    (begin,) = of(events, "transmit-begin")
    assert (begin["end_us"] - begin["time_us"]) / 1e6 == pytest.approx(preamble_s + time_on_air_s(2400, 16), abs=1e-5)
    (end,) = of(events, "transmit-end")
    assert end["delivered_to"] == (["probe", "listener"] if wake_up else ["listener"])
    assert [value for name, value in said(events, "probe") if name == "bytes"] == ([begin["bytes"]] if wake_up else [])


def test_a_bit_error_spoils_one_bit(tmp_path: Path) -> None:
    events = run([probe(tmp_path, "receive_probe.c"), native("a")], 2, air={"bit_error": 1})
    (sent,) = [int(event["bytes"], 16) for event in of(events, "transmit-begin")]
    (received,) = [int(value, 16) for name, value in said(events, "probe") if name == "bytes"]
    assert (sent ^ received).bit_count() == 1


def test_packets_back_to_back_come_out_as_one_stream(tmp_path: Path) -> None:
    """At 4.8k a packet of one byte is shorter on the air than 58 bytes are on the line at 9600."""
    parameters = "00001B1744"
    sender = native("a", module=parameters, frame_bytes=59)
    events = run([probe(tmp_path, "receive_probe.c", parameters=parameters), sender], 4)
    first, second = of(events, "transmit-begin")
    assert second["end_us"] - first["end_us"] < (5000 + 58 * LINE_BYTE_S * 1e6)
    assert [value for name, value in said(events, "probe") if name == "bytes"] == [first["bytes"] + second["bytes"]]


def test_a_power_failure_cuts_a_packet_off(tmp_path: Path) -> None:
    resets = {"at": [{"time_s": 0.5, "cause": "brown-out"}]}
    node = probe(tmp_path, "stream_probe.c", "-DLENGTH=32", resets=resets)
    events = run([node, listener(), native("b", first_s=0.5)], 1.6)
    (cut_off, others, again) = of(events, "transmit-end")
    assert (cut_off["node"], cut_off["aborted"], cut_off["time_us"], cut_off["delivered_to"]) == (
        "probe",
        True,
        500_000,
        [],
    )
    # What was cut off is no longer in the air, and collides with nothing.
    assert (others["node"], others["collided"], others["delivered_to"]) == ("b", True, [])
    assert again["node"] == "probe"
    assert summary_of(events, "probe")["aborted"] == 1


def test_a_reset_button_leaves_the_module_on(tmp_path: Path) -> None:
    resets = {"at": [{"time_s": 0.5, "cause": "external"}]}
    events = run([probe(tmp_path, "stream_probe.c", "-DLENGTH=32", resets=resets), listener()], 0.9)
    (sent,) = of(events, "transmit-end")
    assert (sent["aborted"], sent["delivered_to"]) == (False, ["listener"])


def test_an_unknown_pin_gets_one_sentence(tmp_path: Path) -> None:
    node = probe(tmp_path, "stream_probe.c", "-DLENGTH=1")
    node["module"] = {**WIRES, "aux": "PZ9"}
    with pytest.raises(Exception, match="probe: the microcontroller has no pin 'PZ9'"):
        run([node], 1)
