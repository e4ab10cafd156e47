//! `token`: by which a program fetches readings from the page without its password.

use std::path::PathBuf;

use clap::Args;
use link_language::say;
use sha2::{Digest, Sha256};

use crate::db::{self, Db, Value};
use crate::error::{Result, UserError};
use crate::hex;
use crate::keys::random;
use crate::log::now_ms;
use crate::site::{Site, DEFAULT_FOLDER};

/// Draws a token by which a program fetches readings (/api/readings) and how sensors work (/api/settings), and nothing
/// else; shown once.
///
/// Example: bancada link token --site farm grafana
#[derive(Args)]
pub struct TokenArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Whose token it is; one of that name that is there ends
    name: String,
    /// End it, and draw none
    #[arg(long)]
    revoke: bool,
}

pub fn token(args: &TokenArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let name = Value::Text(args.name.clone());
    let ended = db.execute("DELETE FROM token WHERE name = $1", std::slice::from_ref(&name))?;
    if args.revoke {
        if ended == 0 {
            return Err(UserError(format!("There is no token '{}'.", args.name)));
        }
        say!("The token '{}' has ended.", args.name);
        return Ok(());
    }
    let drawn = hex::encode(&random::<32>()?);
    let values = [
        name,
        Value::Bytes(Sha256::digest(&drawn).to_vec()),
        Value::Int(now_ms()),
    ];
    db.execute("INSERT INTO token (name, digest, made_ms) VALUES ($1, $2, $3)", &values)?;
    say!("The token of '{}', shown this once: {drawn}", args.name);
    Ok(())
}

/// Whether this is a token of the site. The database compares hashes, whose times tell nothing of the token.
pub fn is_known(db: &mut Db, token: &str) -> db::Result<bool> {
    let digest = Value::Bytes(Sha256::digest(token).to_vec());
    Ok(db
        .query_one("SELECT 1 FROM token WHERE digest = $1", &[digest])?
        .is_some())
}
