//! The rows that a batch reads and writes, and their SQL.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use link_wire::air::Header;

use crate::db::{Cells, Column, Db, Result, Value};
use crate::moments::Pace;
use crate::past;
use crate::reading::{Identity, Origin, Reading};
use crate::window::Window;

pub struct Refusal {
    pub received_ms: i64,
    pub stored_ms: i64,
    pub gateway: String,
    pub reason: &'static str,
    pub device: Option<u16>,
    pub outbox: i64,
    pub outbox_id: i64,
    pub position: i64,
    pub bytes: Vec<u8>,
}

/// The variables of an epoch's newest data frame.
#[derive(Clone, Copy)]
pub struct Newest {
    pub variables: [i64; 4],
}

/// A row of `epoch`: the window, and what the page shows of the device.
pub struct EpochState {
    pub device: u16,
    pub epoch: u8,
    pub retired: bool,
    pub retires_ms: Option<i64>,
    pub window: Window,
    pub base: u32,
    pub accepted: i64,
    pub last_received_ms: Option<i64>,
    pub heard_ms: Option<i64>,
    pub time_ms: Option<i64>,
    /// What its counters say about the time.
    pub pace: Pace,
    /// Set if this batch has a newer one than the row.
    pub newest: Option<Newest>,
    pub changed: bool,
}

/// The epochs of these devices. In PostgreSQL the rows stay locked until the transaction ends, always in the same
/// order; in SQLite the whole transaction is the lock.
pub fn load_epochs(db: &mut Db, devices: &BTreeSet<u16>) -> Result<HashMap<u16, Vec<EpochState>>> {
    let fields =
        "SELECT device, epoch, retired, retires_ms, highest, seen, base, accepted, last_received_ms, heard_ms, \
         time_ms, pace_counter, pace_ms, (SELECT d.period_s FROM device d WHERE d.id = epoch.device) FROM epoch";
    let rows = db.query_columns(
        &format!("{fields} WHERE device = $1"),
        &format!("{fields} WHERE device = ANY($1::bigint[]) ORDER BY device, epoch FOR UPDATE"),
        &[Column::Ints(devices.iter().map(|id| i64::from(*id)).collect())],
    )?;
    let mut found: HashMap<u16, Vec<EpochState>> = HashMap::new();
    for row in rows {
        let (Ok(device), Ok(epoch)) = (u16::try_from(row.int(0)), u8::try_from(row.int(1))) else {
            continue;
        };
        found.entry(device).or_default().push(EpochState {
            device,
            epoch,
            retired: row.int(2) != 0,
            retires_ms: row.optional_int(3),
            // The 64 bits are kept as a signed number: the same bits, not the same value.
            window: Window {
                highest: row.optional_int(4).and_then(|value| u32::try_from(value).ok()),
                seen: row.int(5) as u64,
            },
            base: u32::try_from(row.int(6)).unwrap_or(0),
            accepted: row.int(7),
            last_received_ms: row.optional_int(8),
            heard_ms: row.optional_int(9),
            time_ms: row.optional_int(10),
            pace: Pace {
                period_s: row.int(13),
                anchor: pair(row.optional_int(11), row.optional_int(12)),
            },
            newest: None,
            changed: false,
        });
    }
    Ok(found)
}

fn pair(counter: Option<i64>, time_ms: Option<i64>) -> Option<(u32, i64)> {
    Some((u32::try_from(counter?).ok()?, time_ms?))
}

