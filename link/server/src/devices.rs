//! Devices and gateways in the database: added, given a new key, revoked.

use zeroize::Zeroizing;

use crate::authority::Certified;
use crate::db::{Cells, Db, DbError, Value};
use crate::eeprom::{self, Record};
use crate::error::{Result, UserError};
use crate::gauge::Gauge;
use crate::keys::{device_key, random, Seal, MASTER_BYTES};
use crate::log::now_ms;
use crate::schema::bump_generation;
use crate::site::{write_secret, Site};
use crate::suite::Suite;
use crate::wanted::{self, Setting};

pub const LAST_EPOCH: u8 = 15;

/// What a device is provisioned with.
#[derive(Clone)]
pub struct Device {
    pub id: u16,
    pub name: String,
    pub epoch: u8,
    pub suite: Suite,
    pub master: Zeroizing<[u8; MASTER_BYTES]>,
    pub slot: u8,
    pub slots: u8,
    pub period_s: u8,
    pub channel: u8,
    pub region: u8,
    pub alarm_pulses: u8,
    pub power: u8,
    /// Whether its keys do (device_key.rs).
    pub ratchets: bool,
}

impl Device {
    pub fn record(&self) -> Record {
        Record {
            device: self.id,
            epoch: self.epoch,
            suite: self.suite,
            key: device_key(&self.master, self.epoch, self.suite),
            slot: self.slot,
            slots: self.slots,
            period_s: self.period_s,
            channel: self.channel,
            region: self.region,
            alarm_pulses: self.alarm_pulses,
            power: self.power,
            ratchets: self.ratchets,
        }
    }

    /// One line of the fleet's table: device,epoch,suite,master_hex,key_hex,slot,slots,period.
    pub fn csv(&self) -> Zeroizing<String> {
        let master = Zeroizing::new(crate::hex::encode(&*self.master));
        let key = Zeroizing::new(crate::hex::encode(&*self.record().key));
        let before = format!("{},{},{}", self.id, self.epoch, self.suite.number());
        let after = format!("{},{},{}\n", self.slot, self.slots, self.period_s);
        Zeroizing::new([before.as_str(), &master, &key, &after].join(","))
    }

    /// Writes the EEPROM image, raw and as Intel HEX; the names tell device and epoch.
    pub fn write_images(&self, site: &Site) -> Result<std::path::PathBuf> {
        let image = eeprom::image(&self.record());
        write_secret(&image_path(site, self.id, self.epoch, "bin"), &*image)?;
        let path = image_path(site, self.id, self.epoch, "eep");
        write_secret(&path, eeprom::intel_hex(&image).as_bytes())?;
        Ok(path)
    }
}

/// Where the EEPROM image of a device's epoch is written.
pub fn image_path(site: &Site, id: u16, epoch: u8, suffix: &str) -> std::path::PathBuf {
    site.path(&format!("devices/{id}-epoch{epoch}.{suffix}"))
}

pub const CSV_HEADER: &str = "device,epoch,suite,master_hex,key_hex,slot,slots,period\n";

pub fn random_master() -> Result<Zeroizing<[u8; MASTER_BYTES]>> {
    random::<MASTER_BYTES>().map(Zeroizing::new)
}

/// Adds new devices, all or none. An id that exists is refused: a second key for it would be `rotate`'s to give.
pub fn add(db: &mut Db, seal: &Seal, devices: &[Device]) -> Result<()> {
    db.transaction(|db| {
        for device in devices {
            if find_row(db, device.id)?.is_some() {
                return Err(UserError(format!(
                    "Device {0} exists already; give it a new key with: bancada link rotate {0}",
                    device.id
                )));
            }
            let values = [
                Value::Int(device.id.into()),
                Value::Text(device.name.clone()),
                Value::Bytes(seal.close(device.id, &device.master)?),
                Value::Int(device.slot.into()),
                Value::Int(device.slots.into()),
                Value::Int(device.period_s.into()),
                Value::Int(device.channel.into()),
                Value::Int(device.power.into()),
                Value::Int(device.region.into()),
                Value::Int(device.ratchets.into()),
            ];
            db.execute(
                "INSERT INTO device (id, name, master, slot, slots, period_s, channel, power, region, ratchets) VALUES ($1, \
                        $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                &values,
            )?;
            add_epoch(db, device, None)?;
        }
        bump_generation(db)?;
        Ok(())
    })
}

