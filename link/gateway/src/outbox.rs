//! Bursts on disk, from the moment they are committed until the server has acknowledged them.
//!
//! Ids count up and are never used twice (AUTOINCREMENT), not even after a crash: a row is sent only once it is
//! committed. WAL and `synchronous = FULL`: a commit is on the disk when it returns.

use std::fs::File;
use std::path::{Path, PathBuf};

use link_wire::burst::Burst;
use link_wire::mqtt::Uuid;
use link_wire::ranges::Range;
use rusqlite::{params, Connection, ErrorCode, OpenFlags, OptionalExtension};
use rustix::fs::{fallocate, flock, statvfs, FallocateFlags, FlockOperation};
use rustix::io::Errno;

use crate::config::{self, UserError};
use crate::log;
use crate::salvage;

const LAYOUT: i64 = 1;
/// What a row takes in the file besides its burst, at most.
const ROW_BYTES: usize = 32;
/// Pages besides those of the rows that a commit may take: inner nodes of the tree.
const SPARE_PAGES: u64 = 8;
/// Rows of one commit when a new outbox gets what was salvaged of a damaged one.
const REFILL_ROWS: usize = 500;
/// The file is lengthened by steps.
const STEP_BYTES: u64 = 64 * 1024;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS identity (uuid BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS burst (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        received_ms INTEGER NOT NULL,
        bytes BLOB NOT NULL
    );
";
/// What an outbox of an older version of this layout does not have: rows that a server has acknowledged, in case it
/// forgets them, and the last question that was answered with them.
const KEPT: &str = "
    CREATE TABLE IF NOT EXISTS kept (
        id INTEGER PRIMARY KEY,
        received_ms INTEGER NOT NULL,
        bytes BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS asked (question BLOB NOT NULL, last_id INTEGER NOT NULL);
";
/// Kept rows that are given up at once where there is no room.
const FORGET_ROWS: i64 = 10_000;

/// A row as it is sent.
pub struct Row {
    pub id: u64,
    pub received_ms: u64,
    pub bytes: Vec<u8>,
}

/// What a commit did.
#[derive(Debug, Default)]
pub struct Committed {
    /// Greatest id, if bursts were stored.
    pub last_id: Option<u64>,
    pub removed: u64,
}

/// A server's question, and the greatest id that there was when it was answered: everything up to it was heard before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub question: Uuid,
    pub last_id: u64,
}

/// Why a commit did not happen. The outbox is unchanged.
#[derive(Debug)]
pub enum StoreError {
    /// The disk or the allowance is used up: to be tried again.
    Full(String),
    /// The file is damaged: to be set aside.
    Damaged(String),
    /// Anything else.
    Broken(String),
}

/// What the outbox held when it was opened.
pub struct Found {
    /// Identity of this file, in every payload.
    pub uuid: Uuid,
    pub rows: u64,
    /// The greatest id that was ever given to a row, removed rows included.
    pub last_id: u64,
    pub answered: Option<Answered>,
}

/// The writing side. One for each file, held by a lock.
pub struct Outbox {
    pub found: Found,
    connection: Connection,
    folder: PathBuf,
    min_free_bytes: u64,
    max_bytes: u64,
    keep_rows: u32,
    /// The same file as the connection's. Kept until the end, because closing it would end SQLite's locks on it.
    file: File,
    _lock: File,
}

/// The reading side, for the thread that sends.
pub struct OutboxReader {
    connection: Connection,
}

impl Outbox {
    /// Opens or creates the outbox. A file that is damaged is set aside under another name, so that the gateway works
    /// on.
    pub fn open(settings: &config::Outbox) -> Result<Outbox, UserError> {
        let path = &settings.file;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        if !folder.is_dir() {
            return Err(UserError(format!(
                "the outbox's folder {} does not exist: create it, on a disk that survives a power cut",
                folder.display()
            )));
        }
        let lock = lock(path)?;
        finish_replacing(path);
        let open = || {
            let (connection, layout) = connect(path, settings.max_mb)?;
            // Reads every row's page, and so meets most damage while the outbox can still be replaced.
            let found = if layout == LAYOUT {
                Ok(look(&connection)?)
            } else {
                Err(layout)
            };
            Ok((connection, found))
        };
        let opened = match open() {
            Err(wrong) if is_damage(&wrong) => {
                replace_damaged(settings)?;
                open()
            }
            other => other,
        };
        let (connection, found) =
            opened.map_err(|reason| UserError(format!("cannot open the outbox {}: {reason}", path.display())))?;
        let found = found.map_err(|layout| {
            UserError(format!(
                "the outbox {} has layout {layout}, this version reads {LAYOUT}: start the version that wrote it until \
                 its outbox is empty, or name another file",
                path.display()
            ))
        })?;
        let file = File::options()
            .write(true)
            .open(path)
            .map_err(|reason| UserError(format!("cannot write the outbox {}: {reason}", path.display())))?;
        Ok(Outbox {
            found,
            connection,
            folder,
            min_free_bytes: u64::from(settings.min_free_mb) << 20,
            max_bytes: u64::from(settings.max_mb) << 20,
            keep_rows: settings.keep_rows,
            file,
            _lock: lock,
        })
    }

    /// Sets a damaged outbox that no daemon uses any more aside, and begins a new one.
    pub fn replace(settings: &config::Outbox) -> Result<(), UserError> {
        let _lock = lock(&settings.file)?;
        replace_damaged(settings)
    }

    /// Stores bursts and removes acknowledged rows: both or nothing.
    pub fn commit(&mut self, bursts: &[Burst], acknowledged: &[Range]) -> Result<Committed, StoreError> {
        let tried = self.try_commit(bursts, acknowledged, self.keep_rows);
        match tried {
            // What is only kept in case goes first, and where nothing is kept yet, nothing more is: rows that are
            // acknowledged leave room only if they are not kept.
            Err(StoreError::Full(_)) if self.forget() || !acknowledged.is_empty() => {
                self.try_commit(bursts, acknowledged, 0)
            }
            tried => tried,
        }
    }

    fn try_commit(&mut self, bursts: &[Burst], acknowledged: &[Range], keep: u32) -> Result<Committed, StoreError> {
        if !bursts.is_empty() {
            self.make_room(bursts)?;
        }
        self.transaction(bursts, acknowledged, keep).map_err(classify)
    }

    /// Gives up some of the rows that are only kept in case; whether there were any.
    fn forget(&mut self) -> bool {
        let sql = "DELETE FROM kept WHERE id IN (SELECT id FROM kept ORDER BY id LIMIT ?1)";
        self.connection.execute(sql, [FORGET_ROWS]).is_ok_and(|rows| rows > 0)
    }

    /// Puts the rows that are kept among those that wait, under their own ids, once for each question; how many.
    pub fn answer(&mut self, question: Uuid) -> Result<(Answered, u64), StoreError> {
        let mut work = || {
            let transaction = self.connection.transaction()?;
            let back = transaction.execute(
                "INSERT OR IGNORE INTO burst SELECT id, received_ms, bytes FROM kept",
                [],
            )?;
            transaction.execute("DELETE FROM kept", [])?;
            let last_id = transaction
                .query_row("SELECT seq FROM sqlite_sequence WHERE name = 'burst'", [], |row| {
                    row.get::<_, i64>(0)
                })
                .optional()?
                .unwrap_or(0);
            transaction.execute("DELETE FROM asked", [])?;
            transaction.execute("INSERT INTO asked VALUES (?1, ?2)", params![question, last_id])?;
            transaction.commit()?;
            let answered = Answered {
                question,
                last_id: last_id as u64,
            };
            Ok((answered, back as u64))
        };
        work().map_err(classify)
    }

    /// Makes sure of the room that bursts will take, before they are written.
    ///
    /// SQLite would use the disk up to its last block, and then could neither empty its log into the file nor remove
    /// rows. So some of the disk is left free, and the file is lengthened before rows go into the log: what is in the
    /// log always fits the file. Pages that removed rows have left inside the file may always be used.
    fn make_room(&self, bursts: &[Burst]) -> Result<(), StoreError> {
        let page = self.pragma("page_size").max(512);
        let payload: usize = bursts.iter().map(|burst| burst.bytes.len() + ROW_BYTES).sum();
        let needed_pages = payload as u64 * 2 / page + SPARE_PAGES;
        let new_pages = needed_pages.saturating_sub(self.pragma("freelist_count"));
        if new_pages == 0 {
            return Ok(());
        }
        if let Ok(disk) = statvfs(&self.folder) {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            if free < self.min_free_bytes {
                let (free, left) = (free >> 10, self.min_free_bytes >> 10);
                return Err(StoreError::Full(format!(
                    "{free} kB are free, {left} kB are to be left"
                )));
            }
        }
        let length = ((self.pragma("page_count") + new_pages) * page).min(self.max_bytes);
        self.lengthen(length)
    }

    fn pragma(&self, name: &str) -> u64 {
        self.connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_or(0, |value| value as u64)
    }

    fn lengthen(&self, length: u64) -> Result<(), StoreError> {
        if self.file.metadata().is_ok_and(|found| found.len() >= length) {
            return Ok(());
        }
        let length = length.div_ceil(STEP_BYTES) * STEP_BYTES;
        match fallocate(&self.file, FallocateFlags::empty(), 0, length) {
            Err(wrong @ (Errno::NOSPC | Errno::FBIG | Errno::DQUOT)) => Err(StoreError::Full(wrong.to_string())),
            // Not every file system can; SQLite then says itself when it is full.
            _ => Ok(()),
        }
    }

    fn transaction(&mut self, bursts: &[Burst], acknowledged: &[Range], keep: u32) -> rusqlite::Result<Committed> {
        let transaction = self.connection.transaction()?;
        let mut done = Committed::default();
        {
            let mut remove = transaction.prepare_cached("DELETE FROM burst WHERE id BETWEEN ?1 AND ?2")?;
            let mut keep_some = transaction.prepare_cached(
                "INSERT OR IGNORE INTO kept SELECT id, received_ms, bytes FROM burst WHERE id BETWEEN ?1 AND ?2",
            )?;
            for range in acknowledged {
                if keep > 0 {
                    keep_some.execute(params![signed(range.first), signed(range.last)])?;
                }
                done.removed += remove.execute(params![signed(range.first), signed(range.last)])? as u64;
            }
            if !acknowledged.is_empty() {
                transaction
                    .prepare_cached("DELETE FROM kept WHERE id <= (SELECT MAX(id) FROM kept) - ?1")?
                    .execute([keep])?;
            }
            let mut insert = transaction.prepare_cached("INSERT INTO burst (received_ms, bytes) VALUES (?1, ?2)")?;
            for burst in bursts {
                done.last_id = Some(insert.insert(params![signed(burst.received_ms), burst.bytes])? as u64);
            }
        }
        transaction.commit()?;
        Ok(done)
    }

    /// Writes everything from the log into the file, so that the log's space on the disk can be used again.
    pub fn checkpoint(&self) {
        // Without success nothing is worse than before.
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
    }
}

pub fn is_damage(wrong: &rusqlite::Error) -> bool {
    matches!(
        wrong.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

fn classify(wrong: rusqlite::Error) -> StoreError {
    if is_damage(&wrong) {
        return StoreError::Damaged(wrong.to_string());
    }
    match wrong.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(wrong.to_string()),
        // A limit of file size shows as a failed write. A failing disk does too, and cannot be told apart: trying again
        // is right.
        Some(ErrorCode::SystemIoFailure) => StoreError::Full(wrong.to_string()),
        _ => StoreError::Broken(wrong.to_string()),
    }
}

/// SQLite's integers are signed; ids and times beyond its range do not occur, and must not turn negative.
fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Whether a daemon is running with this outbox.
pub fn is_in_use(settings: &config::Outbox) -> bool {
    let held = |file: File| flock(&file, FlockOperation::NonBlockingLockShared).is_err();
    File::open(lock_file(&settings.file)).is_ok_and(held)
}

fn lock_file(path: &Path) -> PathBuf {
    suffixed(path, ".lock")
}

fn lock(path: &Path) -> Result<File, UserError> {
    let file = File::options()
        .create(true)
        .append(true)
        .open(lock_file(path))
        .map_err(|reason| {
            UserError(format!(
                "cannot write beside the outbox {}: {reason}; the folder must be this user's",
                path.display()
            ))
        })?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| UserError(format!("another gateway is running with the outbox {}", path.display())))?;
    Ok(file)
}

/// Where a new outbox is made of a damaged one, until it is whole: whoever is killed meanwhile begins again.
fn salvaged_file(path: &Path) -> PathBuf {
    suffixed(path, ".salvaged")
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Reads what is whole of a damaged outbox into a new one, sets the damaged one aside, and puts the new one in its place.
fn replace_damaged(settings: &config::Outbox) -> Result<(), UserError> {
    let path = &settings.file;
    let new = salvaged_file(path);
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(suffixed(&new, suffix));
    }
    let made = connect(&new, settings.max_mb).and_then(|(mut connection, _)| {
        refill(&mut connection, path);
        // One file, which can be renamed.
        connection.pragma_update(None, "journal_mode", "DELETE")
    });
    if let Err(reason) = made {
        log::error(format_args!(
            "the rows of the damaged outbox do not all fit the new one: {reason}"
        ));
    }
    set_aside(path)?;
    finish_replacing(path);
    Ok(())
}

/// Puts the new outbox in the place of the damaged one, if that is set aside.
fn finish_replacing(path: &Path) {
    if !path.exists() {
        // Absent, unless a daemon was killed between the two names.
        let _ = std::fs::rename(salvaged_file(path), path);
    }
}

/// Stores what is whole of a damaged outbox under the ids that it had, as far as there is room, and says how much that
/// is.
fn refill(connection: &mut Connection, damaged: &Path) {
    let mut some = Vec::with_capacity(REFILL_ROWS);
    let mut wrong = None;
    let mut store = |some: &mut Vec<(u64, Burst)>| {
        let done: rusqlite::Result<()> = store_salvaged(connection, some);
        some.clear();
        wrong = wrong.take().or(done.err());
    };
    salvage::bursts(damaged, |id, burst| {
        some.push((id, burst));
        if some.len() == REFILL_ROWS {
            store(&mut some);
        }
    });
    store(&mut some);
    if let Some(reason) = wrong {
        log::error(format_args!(
            "the rows of the damaged outbox do not all fit the new one: {reason}"
        ));
    }
    let stored: i64 = connection
        .query_row("SELECT count(*) FROM burst", [], |row| row.get(0))
        .unwrap_or(0);
    log::error(format_args!(
        "{stored} bursts were read from the damaged outbox; they are sent as if they were new"
    ));
}

fn store_salvaged(connection: &mut Connection, some: &[(u64, Burst)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut insert =
            transaction.prepare_cached("INSERT OR REPLACE INTO burst (id, received_ms, bytes) VALUES (?1, ?2, ?3)")?;
        for (id, burst) in some {
            insert.execute(params![signed(*id), signed(burst.received_ms), burst.bytes])?;
        }
    }
    transaction.commit()
}

/// Renames a damaged outbox and its log; the new name.
fn set_aside(path: &Path) -> Result<PathBuf, UserError> {
    let stamp = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let aside = suffixed(path, &format!(".damaged-{stamp}"));
    std::fs::rename(path, &aside).map_err(|reason| {
        UserError(format!(
            "the outbox {} is damaged and cannot be renamed: {reason}",
            path.display()
        ))
    })?;
    for suffix in ["-wal", "-shm"] {
        // Absent after a clean end.
        let _ = std::fs::rename(suffixed(path, suffix), suffixed(&aside, suffix));
    }
    log::error(format_args!(
        "the outbox {} is damaged; set aside as {}, and a new one begun",
        path.display(),
        aside.display()
    ));
    Ok(aside)
}

fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let uuid = connection.query_row("SELECT uuid FROM identity", [], |row| row.get(0))?;
    let rows: i64 = connection.query_row("SELECT count(*) FROM burst", [], |row| row.get(0))?;
    let last_id: Option<i64> = connection
        .query_row("SELECT seq FROM sqlite_sequence WHERE name = 'burst'", [], |row| {
            row.get(0)
        })
        .optional()?;
    let answered = connection
        .query_row("SELECT question, last_id FROM asked", [], |row| {
            Ok(Answered {
                question: row.get(0)?,
                last_id: row.get::<_, i64>(1)? as u64,
            })
        })
        .optional()?;
    Ok(Found {
        uuid,
        rows: rows as u64,
        last_id: last_id.unwrap_or(0) as u64,
        answered,
    })
}

