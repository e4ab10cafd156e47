//! The folder of a site: what is where in it, and its settings.
//!
//! ```text
//! site.toml         settings
//! ca/               the site's own certificate authority; its key belongs in a safe place, not on the server
//! broker/           all that mosquitto needs: configuration, access list, certificate, list of revoked certificates
//! server/           the server's certificates, and seal.key, without which the device keys in the database are useless
//! gateways/NAME/    what goes to one gateway: settings, certificate, key
//! devices/          EEPROM images of single devices
//! link.sqlite       the database, unless it is PostgreSQL
//! ```

use std::fs;
use std::io::Write;
use std::os::unix::fs::{lchown, DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

use crate::db::{self, Db};
use crate::error::{Result, UserError};
use crate::log::log;
use crate::notify_settings::Notify;
use crate::postgres_connection;
use crate::schema;

/// Names the database instead of site.toml, and unlike an argument is not shown to other users of the machine.
const DATABASE_VARIABLE: &str = "BANCADA_LINK_DATABASE";

pub const DEFAULT_FOLDER: &str = "link-site";

pub fn database_of_environment() -> Option<String> {
    std::env::var(DATABASE_VARIABLE).ok().filter(|name| !name.is_empty())
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub broker_host: String,
    pub broker_port: u16,
    /// A file, relative to the site's folder, or the URL of a PostgreSQL database.
    pub database: String,
    /// Where the page listens.
    pub page: String,
    /// Names and addresses that its certificate has besides those of loopback. A site from before this has none here.
    #[serde(default)]
    pub page_hosts: Vec<String>,
    /// The account that the broker runs under.
    pub broker_user: String,
    /// Who is told of alarms and faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<Notify>,
}

pub struct Site {
    pub folder: PathBuf,
    pub settings: Settings,
}

impl Site {
    /// Reads the settings of an existing site.
    pub fn open(folder: &Path) -> Result<Site> {
        let path = folder.join("site.toml");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(UserError(format!(
                    "There is no site in {}; make one with: bancada link provision --site {0}",
                    folder.display()
                )));
            }
            Err(error) => return Err(UserError(format!("{} cannot be read: {error}.", path.display()))),
        };
        let settings = toml::from_str(&text).map_err(|wrong| {
            let line = wrong
                .span()
                .map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            UserError(format!(
                "{}, line {line}: {}.",
                path.display(),
                wrong.message().replace('\n', ", ")
            ))
        })?;
        let folder = folder
            .canonicalize()
            .map_err(|error| UserError(format!("{}: {error}.", folder.display())))?;
        Ok(Site { folder, settings })
    }

    /// Makes the folder of a new site. It becomes a site when its settings are saved, last of all, so that provisioning
    /// which was interrupted can simply be repeated.
    pub fn create(folder: &Path, settings: Settings) -> Result<Site> {
        make_folder(folder)?;
        let folder = folder
            .canonicalize()
            .map_err(|error| UserError(format!("{}: {error}.", folder.display())))?;
        Ok(Site { folder, settings })
    }

    pub fn save(&self) -> Result<()> {
        let text = toml::to_string(&self.settings)
            .map_err(|error| UserError(format!("The settings cannot be written: {error}.")))?;
        // The database's URL may hold a password.
        write_secret(&self.folder.join("site.toml"), text.as_bytes())
    }

    pub fn exists(folder: &Path) -> bool {
        folder.join("site.toml").is_file()
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.join(below)
    }

    /// The database's name as `Db::open` takes it: this one, the environment's, or the one of the settings.
    pub fn database(&self, instead: Option<&str>) -> String {
        let of_environment = database_of_environment();
        let name = instead.or(of_environment.as_deref()).unwrap_or(&self.settings.database);
        if db::is_url(name) {
            name.to_owned()
        } else {
            self.folder.join(name).to_string_lossy().into_owned()
        }
    }

    /// Opens the database and makes the tables that are missing.
    pub fn open_database(&self, instead: Option<&str>) -> Result<Db> {
        let name = self.database(instead);
        let shown = if db::is_url(&name) {
            without_password(&name)
        } else {
            name.clone()
        };
        let open = || {
            if !db::is_url(&name) {
                make_private(Path::new(&name))?;
            } else if postgres_connection::route(&name)?.is_exposed {
                log(&format!(
                    "the connection to {shown} is not encrypted: an attacker on the way can read and change it; use a \
                     private network"
                ));
            }
            let mut db = Db::open(&name)?;
            schema::create(&mut db)?;
            Ok(db)
        };
        open().map_err(|error: db::DbError| UserError(format!("The database {shown} cannot be used: {error}.")))
    }
}

/// Makes a database's file, which SQLite would let everybody read; its log beside it gets the same mode. One that is
/// there is left.
fn make_private(path: &Path) -> db::Result<()> {
    let made = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Ok(_) => leave_to_owner(path, path).map_err(|error| db::DbError(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(db::DbError(error.to_string())),
    }
}

/// A URL as it may be shown.
pub fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, rest)), Some((_, host))) if rest.contains('@') => {
            let user = rest.split([':', '@']).next().unwrap_or("");
            format!("{scheme}://{user}@{host}")
        }
        _ => url.to_owned(),
    }
}

/// A folder that only its owner can enter: every room of a site holds secrets.
pub fn make_folder(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.map_or(Ok(()), make_folder)?;
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.and_then(|()| leave_to_owner(path, path))
        .map_err(|error| UserError(format!("The folder {} cannot be made: {error}.", path.display())))
}

/// What root makes in the folder of an account is that account's. `path` is the file as it will be called.
fn leave_to_owner(made: &Path, path: &Path) -> std::io::Result<()> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let folder = fs::metadata(above.unwrap_or(Path::new(".")))?;
    if geteuid().is_root() && folder.uid() != 0 {
        lchown(made, Some(folder.uid()), Some(folder.gid()))?;
    }
    Ok(())
}

/// Writes a file whole or not at all, readable by its owner only from its first byte on.
pub fn write_secret(path: &Path, content: &[u8]) -> Result<()> {
    write_whole(path, content, 0o600)
}

pub fn write_public(path: &Path, content: &[u8]) -> Result<()> {
    write_whole(path, content, 0o644)
}

fn write_whole(path: &Path, content: &[u8], mode: u32) -> Result<()> {
    let failed = |error: std::io::Error| UserError(format!("{} cannot be written: {error}.", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}", std::process::id()));
    let partial = PathBuf::from(partial);
    let write = || {
        // One that was left is no longer wanted. Whoever may write in this folder could have put a link there, which
        // root must not follow.
        let _ = fs::remove_file(&partial);
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&partial)?;
        file.write_all(content)?;
        file.sync_all()?;
        leave_to_owner(&partial, path)?;
        fs::rename(&partial, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&partial);
        failed(error)
    })
}

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| UserError(format!("{} cannot be read: {error}.", path.display())))
}
