//! `password` and `user`: who may see the page, and what they may do there, by the command line.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use link_language::{say, says};

use crate::db::{Cells, Db};
use crate::error::{Result, UserError};
use crate::log::utc;
use crate::people::{self, Role};
use crate::site::{Site, DEFAULT_FOLDER};

const SHOWN_LOGINS: u32 = 200;

/// Sets a password of the page: drawn and shown once, or read from standard input with --stdin. Ends the sessions of
/// that user.
#[derive(Args)]
pub struct PasswordArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Whose password it is
    #[arg(long, default_value = people::FIRST)]
    user: String,
    /// Read the password from standard input
    #[arg(long)]
    stdin: bool,
}

/// Adds a user of the page, or changes the role of one; without a name it lists them.
///
/// A viewer sees everything. An operator also names sensors, gives them places, writes notes and takes note of what is
/// told. An administrator also adds and removes users.
///
/// Example: bancada link user --site farm maria --role operator
#[derive(Args)]
pub struct UserArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The user's name
    name: Option<String>,
    /// viewer, operator or administrator
    #[arg(long, value_parser = Role::parse, requires = "name")]
    role: Option<Role>,
    /// Read the password of a new user from standard input, instead of drawing one
    #[arg(long, requires = "role")]
    stdin: bool,
    /// Remove the user, and end the user's sessions
    #[arg(long, requires = "name", conflicts_with = "role")]
    remove: bool,
    /// Show the newest attempts to log in
    #[arg(long, conflicts_with_all = ["name", "role", "remove"])]
    logins: bool,
}

pub fn password(args: &PasswordArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let account = people::find(&mut db, &args.user)?.ok_or_else(|| unknown(&args.user))?;
    let password = if args.stdin {
        read_password()?
    } else {
        crate::password::draw()?
    };
    people::set_password(&mut db, &account.name, account.role, &crate::password::hash(&password)?)?;
    if args.stdin {
        say!("The password of '{}' is set.", account.name);
    } else {
        say!("The new password of '{}', shown this once: {password}", account.name);
    }
    Ok(())
}

pub fn user(args: &UserArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    if args.logins {
        return show_logins(&mut db);
    }
    let Some(name) = &args.name else {
        for account in people::all(&mut db)? {
            println!("{}: {}", account.name, account.role.name());
        }
        return Ok(());
    };
    let known = people::find(&mut db, name)?;
    if args.remove {
        known.ok_or_else(|| unknown(name))?;
        if !people::remove(&mut db, name)? {
            return Err(the_last());
        }
        say!("The user '{name}' is removed.");
        return Ok(());
    }
    let role = args.role.ok_or_else(|| {
        UserError(format!(
            "Say what '{name}' may do: --role viewer, operator or administrator."
        ))
    })?;
    if known.is_some() {
        if args.stdin {
            return Err(UserError(format!(
                "The user '{name}' exists already; a new password is set by: bancada link password --user {name}"
            )));
        }
        if !people::set_role(&mut db, name, role)? {
            return Err(the_last());
        }
        say!("The user '{name}' is {} now.", role.name());
        return Ok(());
    }
    people::check_name(name).map_err(|wrong| UserError(format!("'{name}': {wrong}")))?;
    let password = if args.stdin {
        read_password()?
    } else {
        crate::password::draw()?
    };
    people::set_password(&mut db, name, role, &crate::password::hash(&password)?)?;
    if args.stdin {
        say!("The user '{name}' is added as {}.", role.name());
    } else {
        say!(
            "The user '{name}' is added as {}; the password, shown this once: {password}",
            role.name()
        );
    }
    Ok(())
}

fn unknown(name: &str) -> UserError {
    UserError(format!(
        "There is no user '{name}'; bancada link user shows those there are."
    ))
}

fn the_last() -> UserError {
    UserError("This is the last administrator: make another one first.".into())
}

fn show_logins(db: &mut Db) -> Result<()> {
    let sql = format!("SELECT time_ms, outcome, account, address FROM login ORDER BY number DESC LIMIT {SHOWN_LOGINS}");
    for row in db.query(&sql, &[])? {
        println!("{} {} {} {}", utc(row.int(0)), row.text(1), row.text(2), row.text(3));
    }
    Ok(())
}

fn read_password() -> Result<String> {
    if std::io::stdin().is_terminal() {
        eprintln!("{}", says("The password, then Enter (it is shown as you type):"));
    }
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| UserError(format!("The password cannot be read: {error}.")))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
