//! What must be known of readings for ever, when they themselves are deleted (retention.rs): that their counters were
//! used, and what their outboxes had heard. A bit for each reading, so that no frame ever becomes new again.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::db::{Cells, Column, Db, Result, Value};
use crate::reading::Identity;

/// Counters of one row of `past_counter`: a kilobyte of bits.
const BLOCK: i64 = 8192;
const BLOCK_BYTES: usize = 1024;

/// A reading as it is deleted.
#[derive(Clone, Copy)]
pub struct Past {
    pub counter: i64,
    pub outbox: i64,
    pub outbox_id: i64,
}

/// Notes readings of one key. To be called in the transaction that deletes them; noting one twice changes nothing.
pub fn note(db: &mut Db, (device, epoch): (i64, i64), readings: &[Past]) -> Result<()> {
    let mut blocks: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut heard: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for reading in readings {
        let block = blocks.entry(reading.counter.div_euclid(BLOCK)).or_default();
        block.push(reading.counter.rem_euclid(BLOCK));
        let (highest, first_id) = heard
            .entry(reading.outbox)
            .or_insert((reading.counter, reading.outbox_id));
        *highest = reading.counter.max(*highest);
        *first_id = reading.outbox_id.min(*first_id);
    }
    for (block, counters) in blocks {
        let key = [device, epoch, block].map(Value::Int);
        let known = "SELECT bits FROM past_counter WHERE device = $1 AND epoch = $2 AND block = $3";
        let mut bits = db
            .query_one(known, &key)?
            .map_or(Vec::new(), |row| row.bytes(0).to_vec());
        bits.resize(BLOCK_BYTES, 0);
        for counter in counters {
            let (byte, bit) = place(counter);
            bits[byte] |= bit;
        }
        let count: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
        let [device, epoch, block] = key;
        db.execute(
            "INSERT INTO past_counter (device, epoch, block, count, bits) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (device, epoch, block) DO UPDATE SET count = excluded.count, bits = excluded.bits",
            &[device, epoch, block, Value::Int(count.into()), Value::Bytes(bits)],
        )?;
    }
    for (outbox, (highest, first_id)) in heard {
        db.execute(
            "INSERT INTO past_outbox (device, epoch, outbox, highest, first_id) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (device, epoch, outbox) DO UPDATE SET \
             highest = CASE WHEN excluded.highest > past_outbox.highest THEN excluded.highest ELSE \
             past_outbox.highest END, \
             first_id = CASE WHEN excluded.first_id < past_outbox.first_id THEN excluded.first_id ELSE \
             past_outbox.first_id END",
            &[device, epoch, outbox, highest, first_id].map(Value::Int),
        )?;
    }
    Ok(())
}

/// A counter's byte and bit within its block.
fn place(within: i64) -> (usize, u8) {
    ((within / 8) as usize % BLOCK_BYTES, 1 << (within % 8))
}

/// Those of these frames that were readings once and are deleted.
///
/// In PostgreSQL to be asked after the table of readings, whose lock keeps what it did not hold from being dropped in
/// between.
pub fn known(db: &mut Db, frames: &[Identity]) -> Result<HashSet<Identity>> {
    let mut by_block: HashMap<(i64, i64, i64), Vec<Identity>> = HashMap::new();
    for identity in frames {
        let (device, epoch, counter) = *identity;
        let block = (device.into(), epoch.into(), i64::from(counter) / BLOCK);
        by_block.entry(block).or_default().push(*identity);
    }
    let mut columns: [Vec<i64>; 3] = Default::default();
    for (device, epoch, block) in by_block.keys() {
        for (column, cell) in columns.iter_mut().zip([device, epoch, block]) {
            column.push(*cell);
        }
    }
    let rows = db.query_columns(
        "SELECT device, epoch, block, bits FROM past_counter WHERE device = $1 AND epoch = $2 AND block = $3",
        "SELECT p.device, p.epoch, p.block, p.bits FROM past_counter p \
         JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(d, e, b) ON p.device = u.d AND p.epoch = u.e AND \
         p.block = u.b",
        &columns.map(Column::Ints),
    )?;
    let mut found = HashSet::new();
    for row in &rows {
        let asked = by_block
            .remove(&(row.int(0), row.int(1), row.int(2)))
            .unwrap_or_default();
        found.extend(asked.into_iter().filter(|(_, _, counter)| {
            let (byte, bit) = place(i64::from(*counter) % BLOCK);
            row.bytes(3).get(byte).is_some_and(|bits| bits & bit != 0)
        }));
    }
    Ok(found)
}

