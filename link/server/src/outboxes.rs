//! The outboxes that bursts come from, and what in them shows that two machines use one gateway's certificate.

use std::collections::HashMap;

use crate::db::{Cells, Db, Result, Value};
use crate::signal::Telling;

/// A gateway's outbox is new when its disk is, or when it was damaged: a handful in a gateway's life. A gateway that
/// names more is broken or in wrong hands, and must not fill the table.
pub const MOST_OF_A_GATEWAY: i64 = 256;

type Key = (String, [u8; 16]);

/// Numbers of the outboxes seen by this process, and which gateways' modules tell how strongly they receive.
#[derive(Default)]
pub struct Outboxes {
    numbers: HashMap<Key, i64>,
    pub telling: Telling,
}

impl Outboxes {
    /// The number of an outbox, which it gets with its first burst; nothing if the gateway has named too many.
    pub fn number(&mut self, db: &mut Db, gateway: &str, uuid: [u8; 16]) -> Result<Option<i64>> {
        let key = (gateway.to_owned(), uuid);
        if let Some(number) = self.numbers.get(&key) {
            return Ok(Some(*number));
        }
        let values = [Value::Text(key.0.clone()), Value::Bytes(uuid.to_vec())];
        let known = "SELECT number FROM outbox WHERE gateway = $1 AND uuid = $2";
        let mut row = db.query_one(known, &values)?;
        if row.is_none() {
            let count = db.query_one("SELECT COUNT(*) FROM outbox WHERE gateway = $1", &values[..1])?;
            if count.map_or(0, |row| row.int(0)) >= MOST_OF_A_GATEWAY {
                return Ok(None);
            }
            db.execute(
                "INSERT INTO outbox (gateway, uuid) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                &values,
            )?;
            row = db.query_one(known, &values)?;
        }
        let number = row
            .map(|row| row.int(0))
            .ok_or_else(|| crate::db::DbError("an outbox that was just stored is not there".into()))?;
        self.numbers.insert(key, number);
        Ok(Some(number))
    }
}

/// How often marks must come back after others before that is no coincidence. What the broker still had of a disk that
/// was exchanged can come in between: then the old mark comes back once, and the new one after it.
const RETURNS: u32 = 3;
/// Marks that are remembered of one gateway.
const REMEMBERED: usize = 8;

/// Notices that two machines speak with one gateway's certificate. A new disk or a restart brings a new mark (outbox,
/// or instance of the daemon), and the one before never again; two machines that take the broker's connection from each
/// other alternate.
#[derive(Default)]
pub struct Doubles(HashMap<(String, Kind), Marks>);

/// What a mark is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Outbox,
    /// Of the daemon, in its status: drawn at each start.
    Instance,
}

#[derive(Default)]
struct Marks {
    /// The newest last.
    seen: Vec<Vec<u8>>,
    returns: u32,
}

impl Doubles {
    /// Notes what a gateway showed; whether that proves two machines. It says so once for each proof.
    pub fn note(&mut self, gateway: &str, kind: Kind, mark: &[u8]) -> bool {
        let marks = self.0.entry((gateway.to_owned(), kind)).or_default();
        if marks.seen.last().is_some_and(|newest| newest == mark) {
            return false;
        }
        match marks.seen.iter().position(|seen| seen == mark) {
            Some(at) => {
                let again = marks.seen.remove(at);
                marks.seen.push(again);
                marks.returns += 1;
            }
            None => {
                marks.seen.push(mark.to_vec());
                if marks.seen.len() > REMEMBERED {
                    marks.seen.remove(0);
                }
            }
        }
        let proven = marks.returns >= RETURNS;
        if proven {
            marks.returns = 0;
        }
        proven
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_can_name_so_many_outboxes_and_no_more() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let uuid = |number: i64| {
            let mut uuid = [0; 16];
            uuid[..8].copy_from_slice(&number.to_be_bytes());
            uuid
        };
        let mut outboxes = Outboxes::default();
        for number in 0..MOST_OF_A_GATEWAY {
            let found = outboxes.number(&mut db, "one", uuid(number)).expect("asked");
            assert!(found.is_some(), "{number}");
        }
        for number in MOST_OF_A_GATEWAY..3 * MOST_OF_A_GATEWAY {
            assert_eq!(outboxes.number(&mut db, "one", uuid(number)).expect("asked"), None);
        }
        // Those that it had before go on, after a restart too, and so do other gateways.
        let first = outboxes.number(&mut db, "one", uuid(0)).expect("asked");
        assert_eq!(
            Outboxes::default().number(&mut db, "one", uuid(0)).expect("asked"),
            first
        );
        assert!(outboxes.number(&mut db, "two", uuid(999)).expect("asked").is_some());
        let count = db.query("SELECT COUNT(*) FROM outbox", &[]).expect("counted")[0].int(0);
        assert_eq!(count, MOST_OF_A_GATEWAY + 1);
    }

    #[test]
    fn machines_that_alternate_are_noticed_and_exchanged_disks_are_not() {
        let mut doubles = Doubles::default();
        let notes = |doubles: &mut Doubles, marks: &str| {
            let found = marks.bytes().map(|mark| doubles.note("roof", Kind::Outbox, &[mark]));
            found.filter(|found| *found).count()
        };
        // A new disk, some of the old one's messages behind it, and many restarts.
        assert_eq!(notes(&mut doubles, "aaaabbbbbabbbbbcccccddddefghijklmnop"), 0);
        let mut doubles = Doubles::default();
        assert_eq!(notes(&mut doubles, "aaabbaaba"), 1);
        assert_eq!(notes(&mut doubles, "babbba"), 1);
    }
}
