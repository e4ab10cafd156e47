"""What the server hands out, taken in by the programs that it is for, Prometheus and InfluxDB.

`make test-link-programs` installs and runs them.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from link_site import Program, free_port
from metrics_support import get
from sensorlink.laboratory import data_root
from server_support import Site, until

NAME = 'The "upper", old weir = 1'


def asked(url: str, body: bytes | None = None) -> Any:
    with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def answers(url: str) -> bool:
    try:
        asked(url)
    except OSError:
        return False
    except ValueError:
        return True  # an answer that is no JSON
    return True


def test_prometheus_takes_the_metrics_and_the_dashboards_questions(farm: Site, tmp_path: Path) -> None:
    farm.create()
    server = farm.server(extra=("--metrics", "127.0.0.1:0"))
    farm.gateway().deliver([farm.devices[0].frame(counter) for counter in range(1, 6)])
    metrics = get(server, "/metrics")[1]
    checked = subprocess.run(["promtool", "check", "metrics"], input=metrics, capture_output=True, text=True)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")

    place = server.log().split("metrics at http://")[1].split("/metrics")[0]
    settings = tmp_path / "prometheus.yml"
    settings.write_text(
        "global: {scrape_interval: 1s}\n"
        f"scrape_configs: [{{job_name: link, static_configs: [{{targets: ['{place}']}}]}}]\n"
    )
    base = f"http://127.0.0.1:{free_port()}"
    prometheus = Program(tmp_path / "prometheus.log")
    prometheus.spawn(
        [
            "prometheus",
            f"--config.file={settings}",
            f"--storage.tsdb.path={tmp_path / 'prometheus'}",
            f"--web.listen-address={base.removeprefix('http://')}",
        ]
    )
    try:

        def result(question: str) -> list[Any]:
            found = asked(f"{base}/api/v1/query?{urllib.parse.urlencode({'query': question})}")
            assert found["status"] == "success", question
            return list(found["data"]["result"])

        until(lambda: answers(f"{base}/-/ready"), "Prometheus is there")
        until(lambda: len(result("link_readings_total")) == 1, "Prometheus has read the metrics")
        assert result("link_readings_total")[0]["value"][1] == "5"
        dashboard = json.loads((data_root() / "link" / "server" / "grafana-dashboard.json").read_text())
        questions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        assert len(questions) >= 8
        for question in questions:
            result(question)
    finally:
        prometheus.kill()


def test_influxdb_takes_the_readings(farm: Site, tmp_path: Path) -> None:
    farm.create(fleet=1)
    farm.server()
    farm.query(f"UPDATE device SET name = '{NAME}'")
    (device,) = farm.devices
    farm.gateway().deliver([device.frame(1 + at, time_s=1_790_000_000 + 60 * at, pulses=at) for at in range(100)])
    port, other_port = free_port(), free_port()
    settings = tmp_path / "influxdb.conf"
    settings.write_text(
        f'bind-address = "127.0.0.1:{other_port}"\n'
        f'[meta]\ndir = "{tmp_path}/meta"\n[data]\ndir = "{tmp_path}/data"\nwal-dir = "{tmp_path}/wal"\n'
        f'[http]\nbind-address = "127.0.0.1:{port}"\n'
    )
    base = f"http://127.0.0.1:{port}"
    influx = Program(tmp_path / "influxdb.log")
    influx.spawn(["influxd", "-config", str(settings)])
    try:
        until(lambda: answers(f"{base}/ping"), "InfluxDB is there")

        def query(text: str) -> list[Any]:
            body = urllib.parse.urlencode({"q": text, "db": "link"}).encode()
            return list(asked(f"{base}/query", body)["results"][0].get("series", []))

        query("CREATE DATABASE link")
        asked(f"{base}/write?db=link", farm.run("export", "--format", "influx").encode())
        (series,) = query('SELECT "device", "name", "rain_mm", "temperature_c", "supply_v", "counter" FROM "reading"')
        rows = list(csv.DictReader(io.StringIO(farm.run("export"))))
        assert len(rows) == 100
        assert [dict(zip(series["columns"], values, strict=True)) for values in series["values"]] == [
            {
                "time": row["time"],
                "device": row["device"],
                "name": NAME,
                "rain_mm": float(row["rain_mm"]),
                "temperature_c": float(row["temperature_c"]),
                "supply_v": float(row["supply_v"]),
                "counter": int(row["counter"]),
            }
            for row in rows
        ]
    finally:
        influx.kill()