pub fn save_epochs<'a>(db: &mut Db, states: impl Iterator<Item = &'a EpochState>) -> Result<()> {
    let mut columns: [Vec<Option<i64>>; 17] = Default::default();
    for state in states {
        let newest = state.newest.map(|newest| newest.variables);
        let cells = [
            Some(i64::from(state.retired)),
            state.window.highest.map(i64::from),
            Some(state.window.seen as i64),
            Some(i64::from(state.base)),
            Some(state.accepted),
            state.last_received_ms,
            state.heard_ms,
            state.time_ms,
            newest.map(|variables| variables[0]),
            newest.map(|variables| variables[1]),
            newest.map(|variables| variables[2]),
            newest.map(|variables| variables[3] & 0xffff),
            newest.map(|variables| variables[3] >> 16),
            state.pace.anchor.map(|(counter, _)| i64::from(counter)),
            state.pace.anchor.map(|(_, time_ms)| time_ms),
            Some(i64::from(state.device)),
            Some(i64::from(state.epoch)),
        ];
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.push(cell);
        }
    }
    let columns = columns.map(Column::OptionalInts);
    db.execute_columns(
        "UPDATE epoch SET retired = $1, highest = $2, seen = $3, base = $4, accepted = $5, last_received_ms = $6, \
         heard_ms = $7, time_ms = $8, device_time_s = COALESCE($9, device_time_s), \
         rain_pulses = COALESCE($10, rain_pulses), temperature_mc = COALESCE($11, temperature_mc), \
         supply_mv = COALESCE($12, supply_mv), flags = COALESCE($13, flags), pace_counter = $14, pace_ms = $15 \
         WHERE device = $16 AND epoch = $17",
        "UPDATE epoch e SET retired = u.a, highest = u.b, seen = u.c, base = u.d, accepted = u.f, \
         last_received_ms = u.g, heard_ms = u.heard, time_ms = u.taken, \
         device_time_s = COALESCE(u.h, device_time_s), rain_pulses = COALESCE(u.i, rain_pulses), \
         temperature_mc = COALESCE(u.j, temperature_mc), supply_mv = COALESCE(u.k, supply_mv), \
         flags = COALESCE(u.l, flags), pace_counter = u.paced, pace_ms = u.pace \
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], \
         $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], \
         $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[]) \
         AS u(a, b, c, d, f, g, heard, taken, h, i, j, k, l, paced, pace, m, n) \
         WHERE e.device = u.m AND e.epoch = u.n",
        &columns,
    )
}

/// Where frames with these counters were stored from, if they were: outbox and id in it.
pub fn origins<'a>(db: &mut Db, headers: impl Iterator<Item = &'a Header>) -> Result<HashMap<Identity, Origin>> {
    let (mut devices, mut epochs, mut counters) = (Vec::new(), Vec::new(), Vec::new());
    let mut asked = Vec::new();
    for header in headers {
        devices.push(i64::from(header.device));
        epochs.push(i64::from(header.epoch));
        counters.push(i64::from(header.counter));
        asked.push((header.device, header.epoch, header.counter));
    }
    let rows = db.query_columns(
        "SELECT device, epoch, counter, outbox, outbox_id FROM reading WHERE device = $1 AND epoch = $2 AND counter = \
         $3",
        "SELECT r.device, r.epoch, r.counter, r.outbox, r.outbox_id FROM reading r \
         JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(d, e, c) ON r.device = u.d AND r.epoch = u.e AND \
         r.counter = u.c",
        &[Column::Ints(devices), Column::Ints(epochs), Column::Ints(counters)],
    )?;
    let mut found = HashMap::new();
    for row in rows {
        if let (Ok(device), Ok(epoch), Ok(counter)) = (
            u16::try_from(row.int(0)),
            u8::try_from(row.int(1)),
            u32::try_from(row.int(2)),
        ) {
            found.insert((device, epoch, counter), Some((row.int(3), row.int(4))));
        }
    }
    asked.retain(|identity| !found.contains_key(identity));
    found.extend(past::known(db, &asked)?.into_iter().map(|identity| (identity, None)));
    Ok(found)
}

/// What an outbox has heard of one key from some counter on: for each of its readings the counter and the lowest id of
/// any with this counter or a higher one, in the order of counters.
pub struct Heard(Vec<(i64, i64)>);

