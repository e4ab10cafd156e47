"""What other programs get of the server: metrics, health, and the readings as a table."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from line_protocol_parser import parse_line  # type: ignore[import-untyped]
from metrics_support import get
from page_support import login, request
from prometheus_client.parser import text_string_to_metric_families
from sensorlink.laboratory import data_root
from server_support import BOOT, Site, server_program, until

# The text format of Prometheus, version 0.0.4: a comment, or a name with labels and a value.
LINE = re.compile(r'(# (HELP|TYPE) \w+ .+|\w+(\{\w+="([^"\\\n]|\\.)*"(,\w+="([^"\\\n]|\\.)*")*\})? -?[\d.]+)')


def test_metrics_say_what_the_database_holds(farm: Site) -> None:
    farm.create()
    farm.provision("--device", "7", "--name", 'The "upper" \\ weir')
    server = farm.server(extra=("--metrics", "127.0.0.1:0"))
    one, two = farm.devices
    gateway = farm.gateway()
    gateway.deliver([one.frame(counter, supply_mv=2950, temperature_mc=-1500) for counter in range(5)])
    gateway.deliver([two.frame(1)[:-1] + b"\0" + b"noise"])
    status, text = get(server, "/metrics")
    assert status == 200
    for line in text.splitlines():
        assert LINE.fullmatch(line), line
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert values["link_readings_total"] == "5"
    assert values['link_refusals_total{reason="malformed"}'] == "1"
    assert values['link_sensor_supply_volts{device="1",name="Sensor 1"}'] == "2.95"
    assert values['link_sensor_temperature_celsius{device="1",name="Sensor 1"}'] == "-1.5"
    assert 0 <= float(values['link_sensor_heard_seconds{device="1",name="Sensor 1"}']) < 60
    assert values['link_sensor_late{device="7",name="The \\"upper\\" \\\\ weir"}'] == "0"
    assert 0 <= float(values['link_gateway_heard_seconds{gateway="gw-a"}']) < 60
    assert values["link_alarms_open"] == "0"
    # As the project's own library reads it.
    families = {family.name: family for family in text_string_to_metric_families(text)}
    (volts,) = [one.value for one in families["link_sensor_supply_volts"].samples if one.labels["device"] == "1"]
    assert volts == 2.95 and families["link_readings"].type == "counter"
    assert {one.labels["name"] for one in families["link_sensor_late"].samples} >= {'The "upper" \\ weir'}
    # What the dashboard draws is there.
    dashboard = json.loads((data_root() / "link" / "server" / "grafana-dashboard.json").read_text())
    drawn = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"link_\w+", target["expr"])
    }
    assert len(drawn) >= 8 and drawn - {"link_notices_open"} <= {name for name in re.findall(r"# TYPE (\w+)", text)}
    # One kind for each name, before its values.
    kinds = re.findall(r"^# TYPE (\w+) ", text, flags=re.MULTILINE)
    assert len(kinds) == len(set(kinds))


def test_health_says_whether_readings_can_come_in(farm: Site) -> None:
    farm.create()
    server = farm.server(extra=("--metrics", "127.0.0.1:0"))
    status, text = get(server, "/health")
    assert (status, json.loads(text)) == (200, {"broker": True, "stores": True, "database": True})
    farm.broker.kill()
    until(lambda: get(server, "/health")[0] == 503, "the lost broker is told")
    assert json.loads(get(server, "/health")[1])["broker"] is False
    farm.start_broker()
    until(lambda: get(server, "/health")[0] == 200, "the broker is back")


def test_metrics_are_for_this_machine_only(farm: Site) -> None:
    farm.create()
    refused = farm.attempt("serve", "--page", "none", "--metrics", "0.0.0.0:9464")
    assert refused.returncode == 2 and "a loopback address" in refused.stderr
    # A name of another site that leads here gets nothing (DNS rebinding), and there is no page.
    server = farm.server(extra=("--metrics", "127.0.0.1:0"))
    assert get(server, "/metrics", host="evil.example")[0] == 421
    assert get(server, "/api/overview")[0] == 404


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_the_readings_of_any_period_are_written_as_a_table(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    farm.provision("--device", "9", "--name", '=1+1,"weir"')
    farm.server()
    one, two = farm.devices
    begin_s = int(datetime.now(UTC).timestamp()) - 10 * 86_400
    gateway = farm.gateway()
    for device in (one, two):
        gateway.deliver([device.frame(0, kind=BOOT, time_s=begin_s)])
        hours = [device.frame(1 + hour, time_s=begin_s + 3600 * hour, pulses=3 * hour) for hour in range(200)]
        gateway.deliver(hours)

    def moment(hour: int) -> str:
        return f"{datetime.fromtimestamp(begin_s + 3600 * hour, UTC):%Y-%m-%dT%H:%M:%SZ}"

    everything = list(csv.DictReader(io.StringIO(farm.run("export"))))
    assert len(everything) == 400
    assert [int(row["counter"]) for row in everything] == 2 * list(range(1, 201))
    period = ("--from", moment(24), "--to", moment(48), "--device", str(two.id))
    rows = list(csv.DictReader(io.StringIO(farm.run("export", *period))))
    assert [int(row["counter"]) for row in rows] == list(range(25, 49))
    assert {row["device"] for row in rows} == {str(two.id)}
    assert (rows[0]["time"], rows[0]["rain_mm"], rows[0]["temperature_c"]) == (moment(24), "14.4", "21.5")
    objects = [json.loads(line) for line in farm.run("export", *period, "--format", "jsonl").splitlines()]
    assert [(row["time"], row["rain_mm"]) for row in objects] == [(row["time"], float(row["rain_mm"])) for row in rows]
    lines = [parse_line(line) for line in farm.run("export", *period, "--format", "influx").splitlines()]
    assert [(line["time"] // 10**9, line["fields"]["rain_mm"]) for line in lines] == [
        (int(datetime.fromisoformat(row["time"]).timestamp()), float(row["rain_mm"])) for row in rows
    ]
    assert {line["tags"]["device"] for line in lines} == {str(two.id)}
    # A day, and what is no time.
    day = f"{datetime.fromtimestamp(begin_s, UTC):%Y-%m-%d}"
    assert len(list(csv.DictReader(io.StringIO(farm.run("export", "--from", day))))) == 400
    for wrong in ("2026-02-30", "yesterday", "2026-11", "1-2-3-4"):
        refused = farm.attempt("export", "--from", wrong)
        assert refused.returncode == 2 and f"'{wrong}' is no time" in refused.stderr, wrong
        assert refused.stderr.count("\n") == 1


def test_a_name_in_the_table_is_no_formula_and_no_second_field(farm: Site) -> None:
    farm.create(fleet=1)
    farm.server()
    names = ["=1+1", 'upper, "old" weir', "plain"]
    for name in names:
        farm.query(f"UPDATE device SET name = '{name}'")
        farm.gateway().deliver([farm.devices[0].frame(names.index(name))])
        told = [parse_line(line)["tags"]["name"] for line in farm.run("export", "--format", "influx").splitlines()]
        assert set(told) == {name}
        rows = list(csv.DictReader(io.StringIO(farm.run("export"))))
        assert {row["name"] for row in rows} == {f"'{name}" if name.startswith("=") else name}


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_programs_fetch_readings_with_a_token_and_people_with_a_session(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    day_s = int(datetime.now(UTC).timestamp()) // 86_400 * 86_400 - 20 * 86_400
    one, two = farm.devices
    gateway = farm.gateway()
    for device in (one, two):
        gateway.deliver([device.frame(1 + hour, time_s=day_s + 3600 * hour) for hour in range(72)])
    begin = f"{datetime.fromtimestamp(day_s + 86_400, UTC):%Y-%m-%d}"
    end = f"{datetime.fromtimestamp(day_s + 2 * 86_400, UTC):%Y-%m-%d}"
    path = f"/api/readings?device={two.id}&from={begin}&to={end}"
    said = farm.run("token", "grafana")
    token = {"Authorization": f"Bearer {said.split()[-1]}"}
    told = farm.run("export", "--device", str(two.id), "--from", begin, "--to", end)
    assert len(told.splitlines()) == 25
    status, headers, text = request(server, "GET", path, headers=token)
    assert (status, text, headers["content-type"]) == (200, told, "text/csv; charset=utf-8")
    lines = request(server, "GET", f"{path}&format=jsonl", headers=token)[2].splitlines()
    assert [json.loads(line)["counter"] for line in lines] == list(range(25, 49))
    everything = request(server, "GET", "/api/readings?from=&to=", headers=token)[2]
    assert everything == farm.run("export")
    session = login(server, farm.password)[1]["set-cookie"].split(";")[0]
    assert request(server, "GET", path, cookie=session)[2] == told
    # The token fetches readings and nothing else; without one, with a wrong one or an ended one there is nothing.
    assert request(server, "GET", "/api/overview", headers=token)[0] == 401
    for wrong in ({}, {"Authorization": "Bearer 00"}, {"Authorization": "Basic 00"}):
        assert request(server, "GET", path, headers=wrong)[0] == 401
    assert request(server, "GET", f"{path}&format=xls", headers=token)[0] == 400
    assert "is no time" in request(server, "GET", "/api/readings?from=yesterday", headers=token)[2]
    farm.run("token", "grafana", "--revoke")
    assert request(server, "GET", path, headers=token)[0] == 401


def test_the_units_start_what_is_there_and_give_it_nothing_else(farm: Site, tmp_path: Path) -> None:
    """The command lines of the units, with the paths of a site that was provisioned here, and systemd's own check."""
    folder = data_root() / "link" / "server"
    server_unit, broker_unit = ((folder / f"bancada-link-{name}.service").read_text() for name in ("server", "broker"))
    for unit in (server_unit, broker_unit):
        for setting in ("NoNewPrivileges=true", "ProtectSystem=strict", "CapabilityBoundingSet=\n", "Restart=always"):
            assert setting in unit, setting
        assert re.search(r"^User=(?!root)\w", unit, flags=re.MULTILINE)
    farm.create()
    (site_of_unit,) = set(re.findall(r"--site (\S+)", server_unit))
    (settings,) = re.findall(r"^ExecStart=/usr/sbin/mosquitto -c (\S+)$", broker_unit, flags=re.MULTILINE)
    assert settings.removeprefix(site_of_unit) == "/broker/mosquitto.conf"
    assert (farm.folder / "broker" / "mosquitto.conf").is_file()
    (options,) = re.findall(r"^ExecStart=/usr/local/bin/bancada-link-server serve --site \S+ (.*)$", server_unit, re.M)
    (given,) = re.findall(r'^Environment="OPTIONS=(.*)"$', server_unit, flags=re.MULTILINE)
    options = options.replace("$OPTIONS", given)
    server = farm.server(extra=tuple(options.replace(":9464", ":0").split()))
    assert get(server, "/health")[0] == 200
    if shutil.which("systemd-analyze"):
        for name, unit, program in (("server", server_unit, server_program()), ("broker", broker_unit, "mosquitto")):
            # The programs are where this machine has them.
            program = shutil.which(program) or program
            unit = re.sub(r"^ExecStart=\S+", f"ExecStart={program}", unit, flags=re.MULTILINE)
            file = tmp_path / f"bancada-link-{name}.service"
            file.write_text(unit)
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", file], capture_output=True, text=True)
            assert done.stderr.strip() == "" and done.returncode == 0, done.stderr
