//! The parts of PostgreSQL's table of readings: one for each month by `stored_ms`, made before the month begins, and
//! one for whatever has none, so that nothing is refused. A part that is too old is dropped whole (retention.rs).
//!
//! No key can span the parts unless the month is in it; so none does. That a frame is stored once is the replay
//! window's doing, whose row is locked while a frame is judged, and behind the window that of the readings and of what
//! is known of those deleted (past.rs). Each part's own key is what they are looked up by.

use crate::db::{Cells, Db, Result, Row, Value};
use crate::months::Month;

/// Two servers that start at once on an empty database would both create its tables, and later both this month's part:
/// the second waits for this lock of PostgreSQL's.
pub const LOCK: &str = "SELECT pg_advisory_xact_lock(7305734)";
/// Months that are made ahead, the present one not counted.
const AHEAD: i64 = 2;
const DEFAULT: &str = "reading_default";
/// What was the whole table before it was divided.
const UNDIVIDED: &str = "reading_before";
/// A connection that reads or writes readings queues behind one that waits for a lock on them.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '2s'";

/// A part and the time that it ends before; that for the rest has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub name: String,
    pub end_ms: Option<i64>,
}

fn name_of(month: Month) -> String {
    format!("reading_{}", month.to_string().replace('-', "_"))
}

/// The parts that are there.
pub fn list(db: &mut Db) -> Result<Vec<Partition>> {
    let rows = db.query(
        "SELECT c.relname::text, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i JOIN pg_class c ON c.oid = \
         i.inhrelid \
         WHERE i.inhparent = to_regclass('reading') ORDER BY c.relname",
        &[],
    )?;
    let partition = |row: &Row| Partition {
        name: row.text(0).to_owned(),
        end_ms: end_of(row.text(1)),
    };
    Ok(rows.iter().map(partition).collect())
}

/// Of `FOR VALUES FROM ('1') TO ('2')`: 2.
fn end_of(bound: &str) -> Option<i64> {
    let (_, end) = bound.split_once("TO ('")?;
    end.split_once('\'')?.0.parse().ok()
}

/// Makes the part for what has no other. To be called in the transaction that makes the tables.
pub fn create(db: &mut Db) -> Result<()> {
    if list(db)?.iter().any(|partition| partition.name == DEFAULT) {
        return Ok(());
    }
    db.batch(&format!(
        "CREATE TABLE {DEFAULT} PARTITION OF reading (PRIMARY KEY (device, epoch, counter)) DEFAULT"
    ))
}

/// Makes the parts of this month and of those to come, where they are missing. What is in the part for the rest and
/// belongs into one of them goes there: the clock may have leapt over a month, or the server have slept through its
/// beginning.
pub fn prepare(db: &mut Db, now_ms: i64) -> Result<()> {
    let now = Month::of(now_ms);
    let there = list(db)?;
    let missing = (0..=AHEAD)
        .map(|ahead| now.plus(ahead))
        .filter(|month| !is_there(&there, *month));
    missing.into_iter().try_for_each(|month| make(db, month))
}

fn is_there(partitions: &[Partition], month: Month) -> bool {
    let covered = |partition: &Partition| {
        partition.name == name_of(month)
            || (partition.name == UNDIVIDED && partition.end_ms.is_some_and(|end_ms| end_ms > month.begin_ms()))
    };
    partitions.iter().any(covered)
}

fn make(db: &mut Db, month: Month) -> Result<()> {
    let (name, begin_ms, end_ms) = (name_of(month), month.begin_ms(), month.plus(1).begin_ms());
    db.transaction(|db| {
        db.batch(LOCK_TIMEOUT)?;
        db.batch(LOCK)?;
        if is_there(&list(db)?, month) {
            return Ok(()); // another server was first
        }
        db.batch(&format!(
            "LOCK TABLE {DEFAULT} IN ACCESS EXCLUSIVE MODE; \
             CREATE TABLE {name} (LIKE reading, PRIMARY KEY (device, epoch, counter)); \
             WITH moved AS (DELETE FROM {DEFAULT} WHERE stored_ms >= {begin_ms} AND stored_ms < {end_ms} RETURNING *) \
             INSERT INTO {name} SELECT * FROM moved; \
             ALTER TABLE reading ATTACH PARTITION {name} FOR VALUES FROM ({begin_ms}) TO ({end_ms})"
        ))
    })
}

/// Takes the one table of an older version out of the way, if there is one.
pub fn set_aside_undivided(db: &mut Db) -> Result<()> {
    let sql = "SELECT 1 FROM pg_class WHERE oid = to_regclass('reading') AND relkind = 'r'";
    if db.query_one(sql, &[])?.is_none() {
        return Ok(());
    }
    db.batch(&format!(
        "LOCK TABLE reading IN ACCESS EXCLUSIVE MODE; ALTER TABLE reading RENAME TO {UNDIVIDED}; \
         ALTER INDEX IF EXISTS reading_pkey RENAME TO {UNDIVIDED}_pkey; "
    ))
}

/// Makes it the part of all months up to this one, or to that of its newest reading: no row is moved.
pub fn attach_undivided(db: &mut Db, now_ms: i64) -> Result<()> {
    let newest = db.query_one(&format!("SELECT MAX(stored_ms) FROM {UNDIVIDED}"), &[])?;
    let newest_ms = newest.and_then(|row| row.optional_int(0)).unwrap_or(0);
    let end_ms = Month::of(newest_ms.max(now_ms)).plus(1).begin_ms();
    db.batch(&format!(
        "ALTER TABLE reading ATTACH PARTITION {UNDIVIDED} FOR VALUES FROM (MINVALUE) TO ({end_ms})"
    ))
}

/// Drops a part, after `before` has read it, in one transaction; nothing is written to the part meanwhile.
pub fn drop(db: &mut Db, partition: &Partition, before: impl FnOnce(&mut Db) -> Result<()>) -> Result<()> {
    let name = &partition.name;
    db.transaction(|db| {
        db.batch(&format!("{LOCK_TIMEOUT}; LOCK TABLE {name} IN SHARE MODE"))?;
        before(db)?;
        // Reading it took long; that is not thrown away because somebody was reading at this moment.
        for tries_left in (0..30).rev() {
            db.batch("SAVEPOINT before_drop")?;
            match db.batch(&format!("DROP TABLE {name}")) {
                Err(_) if tries_left > 0 => db.batch("ROLLBACK TO SAVEPOINT before_drop")?,
                done => return done,
            }
        }
        Ok(())
    })
}

/// Whether this connection is now the one, of those of all servers, that deletes old months; until it is closed.
pub fn take_turn(db: &mut Db) -> Result<bool> {
    let row = db.query_one(
        "SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END",
        &[Value::Int(7_305_735)],
    )?;
    Ok(row.is_some_and(|row| row.int(0) == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_part_is_read_from_its_bounds() {
        assert_eq!(
            end_of("FOR VALUES FROM ('1793491200000') TO ('1796083200000')"),
            Some(1_796_083_200_000)
        );
        assert_eq!(end_of("FOR VALUES FROM (MINVALUE) TO ('5')"), Some(5));
        assert_eq!(end_of("DEFAULT"), None);
    }
}