impl Heard {
    /// Reads what an outbox has heard from counter `least` on. Beyond `most` the next few thousand readings do: an
    /// outbox with none of them has not heard the device for hours.
    pub fn read(db: &mut Db, key: (u16, u8), outbox: i64, least: i64, most: i64) -> Result<Heard> {
        let values = [
            Value::Int(key.0.into()),
            Value::Int(key.1.into()),
            Value::Int(least),
            Value::Int(most),
            Value::Int(outbox),
        ];
        let rows = db.query(
            "SELECT counter, outbox_id FROM reading \
             WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter < $4 AND outbox = $5 \
             UNION ALL SELECT $4, MIN(outbox_id) FROM (SELECT outbox, outbox_id FROM reading \
             WHERE device = $1 AND epoch = $2 AND counter >= $4 ORDER BY counter LIMIT 5000) AS next WHERE outbox = $5 \
             ORDER BY counter",
            &values,
        )?;
        let cells = |row: &crate::db::Row| Some((row.int(0), row.optional_int(1)?));
        let mut found: Vec<(i64, i64)> = rows.iter().filter_map(cells).collect();
        if let Some((highest, first_id)) = past::heard(db, key, outbox)?.filter(|(highest, _)| *highest >= least) {
            found.push((highest.min(most), first_id));
            found.sort_unstable();
        }
        let mut lowest = i64::MAX;
        for (_, id) in found.iter_mut().rev() {
            lowest = lowest.min(*id);
            *id = lowest;
        }
        Ok(Heard(found))
    }

    /// The lowest id of the readings with this counter or a higher one. The lowest, not that of the lowest counter: a
    /// frame that was itself late has a low counter and a high id, and says nothing of what came before it.
    pub fn first_from(&self, counter: i64) -> Option<i64> {
        let at = self.0.partition_point(|(known, _)| *known < counter);
        self.0.get(at).map(|(_, id)| *id)
    }
}

/// The id, in this outbox, of its first reading of the same device under a newer key.
pub fn first_of_newer_key(db: &mut Db, header: &Header, outbox: i64) -> Result<Option<i64>> {
    let values = [
        Value::Int(header.device.into()),
        Value::Int(header.epoch.into()),
        Value::Int(outbox),
    ];
    let row = db.query_one(
        "SELECT MIN(outbox_id) FROM reading WHERE device = $1 AND epoch > $2 AND outbox = $3",
        &values,
    )?;
    let past = past::first_of_newer_key(db, (header.device, header.epoch), outbox)?;
    let ids = [row.and_then(|row| row.optional_int(0)), past];
    Ok(ids.into_iter().flatten().min())
}

/// How many readings of this device and epoch the database remembers: those that are there, and those that were let go
/// of.
pub fn count_readings(db: &mut Db, header: &Header) -> Result<i64> {
    let values = [Value::Int(header.device.into()), Value::Int(header.epoch.into())];
    let row = db.query_one("SELECT COUNT(*) FROM reading WHERE device = $1 AND epoch = $2", &values)?;
    Ok(row.map_or(0, |row| row.int(0)) + past::count(db, (header.device, header.epoch))?)
}

pub fn insert_readings(db: &mut Db, readings: &[Reading]) -> Result<()> {
    let mut columns: [Vec<i64>; 13] = std::array::from_fn(|_| Vec::with_capacity(readings.len()));
    for reading in readings {
        let cells = [
            reading.device.into(),
            reading.epoch.into(),
            reading.counter.into(),
            reading.kind.into(),
            reading.received_ms,
            reading.stored_ms,
            reading.outbox,
            reading.outbox_id,
        ];
        for (column, cell) in columns
            .iter_mut()
            .zip(cells.into_iter().chain(reading.variables).chain([reading.time_ms]))
        {
            column.push(cell);
        }
    }
    let into = "INSERT INTO reading (device, epoch, counter, kind, received_ms, stored_ms, outbox, outbox_id, \
                device_time_s, second, \
                third, fourth, time_ms)";
    let columns = columns.map(Column::Ints);
    db.execute_columns(
        &format!("{into} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING"),
        &format!(
            "{into} SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], \
             $6::bigint[], \
             $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[]) ON \
             CONFLICT DO NOTHING"
        ),
        &columns,
    )
}

