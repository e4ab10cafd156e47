//! `audit`: what was refused, and why.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::db::{Cells, Db, Row, Value};
use crate::error::Result;
use crate::hex;
use crate::log::utc;
use crate::site::{Site, DEFAULT_FOLDER};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Csv,
    Jsonl,
}

/// Shows what was refused, newest first.
///
/// Example: bancada link audit --site farm --reason "forged tag"
#[derive(Args)]
pub struct AuditArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Instead of the site's database
    #[arg(long)]
    database: Option<String>,
    /// Only this reason: forged tag, replay, outside window, wrong suite or epoch, unknown device, revoked device,
    /// unsupported type, malformed, unknown gateway, too many outboxes
    #[arg(long)]
    reason: Option<String>,
    /// Only from this gateway
    #[arg(long)]
    gateway: Option<String>,
    /// Only naming this device
    #[arg(long)]
    device: Option<u16>,
    /// How many at most
    #[arg(long, default_value_t = 50)]
    limit: u32,
    /// Only count them, by reason and gateway
    #[arg(long)]
    count: bool,
    /// Text for people, CSV, or a JSON object in each line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub fn audit(args: &AuditArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(args.database.as_deref())?;
    if args.count {
        for row in db.query(
            "SELECT reason, gateway, COUNT(*) FROM refusal GROUP BY reason, gateway ORDER BY reason, gateway",
            &[],
        )? {
            println!("{:>9}  {:<22} {}", row.int(2), row.text(0), row.text(1));
        }
        return Ok(());
    }
    let rows = find(&mut db, args)?;
    if args.format == Format::Csv {
        println!("stored,received,gateway,reason,device,bytes");
    }
    for row in rows {
        println!("{}", line(&row, args.format));
    }
    Ok(())
}

fn find(db: &mut Db, args: &AuditArgs) -> Result<Vec<Row>> {
    let mut sql = "SELECT stored_ms, received_ms, gateway, reason, device, bytes FROM refusal WHERE 1 = 1".to_owned();
    let mut values = Vec::new();
    for (column, wanted) in [
        ("reason", args.reason.clone().map(Value::Text)),
        ("gateway", args.gateway.clone().map(Value::Text)),
        ("device", args.device.map(|id| Value::Int(id.into()))),
    ] {
        if let Some(value) = wanted {
            values.push(value);
            sql.push_str(&format!(" AND {column} = ${}", values.len()));
        }
    }
    sql.push_str(&format!(" ORDER BY number DESC LIMIT {}", args.limit));
    Ok(db.query(&sql, &values)?)
}

fn line(row: &Row, format: Format) -> String {
    let (stored, received) = (utc(row.int(0)), utc(row.int(1)));
    let device = row.optional_int(4).map(|id| id.to_string()).unwrap_or_default();
    let bytes = hex::encode(row.bytes(5));
    match format {
        Format::Text => format!(
            "{stored}  {:<22} gateway {:<12} device {:<6} \
                                 {bytes}",
            row.text(3),
            row.text(2),
            if device.is_empty() { "-" } else { &device }
        ),
        Format::Csv => format!("{stored},{received},{},{},{device},{bytes}", row.text(2), row.text(3)),
        Format::Jsonl => serde_json::json!({
            "stored": stored,
            "received": received,
            "gateway": row.text(2),
            "reason": row.text(3),
            "device": row.optional_int(4),
            "bytes": bytes,
        })
        .to_string(),
    }
}
