//! Deletes readings that are older than the operator wants to keep, and makes PostgreSQL's parts of the months to
//! come.
//!
//! What is counted back are months in which readings were stored, not months of the calendar: a clock that leaps ahead
//! by years adds one month, and does not empty the database. Of every reading that goes, what must be known for ever is
//! noted in the same transaction (past.rs).

use std::thread;
use std::time::{Duration, Instant};

use crate::db::{is_url, Cells, Db, Result, Value};
use crate::log::{log, now_ms};
use crate::months::Month;
use crate::partitions::{self, Partition};
use crate::past::{self, Past};
use crate::schema::{set_setting, setting};

/// How many whole months of readings are kept besides the present one; 0 or missing: all.
pub const KEEP_MONTHS: &str = "keep_months";
/// The month before which everything has gone.
const GONE_BEFORE: &str = "gone_before_month";
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Readings that are looked at, and deleted, in one transaction.
const STRETCH: i64 = 5000;

/// Until the program ends.
pub fn run(database: &str) {
    let mut connection: Option<Db> = None;
    let mut said = String::new();
    loop {
        let looked = match &mut connection {
            Some(db) => look(db, is_url(database), now_ms()),
            none => Db::open_for_storing(database).and_then(|db| look(none.insert(db), is_url(database), now_ms())),
        };
        match looked {
            Ok(()) => said.clear(),
            Err(error) => {
                connection = None;
                if said != error.0 {
                    log(&format!("the months of readings could not be looked after: {error}"));
                    said = error.0;
                }
            }
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn look(db: &mut Db, postgres: bool, now_ms: i64) -> Result<()> {
    if postgres {
        partitions::prepare(db, now_ms)?;
    }
    let Some(first) = first_kept(db)? else {
        return Ok(());
    };
    let gone_before = setting(db, GONE_BEFORE)?.and_then(|text| text.parse().ok()).map(Month);
    if gone_before.is_some_and(|gone| gone >= first) || (postgres && !partitions::take_turn(db)?) {
        return Ok(());
    }
    let deleted = delete_before(db, first)?;
    log(&format!("readings stored before {first} are deleted: {deleted}"));
    Ok(())
}

/// The oldest month that is kept, if older ones are not.
fn first_kept(db: &mut Db) -> Result<Option<Month>> {
    let keep = setting(db, KEEP_MONTHS)?.and_then(|text| text.parse::<i64>().ok());
    let Some(keep) = keep.filter(|keep| *keep > 0) else {
        return Ok(None);
    };
    let row = db.query_one(
        "SELECT month FROM month ORDER BY month DESC LIMIT 1 OFFSET $1",
        &[Value::Int(keep)],
    )?;
    Ok(row.map(|row| Month(row.int(0))))
}

/// Deletes what was stored before a month; how many readings.
pub fn delete_before(db: &mut Db, first: Month) -> Result<i64> {
    let keys: Vec<(i64, i64)> = db
        .query("SELECT device, epoch FROM epoch ORDER BY device, epoch", &[])?
        .iter()
        .map(|row| (row.int(0), row.int(1)))
        .collect();
    let mut deleted = 0;
    if db.is_postgres() {
        for partition in partitions::list(db)? {
            deleted += match partition.end_ms {
                Some(end_ms) if end_ms <= first.begin_ms() => drop_partition(db, &partition, &keys)?,
                _ => delete_from(db, &partition.name, &keys, first)?,
            };
        }
    } else {
        deleted = delete_from(db, "reading", &keys, first)?;
    }
    db.execute("DELETE FROM month WHERE month < $1", &[Value::Int(first.0)])?;
    set_setting(db, GONE_BEFORE, &first.0.to_string())?;
    Ok(deleted)
}

fn drop_partition(db: &mut Db, partition: &Partition, keys: &[(i64, i64)]) -> Result<i64> {
    let mut noted = 0;
    let sql = format!(
        "SELECT counter, outbox, outbox_id FROM {} WHERE device = $1 AND epoch = $2 AND counter > $3 ORDER BY counter \
         LIMIT {STRETCH}",
        partition.name
    );
    partitions::drop(db, partition, |db| {
        for key in keys {
            let mut after = -1;
            loop {
                let rows = db.query(&sql, &[key.0, key.1, after].map(Value::Int))?;
                let Some(last) = rows.last() else { break };
                after = last.int(0);
                let readings: Vec<Past> = rows.iter().map(past_of).collect();
                past::note(db, *key, &readings)?;
                noted += readings.len() as i64;
            }
        }
        Ok(())
    })?;
    Ok(noted)
}

fn past_of(row: &crate::db::Row) -> Past {
    Past {
        counter: row.int(0),
        outbox: row.int(1),
        outbox_id: row.int(2),
    }
}

/// Deletes in short transactions, and leaves as much time between them as they take, to those who store readings.
fn delete_from(db: &mut Db, table: &str, keys: &[(i64, i64)], first: Month) -> Result<i64> {
    let before_ms = first.begin_ms();
    let any = format!("SELECT 1 FROM {table} LIMIT 1");
    if db.query_one(&any, &[])?.is_none() {
        return Ok(0);
    }
    let look = format!(
        "SELECT MAX(counter), COALESCE(MAX(CASE WHEN stored_ms < $1 THEN 1 ELSE 0 END), 0) FROM (SELECT counter, \
         stored_ms FROM {table} \
         WHERE device = $2 AND epoch = $3 AND counter > $4 ORDER BY counter LIMIT {STRETCH}) AS stretch"
    );
    let delete = format!(
        "DELETE FROM {table} WHERE stored_ms < $1 AND device = $2 AND epoch = $3 AND counter > $4 AND counter <= $5 \
         RETURNING counter, outbox, outbox_id"
    );
    let mut deleted = 0;
    for key in keys {
        let mut after = -1;
        loop {
            let began = Instant::now();
            let found = db.query_one(&look, &[before_ms, key.0, key.1, after].map(Value::Int))?;
            let (last, old) = found.map_or((None, 0), |row| (row.optional_int(0), row.int(1)));
            let Some(last) = last else { break };
            if old != 0 {
                deleted += db.transaction(|db| {
                    let rows = db.query(&delete, &[before_ms, key.0, key.1, after, last].map(Value::Int))?;
                    let readings: Vec<Past> = rows.iter().map(past_of).collect();
                    past::note(db, *key, &readings)?;
                    Ok::<i64, crate::db::DbError>(readings.len() as i64)
                })?;
                thread::sleep(began.elapsed());
            }
            after = last;
        }
    }
    Ok(deleted)
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
