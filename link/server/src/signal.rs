//! How strongly gateways received sensors' frames, where their radio modules tell: a byte behind each packet.
//!
//! The last frames of each sensor and gateway are kept, in places that are used again, and the newest one apart. It is
//! the module's word for whatever was on the air: it proves nothing, and nothing is decided by it.

use std::collections::HashSet;

use crate::db::{Column, Db, Result};

/// Frames that are kept of a sensor and outbox.
const KEPT: i64 = 1024;

pub struct Signal {
    pub device: u16,
    pub epoch: u8,
    pub counter: u32,
    pub outbox: i64,
    pub dbm: i64,
}

/// The strength that a module's byte means (E22-T series user manuals, REG1 and REG3): -(256 - byte) dBm.
pub fn dbm(byte: u8) -> i64 {
    i64::from(byte) - 256
}

/// Gateways whose modules tell, by their own statuses.
#[derive(Default)]
pub struct Telling(HashSet<String>);

impl Telling {
    pub fn note(&mut self, gateway: &str, status: &str) {
        let status: serde_json::Value = serde_json::from_str(status).unwrap_or_default();
        match status["serial"]["signal"].as_bool() {
            Some(true) => self.0.insert(gateway.to_owned()),
            Some(false) => self.0.remove(gateway),
            // A last will says nothing of it.
            None => false,
        };
    }

    pub fn has(&self, gateway: &str) -> bool {
        self.0.contains(gateway)
    }
}

pub fn save(db: &mut Db, signals: &[Signal], now_ms: i64) -> Result<()> {
    let column = |cell: fn(&Signal) -> i64| Column::Ints(signals.iter().map(cell).collect());
    let columns = || {
        vec![
            column(|signal| signal.device.into()),
            column(|signal| signal.outbox),
            column(|signal| i64::from(signal.counter) % KEPT),
            column(|signal| signal.epoch.into()),
            column(|signal| signal.counter.into()),
            column(|signal| signal.dbm),
            Column::Ints(vec![now_ms; signals.len()]),
        ]
    };
    let into = "INSERT INTO signal (device, outbox, place, epoch, counter, dbm, stored_ms)";
    let update = "ON CONFLICT (device, outbox, place) DO UPDATE SET epoch = excluded.epoch, \
                  counter = excluded.counter, dbm = excluded.dbm, stored_ms = excluded.stored_ms";
    // PostgreSQL changes no row twice in one statement: of a place the last one counts.
    let postgres = format!(
        "{into} SELECT DISTINCT ON (d, o, p) d, o, p, e, c, s, t FROM unnest($1::bigint[], $2::bigint[], \
         $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]) AS u(d, o, p, e, c, s, t) \
         ORDER BY d, o, p, e DESC, c DESC {update}"
    );
    db.execute_columns(
        &format!("{into} VALUES ($1, $2, $3, $4, $5, $6, $7) {update}"),
        &postgres,
        &columns(),
    )?;
    let into = "INSERT INTO signal_newest (device, outbox, epoch, counter, dbm, stored_ms)";
    let update = "ON CONFLICT (device, outbox) DO UPDATE SET epoch = excluded.epoch, counter = excluded.counter, \
                  dbm = excluded.dbm, stored_ms = excluded.stored_ms";
    let mut newest = columns();
    newest.remove(2);
    let postgres = format!(
        "{into} SELECT DISTINCT ON (d, o) d, o, e, c, s, t FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], \
         $4::bigint[], $5::bigint[], $6::bigint[]) AS u(d, o, e, c, s, t) ORDER BY d, o, e DESC, c DESC {update}"
    );
    db.execute_columns(
        &format!("{into} VALUES ($1, $2, $3, $4, $5, $6) {update}"),
        &postgres,
        &newest,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Cells;

    #[test]
    fn the_last_frames_are_kept_and_the_newest_apart() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let of = |counter: u32, outbox: i64, dbm: i64| Signal {
            device: 7,
            epoch: 0,
            counter,
            outbox,
            dbm,
        };
        let signals: Vec<_> = (0..3000)
            .map(|counter| of(counter, 1, -90 - i64::from(counter) % 30))
            .collect();
        save(&mut db, &signals, 5).expect("saved");
        save(&mut db, &[of(2999, 2, -120)], 6).expect("saved");
        let rows = db
            .query("SELECT COUNT(*), MIN(counter) FROM signal WHERE outbox = 1", &[])
            .expect("read");
        assert_eq!((rows[0].int(0), rows[0].int(1)), (KEPT, 3000 - KEPT));
        let rows = db
            .query("SELECT outbox, counter, dbm FROM signal_newest ORDER BY outbox", &[])
            .expect("read");
        let newest: Vec<_> = rows.iter().map(|row| (row.int(0), row.int(1), row.int(2))).collect();
        assert_eq!(newest, [(1, 2999, -119), (2, 2999, -120)]);
    }

    #[test]
    fn a_gateway_tells_until_it_says_that_it_does_not() {
        let mut telling = Telling::default();
        telling.note("roof", "{\"state\": \"running\", \"serial\": {\"signal\": true}}");
        telling.note("roof", "{\"state\": \"connection lost\"}");
        assert!(telling.has("roof") && !telling.has("hill"));
        telling.note("roof", "{\"serial\": {\"signal\": false}}");
        assert!(!telling.has("roof"));
        assert_eq!((dbm(0xa0), dbm(0xff), dbm(0)), (-96, -1, -256));
    }
}
