//! Mistakes a user can make: one clear sentence, exit code 2.

use std::fmt;

/// A sentence that says what is wrong, where, and what to do about it.
#[derive(Debug)]
pub struct UserError(pub String);

impl fmt::Display for UserError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UserError {}

pub type Result<T> = std::result::Result<T, UserError>;
