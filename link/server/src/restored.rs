//! The question that gateways are asked after a backup was put in place (pending.rs).

use link_wire::mqtt::{Ask, Uuid};

use crate::db::{Db, Result, Value};
use crate::error::UserError;
use crate::hex;
use crate::keys::random;
use crate::schema::{bump_generation, set_setting, setting};

const SETTING: &str = "restored";

/// What gateways are asked, and when the backup was put in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub number: Uuid,
    pub since_ms: i64,
}

impl Question {
    pub fn ask(&self) -> Ask {
        Ask { question: self.number }
    }
}

/// The question that is open, if one is.
pub fn question(db: &mut Db) -> Result<Option<Question>> {
    let Some(text) = setting(db, SETTING)? else {
        return Ok(None);
    };
    let parts = text.split_once(' ');
    let read = parts.and_then(|(number, since_ms)| {
        Some(Question {
            number: hex::decode(number)?.try_into().ok()?,
            since_ms: since_ms.parse().ok()?,
        })
    });
    Ok(read)
}

/// Opens a question, in a database whose backup was put in place.
pub fn begin(db: &mut Db, now_ms: i64) -> std::result::Result<(), UserError> {
    let number = random::<16>()?;
    db.transaction(|db| {
        set_setting(db, SETTING, &format!("{} {now_ms}", hex::encode(&number)))?;
        // Of before the backup: it says nothing of what the gateway knows now.
        db.execute("UPDATE gateway SET status = NULL, status_ms = NULL", &[])?;
        bump_generation(db)?;
        Ok(())
    })
}

/// Ends it: frames are judged by the windows alone again.
pub fn finish(db: &mut Db) -> Result<()> {
    db.transaction(|db| {
        db.execute("DELETE FROM setting WHERE name = $1", &[Value::Text(SETTING.into())])?;
        bump_generation(db)
    })
}