/// `gauge`: whether the rain goes on from the key before, if there is one.
fn add_epoch(db: &mut Db, device: &Device, gauge: Option<Gauge>) -> std::result::Result<(), DbError> {
    let values = [
        Value::Int(device.id.into()),
        Value::Int(device.epoch.into()),
        Value::Int(device.suite.number().into()),
        gauge.map_or(Value::Null, |gauge| Value::Text(gauge.text().to_owned())),
    ];
    let sql = "INSERT INTO epoch (device, epoch, suite, gauge) VALUES ($1, $2, $3, $4)";
    db.execute(sql, &values)?;
    Ok(())
}

fn find_row(db: &mut Db, id: u16) -> std::result::Result<Option<crate::db::Row>, DbError> {
    let sql =
        "SELECT name, master, slot, slots, period_s, channel, revoked_ms, region, alarm_pulses, power, ratchets FROM \
               device WHERE id = $1";
    db.query_one(sql, &[Value::Int(id.into())])
}

/// An error if there is no such device. One that is revoked is there.
pub fn must_exist(db: &mut Db, id: u16) -> Result<()> {
    match find_row(db, id)? {
        Some(_) => Ok(()),
        None => Err(UserError(format!("There is no device {id}."))),
    }
}

/// Gives a device its next epoch. The old key ends with the first good frame of the new one, or at `old_until_ms` if
/// that is earlier; at that time it ends for frames too that are still on their way. Without such a time who stole the
/// key could go on for ever, by way of a gateway that does not hear the sensor. Without
/// `old_until_ms` the sensor gets the key over the air, and the old one stays until then. An epoch whose image is there
/// is passed over: a database from a backup may have forgotten it, and its counter would begin anew.
/// `is_new_sensor`: another sensor gets the key, whose count of rain is another (gauge.rs).
pub fn rotate(
    db: &mut Db,
    seal: &Seal,
    id: u16,
    suite: Option<Suite>,
    old_until_ms: Option<i64>,
    is_new_sensor: bool,
    has_image: impl Fn(u8) -> bool,
) -> Result<Device> {
    db.transaction(|db| {
        let row = find_row(db, id)?.ok_or_else(|| {
            UserError(format!(
                "There is no device {id}; add it with: bancada link provision --device {id}"
            ))
        })?;
        if row.optional_int(6).is_some() {
            return Err(UserError(format!("Device {id} is revoked; give the sensor a new id.")));
        }
        let newest = db.query_one(
            "SELECT epoch, suite FROM epoch WHERE device = $1 ORDER BY epoch DESC LIMIT 1",
            &[Value::Int(id.into())],
        )?;
        let newest = newest.ok_or_else(|| UserError(format!("Device {id} has no key in the database.")))?;
        let known = u8::try_from(newest.int(0)).unwrap_or(LAST_EPOCH);
        let before = (known + 1..=LAST_EPOCH)
            .rev()
            .find(|epoch| has_image(*epoch))
            .unwrap_or(known);
        if before >= LAST_EPOCH {
            return Err(UserError(format!(
                "Device {id} has used all 16 key epochs; give the sensor a new id."
            )));
        }
        let master = seal
            .open(id, row.bytes(1))
            .ok_or_else(|| UserError(format!("The key of device {id} was sealed by another server key.")))?;
        let small = |at: usize| u8::try_from(row.int(at)).unwrap_or(0);
        let used = u8::try_from(newest.int(1))
            .ok()
            .and_then(Suite::from_number)
            .unwrap_or(Suite::Ascon);
        let device = Device {
            id,
            name: row.text(0).to_owned(),
            epoch: before + 1,
            suite: suite.unwrap_or(used),
            master,
            slot: small(2),
            slots: small(3),
            period_s: small(4),
            channel: small(5),
            region: small(7),
            alarm_pulses: small(8),
            power: small(9),
            ratchets: small(10) != 0,
        };
        // A time that was set before stays if it is earlier.
        if let Some(until_ms) = old_until_ms {
            db.execute(
                "UPDATE epoch SET retires_ms = $1 WHERE device = $2 AND (retires_ms IS NULL OR retires_ms > $1)",
                &[Value::Int(until_ms), Value::Int(id.into())],
            )?;
        }
        let gauge = match (old_until_ms, is_new_sensor) {
            (_, true) => Gauge::Other,
            (None, false) => Gauge::Same,
            (Some(_), false) => Gauge::Said,
        };
        add_epoch(db, &device, Some(gauge))?;
        if old_until_ms.is_none() {
            wanted::want(db, id, Setting::Key, device.epoch.into(), now_ms())?;
        }
        bump_generation(db)?;
        Ok(device)
    })
}

