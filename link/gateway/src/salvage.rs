//! Reads the rows of a damaged outbox from whatever pages of it are whole.
//!
//! SQLite refuses a file as a whole when a page is missing or spoiled. The rows are still there: each page of rows says
//! by itself where they are (SQLite's "Database File Format", section 1.6, B-tree pages, and 2.1, record format). So
//! the pages of the file, and of its log beside it, are read one by one, and one that the disk does not give is passed
//! over. What no longer belongs to the outbox may be among them, such as a row that a server has acknowledged and whose
//! page was freed: it is sent again, which changes nothing at the server.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
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
/// No outbox gets here, and as many ids are left after it.
const LAST_ID: u64 = 1 << 62;

/// Hands over the bursts of a damaged outbox with their ids, in no order: a page at a time is in memory. What comes
/// later under an id that was handed over is newer.
pub fn bursts(damaged: &Path, mut hand_over: impl FnMut(u64, Burst)) {
    let file = File::open(damaged);
    let read = |at: u64, into: &mut [u8]| file.as_ref().map_or(Err(gone()), |file| file.read_exact_at(into, at));
    let page_bytes = page_bytes(read);
    pages(read, length(&file), (0, 0), page_bytes, |page| {
        rows(page, &mut hand_over)
    });
    // The log is newer than the file; of a page that stands in it twice the later one is.
    let log = File::open(log_of(damaged));
    let read = |at: u64, into: &mut [u8]| log.as_ref().map_or(Err(gone()), |log| log.read_exact_at(into, at));
    let before = (LOG_HEADER_BYTES, FRAME_HEADER_BYTES);
    pages(read, length(&log), before, page_bytes, |page| {
        rows(page, &mut hand_over)
    });
}

fn gone() -> io::Error {
    io::ErrorKind::NotFound.into()
}

fn length(file: &io::Result<File>) -> u64 {
    let found = file.as_ref().ok().and_then(|file| file.metadata().ok());
    found.map_or(0, |found| found.len())
}

/// Reads the whole pages of a file of this length. `before`: what stands before the first of them, and before each.
fn pages(
    read: impl Fn(u64, &mut [u8]) -> io::Result<()>,
    length: u64,
    before: (usize, usize),
    page_bytes: usize,
    mut take: impl FnMut(&[u8]),
) {
    let mut page = vec![0; page_bytes];
    let step = (before.1 + page_bytes) as u64;
    let mut at = before.0 as u64;
    while at + step <= length {
        // A worn disk does not give some of them.
        if read(at + before.1 as u64, &mut page).is_ok() {
            take(&page);
        }
        at += step;
    }
}

fn log_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// The file's header says it in two bytes, 1 standing for 65536.
fn page_bytes(read: impl Fn(u64, &mut [u8]) -> io::Result<()>) -> usize {
    let mut two = [0; 2];
    let said = match read(16, &mut two).map(|()| two) {
        Ok([0, 1]) => 65536,
        Ok([high, low]) => usize::from(high) << 8 | usize::from(low),
        Err(_) => 0,
    };
    if said.is_power_of_two() && said >= 512 {
        said
    } else {
        USUAL_PAGE_BYTES
    }
}

/// The rows of one page, if it is a page of rows.
fn rows(page: &[u8], hand_over: &mut impl FnMut(u64, Burst)) {
    // The file's first page begins with its header, and holds no bursts.
    if page.first() != Some(&LEAF) || page.len() < FILE_HEADER_BYTES {
        return;
    }
    let cells = usize::from(page[3]) << 8 | usize::from(page[4]);
    for pointer in page[LEAF_HEADER_BYTES..].chunks_exact(2).take(cells) {
        let at = usize::from(pointer[0]) << 8 | usize::from(pointer[1]);
        if let Some((id, burst)) = page.get(at..).and_then(row) {
            hand_over(id, burst);
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
    let whole = at + burst_bytes == record.len() && (1..=LAST_ID).contains(&id);
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
    use std::collections::BTreeMap;

    /// In the order of their ids.
    fn found(damaged: &Path) -> Vec<Burst> {
        let mut found = BTreeMap::new();
        bursts(damaged, |id, burst| {
            found.insert(id, burst);
        });
        found.into_values().collect()
    }

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
        assert_eq!(found(&path).len() as u64, ROWS);
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
            let found = found(&damaged);
            assert!(found.len() as u64 >= least, "{} of {least}", found.len());
            check(&found);
        }
        let from_log = found(&outbox(&folder, true));
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
            rows(&page, &mut |_, _| ());
        }
    }

    #[test]
    fn a_page_that_the_disk_does_not_give_costs_no_other() {
        let read = |at: u64, into: &mut [u8]| {
            into.fill((at / 10) as u8);
            match at {
                20 | 50 => Err(io::Error::from_raw_os_error(5)),
                _ => Ok(()),
            }
        };
        let mut taken = Vec::new();
        pages(read, 69, (0, 0), 10, |page| taken.push(page[0]));
        assert_eq!(taken, [0, 1, 3, 4]);
        // As in the log: something before them all, and before each.
        taken.clear();
        pages(read, 70, (10, 5), 10, |page| taken.push(page[0]));
        assert_eq!(taken, [1, 3, 4, 6]);
    }
}
