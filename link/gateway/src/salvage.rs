//! Reads the rows of a damaged outbox from whatever pages of it are whole.
//!
//! SQLite refuses a file as a whole when a page is missing or spoiled. The rows are still there: each page of rows says
//! by itself where they are (SQLite's "Database File Format", section 1.6, B-tree pages, and 2.1, record format). So
//! the pages of the file, and of its log beside it, are read one by one. What no longer belongs to the outbox may be
//! among them, such as a row that a server has acknowledged and whose page was freed: it is sent again, which changes
//! nothing at the server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use link_wire::burst::Burst;
use link_wire::mqtt::BURST_BYTES;

const FILE_HEADER_BYTES: usize = 100;
const LOG_HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// A page of a table's rows.
const LEAF: u8 = 0x0d;
const LEAF_HEADER_BYTES: usize = 8;
/// What SQLite uses since 3.12, should the file not say.
const USUAL_PAGE_BYTES: usize = 4096;

/// The bursts of a damaged outbox, in the order in which they were stored.
pub fn bursts(damaged: &Path) -> Vec<Burst> {
    let mut found = BTreeMap::new();
    let file = std::fs::read(damaged).unwrap_or_default();
    let page_bytes = page_bytes(&file);
    for page in file.chunks_exact(page_bytes) {
        rows(page, &mut found);
    }
    // The log is newer than the file; of a page that stands in it twice the later one is.
    let log = std::fs::read(log_of(damaged)).unwrap_or_default();
    let frames = log.get(LOG_HEADER_BYTES..).unwrap_or_default();
    for frame in frames.chunks_exact(FRAME_HEADER_BYTES + page_bytes) {
        rows(&frame[FRAME_HEADER_BYTES..], &mut found);
    }
    found.into_values().collect()
}

fn log_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// The file's header says it in two bytes, 1 standing for 65536.
fn page_bytes(file: &[u8]) -> usize {
    let said = match file.get(16..18) {
        Some(&[0, 1]) => 65536,
        Some(&[high, low]) => usize::from(high) << 8 | usize::from(low),
        _ => 0,
    };
    if said.is_power_of_two() && said >= 512 {
        said
    } else {
        USUAL_PAGE_BYTES
    }
}

/// The rows of one page, if it is a page of rows.
fn rows(page: &[u8], found: &mut BTreeMap<u64, Burst>) {
    // The file's first page begins with its header, and holds no bursts.
    if page.first() != Some(&LEAF) || page.len() < FILE_HEADER_BYTES {
        return;
    }
    let cells = usize::from(page[3]) << 8 | usize::from(page[4]);
    for pointer in page[LEAF_HEADER_BYTES..].chunks_exact(2).take(cells) {
        let at = usize::from(pointer[0]) << 8 | usize::from(pointer[1]);
        if let Some((id, burst)) = page.get(at..).and_then(row) {
            found.insert(id, burst);
        }
    }
}

/// A row (id, received_ms, bytes): its length, its id, the lengths of its three columns, the columns.
fn row(cell: &[u8]) -> Option<(u64, Burst)> {
    let mut at = 0;
    let length = number(cell, &mut at)? as usize;
    let id = number(cell, &mut at)?;
    let record = cell.get(at..at.checked_add(length)?)?;
    let mut at = 0;
    let header_bytes = number(record, &mut at)? as usize;
    let mut kinds = [0; 3];
    for kind in &mut kinds {
        *kind = number(record, &mut at)?;
    }
    // The id's own column is empty, because the row's number stands for it; a time; bytes.
    let [0, time, bytes] = kinds else { return None };
    let burst_bytes = (bytes.checked_sub(12)? / 2) as usize;
    if at != header_bytes || bytes % 2 != 0 || !(1..=BURST_BYTES).contains(&burst_bytes) {
        return None;
    }
    let time_bytes = match time {
        8 | 9 => 0,
        1..=4 => time as usize,
        5 => 6,
        6 => 8,
        _ => return None,
    };
    let mut received_ms = u64::from(time == 9);
    for byte in record.get(at..at + time_bytes)? {
        received_ms = received_ms << 8 | u64::from(*byte);
    }
    at += time_bytes;
    let bytes = record.get(at..at + burst_bytes)?.to_vec();
    let whole = at + burst_bytes == record.len() && id > 0 && i64::try_from(id).is_ok();
    whole.then_some((id, Burst { received_ms, bytes }))
}

