//! The replay windows and newest readings of the devices that this server heard lately, kept beside the database.
//!
//! The database is the truth: every batch writes what it changed in its own transaction. But the one server of a site
//! need not read again what it wrote itself, and at ten thousand sensors reading was a tenth of a frame's cost. What is
//! kept holds as long as nobody else has written an epoch: neither another server, which leaves its own mark in the
//! settings, nor a command, which moves the directory's generation.

use std::collections::{BTreeSet, HashMap};

use crate::db::{Db, Result};
use crate::hex;
use crate::rows::{load_epochs, EpochState};
use crate::schema::{set_setting, setting};

/// The setting that names the server which wrote epochs last.
const WRITER: &str = "epochs_written_by";

/// By device, all its keys.
pub type OfDevices = HashMap<u16, Vec<EpochState>>;

#[derive(Default)]
pub struct Epochs {
    /// Drawn when it is first needed; two servers never draw the same.
    mark: String,
    generation: String,
    known: OfDevices,
}

impl Epochs {
    /// The epochs of these devices, as they are in the transaction that is open. Whoever takes them writes what it
    /// changes, and gives them back when that is committed. If it is not, they are read again.
    pub fn take(&mut self, db: &mut Db, generation: &str, devices: &BTreeSet<u16>) -> Result<OfDevices> {
        if db.is_postgres() {
            return load_epochs(db, devices); // the rows must be locked
        }
        if !self.is_last_writer(db)? || self.generation != generation {
            self.known.clear();
            generation.clone_into(&mut self.generation);
        }
        let mut missing = BTreeSet::new();
        let mut found = OfDevices::with_capacity(devices.len());
        for device in devices {
            match self.known.remove(device) {
                Some(states) => {
                    found.insert(*device, states);
                }
                None => {
                    missing.insert(*device);
                }
            }
        }
        found.extend(load_epochs(db, &missing)?);
        Ok(found)
    }

    /// What the database holds since the commit.
    pub fn give_back(&mut self, db: &Db, mut states: OfDevices) {
        if db.is_postgres() {
            return;
        }
        for state in states.values_mut().flatten() {
            state.changed = false;
            state.newest = None;
        }
        self.known.extend(states);
    }

    /// Leaves this server's mark, if it is not the last one.
    fn is_last_writer(&mut self, db: &mut Db) -> Result<bool> {
        if self.mark.is_empty() {
            let mut mark = [0; 16];
            getrandom::fill(&mut mark).map_err(|error| crate::db::DbError(error.to_string()))?;
            self.mark = hex::encode(&mark);
        }
        if setting(db, WRITER)?.as_ref() == Some(&self.mark) {
            return Ok(true);
        }
        set_setting(db, WRITER, &self.mark)?;
        Ok(false)
    }
}

#[cfg(test)]
#[path = "epochs_tests.rs"]
mod tests;
