//! Periods of readings that were stored while the server's clock leapt, against the plain rule, reading by reading.

use std::collections::HashMap;

use super::*;
use crate::moments::{self, Highest};
use crate::reading::Reading;

const BEGIN_MS: i64 = 1_800_000_000_000;
const HOUR_MS: i64 = 3_600_000;
const KEY: (i64, i64) = (1, 0);

fn database() -> Db {
    let mut db = Db::open(":memory:").expect("a database");
    crate::schema::create(&mut db).expect("its tables");
    db
}

/// Stores a reading of a sensor whose clock is not set, by a gateway and a server with one clock.
fn store(db: &mut Db, highest: &mut Option<Highest>, counter: u32, now_ms: i64) {
    let mut readings = [Reading {
        device: 1,
        epoch: 0,
        counter,
        kind: 0,
        received_ms: now_ms,
        stored_ms: now_ms,
        time_ms: 0,
        outbox: 1,
        outbox_id: counter.into(),
        position: 0,
        variables: [0; 4],
    }];
    let known = highest.map(|highest| ((1, 0), highest)).into_iter().collect();
    moments::set(db, &mut readings, &known, &mut HashMap::new()).expect("a time");
    crate::rows::insert_readings(db, &readings).expect("stored");
    if highest.is_none_or(|highest| counter > highest.counter) {
        let time_ms = readings[0].time_ms;
        *highest = Some(Highest { counter, time_ms });
    }
}

fn times(db: &mut Db) -> Vec<(i64, i64)> {
    let rows = db.query("SELECT counter, time_ms FROM reading ORDER BY counter", &[]);
    rows.expect("read").iter().map(|row| (row.int(0), row.int(1))).collect()
}

fn agree_with_the_plain_rule(db: &mut Db) {
    let times = times(db);
    let mut moments: Vec<i64> = times.iter().flat_map(|(_, time_ms)| [*time_ms, time_ms + 1]).collect();
    moments.extend([0, i64::MAX]);
    moments.sort_unstable();
    moments.dedup();
    for (at, from_ms) in moments.iter().enumerate() {
        for to_ms in moments[at..].iter().step_by(7) {
            let found = stretches(db, KEY, *from_ms, *to_ms).expect("found");
            assert!(found.windows(2).all(|two| two[0].end < two[1].start), "{found:?}");
            let inside = |counter: i64| found.iter().any(|stretch| stretch.contains(&counter));
            for (counter, time_ms) in &times {
                assert_eq!(
                    inside(*counter),
                    (*from_ms..*to_ms).contains(time_ms),
                    "{counter} {from_ms} {to_ms}"
                );
            }
        }
    }
}

#[test]
fn a_clock_that_leaps_ahead_and_back_moves_no_reading_of_another_time() {
    // A day ahead, a year ahead, and a while at the beginning of 1970; frames that come late in between.
    let ahead_ms = |counter: u32| match counter {
        20..30 => 24 * HOUR_MS,
        50..53 => 365 * 24 * HOUR_MS,
        60..65 => -BEGIN_MS,
        _ => 0,
    };
    let mut db = database();
    let mut highest = None;
    let late = |counter: u32| counter % 11 == 3;
    for counter in (0..80).filter(|counter| !late(*counter)) {
        let now_ms = BEGIN_MS + i64::from(counter) * HOUR_MS;
        store(&mut db, &mut highest, counter, now_ms + ahead_ms(counter));
    }
    for counter in (0..80).filter(|counter| late(*counter)) {
        store(&mut db, &mut highest, counter, BEGIN_MS + i64::from(counter) * HOUR_MS);
    }
    let found = times(&mut db);
    assert!(!found.is_sorted_by_key(|(_, time_ms)| *time_ms));
    agree_with_the_plain_rule(&mut db);
    // The hours behind the first leap, which are the same as if the clock had not leapt.
    let (from_ms, to_ms) = (BEGIN_MS + 30 * HOUR_MS, BEGIN_MS + 36 * HOUR_MS);
    let found = stretches(&mut db, KEY, from_ms, to_ms).expect("found");
    assert!(found.len() == 1 && found[0] == (30..36), "{found:?}");
    // A database of before these places were noted.
    let noted = db.query("SELECT * FROM set_back ORDER BY counter", &[]).expect("read");
    db.batch("DELETE FROM set_back").expect("deleted");
    note_all_set_back(&mut db).expect("noted");
    assert_eq!(
        db.query("SELECT * FROM set_back ORDER BY counter", &[]).expect("read"),
        noted
    );
    agree_with_the_plain_rule(&mut db);
}

#[test]
fn a_clock_that_never_comes_to_rest_leaves_it_to_the_readings() {
    let mut db = database();
    let mut highest = None;
    for counter in 0..300 {
        let ahead_ms = if counter % 2 == 0 { HOUR_MS } else { 0 };
        store(
            &mut db,
            &mut highest,
            counter,
            BEGIN_MS + i64::from(counter) * 1000 + ahead_ms,
        );
    }
    let found = stretches(&mut db, KEY, 0, 1).expect("found");
    assert!(found.len() == 1 && found[0] == (0..i64::MAX), "{found:?}");
}
