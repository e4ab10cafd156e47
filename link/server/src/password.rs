//! The page's password: drawn, or chosen by the operator; kept as an Argon2id hash.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

use crate::db::Db;
use crate::error::{Result, UserError};
use crate::keys::random;
use crate::schema::{set_setting, setting};

const SETTING: &str = "password";
/// Without 0, 1, l and o, which are taken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
pub const SHORTEST: usize = 10;

/// Twelve characters, 60 bits: with a slow hash and a limit on attempts, beyond guessing; short enough for a phone.
pub fn draw() -> Result<String> {
    let bytes = random::<12>()?;
    let characters: Vec<char> = bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte & 31)]))
        .collect();
    Ok(characters
        .chunks(4)
        .map(|group| group.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("-"))
}

/// Sets the password and ends every session.
pub fn set(db: &mut Db, password: &str) -> Result<()> {
    if password.chars().count() < SHORTEST {
        return Err(UserError(format!(
            "The password is too short: at least {SHORTEST} characters."
        )));
    }
    let hash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|error| UserError(format!("The password cannot be hashed: {error}.")))?;
    db.transaction(|db| {
        set_setting(db, SETTING, &hash.to_string())?;
        db.execute("DELETE FROM session", &[])?;
        Ok(())
    })
}

/// The stored hash, for `matches`, which is slow and wants no database.
pub fn stored(db: &mut Db) -> crate::db::Result<Option<String>> {
    setting(db, SETTING)
}

pub fn matches(stored: &str, password: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}