/// SQLite's numbers of one to nine bytes, the high bits first; the ninth byte has eight bits, the others seven.
fn number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for place in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if place == 8 {
            return Some(value << 8 | u64::from(byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    const ROWS: u64 = 5000;

    fn bytes_of(id: u64) -> Vec<u8> {
        let length = 1 + (id * 37 % BURST_BYTES as u64) as usize;
        id.to_be_bytes().into_iter().cycle().take(length).collect()
    }

    fn time_of(id: u64) -> u64 {
        [0, 1, 200, 70_000, 1_800_000_000_000, i64::MAX as u64][(id % 6) as usize]
    }

    /// An outbox as the daemon writes it; with `in_log` its rows are in the log only.
    fn outbox(folder: &Path, in_log: bool) -> PathBuf {
        let path = folder.join(if in_log { "log.sqlite" } else { "file.sqlite" });
        let connection = Connection::open(&path).expect("opened");
        connection.pragma_update(None, "journal_mode", "WAL").expect("set");
        connection.pragma_update(None, "wal_autocheckpoint", 0).expect("set");
        connection
            .execute_batch(
                "CREATE TABLE burst (id INTEGER PRIMARY KEY AUTOINCREMENT, received_ms INTEGER NOT NULL, \
                            bytes BLOB NOT NULL); BEGIN",
            )
            .expect("made");
        for id in 1..=ROWS {
            let values = rusqlite::params![time_of(id) as i64, bytes_of(id)];
            connection
                .execute("INSERT INTO burst (received_ms, bytes) VALUES (?1, ?2)", values)
                .expect("stored");
        }
        connection.execute_batch("COMMIT").expect("committed");
        if in_log {
            // As after a power cut: the file is not closed.
            let copy = folder.join("cut.sqlite");
            std::fs::copy(&path, &copy).expect("copied");
            std::fs::copy(log_of(&path), log_of(&copy)).expect("copied");
            return copy;
        }
        path
    }

    fn check(found: &[Burst]) {
        let mut last = 0;
        for burst in found {
            let id = (last + 1..=ROWS)
                .find(|id| bytes_of(*id) == burst.bytes && time_of(*id) == burst.received_ms)
                .expect("a row that was stored, in its order");
            last = id;
        }
    }

    #[test]
    fn what_is_whole_is_read_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("bancada-salvage-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = outbox(&folder, false);
        assert_eq!(bursts(&path).len() as u64, ROWS);
        let whole = std::fs::read(&path).expect("read");
        let damaged = folder.join("damaged.sqlite");
        // Cut by 4 kB, which is a page; cut within a page; each tenth page spoiled, the first among them; half of it
        // gone.
        let mut spoiled = whole.clone();
        for page in spoiled.chunks_mut(4096).step_by(10) {
            page.fill(0xff);
        }
        for (bytes, least) in [
            (&whole[..whole.len() - 4096], ROWS - 40),
            (&whole[..whole.len() - 5000], ROWS - 80),
            (&spoiled[..], ROWS * 85 / 100),
            (&whole[..whole.len() / 2], ROWS * 45 / 100),
            (&whole[..0], 0),
        ] {
            std::fs::write(&damaged, bytes).expect("written");
            let found = bursts(&damaged);
            assert!(found.len() as u64 >= least, "{} of {least}", found.len());
            check(&found);
        }
        let from_log = bursts(&outbox(&folder, true));
        assert_eq!(from_log.len() as u64, ROWS);
        check(&from_log);
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn noise_is_no_row_and_breaks_nothing() {
        let mut state = 1u64;
        let mut page = vec![0u8; 4096];
        for _ in 0..2000 {
            for byte in page.iter_mut() {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                *byte = (state >> 56) as u8;
            }
            page[0] = LEAF;
            rows(&page, &mut BTreeMap::new());
        }
    }
}
