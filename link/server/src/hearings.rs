//! Frames that several gateways hear: the first copy is the reading, the others are diversity and no attack.
//!
//! A copy from another outbox than the reading's is nothing to refuse, once. Its outbox's window notes it; the next
//! copy of it from there, under a higher id, is a replay. One under an id that was noted is the same burst, sent again.
//! Nothing is written for each copy: a gateway that brings a day of copies costs no more than one that brings new
//! frames.

use std::collections::{BTreeSet, HashMap};

use crate::db::{Cells, Column, Db, Result};
use crate::window::{Verdict, Window};

/// Device, key epoch, outbox.
pub type Key = (u16, u8, i64);

/// What an outbox has brought of copies of one key's frames.
#[derive(Default)]
struct Heard {
    window: Window,
    last_id: i64,
    changed: bool,
}

#[derive(Default)]
pub struct Hearings(HashMap<Key, Heard>);

impl Hearings {
    /// Reads the windows of these, in an order that two servers share.
    pub fn load(db: &mut Db, keys: &BTreeSet<Key>) -> Result<Hearings> {
        let column = |cell: fn(&Key) -> i64| Column::Ints(keys.iter().map(cell).collect());
        let rows = db.query_columns(
            "SELECT device, epoch, outbox, highest, seen, last_id FROM hearing WHERE device = $1 AND epoch = $2 AND \
             outbox = $3",
            "SELECT h.device, h.epoch, h.outbox, h.highest, h.seen, h.last_id FROM hearing h \
             JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(d, e, o) ON h.device = u.d AND h.epoch = u.e \
             AND h.outbox = u.o",
            &[
                column(|key| key.0.into()),
                column(|key| key.1.into()),
                column(|key| key.2),
            ],
        )?;
        let mut found = HashMap::new();
        for row in &rows {
            if let (Ok(device), Ok(epoch), Ok(highest)) = (
                u16::try_from(row.int(0)),
                u8::try_from(row.int(1)),
                u32::try_from(row.int(3)),
            ) {
                let window = Window {
                    highest: Some(highest),
                    // The same 64 bits, kept as a signed number.
                    seen: row.int(4) as u64,
                };
                let heard = Heard {
                    window,
                    last_id: row.int(5),
                    changed: false,
                };
                found.insert((device, epoch, row.int(2)), heard);
            }
        }
        Ok(Hearings(found))
    }

    /// Notes a copy that came under this id; whether it is harmless: the first of its counter from this outbox, or sent
    /// again.
    pub fn is_harmless(&mut self, key: Key, counter: u32, outbox_id: i64) -> bool {
        let heard = self.0.entry(key).or_default();
        let again = outbox_id <= heard.last_id;
        if heard.window.judge(counter) == Verdict::New {
            heard.last_id = outbox_id.max(heard.last_id);
            heard.changed = true;
            return true;
        }
        again
    }

    pub fn save(&self, db: &mut Db) -> Result<()> {
        let mut columns: [Vec<i64>; 6] = Default::default();
        let mut changed: Vec<_> = self.0.iter().filter(|(_, heard)| heard.changed).collect();
        changed.sort_unstable_by_key(|(key, _)| **key);
        for ((device, epoch, outbox), heard) in changed {
            let cells = [
                i64::from(*device),
                i64::from(*epoch),
                *outbox,
                heard.window.highest.map_or(0, i64::from),
                heard.window.seen as i64,
                heard.last_id,
            ];
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(cell);
            }
        }
        let into = "INSERT INTO hearing (device, epoch, outbox, highest, seen, last_id)";
        let update =
            "ON CONFLICT (device, epoch, outbox) DO UPDATE SET highest = excluded.highest, seen = excluded.seen, \
                      last_id = excluded.last_id";
        db.execute_columns(
            &format!("{into} VALUES ($1, $2, $3, $4, $5, $6) {update}"),
            &format!(
                "{into} SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], \
                 $6::bigint[]) {update}"
            ),
            &columns.map(Column::Ints),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_copy_from_an_outbox_is_no_first_one_after_a_restart_too() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let keys: BTreeSet<Key> = [(1, 0, 7), (1, 0, 8), (2, 3, 7)].into();
        let mut hearings = Hearings::load(&mut db, &keys).expect("read");
        for key in &keys {
            for (id, counter) in [(1, 5), (2, 6), (3, 4), (4, u32::MAX)] {
                assert!(hearings.is_harmless(*key, counter, id), "{key:?} {counter}");
                // The same burst again; the same frame in a new one.
                assert!(hearings.is_harmless(*key, counter, id), "{key:?} {counter}");
                assert!(!hearings.is_harmless(*key, counter, 9), "{key:?} {counter}");
            }
        }
        hearings.save(&mut db).expect("saved");
        let mut again = Hearings::load(&mut db, &keys).expect("read");
        for key in keys {
            assert!(!again.is_harmless(key, u32::MAX, 5) && again.is_harmless(key, u32::MAX, 4));
            assert!(again.is_harmless(key, u32::MAX - 1, 5));
        }
    }
}
