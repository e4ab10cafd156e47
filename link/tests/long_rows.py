"""The rows of the link's table whose tests are short enough for every run, run again so that the table has them all.

Run as a program (make test-link does): python link/tests/long_rows.py [--only TEXT]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "testing"))

from link.tests.long_server import Long, print_table

ROWS = (
    Long(
        "end to end in the simulator: one sensor, four with jitter, four in slots",
        "100 %; .64 +- .08; at least .99; rate within 5 % of theory",
        ("simulation/tests/test_simulation_end_to_end.py",),
        {},
    ),
    Long(
        "24 hours offline; a serial line's damage and cuts; lost acknowledgements",
        "all kept; drained at 10 x the live rate",
        ("gateway/tests/test_gateway_delivery.py",),
        {},
        drained_within_s=8640,
    ),
    Long(
        "clocks of gateway and server a day off, the sensor's clock reset",
        "no decision changes",
        (
            "server/tests/test_server_refusals.py::test_no_clock_decides",
            "server/tests/test_server_clock.py",
            "firmware/tests/test_firmware_clock_and_rain.py",
        ),
        {},
    ),
    Long(
        "frames to sensors: forged, flipped, of others and the other direction, replayed; power cuts",
        "10^5, 0 accepted; nothing repeated, no sensor locked out",
        (
            "firmware/tests/test_firmware_downlink.py",
            "firmware/tests/test_firmware_downlink_settings.py",
            "firmware/tests/test_firmware_ratchet.py",
        ),
        {"LINK_TEST_DOWNLINK_TRIES": "100000"},
    ),
    Long(
        "the downlink in the simulator: clock, slots, lost frames, settings, trials, keys",
        "each as told; no frame lost with 3 of 10 packets faded",
        ("firmware/tests/test_firmware_downlink_on_device.py",),
        {},
    ),
    Long(
        "the downlink from the server to simulated firmware, through broker and daemon",
        "time, settings and key confirmed",
        ("server/tests/test_server_downlink.py", "server/tests/test_server_downlink_chain.py"),
        {},
    ),
    Long(
        "made-up headers, a thief's renewals, a flood of log-ins, guesses",
        "no answer taken from a sensor; none signed before it is due; the honest served, no queue",
        (
            "gateway/tests/test_gateway_down.py",
            "tests/test_renewal.py",
            "server/tests/test_server_people.py",
        ),
        {},
    ),
    Long(
        "alarms by webhook, mail and MQTT; 10,000 sensors on the page; rain of two gateways' clocks; rights; backup",
        "none lost; 300 kB and 20 kB/s; 60 mm of 60; 100 of 100 frames; 0 recorded ones taken as fresh",
        (
            "server/tests/test_server_notify.py",
            "server/tests/test_server_page_ten_thousand.py",
            "server/tests/test_server_time.py",
            "server/tests/test_server_diversity.py",
            "server/tests/test_server_broker.py",
            "server/tests/test_server_backup.py",
        ),
        {},
    ),
    Long(
        "certificates: none, expired, wrong authority, wrong host; older TLS; topics of another",
        "refused and logged",
        (
            "gateway/tests/test_gateway_refusals.py",
            "server/tests/test_server_impostors.py",
            "server/tests/test_server_refusals.py::test_no_gateway_speaks_for_another_or_for_a_server",
            "server/tests/test_server_refusals.py::test_a_gateway_that_is_revoked_is_refused_and_keeps_what_it_has",
        ),
        {},
    ),
    Long(
        "the gateway's disk full",
        "nothing acknowledged that is not stored; resumes by itself",
        ("gateway/tests/test_gateway_disk.py",),
        {},
    ),
)


if __name__ == "__main__":
    sys.exit(print_table(ROWS, __doc__))