/// Opens the file, makes its tables if it is new, and says what layout it has.
fn connect(path: &Path, max_mb: u32) -> rusqlite::Result<(Connection, i64)> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let mut layout: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if layout == 0 {
        let mut uuid: Uuid = [0; 16];
        if let Err(reason) = getrandom::fill(&mut uuid) {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_INTERNAL);
            return Err(rusqlite::Error::SqliteFailure(
                code,
                Some(format!("no random numbers: {reason}")),
            ));
        }
        let transaction = connection.transaction()?;
        transaction.execute_batch(SCHEMA)?;
        transaction.execute("INSERT INTO identity (uuid) VALUES (?1)", [uuid])?;
        transaction.pragma_update(None, "user_version", LAYOUT)?;
        transaction.commit()?;
        layout = LAYOUT;
    }
    if layout == LAYOUT {
        connection.execute_batch(KEPT)?;
    }
    // After the tables: an outbox of an older version that is full must still get those of this one.
    let page_bytes: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    connection.pragma_update(None, "max_page_count", (i64::from(max_mb) << 20) / page_bytes.max(1))?;
    connection.set_prepared_statement_cache_capacity(8);
    Ok((connection, layout))
}

impl OutboxReader {
    pub fn open(settings: &config::Outbox) -> Result<OutboxReader, UserError> {
        let open = || {
            let connection = Connection::open_with_flags(&settings.file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            connection.busy_timeout(std::time::Duration::from_secs(5))?;
            Ok(OutboxReader { connection })
        };
        open().map_err(|reason: rusqlite::Error| {
            UserError(format!("cannot read the outbox {}: {reason}", settings.file.display()))
        })
    }

    /// Up to `limit` rows after id `after` and up to id `until`, in order; stops early once they hold `max_bytes`.
    pub fn rows(&self, after: u64, until: u64, limit: usize, max_bytes: usize) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, received_ms, bytes FROM burst WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3",
        )?;
        let mut found = statement.query(params![signed(after), signed(until), signed(limit as u64)])?;
        let mut rows = Vec::new();
        let mut bytes = 0;
        while let Some(row) = found.next()? {
            let row = Row {
                id: row.get::<_, i64>(0)? as u64,
                received_ms: row.get::<_, i64>(1)? as u64,
                bytes: row.get(2)?,
            };
            bytes += row.bytes.len();
            rows.push(row);
            if bytes >= max_bytes {
                break;
            }
        }
        Ok(rows)
    }

    /// The id of the oldest burst that waits, and when it was received.
    pub fn oldest(&self) -> rusqlite::Result<Option<(u64, u64)>> {
        self.connection
            .query_row("SELECT id, received_ms FROM burst ORDER BY id LIMIT 1", [], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64))
            })
            .optional()
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
