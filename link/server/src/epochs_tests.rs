//! What is kept beside the database never differs from what the database holds.

use std::collections::BTreeSet;

use super::*;
use crate::db::{Cells, DbError};
use crate::rows::{save_epochs, Newest};
use crate::schema::{bump_generation, generation};

const DEVICES: [u16; 3] = [1, 2, 3];

fn database(name: &str) -> Db {
    let mut db = Db::open(name).expect("a database");
    crate::schema::create(&mut db).expect("its tables");
    db
}

fn with_devices(db: &mut Db) {
    for device in DEVICES {
        db.batch(&format!(
            "INSERT INTO device (id, name, master, slot, slots, period_s, channel) \
             VALUES ({device}, '', x'', 0, 0, 5, 0); \
             INSERT INTO epoch (device, epoch, suite) VALUES ({device}, 0, 1)"
        ))
        .expect("a device");
    }
}

/// Accepts one more frame of each of these devices, as a batch does; the counters that it went on from.
fn store(db: &mut Db, epochs: &mut Epochs, devices: &[u16], fails: bool) -> Vec<i64> {
    let devices: BTreeSet<u16> = devices.iter().copied().collect();
    let mut before = Vec::new();
    let done = db.transaction(|db| {
        let generation = generation(db)?;
        let mut states = epochs.take(db, &generation, &devices)?;
        for device in &devices {
            let state = &mut states.get_mut(device).expect("its keys")[0];
            assert!(!state.changed && state.newest.is_none());
            before.push(state.accepted);
            state.accepted += 1;
            state.newest = Some(Newest { variables: [1; 4] });
            state.changed = true;
        }
        save_epochs(db, states.values().flatten())?;
        match fails {
            true => Err(DbError("the disk is full".into())),
            false => Ok(states),
        }
    });
    match done {
        Ok(states) => epochs.give_back(db, states),
        Err(_) => assert!(fails),
    }
    before
}

fn accepted(db: &mut Db) -> Vec<i64> {
    let rows = db
        .query("SELECT accepted FROM epoch ORDER BY device", &[])
        .expect("read");
    rows.iter().map(|row| row.int(0)).collect()
}

#[test]
fn what_is_kept_is_not_read_again() {
    let mut db = database(":memory:");
    with_devices(&mut db);
    let mut epochs = Epochs::default();
    assert_eq!(store(&mut db, &mut epochs, &[1, 2], false), [0, 0]);
    // Nobody does this behind a server's back; here it shows that the table is not read.
    db.batch("UPDATE epoch SET accepted = 70").expect("changed");
    assert_eq!(store(&mut db, &mut epochs, &DEVICES, false), [1, 1, 70]);
    assert_eq!(accepted(&mut db), [2, 2, 71]);
}

#[test]
fn a_command_that_changes_keys_is_noticed() {
    let mut db = database(":memory:");
    with_devices(&mut db);
    let mut epochs = Epochs::default();
    store(&mut db, &mut epochs, &DEVICES, false);
    db.batch("UPDATE epoch SET accepted = 70 WHERE device = 2")
        .expect("changed");
    bump_generation(&mut db).expect("bumped");
    assert_eq!(store(&mut db, &mut epochs, &DEVICES, false), [1, 70, 1]);
}

#[test]
fn what_was_not_committed_is_forgotten() {
    let mut db = database(":memory:");
    with_devices(&mut db);
    let mut epochs = Epochs::default();
    // Its mark is not left either.
    store(&mut db, &mut epochs, &[1], true);
    assert_eq!(store(&mut db, &mut epochs, &DEVICES, false), [0, 0, 0]);
    store(&mut db, &mut epochs, &[2], true);
    assert_eq!(store(&mut db, &mut epochs, &DEVICES, false), [1, 1, 1]);
    assert_eq!(accepted(&mut db), [2, 2, 2]);
}

#[test]
fn two_servers_on_one_file_see_what_the_other_stored() {
    let folder = std::env::temp_dir().join(format!("bancada-epochs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let name = folder.join("link.sqlite").to_string_lossy().into_owned();
    let mut servers = [0, 1].map(|_| (database(&name), Epochs::default()));
    with_devices(&mut servers[0].0);
    let mut expected = [0; 3];
    for turn in [0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0] {
        let (db, epochs) = &mut servers[turn];
        let some = &DEVICES[turn..turn + 2];
        let before = store(db, epochs, some, false);
        assert_eq!(before, expected[turn..turn + 2]);
        expected[turn..turn + 2].iter_mut().for_each(|count| *count += 1);
        assert_eq!(accepted(db), expected);
    }
    drop(servers);
    std::fs::remove_dir_all(folder).expect("removed");
}
