//! Creates the tables, and reads and writes the few settings that all servers of a site share.

use crate::db::{Cells, Db, DbError, Result, Value};
use crate::log::{log, now_ms};
use crate::moments;
use crate::months::Month;
use crate::partitions;
use crate::people;
use crate::period;

/// 1: one table of readings, which was the memory of what came. 2: readings by months, and a memory of those that were
/// deleted. 3: each reading has the time at which it was taken (moments.rs), and no index of times is kept. 4: each
/// epoch has the pace of its sensor (moments.rs). 5: alarms have levels (thresholds.rs). 6: sensors are told things
/// (answers.rs). 7: each epoch has whose gauge it counts (gauge.rs), and where times go back is noted (period.rs).
pub const VERSION: i64 = 7;
/// Counts changes of devices and gateways, so that a running server notices that its directory is stale.
const GENERATION: &str = "generation";
const MS_PER_DAY: i64 = 86_400_000;

/// Makes what is missing, and brings a database of an older version to this one's, whole or not at all.
pub fn create(db: &mut Db) -> Result<()> {
    let postgres = db.is_postgres();
    let (id, blob) = db.own_words();
    let (reading_key, clustered) = if postgres {
        ("", "PARTITION BY RANGE (stored_ms)")
    } else {
        (", PRIMARY KEY (device, epoch, counter)", "WITHOUT ROWID")
    };
    let sql = include_str!("schema.sql")
        .replace("{id}", id)
        .replace("{blob}", blob)
        .replace("{reading_key}", reading_key)
        .replace("{clustered}", clustered);
    db.transaction(|db| {
        if postgres {
            db.batch(partitions::LOCK)?;
        }
        let found = version(db)?;
        if found.is_some_and(|found| found > VERSION) {
            return Err(DbError(format!(
                "it was made by a newer version of this program (its tables are of version {}, this program knows \
                 {VERSION})",
                found.unwrap_or(0)
            )));
        }
        let older = found.filter(|found| *found < VERSION);
        if older.is_some() {
            log("the database is of an older version: it is brought to this one, once");
            add_columns(db)?;
        }
        if older.is_some_and(|older| older < 3) {
            log("each of its readings gets the time at which it was taken; this reads all of them");
            set_times(db)?;
        }
        if older == Some(1) && postgres {
            partitions::set_aside_undivided(db)?;
        }
        db.batch(&sql)?;
        people::create(db)?;
        if postgres {
            partitions::create(db)?;
        }
        if older == Some(1) {
            if postgres {
                partitions::attach_undivided(db, now_ms())?;
            }
            note_months(db)?;
        }
        if older.is_some_and(|older| older < 7) {
            log("the places where the times of its readings go back are noted; this reads all of them");
            period::note_all_set_back(db)?;
        }
        if older.is_some() {
            set_setting(db, SCHEMA, &VERSION.to_string())?;
            log("the database is of this version now");
        }
        for (name, value) in [(SCHEMA, VERSION.to_string()), (GENERATION, "0".to_owned())] {
            let values = [Value::Text(name.into()), Value::Text(value)];
            db.execute(
                "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                &values,
            )?;
        }
        Ok(())
    })
}

const SCHEMA: &str = "schema";

/// The version of the tables that are there, if any are.
fn version(db: &mut Db) -> Result<Option<i64>> {
    let exists = if db.is_postgres() {
        "SELECT 1 WHERE to_regclass('setting') IS NOT NULL"
    } else {
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'setting'"
    };
    if db.query_one(exists, &[])?.is_none() {
        return Ok(None);
    }
    let Some(text) = setting(db, SCHEMA)? else {
        return Ok(None);
    };
    let number = text.parse();
    number
        .map(Some)
        .map_err(|_| DbError(format!("the version of its tables is '{text}', which is no number")))
}