/// Of an outbox's deleted readings of one key: the highest counter, and the lowest id. Taken together they may say of
/// an outbox that it heard a counter earlier than it did, never later: what is judged by them is refused rather than
/// believed.
pub fn heard(db: &mut Db, key: (u16, u8), outbox: i64) -> Result<Option<(i64, i64)>> {
    let row = db.query_one(
        "SELECT highest, first_id FROM past_outbox WHERE device = $1 AND epoch = $2 AND outbox = $3",
        &[Value::Int(key.0.into()), Value::Int(key.1.into()), Value::Int(outbox)],
    )?;
    Ok(row.map(|row| (row.int(0), row.int(1))))
}

/// The lowest id of an outbox's deleted readings of a device under keys newer than this epoch's.
pub fn first_of_newer_key(db: &mut Db, key: (u16, u8), outbox: i64) -> Result<Option<i64>> {
    let row = db.query_one(
        "SELECT MIN(first_id) FROM past_outbox WHERE device = $1 AND epoch > $2 AND outbox = $3",
        &[Value::Int(key.0.into()), Value::Int(key.1.into()), Value::Int(outbox)],
    )?;
    Ok(row.and_then(|row| row.optional_int(0)))
}

/// How many readings of this key were deleted.
pub fn count(db: &mut Db, key: (u16, u8)) -> Result<i64> {
    let row = db.query_one(
        "SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT) FROM past_counter WHERE device = $1 AND epoch = $2",
        &[Value::Int(key.0.into()), Value::Int(key.1.into())],
    )?;
    Ok(row.map_or(0, |row| row.int(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_known_and_nothing_else_is() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let counters = [0u32, 1, 7, 8, 8191, 8192, 65_535, 65_536, u32::MAX - 1];
        let past = |counter: &u32| Past {
            counter: i64::from(*counter),
            outbox: 3,
            outbox_id: 1000 + i64::from(*counter),
        };
        // In two parts, and some of them twice.
        note(&mut db, (7, 1), &counters[..5].iter().map(past).collect::<Vec<_>>()).expect("noted");
        note(&mut db, (7, 1), &counters[2..].iter().map(past).collect::<Vec<_>>()).expect("noted");
        let asked: Vec<Identity> = counters
            .iter()
            .flat_map(|counter| [counter.saturating_sub(1), *counter, counter + 1])
            .flat_map(|counter| [(7, 1, counter), (7, 0, counter), (8, 1, counter)])
            .collect();
        let expected: HashSet<Identity> = counters.iter().map(|counter| (7, 1, *counter)).collect();
        assert_eq!(known(&mut db, &asked).expect("asked"), expected);
        assert_eq!(count(&mut db, (7, 1)).expect("counted"), counters.len() as i64);
        assert_eq!(count(&mut db, (7, 0)).expect("counted"), 0);
        assert_eq!(
            heard(&mut db, (7, 1), 3).expect("asked"),
            Some((i64::from(u32::MAX) - 1, 1000))
        );
        assert_eq!(heard(&mut db, (7, 1), 4).expect("asked"), None);
        assert_eq!(first_of_newer_key(&mut db, (7, 0), 3).expect("asked"), Some(1000));
        assert_eq!(first_of_newer_key(&mut db, (7, 1), 3).expect("asked"), None);
    }
}
