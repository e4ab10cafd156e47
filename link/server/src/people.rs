//! The people who use the page: their accounts and roles, and the record of their log-ins. The tables are in people.sql.

use crate::db::{Cells, Db, DbError, Result, Row, Value};
use crate::log::now_ms;

/// Who had the one password of a site from before there were accounts; who logs in without a name is meant to be this.
pub const FIRST: &str = "admin";
/// A site from before accounts keeps its password's hash in this setting.
const OLD_PASSWORD: &str = "password";
const KEPT_LOGINS: i64 = 100_000;
const LONGEST_NAME: usize = 40;

/// What somebody may do on the page, each role all that the one before may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Sees everything.
    Viewer,
    /// Takes note of what is told, names sensors, gives them places, writes notes.
    Operator,
    /// Adds and removes people.
    Administrator,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Operator => "operator",
            Role::Administrator => "administrator",
        }
    }

    pub fn parse(text: &str) -> std::result::Result<Role, String> {
        match text {
            "viewer" => Ok(Role::Viewer),
            "operator" => Ok(Role::Operator),
            "administrator" => Ok(Role::Administrator),
            _ => Err("viewer, operator or administrator".into()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub name: String,
    pub role: Role,
    pub hash: String,
}

fn account(row: &Row) -> Account {
    Account {
        name: row.text(0).to_owned(),
        // What no version of this program wrote gives no rights.
        role: Role::parse(row.text(1)).unwrap_or(Role::Viewer),
        hash: row.text(2).to_owned(),
    }
}

/// Makes the tables. The one password of a site from before them becomes that of the account `admin`.
pub fn create(db: &mut Db) -> Result<()> {
    let (id, _) = db.own_words();
    db.batch(&include_str!("people.sql").replace("{id}", id))?;
    if !db.has_column("session", "account")? {
        db.batch(&format!(
            "ALTER TABLE session ADD COLUMN account TEXT NOT NULL DEFAULT '{FIRST}'"
        ))?;
    }
    // An older program that shares the database may have set it again.
    let old = [Value::Text(OLD_PASSWORD.into())];
    if let Some(row) = db.query_one("SELECT value FROM setting WHERE name = $1", &old)? {
        put(db, FIRST, Role::Administrator, row.text(0))?;
        db.execute("DELETE FROM setting WHERE name = $1", &old)?;
    }
    Ok(())
}

/// What is wrong with a name, if anything.
pub fn check_name(name: &str) -> std::result::Result<(), String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(plain) {
        return Err(format!(
            "A name has 1 to {LONGEST_NAME} letters, digits, '-', '_', '.' or '@'."
        ));
    }
    Ok(())
}

pub fn all(db: &mut Db) -> Result<Vec<Account>> {
    let rows = db.query("SELECT name, role, hash FROM account ORDER BY name", &[])?;
    Ok(rows.iter().map(account).collect())
}

pub fn find(db: &mut Db, name: &str) -> Result<Option<Account>> {
    let sql = "SELECT name, role, hash FROM account WHERE name = $1";
    Ok(db.query_one(sql, &[Value::Text(name.into())])?.as_ref().map(account))
}

/// Adds an account or changes it; its role stays if it has one.
fn put(db: &mut Db, name: &str, role: Role, hash: &str) -> Result<()> {
    let values = [
        Value::Text(name.into()),
        Value::Text(role.name().into()),
        Value::Text(hash.into()),
        Value::Int(now_ms()),
    ];
    db.execute(
        "INSERT INTO account (name, role, hash, made_ms) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO UPDATE SET hash = excluded.hash",
        &values,
    )?;
    Ok(())
}

/// Gives an account a password, with this role if it is new, and ends its sessions.
pub fn set_password(db: &mut Db, name: &str, role: Role, hash: &str) -> Result<()> {
    db.transaction(|db| {
        put(db, name, role, hash)?;
        end_sessions(db, name)
    })
}

/// Gives somebody who is there another password in the place of the one with the hash `old`, and ends their sessions.
/// Whether it was done: somebody who was removed meanwhile is not made anew, and a password that somebody else has
/// set meanwhile stays.
pub fn change_password(db: &mut Db, name: &str, old: &str, hash: &str) -> Result<bool> {
    db.transaction(|db| {
        let values = [hash, name, old].map(|text| Value::Text(text.into()));
        let changed = db.execute("UPDATE account SET hash = $1 WHERE name = $2 AND hash = $3", &values)?;
        end_sessions(db, name)?;
        Ok::<bool, DbError>(changed == 1)
    })
}

/// Opens a session for whoever gave the password with this hash. Whether it was done: not if it was changed meanwhile.
pub fn open_session(db: &mut Db, name: &str, hash: &str, token: Vec<u8>, expires_ms: i64) -> Result<bool> {
    let values = [
        Value::Bytes(token),
        Value::Int(expires_ms),
        Value::Text(name.into()),
        Value::Text(hash.into()),
    ];
    // Waits for a change of this account that is under way.
    let touch = "UPDATE account SET made_ms = made_ms WHERE name = $1 AND hash = $2";
    db.transaction(|db| {
        if db.execute(touch, &values[2..])? == 0 {
            return Ok(false);
        }
        db.execute(
            "INSERT INTO session (token, expires_ms, account) VALUES ($1, $2, $3)",
            &values[..3],
        )?;
        Ok::<bool, DbError>(true)
    })
}

/// Whether it was done: the last administrator stays one.
pub fn set_role(db: &mut Db, name: &str, role: Role) -> Result<bool> {
    unless_the_last(db, name, role == Role::Administrator, |db| {
        let values = [Value::Text(role.name().into()), Value::Text(name.into())];
        db.execute("UPDATE account SET role = $1 WHERE name = $2", &values)?;
        Ok(())
    })
}

/// Whether it was done: the last administrator stays.
pub fn remove(db: &mut Db, name: &str) -> Result<bool> {
    unless_the_last(db, name, false, |db| {
        db.execute("DELETE FROM account WHERE name = $1", &[Value::Text(name.into())])?;
        end_sessions(db, name)
    })
}

/// Does what must leave an administrator; `stays_one`: it leaves this one.
fn unless_the_last(db: &mut Db, name: &str, stays_one: bool, change: impl Fn(&mut Db) -> Result<()>) -> Result<bool> {
    db.transaction(|db| {
        if !stays_one {
            // Locks the others' rows, so that two of them do not remove one another at once.
            let sql = "UPDATE account SET made_ms = made_ms WHERE role = 'administrator' AND name <> $1";
            let others = db.execute(sql, &[Value::Text(name.into())])?;
            let is_one = find(db, name)?.is_some_and(|account| account.role == Role::Administrator);
            if is_one && others == 0 {
                return Ok(false);
            }
        }
        change(db)?;
        Ok::<bool, DbError>(true)
    })
}

pub fn end_sessions(db: &mut Db, name: &str) -> Result<()> {
    db.execute("DELETE FROM session WHERE account = $1", &[Value::Text(name.into())])?;
    Ok(())
}

/// How an attempt to log in ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Login {
    In,
    Wrong,
    /// Refused unseen, because of attempts before it.
    Waiting,
}