/// What versions 3 to 7 added to tables that were there before them.
fn add_columns(db: &mut Db) -> Result<()> {
    for (table, column, kind) in [
        ("reading", "time_ms", "BIGINT NOT NULL DEFAULT 0"),
        ("epoch", "heard_ms", "BIGINT"),
        ("epoch", "time_ms", "BIGINT"),
        ("epoch", "pace_counter", "BIGINT"),
        ("epoch", "pace_ms", "BIGINT"),
        ("epoch", "gauge", "TEXT"),
        ("gateway", "status_ms", "BIGINT"),
        ("alarm", "epoch", "BIGINT NOT NULL DEFAULT 0"),
        ("alarm", "counter", "BIGINT NOT NULL DEFAULT -1"),
        ("alarm", "level", "TEXT NOT NULL DEFAULT 'alarm'"),
        ("alarm", "rank", "BIGINT NOT NULL DEFAULT 0"),
        ("alarm", "window_ms", "BIGINT NOT NULL DEFAULT 600000"),
        ("device", "alarm_pulses", "BIGINT NOT NULL DEFAULT 0"),
        ("device", "power", "BIGINT NOT NULL DEFAULT 0"),
        ("device", "region", "BIGINT NOT NULL DEFAULT 0"),
        ("device", "ratchets", "BIGINT NOT NULL DEFAULT 0"),
    ] {
        if !db.has_column(table, column)? {
            db.batch(&format!("ALTER TABLE {table} ADD COLUMN {column} {kind}"))?;
        }
    }
    db.batch("DROP INDEX IF EXISTS reading_by_time; DROP INDEX IF EXISTS alarm_open")
}

/// The times of the readings that are there, by the rules of moments.rs.
fn set_times(db: &mut Db) -> Result<()> {
    let (ahead, behind) = (moments::AHEAD_MS, moments::BEHIND_MS);
    let least = |one: &str, other: &str| format!("CASE WHEN {one} < {other} THEN {one} ELSE {other} END");
    let sealed = "device_time_s * 1000";
    let (by_sensor, by_gateway) = (least(sealed, "stored_ms"), least("received_ms", "stored_ms"));
    db.batch(&format!(
        "UPDATE reading SET time_ms = CASE WHEN device_time_s > 0 AND {sealed} <= stored_ms + {ahead} \
         AND {sealed} >= stored_ms - {behind} THEN {by_sensor} ELSE {by_gateway} END; \
         UPDATE reading SET time_ms = rising.time_ms FROM (SELECT device, epoch, counter, MAX(time_ms) \
         OVER (PARTITION BY device, epoch ORDER BY counter) AS time_ms FROM reading) AS rising \
         WHERE reading.device = rising.device AND reading.epoch = rising.epoch AND reading.counter = rising.counter \
         AND reading.time_ms < rising.time_ms; \
         UPDATE epoch SET time_ms = (SELECT r.time_ms FROM reading r \
         WHERE r.device = epoch.device AND r.epoch = epoch.epoch AND r.counter = epoch.highest), \
         heard_ms = (SELECT r.stored_ms FROM reading r \
         WHERE r.device = epoch.device AND r.epoch = epoch.epoch AND r.counter = epoch.highest)"
    ))
}

/// The months of the readings that are there.
fn note_months(db: &mut Db) -> Result<()> {
    // Days, because neither database's idea of a month can be written in a way that both understand.
    let days = db.query(&format!("SELECT DISTINCT stored_ms / {MS_PER_DAY} FROM reading"), &[])?;
    for day in days {
        note_month(db, Month::of(day.int(0).saturating_mul(MS_PER_DAY)))?;
    }
    Ok(())
}

/// Notes that there are readings stored in this month.
pub fn note_month(db: &mut Db, month: Month) -> Result<()> {
    db.execute(
        "INSERT INTO month (month) VALUES ($1) ON CONFLICT DO NOTHING",
        &[Value::Int(month.0)],
    )?;
    Ok(())
}

pub fn setting(db: &mut Db, name: &str) -> Result<Option<String>> {
    let row = db.query_one("SELECT value FROM setting WHERE name = $1", &[Value::Text(name.into())])?;
    Ok(row.map(|row| row.text(0).to_owned()))
}

pub fn set_setting(db: &mut Db, name: &str, value: &str) -> Result<()> {
    let values = [Value::Text(name.into()), Value::Text(value.into())];
    db.execute(
        "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &values,
    )?;
    Ok(())
}

pub fn generation(db: &mut Db) -> Result<String> {
    Ok(setting(db, GENERATION)?.unwrap_or_default())
}

/// To be called in the transaction that changes a device, an epoch's key or a gateway.
pub fn bump_generation(db: &mut Db) -> Result<()> {
    let sql = "UPDATE setting SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = $1";
    db.execute(sql, &[Value::Text(GENERATION.into())])?;
    Ok(())
}
