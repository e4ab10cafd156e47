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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{Cells, Value};

    #[test]
    fn the_log_is_brought_in_while_somebody_writes() {
        let folder = std::env::temp_dir().join(format!("bancada-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let name = folder.join("link.sqlite").to_string_lossy().into_owned();
        let log_bytes = || std::fs::metadata(format!("{name}-wal")).map_or(0, |found| found.len());
        let mut writer = Db::open_for_storing(&name).expect("a database");
        writer.batch("CREATE TABLE thing (bytes BLOB)").expect("a table");
        // More than the 1000 pages after which SQLite helps itself unless it is told not to.
        let store = |writer: &mut Db| {
            for _ in 0..2000 {
                let values = [Value::Bytes(vec![7; 4000])];
                writer
                    .execute("INSERT INTO thing VALUES ($1)", &values)
                    .expect("stored");
            }
        };
        writer.batch("BEGIN").expect("begun");
        store(&mut writer);
        writer.batch("COMMIT").expect("committed");
        assert!(log_bytes() > 8_000_000, "{}", log_bytes());
        let mut other = None;
        // While a transaction is open nothing is cut off, and nothing waits for long.
        writer.batch("BEGIN IMMEDIATE").expect("begun");
        bring_in(&name, &mut other).expect("as much as can be");
        writer.batch("COMMIT").expect("committed");
        bring_in(&name, &mut other).expect("all of it");
        assert_eq!(log_bytes(), 0);
        let count = writer.query("SELECT COUNT(*) FROM thing", &[]).expect("counted")[0].int(0);
        assert_eq!(count, 2000);
        drop((writer, other));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