pub fn revoke(db: &mut Db, id: u16, now_ms: i64) -> Result<()> {
    db.transaction(|db| {
        let changed = db.execute(
            "UPDATE device SET revoked_ms = COALESCE(revoked_ms, $1) WHERE id = $2",
            &[Value::Int(now_ms), Value::Int(id.into())],
        )?;
        if changed == 0 {
            return Err(UserError(format!("There is no device {id}.")));
        }
        // Nothing that it sends will end them.
        db.execute(
            "UPDATE alarm SET cleared_ms = $1 WHERE device = $2 AND cleared_ms IS NULL",
            &[Value::Int(now_ms), Value::Int(id.into())],
        )?;
        bump_generation(db)?;
        Ok(())
    })
}

/// Notes a gateway, or its newer certificate. The older ones are remembered: until they end, revoking has to name them
/// too.
pub fn note_gateway(db: &mut Db, name: &str, certified: &Certified) -> Result<()> {
    db.transaction(|db| {
        let values = [Value::Text(name.into()), Value::Text(certified.serial.clone())];
        db.execute(
            "INSERT INTO gateway (name, serial) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET serial = \
                    excluded.serial || ' ' || gateway.serial, revoked_ms = NULL",
            &values,
        )?;
        note_validity(db, name, certified)?;
        bump_generation(db)?;
        Ok(())
    })
}

/// Notes a further certificate of a gateway. Whether it may have one: it exists and is not revoked.
pub fn note_renewal(db: &mut Db, name: &str, certified: &Certified) -> Result<bool> {
    db.transaction(|db| {
        let values = [Value::Text(certified.serial.clone()), Value::Text(name.into())];
        let sql = "UPDATE gateway SET serial = $1 || ' ' || serial WHERE name = $2 AND revoked_ms IS NULL";
        let may = db.execute(sql, &values)? == 1;
        if may {
            note_validity(db, name, certified)?;
        }
        Ok(may)
    })
}

fn note_validity(db: &mut Db, name: &str, certified: &Certified) -> Result<()> {
    let values = [
        Value::Text(name.into()),
        Value::Int(certified.begins_s),
        Value::Int(certified.ends_s),
    ];
    db.execute(
        "INSERT INTO certificate (gateway, begins_s, ends_s) VALUES ($1, $2, $3) ON CONFLICT (gateway) DO UPDATE SET \
         begins_s = excluded.begins_s, ends_s = excluded.ends_s",
        &values,
    )?;
    Ok(())
}

/// When the newest certificate of a gateway begins and ends, in unix seconds; nothing if that was never noted.
pub fn validity(db: &mut Db, name: &str) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT begins_s, ends_s FROM certificate WHERE gateway = $1";
    let row = db.query_one(sql, &[Value::Text(name.into())])?;
    Ok(row.map(|row| (row.int(0), row.int(1))))
}

/// The serial numbers of a gateway's certificates, with spaces between, and whether it may deliver; nothing if it does
/// not exist.
pub fn find_gateway(db: &mut Db, name: &str) -> Result<Option<(String, bool)>> {
    let row = db.query_one(
        "SELECT serial, revoked_ms FROM gateway WHERE name = $1",
        &[Value::Text(name.into())],
    )?;
    Ok(row.map(|row| (row.text(0).to_owned(), row.optional_int(1).is_none())))
}

pub fn revoke_gateway(db: &mut Db, name: &str, now_ms: i64) -> Result<()> {
    db.transaction(|db| {
        db.execute(
            "UPDATE gateway SET revoked_ms = $1 WHERE name = $2",
            &[Value::Int(now_ms), Value::Text(name.into())],
        )?;
        bump_generation(db)?;
        Ok(())
    })
}

/// Gateways that may deliver, by name.
pub fn gateways(db: &mut Db) -> Result<Vec<String>> {
    let rows = db.query("SELECT name FROM gateway WHERE revoked_ms IS NULL ORDER BY name", &[])?;
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}
