//! What goes wrong with a database, either of the two, in its own words.

use std::fmt;

use crate::error::UserError;

#[derive(Debug)]
pub struct DbError(pub String);

impl fmt::Display for DbError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for DbError {}

impl From<DbError> for UserError {
    fn from(error: DbError) -> Self {
        UserError(format!("The database cannot be used: {error}."))
    }
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        DbError(error.to_string())
    }
}

impl From<postgres::Error> for DbError {
    fn from(error: postgres::Error) -> Self {
        match error.as_db_error() {
            Some(said) => DbError(format!("PostgreSQL says: {}", said.message())),
            None => DbError(
                std::error::Error::source(&error)
                    .map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}")),
            ),
        }
    }
}

pub type Result<T> = std::result::Result<T, DbError>;
