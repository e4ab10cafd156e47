//! Creates the tables, and reads and writes the few settings that all servers of a site share.

use crate::db::{Cells, Db, Result, Value};

pub const VERSION: &str = "1";
/// Counts changes of devices and gateways, so that a running server notices that its directory is stale.
const GENERATION: &str = "generation";

/// Makes what is missing; changes nothing that is there.
pub fn create(db: &mut Db) -> Result<()> {
    let postgres = db.is_postgres();
    let (id, blob, clustered) = if postgres {
        ("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA", "")
    } else {
        ("INTEGER PRIMARY KEY", "BLOB", "WITHOUT ROWID")
    };
    let sql = include_str!("schema.sql")
        .replace("{id}", id)
        .replace("{blob}", blob)
        .replace("{clustered}", clustered);
    db.transaction(|db| {
        if postgres {
            // Two servers that start at once on an empty database would both create the tables; the second waits here.
            db.batch("SELECT pg_advisory_xact_lock(7305734)")?;
        }
        db.batch(&sql)?;
        for (name, value) in [("schema", VERSION), (GENERATION, "0")] {
            let values = [Value::Text(name.into()), Value::Text(value.into())];
            db.execute(
                "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                &values,
            )?;
        }
        Ok(())
    })
}

pub fn setting(db: &mut Db, name: &str) -> Result<Option<String>> {
    let row = db.query_one("SELECT value FROM setting WHERE name = $1", &[Value::Text(name.into())])?;
    Ok(row.map(|row| row.text(0).to_owned()))
}

pub fn set_setting(db: &mut Db, name: &str, value: &str) -> Result<()> {
    let values = [Value::Text(name.into()), Value::Text(value.into())];
    db.execute(
        "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &values,
    )?;
    Ok(())
}

pub fn generation(db: &mut Db) -> Result<String> {
    Ok(setting(db, GENERATION)?.unwrap_or_default())
}

/// To be called in the transaction that changes a device, an epoch's key or a gateway.
pub fn bump_generation(db: &mut Db) -> Result<()> {
    let sql = "UPDATE setting SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = $1";
    db.execute(sql, &[Value::Text(GENERATION.into())])?;
    Ok(())
}
