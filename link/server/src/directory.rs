//! Every device's keys, ready to open frames with: a copy of the database's, read again when its generation has moved
//! on.

use std::collections::{HashMap, HashSet};

use crate::db::{self, Cells, Db};
use crate::keys::{device_key, Seal};
use crate::restored::{self, Question};
use crate::schema;
use crate::suite::{derive, Opener, Suite, DERIVE_DOWN, KEY_BYTES};

pub struct DeviceKey {
    pub epoch: u8,
    pub suite: Suite,
    pub opener: Opener,
    /// Of frames to the device.
    pub down: Opener,
}

impl DeviceKey {
    /// None only if a key could not be derived, which does not happen.
    pub fn new(device: u16, epoch: u8, suite: Suite, key: &[u8; KEY_BYTES]) -> Option<DeviceKey> {
        let down = derive(suite, key, epoch, device, DERIVE_DOWN, 0)?;
        Some(DeviceKey {
            epoch,
            suite,
            opener: Opener::new(suite, key),
            down: Opener::new(suite, &down),
        })
    }
}

#[derive(Default)]
pub struct Device {
    pub revoked: bool,
    pub keys: Vec<DeviceKey>,
}

#[derive(Default)]
pub struct Directory {
    pub generation: String,
    pub devices: HashMap<u16, Device>,
    /// Gateways that may deliver.
    pub gateways: HashMap<String, bool>,
    /// Set while the database knows less than the gateways do.
    pub restored: Option<Question>,
    /// Devices that are to be told something (answers.rs).
    pub waiting: HashSet<u16>,
    /// When the next of these keys ends: from then on it has no business in memory.
    pub stale_ms: Option<i64>,
}

impl Directory {
    /// Reads all devices. A master that the seal does not open is a mistake of the operator's, not of the device's: it
    /// is an error. Keys whose time is over are left out; those of a directory that is dropped are wiped.
    pub fn load(db: &mut Db, seal: &Seal, now_ms: i64) -> db::Result<Directory> {
        db.transaction(|db| {
            let mut directory = Directory {
                generation: schema::generation(db)?,
                restored: restored::question(db)?,
                ..Directory::default()
            };
            let sql = "SELECT e.device, e.epoch, e.suite, d.master, d.revoked_ms, e.retires_ms FROM epoch e JOIN \
                       device d ON d.id = e.device";
            for row in db.query(sql, &[])? {
                let (Ok(id), Ok(epoch), Ok(suite)) = (
                    u16::try_from(row.int(0)),
                    u8::try_from(row.int(1)),
                    u8::try_from(row.int(2)),
                ) else {
                    continue;
                };
                let Some(suite) = Suite::from_number(suite) else {
                    continue;
                };
                let master = seal.open(id, row.bytes(3)).ok_or_else(|| {
                    db::DbError(format!(
                        "the key of device {id} was sealed by another server key; put the site's \
                                         seal.key in place"
                    ))
                })?;
                let device = directory.devices.entry(id).or_default();
                device.revoked = row.optional_int(4).is_some();
                if let Some(end_ms) = row.optional_int(5) {
                    if end_ms <= now_ms {
                        continue;
                    }
                    directory.stale_ms = Some(directory.stale_ms.map_or(end_ms, |other| end_ms.min(other)));
                }
                let key = device_key(&master, epoch, suite);
                device.keys.extend(DeviceKey::new(id, epoch, suite, &key));
            }
            for row in db.query("SELECT DISTINCT device FROM wanted WHERE state = 'wanted'", &[])? {
                directory.waiting.extend(u16::try_from(row.int(0)));
            }
            for row in db.query("SELECT name, revoked_ms FROM gateway", &[])? {
                directory
                    .gateways
                    .insert(row.text(0).to_owned(), row.optional_int(1).is_none());
            }
            Ok(directory)
        })
    }
}
