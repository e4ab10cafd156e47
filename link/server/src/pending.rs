//! After a backup was put in place: what was heard since is asked of the gateways, and nothing that anybody recorded
//! becomes new.
//!
//! The database has forgotten the counters that were used since the backup. Gateways keep what they heard. The server
//! asks each of them a question; a gateway answers with the rows that it still keeps, under their old ids, and with its
//! greatest id at that time. A burst up to that id was heard before the question: it is stored like any other, behind
//! or above the window. A later burst may be a recording. It waits in its gateway's outbox until all gateways have
//! brought what they keep, unless the sensor's own sealed clock says that it was sent after the backup was put in
//! place. From then on the windows stand above everything that any gateway still knew.

use std::collections::HashMap;

use crate::db::{Cells, Db, Result};
use crate::hex;
use crate::log::utc;
use crate::moments::{is_believable, AHEAD_MS};
use crate::restored::Question;

/// How far the gateways are.
pub struct Pending {
    pub question: Question,
    /// Of each gateway that has answered: its outbox, and the greatest id in it that was heard before.
    heard: HashMap<String, (String, u64)>,
    /// Gateways that have not answered, or have not brought all that they kept.
    pub awaited: Vec<String>,
}

impl Pending {
    pub fn read(db: &mut Db, question: Question) -> Result<Pending> {
        let number = hex::encode(&question.number);
        let (mut heard, mut awaited) = (HashMap::new(), Vec::new());
        for row in db.query(
            "SELECT name, status FROM gateway WHERE revoked_ms IS NULL ORDER BY name",
            &[],
        )? {
            let status: serde_json::Value = serde_json::from_str(row.text(1)).unwrap_or_default();
            let outbox = &status["outbox"];
            let name = row.text(0).to_owned();
            let answer = (outbox["asked"] == *number)
                .then(|| Some((outbox["uuid"].as_str()?.to_owned(), outbox["asked_last_id"].as_u64()?)))
                .flatten();
            let Some((uuid, last_id)) = answer else {
                awaited.push(name);
                continue;
            };
            if outbox["oldest_id"].as_u64().is_some_and(|oldest| oldest <= last_id) {
                awaited.push(name.clone());
            }
            heard.insert(name, (uuid, last_id));
        }
        Ok(Pending {
            question,
            heard,
            awaited,
        })
    }

    pub fn has_answered(&self, gateway: &str) -> bool {
        self.heard.contains_key(gateway)
    }

    /// Whether a burst may hold a recording of what was forgotten. `times_s`: of its frames, by their sensors' clocks.
    pub fn holds(
        &self,
        gateway: &str,
        (outbox, id): (&[u8; 16], u64),
        mut times_s: impl Iterator<Item = i64>,
        now_ms: i64,
    ) -> bool {
        if self.awaited.is_empty() {
            return false;
        }
        let before = self.heard.get(gateway);
        if before.is_some_and(|(uuid, last_id)| *uuid == hex::encode(outbox) && id <= *last_id) {
            return false;
        }
        let sent_since = |time_s: i64| time_s.saturating_mul(1000) > self.question.since_ms + AHEAD_MS;
        times_s.any(|time_s| !(sent_since(time_s) && is_believable(time_s, now_ms)))
    }

    pub fn told(&self) -> String {
        if self.awaited.is_empty() {
            return "all gateways have brought what they kept: the backup is complete".into();
        }
        format!(
            "a backup was put in place on {}; frames that may be recordings wait until these gateways have brought what \
             they kept: {}; if one is gone for good: bancada link restore --finish",
            utc(self.question.since_ms),
            self.awaited.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    #[test]
    fn a_burst_waits_unless_it_was_heard_before_or_its_own_clock_says_that_it_is_new() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let question = Question {
            number: [7; 16],
            since_ms: NOW,
        };
        let tell = |db: &mut Db, oldest: &str| {
            let status = format!(
                "{{\"outbox\": {{\"uuid\": \"{}\", \"asked\": \"{}\", \"asked_last_id\": 50, \"oldest_id\": {oldest}}}}}",
                hex::encode(&[1; 16]),
                hex::encode(&[7; 16])
            );
            db.batch(&format!(
                "INSERT INTO gateway (name, serial, status) VALUES ('roof', '', '{status}') \
                ON CONFLICT (name) DO UPDATE SET status = excluded.status"
            ))
            .expect("a status");
            Pending::read(db, question.clone()).expect("read")
        };
        db.batch("INSERT INTO gateway (name, serial) VALUES ('other', '')")
            .expect("a gateway");
        let pending = tell(&mut db, "20");
        assert_eq!(pending.awaited, ["other", "roof"]);
        assert!(pending.has_answered("roof") && !pending.has_answered("other"));
        let now_ms = NOW + 3_600_000;
        let (old_s, new_s) = (NOW / 1000, now_ms / 1000);
        let (mine, foreign) = ([1; 16], [2; 16]);
        let holds = |gateway, place, times: &[i64]| pending.holds(gateway, place, times.iter().copied(), now_ms);
        assert!(!holds("roof", (&mine, 50), &[0, old_s]));
        for (gateway, place) in [("roof", (&mine, 51)), ("roof", (&foreign, 50)), ("other", (&mine, 1))] {
            assert!(holds(gateway, place, &[0]) && holds(gateway, place, &[old_s]));
            assert!(holds(gateway, place, &[new_s, old_s + 60]) && holds(gateway, place, &[new_s + 9999]));
            assert!(!holds(gateway, place, &[new_s]) && !holds(gateway, place, &[]));
        }
        // Its last one is still to come.
        assert_eq!(tell(&mut db, "50").awaited, ["other", "roof"]);
        assert_eq!(tell(&mut db, "51").awaited, ["other"]);
        db.batch("UPDATE gateway SET revoked_ms = 1 WHERE name = 'other'")
            .expect("revoked");
        let done = tell(&mut db, "null");
        assert!(done.awaited.is_empty() && !done.holds("roof", (&foreign, 99), [0].into_iter(), now_ms));
    }
}