impl Login {
    fn name(self) -> &'static str {
        match self {
            Login::In => "in",
            Login::Wrong => "wrong",
            Login::Waiting => "waiting",
        }
    }
}

pub fn note_login(db: &mut Db, name: &str, address: &str, outcome: Login) -> Result<()> {
    let values = [
        Value::Int(now_ms()),
        Value::Text(name.chars().take(LONGEST_NAME).collect()),
        Value::Text(address.into()),
        Value::Text(outcome.name().into()),
    ];
    let sql = "INSERT INTO login (time_ms, account, address, outcome) VALUES ($1, $2, $3, $4) RETURNING number";
    let number = db.query_one(sql, &values)?.map_or(0, |row| row.int(0));
    if number % 1000 == 0 {
        // Guesses do not fill the disk, and do not push out who did get in.
        db.execute(
            "DELETE FROM login WHERE number <= $1 AND outcome <> 'in'",
            &[Value::Int(number - KEPT_LOGINS)],
        )?;
    }
    Ok(())
}

/// Whether this account has been logged in to from this address before.
pub fn is_usual(db: &mut Db, name: &str, address: &str) -> Result<bool> {
    let values = [name, address].map(|text| Value::Text(text.into()));
    let sql = "SELECT 1 FROM login WHERE account = $1 AND address = $2 AND outcome = 'in' LIMIT 1";
    Ok(db.query_one(sql, &values)?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{self, set_setting, setting};

    fn database() -> Db {
        let mut db = Db::open(":memory:").expect("a database");
        schema::create(&mut db).expect("its tables");
        db
    }

    #[test]
    fn the_one_password_of_before_becomes_an_administrators() {
        let mut db = database();
        set_setting(&mut db, OLD_PASSWORD, "the hash").expect("set");
        create(&mut db).expect("moved");
        let found = find(&mut db, FIRST).expect("read").expect("an account");
        assert_eq!((found.role, found.hash.as_str()), (Role::Administrator, "the hash"));
        assert_eq!(setting(&mut db, OLD_PASSWORD).expect("read"), None);
        // Whoever is something else by now stays it, and gets the password that an older program set.
        set_setting(&mut db, OLD_PASSWORD, "a newer one").expect("set");
        create(&mut db).expect("moved");
        assert_eq!(all(&mut db).expect("read").len(), 1);
        assert_eq!(find(&mut db, FIRST).expect("read").expect("it").hash, "a newer one");
    }

    #[test]
    fn the_last_administrator_stays() {
        let mut db = database();
        for (name, role) in [("ana", Role::Administrator), ("bia", Role::Viewer)] {
            set_password(&mut db, name, role, "hash").expect("added");
        }
        assert!(!remove(&mut db, "ana").expect("asked"));
        assert!(!set_role(&mut db, "ana", Role::Viewer).expect("asked"));
        assert!(set_role(&mut db, "bia", Role::Administrator).expect("asked"));
        assert!(remove(&mut db, "ana").expect("asked"));
        assert!(!remove(&mut db, "bia").expect("asked"));
    }

    #[test]
    fn who_was_removed_or_has_another_password_meanwhile_gets_no_session_and_no_account() {
        let mut db = database();
        set_password(&mut db, "ana", Role::Operator, "old").expect("added");
        assert!(open_session(&mut db, "ana", "old", vec![1], 9).expect("asked"));
        set_password(&mut db, "ana", Role::Operator, "new").expect("changed");
        assert!(!open_session(&mut db, "ana", "old", vec![2], 9).expect("asked"));
        assert!(!change_password(&mut db, "ana", "old", "a thief's").expect("asked"));
        assert!(change_password(&mut db, "ana", "new", "newer").expect("asked"));
        db.execute("DELETE FROM account WHERE name = 'ana'", &[])
            .expect("removed");
        assert!(!change_password(&mut db, "ana", "newer", "another").expect("asked"));
        assert!(!open_session(&mut db, "ana", "newer", vec![3], 9).expect("asked"));
        assert_eq!(find(&mut db, "ana").expect("read"), None);
        assert!(db.query_one("SELECT 1 FROM session", &[]).expect("read").is_none());
    }

    #[test]
    fn names_are_plain() {
        for name in ["ana", "joão.silva", "a@b.example", "x_1-2"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "a b", "<b>", "a\n", &"x".repeat(41)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