/// Stores refusals that are not stored yet, and counts them by reason.
pub fn insert_refusals(db: &mut Db, refusals: &[Refusal]) -> Result<()> {
    let ints = |cell: fn(&Refusal) -> i64| Column::Ints(refusals.iter().map(cell).collect());
    let columns = [
        ints(|refusal| refusal.received_ms),
        ints(|refusal| refusal.stored_ms),
        Column::Texts(refusals.iter().map(|refusal| refusal.gateway.clone()).collect()),
        Column::Texts(refusals.iter().map(|refusal| refusal.reason.to_owned()).collect()),
        Column::OptionalInts(refusals.iter().map(|refusal| refusal.device.map(i64::from)).collect()),
        ints(|refusal| refusal.outbox),
        ints(|refusal| refusal.outbox_id),
        ints(|refusal| refusal.position),
        Column::Blobs(refusals.iter().map(|refusal| refusal.bytes.clone()).collect()),
    ];
    let into =
        "INSERT INTO refusal (received_ms, stored_ms, gateway, reason, device, outbox, outbox_id, position, bytes)";
    let stored = db.query_columns(
        &format!("{into} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING reason"),
        &format!(
            "{into} SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], \
             $6::bigint[], $7::bigint[], \
             $8::bigint[], $9::bytea[]) ON CONFLICT DO NOTHING RETURNING reason"
        ),
        &columns,
    )?;
    // In the order of reasons, so that two servers never wait for one another's rows.
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for row in &stored {
        *counts.entry(row.text(0)).or_default() += 1;
    }
    let columns = [
        Column::Texts(counts.keys().map(|reason| (*reason).to_owned()).collect()),
        Column::Ints(counts.into_values().collect()),
    ];
    let into = "INSERT INTO refusal_count (reason, count)";
    let add = "ON CONFLICT (reason) DO UPDATE SET count = refusal_count.count + excluded.count";
    db.execute_columns(
        &format!("{into} VALUES ($1, $2) {add}"),
        &format!("{into} SELECT * FROM unnest($1::text[], $2::bigint[]) {add}"),
        &columns,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule in plain words, row by row.
    fn expected(readings: &[(i64, i64, i64)], outbox: i64, from: i64) -> Option<i64> {
        let later = readings
            .iter()
            .filter(|(counter, of, _)| *counter >= from && *of == outbox);
        later.map(|(_, _, id)| *id).min()
    }

    #[test]
    fn what_an_outbox_has_heard_agrees_with_the_plain_rule() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) % below) as i64
        };
        // Counters with gaps, of two outboxes, with ids in no order.
        let readings: Vec<(i64, i64, i64)> = (0..400)
            .map(|at| (3 * at + draw(3), 1 + draw(2), draw(10_000)))
            .collect();
        for (counter, outbox, id) in &readings {
            let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, 0, 0, $2, $3, 0, 0, 0, 0, 0)";
            db.execute(sql, &[*counter, *outbox, *id].map(Value::Int))
                .expect("stored");
        }
        for (least, most) in [(0, 0), (0, 600), (500, 500), (300, 1199), (1100, 1300), (1300, 1300)] {
            for outbox in [1, 2, 3] {
                let heard = Heard::read(&mut db, (1, 0), outbox, least, most).expect("read");
                for from in least..=most {
                    assert_eq!(
                        heard.first_from(from),
                        expected(&readings, outbox, from),
                        "{outbox} {least} {most} {from}"
                    );
                }
            }
        }
    }
}
