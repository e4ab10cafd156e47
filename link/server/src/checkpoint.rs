//! Brings what SQLite's log holds into the database's file, beside the thread that stores readings.
//!
//! Each sensor's next reading goes to a page of its own in the table and to another in its index: ten thousand sensors write to the same
//! 20,000 pages (80 MB) over and over. SQLite alone would bring its log into the file after every 1000 pages, where hardly a page
//! occurs twice: each reading cost two pages in the log and two in the file, the more the larger the table was. A log of 64 Ki pages
//! holds each page three times or so. And who stores readings does not wait while it is brought in.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::db::{is_url, Db};

const LOG_BYTES: u64 = 256 << 20;
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// For the thread that stores: should this one be held up for long, SQLite helps itself after all.
pub const PAGES_AT_MOST: u32 = 262_144;

/// Until the program ends.
pub fn run(database: &str) {
    if is_url(database) {
        return;
    }
    let log = PathBuf::from(format!("{database}-wal"));
    let mut db: Option<Db> = None;
    loop {
        thread::sleep(LOOK_EVERY);
        let long = std::fs::metadata(&log).is_ok_and(|found| found.len() >= LOG_BYTES);
        if long && bring_in(database, &mut db).is_err() {
            // The disk is full, or another server is at it: the log goes on growing until it works.
            db = None;
        }
    }
}

fn bring_in(database: &str, connection: &mut Option<Db>) -> crate::db::Result<()> {
    let db = match connection {
        Some(db) => db,
        none => none.insert(Db::open(database)?),
    };
    // PASSIVE stops nobody and brings in nearly all. TRUNCATE holds up whoever writes: for the little that came meanwhile, and
    // for a reader that is not done, which it does not wait for longer than this.
    db.query("PRAGMA busy_timeout = 100", &[])?;
    db.query("PRAGMA wal_checkpoint(PASSIVE)", &[])?;
    db.query("PRAGMA wal_checkpoint(TRUNCATE)", &[])?;
    Ok(())
}
