//! Passwords of the page: drawn, or chosen by a person; kept as an Argon2id hash (RFC 9106).

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

use crate::error::{Result, UserError};
use crate::keys::random;

/// Without 0, 1, l and o, which are taken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
pub const SHORTEST: usize = 10;
/// In bytes. What is longer is refused where it is chosen, and not looked at where somebody logs in.
pub const LONGEST: usize = 1024;

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

/// What the database keeps of a password.
pub fn hash(password: &str) -> Result<String> {
    if password.chars().count() < SHORTEST {
        return Err(UserError(format!(
            "The password is too short: at least {SHORTEST} characters."
        )));
    }
    if password.len() > LONGEST {
        return Err(UserError(format!("The password is too long: at most {LONGEST} bytes.")));
    }
    let hash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|error| UserError(format!("The password cannot be hashed: {error}.")))?;
    Ok(hash.to_string())
}

pub fn matches(stored: &str, password: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// Takes as long as `matches` does for a name that nobody has: else the time would tell which names there are.
pub fn match_nothing(password: &str) -> bool {
    let _ = Argon2::default().hash_password(password.as_bytes());
    false
}
