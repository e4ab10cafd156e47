//! `backup` and `restore`: a copy of the database while servers run, and the way back that forgets nothing.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use link_language::say;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::db::{is_url, Db};
use crate::directory::Directory;
use crate::error::{Result, UserError};
use crate::keys::Seal;
use crate::log::now_ms;
use crate::pending::Pending;
use crate::restored;
use crate::schema;
use crate::site::{Site, DEFAULT_FOLDER};

const OF_POSTGRES: &str = "The database is PostgreSQL, whose own tools copy it: pg_dump and pg_restore; after \
                           pg_restore, before any server starts: bancada link restore --here";

/// Copies the database into a file, while servers run.
///
/// server/seal.key and ca/ are not in it: keep copies of them elsewhere.
///
/// Example: bancada link backup --site farm --to /mnt/disk/farm-2026-11-23.sqlite
#[derive(Args)]
pub struct BackupArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The new file; what is there is never written over
    #[arg(long)]
    to: PathBuf,
}

/// Puts a backup in the database's place, and has the servers ask the gateways for everything that came since.
///
/// End all servers first. Until every gateway has answered, what may be a recording is not stored.
///
/// Example: bancada link restore --site farm --from /mnt/disk/farm-2026-11-23.sqlite
#[derive(Args)]
pub struct RestoreArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The file that bancada link backup wrote
    #[arg(long, required_unless_present_any = ["here", "finish"])]
    from: Option<PathBuf>,
    /// The backup is in place already, by other tools
    #[arg(long, conflicts_with = "from")]
    here: bool,
    /// Wait no longer for gateways that will not come back
    #[arg(long, conflicts_with_all = ["from", "here"])]
    finish: bool,
}

pub fn backup(args: &BackupArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let name = site.database(None);
    if is_url(&name) {
        return Err(UserError(OF_POSTGRES.into()));
    }
    let failed = |reason: String| UserError(format!("The backup {} cannot be made: {reason}.", args.to.display()));
    if args.to.exists() {
        return Err(failed("there is such a file already".into()));
    }
    let partial = beside(&args.to, &format!(".{}", std::process::id()));
    let copied = copy(Path::new(&name), &partial).and_then(|()| {
        fs::rename(&partial, &args.to).map_err(|error| error.to_string())?;
        // The new name is on the disk when the folder is.
        let folder = args.to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::File::open(folder.unwrap_or(Path::new("."))).map_err(|error| error.to_string())?;
        folder.sync_all().map_err(|error| error.to_string())
    });
    copied.map_err(|reason| {
        let _ = fs::remove_file(&partial);
        failed(reason)
    })?;
    say!(
        "Wrote {}. It holds the sensors' keys sealed; server/seal.key, which opens them, is not in it.",
        args.to.display()
    );
    Ok(())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Copies one state of an SQLite database, whoever writes to it meanwhile, into a new file of its owner's only, checks
/// the copy, and has it on the disk.
fn copy(from: &Path, to: &Path) -> std::result::Result<(), String> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .map_err(|error| error.to_string())?;
    let work = || -> rusqlite::Result<String> {
        let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        source.busy_timeout(std::time::Duration::from_secs(20))?;
        let mut target = Connection::open(to)?;
        // All pages in one step: another writer would make several steps begin again and again. In the mode of the
        // log nobody waits for it.
        while Backup::new(&source, &mut target)?.step(-1)? != StepResult::Done {}
        target.pragma_update(None, "journal_mode", "DELETE")?;
        target.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
    };
    match work() {
        Ok(said) if said == "ok" => {}
        Ok(said) => return Err(said),
        Err(error) => return Err(error.to_string()),
    }
    let file = fs::File::open(to).map_err(|error| error.to_string())?;
    file.sync_all().map_err(|error| error.to_string())
}

pub fn restore(args: &RestoreArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let name = site.database(None);
    if args.finish {
        return finish(&site);
    }
    if let Some(from) = &args.from {
        if is_url(&name) {
            return Err(UserError(OF_POSTGRES.into()));
        }
        put_in_place(from, Path::new(&name), &site)?;
    }
    let mut db = site.open_database(None)?;
    restored::begin(&mut db, now_ms())?;
    say!(
        "Start the servers. They ask each gateway for what it heard since the backup; until all have answered, frames \
         that may be recordings wait in the outboxes. Repeat what you did since the backup: rotate, revoke, provision."
    );
    Ok(())
}

/// Checks the backup before anything of the old database is touched, and keeps the old one under another name.
fn put_in_place(from: &Path, to: &Path, site: &Site) -> Result<()> {
    let failed = |reason: String| UserError(format!("The backup {} cannot be restored: {reason}.", from.display()));
    let new = beside(to, &format!(".restored-{}", std::process::id()));
    let made = copy(from, &new).map_err(failed).and_then(|()| {
        let mut db = Db::open(&new.to_string_lossy()).map_err(|error| failed(error.to_string()))?;
        schema::create(&mut db).map_err(|error| failed(error.to_string()))?;
        // The seal of this site opens its keys; else the servers would not start.
        let seal = Seal::read(&site.path("server/seal.key"))?;
        Directory::load(&mut db, &seal, now_ms()).map_err(|error| failed(error.to_string()))?;
        db.batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .map_err(|error| failed(error.to_string()))
    });
    let in_use = made.and_then(|()| match to.exists() && is_in_use(to) {
        true => Err(UserError(format!(
            "The database {} is in use: end all servers first.",
            to.display()
        ))),
        false => Ok(()),
    });
    if let Err(error) = in_use {
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(beside(&new, suffix));
        }
        return Err(error);
    }
    let stamp = now_ms() / 1000;
    for suffix in ["", "-wal", "-shm"] {
        let old = beside(to, suffix);
        if old.exists() {
            let aside = beside(to, &format!(".before-{stamp}{suffix}"));
            fs::rename(&old, &aside).map_err(|error| failed(error.to_string()))?;
        }
    }
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(&new, suffix));
    }
    fs::rename(&new, to).map_err(|error| failed(error.to_string()))?;
    say!(
        "The backup is in place; the database before it is {}.before-{stamp}.",
        to.display()
    );
    Ok(())
}

/// Whether another process has the database open. A damaged one says nothing of it; that is no reason to leave it.
fn is_in_use(path: &Path) -> bool {
    let exclusive = || -> rusqlite::Result<()> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK")
    };
    exclusive().is_err_and(|error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy))
}

fn finish(site: &Site) -> Result<()> {
    let mut db = site.open_database(None)?;
    let Some(question) = restored::question(&mut db)? else {
        return Err(UserError("No backup was put in place that waits for gateways.".into()));
    };
    let pending = Pending::read(&mut db, question)?;
    restored::finish(&mut db)?;
    say!(
        "Servers wait no longer for: {}. A recording of what only they heard since the backup can be taken for new, once.",
        pending.awaited.join(", ")
    );
    Ok(())
}
