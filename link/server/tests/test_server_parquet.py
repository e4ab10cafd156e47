"""Readings as Apache Parquet: what the format's reference implementation (pyarrow) reads is what the table has."""

from __future__ import annotations

import csv
import io
import subprocess
from datetime import UTC, datetime

import pyarrow
import pyarrow.parquet
from link_site import DEADLINE_S
from page_support import request
from server_support import Site, server_program

# One more than two of the file's groups of rows hold.
MANY = 2 * 65_536 + 1

TYPES = {
    "time": pyarrow.timestamp("ms", tz="UTC"),
    "device": pyarrow.int32(),
    "name": pyarrow.string(),
    "epoch": pyarrow.int32(),
    "counter": pyarrow.int64(),
    "rain_mm": pyarrow.float64(),
    "temperature_c": pyarrow.float64(),
    "supply_v": pyarrow.float64(),
    "flags": pyarrow.int32(),
    "sensor_time_s": pyarrow.int64(),
    "received": pyarrow.timestamp("ms", tz="UTC"),
    "stored": pyarrow.timestamp("ms", tz="UTC"),
}


def parquet(farm: Site, *arguments: str) -> bytes:
    command = [server_program(), "export", "--site", str(farm.folder), "--format", "parquet", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=DEADLINE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readings_as_columns(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    begin_s = int(datetime.now(UTC).timestamp()) - 86_400
    for device in farm.devices:
        farm.gateway().deliver([device.frame(1 + at, time_s=begin_s + 60 * at, pulses=at) for at in range(100)])
    content = parquet(farm)
    table = pyarrow.parquet.read_table(io.BytesIO(content))
    assert {field.name: field.type for field in table.schema} == TYPES
    written = list(csv.DictReader(io.StringIO(farm.run("export"))))
    assert len(written) == 200
    for row, line in zip(table.to_pylist(), written, strict=True):
        assert row["time"] == datetime.fromisoformat(line["time"])
        assert row["name"] == line["name"]
        for moment in ("received", "stored"):
            assert round(row[moment].timestamp() * 1000) == int(line[f"{moment}_ms"])
        for number in ("device", "epoch", "counter", "flags", "sensor_time_s"):
            assert row[number] == int(line[number])
        for number in ("rain_mm", "temperature_c", "supply_v"):
            assert row[number] == float(line[number])
    nothing = pyarrow.parquet.read_table(io.BytesIO(parquet(farm, "--to", "2001-01-01")))
    assert (nothing.num_rows, nothing.schema.names) == (0, list(TYPES))
    # The page gives the same.
    token = {"Authorization": f"Bearer {farm.run('token', 'duckdb').split()[-1]}"}
    status, headers, text = request(server, "GET", "/api/readings?format=parquet", headers=token)
    assert (status, headers["content-type"]) == (200, "application/vnd.apache.parquet")
    assert text.encode(errors="surrogateescape") == content


def test_many_readings_and_a_reader_who_goes_away(farm: Site) -> None:
    farm.create(fleet=1)
    farm.query(
        f"WITH RECURSIVE every(counter) AS (SELECT 1 UNION ALL SELECT counter + 1 FROM every WHERE counter < {MANY}) "
        "INSERT INTO reading (device, epoch, counter, kind, received_ms, stored_ms, outbox, outbox_id, device_time_s, "
        "second, third, fourth, time_ms) SELECT d.device, d.epoch, counter, 0, counter, counter, 1, counter, 0, "
        "counter, 21500, 3300, counter FROM every, epoch d"
    )
    table = pyarrow.parquet.read_table(io.BytesIO(parquet(farm)))
    assert table.column("counter").to_pylist() == list(range(1, MANY + 1))
    command = [server_program(), "export", "--site", str(farm.folder), "--format", "parquet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout and program.stderr
        assert program.stdout.read(4) == b"PAR1"
        program.stdout.close()
        assert (program.wait(DEADLINE_S), program.stderr.read()) == (0, b"")
