//! Copies what SQLite's log holds into the database's file, in a thread beside the one that stores readings.
//!
//! Each sensor's next reading goes to a page of its own in the table and to another in its index: ten thousand sensors
//! write to the same 20,000 pages (80 MB) over and over. SQLite alone would copy its log into the file after every
//! 1000 pages, where hardly a page occurs twice: each reading cost two pages in the log and two in the file, the more
//! the larger the table was. A log of 64 Ki pages holds each page three times or so. And the thread that stores
//! readings does not wait meanwhile.
//!
//! On a small disk this copying (a *checkpoint*) happens earlier. It may make the file longer by as much as the log is
//! long, and a log that fills the disk could not be copied any more. So the log never takes more than half of the room
//! that is left.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::db::{is_url, Db};

const LOG_BYTES: u64 = 256 << 20;
/// Below that bringing in costs more than it gains.
const LEAST_LOG_BYTES: u64 = 1 << 20;
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Until the program ends.
pub fn run(database: &str) {
    if is_url(database) {
        return;
    }
    let log = PathBuf::from(format!("{database}-wal"));
    let mut db: Option<Db> = None;
    loop {
        thread::sleep(LOOK_EVERY);
        let long = std::fs::metadata(&log).is_ok_and(|found| found.len() >= limit(room(&log)));
        if long && bring_in(database, &mut db).is_err() {
            // The disk is full, or another server does it now: the log goes on growing until it works.
            db = None;
        }
    }
}

/// How long the log may get with so much room on the disk.
fn limit(room_bytes: u64) -> u64 {
    (room_bytes / 2).clamp(LEAST_LOG_BYTES, LOG_BYTES)
}

fn room(log: &Path) -> u64 {
    let folder = log.parent().filter(|folder| !folder.as_os_str().is_empty());
    rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).map_or(u64::MAX, |disk| disk.f_bavail * disk.f_frsize)
}

fn bring_in(database: &str, connection: &mut Option<Db>) -> crate::db::Result<()> {
    let db = match connection {
        Some(db) => db,
        none => none.insert(Db::open(database)?),
    };
    // PASSIVE holds up no writer and copies nearly all. TRUNCATE holds up writers: for the little that came
    // meanwhile, and for a reader that is not done, which it does not wait for longer than this.
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
        // More than the 1000 pages after which SQLite makes a checkpoint by itself unless it is told not to.
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
