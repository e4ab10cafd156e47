//! Which readings of a key belong to a period: those whose own time (moments.rs) lies in it.
//!
//! Times rise with counters, so a period is a stretch of counters, which halving finds: no index of times is needed, and
//! none is written. They go back in one case. A server's clock was ahead and was set back, and what was stored meanwhile
//! by that clock has times that were yet to come. Each such place is noted as it arises, and between two of them times
//! rise.

use std::ops::Range;

use crate::db::{Cells, Db, Result, Value};

/// Of a key with more places than this every reading is looked at.
const MOST_PLACES: i64 = 100;

/// Notes that this reading's time is before that of the reading with the counter before it.
pub fn note_set_back(db: &mut Db, key: (i64, i64), counter: i64) -> Result<()> {
    db.execute(
        "INSERT INTO set_back (device, epoch, counter) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        &[key.0, key.1, counter].map(Value::Int),
    )?;
    Ok(())
}

/// Notes all such places of a database that has none noted.
pub fn note_all_set_back(db: &mut Db) -> Result<()> {
    db.batch(
        "INSERT INTO set_back (device, epoch, counter) SELECT device, epoch, counter FROM (SELECT device, epoch, \
         counter, time_ms, LAG(time_ms) OVER (PARTITION BY device, epoch ORDER BY counter) AS before_ms FROM reading) \
         AS each_reading WHERE time_ms < before_ms ON CONFLICT DO NOTHING",
    )
}

/// The counters of one key whose readings were taken at `from_ms` or later and before `to_ms`, as stretches in the order
/// of counters. A key with very many places has one stretch, in which the time of each reading decides: so whoever reads
/// a stretch asks for times too.
pub fn stretches(db: &mut Db, key: (i64, i64), from_ms: i64, to_ms: i64) -> Result<Vec<Range<i64>>> {
    let places = db.query(
        "SELECT counter FROM set_back WHERE device = $1 AND epoch = $2 ORDER BY counter LIMIT $3",
        &[key.0, key.1, MOST_PLACES + 1].map(Value::Int),
    )?;
    let mut found: Vec<Range<i64>> = Vec::new();
    if places.len() as i64 > MOST_PLACES {
        found.push(0..i64::MAX);
        return Ok(found);
    }
    let mut begin = 0;
    for end in places.iter().map(|row| row.int(0)).chain([i64::MAX]) {
        let first = first_from(db, key, begin..end, from_ms)?;
        let last = first_from(db, key, begin..end, to_ms)?;
        begin = end;
        let stretch = first.unwrap_or(end)..last.unwrap_or(end);
        match found.last_mut() {
            _ if stretch.is_empty() => {}
            Some(before) if before.end == stretch.start => before.end = stretch.end,
            _ => found.push(stretch),
        }
    }
    Ok(found)
}

/// The lowest of these counters, among which times rise, whose reading was taken at `time_ms` or later; none if there is
/// none.
fn first_from(db: &mut Db, (device, epoch): (i64, i64), counters: Range<i64>, time_ms: i64) -> Result<Option<i64>> {
    let ends = db.query_one(
        "SELECT MIN(counter), MAX(counter) FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 AND \
         counter < $4",
        &[device, epoch, counters.start, counters.end].map(Value::Int),
    )?;
    let Some((mut low, mut high)) = ends.and_then(|row| Some((row.optional_int(0)?, row.optional_int(1)?))) else {
        return Ok(None);
    };
    let at = "SELECT counter, time_ms FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 ORDER BY \
              counter LIMIT 1";
    let mut found = None;
    while low <= high {
        let middle = low + (high - low) / 2;
        let Some(row) = db.query_one(at, &[device, epoch, middle].map(Value::Int))? else {
            break;
        };
        if row.int(1) >= time_ms {
            found = Some(row.int(0));
            high = middle - 1;
        } else {
            low = row.int(0) + 1;
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "period_tests.rs"]
mod tests;
