//! Decides what becomes a reading and what a refusal, and stores both with the replay windows in one transaction.
//!
//! Nothing here asks a clock of a sensor or of a gateway: their times are stored and shown, never judged by. Everything
//! is idempotent: a burst that a gateway sends again because an acknowledgement was lost changes nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use link_wire::air::{self, Boot, Data};

use crate::alarm::Sample;
use crate::burst::{examine, read_signals, Authentic, Finding, Reason};
use crate::db::{Column, Db, DbError};
use crate::directory::Directory;
use crate::epochs::{Epochs, OfDevices};
use crate::heard::Heard;
use crate::hearings::Hearings;
use crate::moments::{self, Highest, Pace};
use crate::outboxes::Outboxes;
use crate::pending::Pending;
use crate::reading::{Identity, Origin, Reading};
use crate::rows::{
    self, count_readings, first_of_newer_key, insert_readings, insert_refusals, origins, save_epochs, EpochState,
    Newest, Refusal,
};
use crate::schema;
use crate::signal::{self, Signal};
use crate::window::{Verdict, WINDOW};

/// What a gateway received in one piece, as it came by MQTT.
#[derive(Clone, Debug)]
pub struct Burst {
    pub gateway: String,
    pub outbox: [u8; 16],
    pub id: u64,
    pub received_ms: u64,
    pub bytes: Vec<u8>,
}

/// What a committed batch did.
#[derive(Debug, Default)]
pub struct Outcome {
    pub stored: usize,
    pub refused: usize,
    /// What the alarms are judged by.
    pub samples: Vec<Sample>,
    /// The newest frames of devices that can be answered.
    pub heard: Vec<Heard>,
    /// Whether each burst of the batch may be acknowledged. An unknown gateway's may not, it keeps them until it is
    /// provisioned; nor may those of an outbox that is one too many.
    pub committed: Vec<bool>,
}

/// Stands for all outboxes that are too many: the same id from any of them is one refusal.
const NO_OUTBOX: i64 = 0;

#[derive(Debug)]
pub enum IngestError {
    /// Devices or gateways changed since the directory was read: read it again and repeat.
    StaleDirectory,
    Db(DbError),
}

impl From<DbError> for IngestError {
    fn from(error: DbError) -> Self {
        IngestError::Db(error)
    }
}

/// Verifies and stores a batch. On success everything in it is on the disk; on failure nothing is.
pub fn ingest(
    db: &mut Db,
    directory: &Directory,
    outboxes: &mut Outboxes,
    epochs: &mut Epochs,
    pending: Option<&Pending>,
    bursts: &[Burst],
    now_ms: i64,
) -> Result<Outcome, IngestError> {
    let mut judged = Batch {
        now_ms,
        ..Batch::default()
    };
    let mut authentic = Vec::new();
    let mut committed = Vec::with_capacity(bursts.len());
    for burst in bursts {
        let outbox = outboxes.number(db, &burst.gateway, burst.outbox)?;
        let source = Source {
            gateway: &burst.gateway,
            outbox: outbox.unwrap_or(NO_OUTBOX),
            outbox_id: clamp(burst.id),
            received_ms: clamp(burst.received_ms).min(moments::LATEST_MS),
        };
        judged
            .gateways
            .entry(source.outbox)
            .or_insert_with(|| burst.gateway.clone());
        let known = directory.gateways.get(&burst.gateway).copied().unwrap_or(false);
        committed.push(known && outbox.is_some());
        if !known || outbox.is_none() {
            let reason = if known {
                Reason::TooManyOutboxes
            } else {
                Reason::UnknownGateway
            };
            judged.refuse(&source, 0, &burst.bytes, reason, None);
            continue;
        }
        let mut findings = examine(directory, &burst.bytes);
        if outboxes.telling.has(&burst.gateway) {
            read_signals(&burst.bytes, &mut findings);
        }
        let times_s = findings.iter().filter_map(|finding| match finding {
            Finding::Frame(frame) => Some(variables(frame.header.frame_type, &frame.plaintext)[0]),
            Finding::Refused { .. } => None,
        });
        let place = (&burst.outbox, burst.id);
        if pending.is_some_and(|pending| pending.holds(&burst.gateway, place, times_s, now_ms)) {
            // The gateway keeps it, and brings it again.
            if let Some(told) = committed.last_mut() {
                *told = false;
            }
            continue;
        }
        for finding in findings {
            match finding {
                Finding::Frame(frame) => authentic.push((source, &burst.bytes, frame)),
                Finding::Refused {
                    position,
                    bytes,
                    reason,
                    device,
                } => {
                    judged.refuse(
                        &source,
                        position,
                        &burst.bytes[position..position + bytes],
                        reason,
                        device,
                    );
                }
            }
        }
    }
    // The tags were checked outside the transaction; only the windows need it.
    db.transaction(|db| {
        if schema::generation(db)? != directory.generation {
            return Err(IngestError::StaleDirectory);
        }
        let devices: BTreeSet<u16> = authentic.iter().map(|(_, _, frame)| frame.header.device).collect();
        judged.epochs = epochs.take(db, &directory.generation, &devices)?;
        judged.judge(db, &authentic)?;
        // In the order of the table and its index: neighbours go to one page.
        judged.readings.sort_unstable_by_key(Reading::identity);
        moments::set(db, &mut judged.readings, &judged.highest_before, &mut judged.paces)?;
        judged.note_newest_times();
        insert_readings(db, &judged.readings)?;
        insert_refusals(db, &judged.refusals)?;
        judged.hearings.save(db)?;
        signal::save(db, &judged.signals, now_ms)?;
        save_epochs(db, judged.epochs.values().flatten().filter(|state| state.changed))?;
        note_gateways(db, bursts, now_ms)?;
        Ok(())
    })?;
    let heard = judged.heard();
    epochs.give_back(db, std::mem::take(&mut judged.epochs));
    let data = judged.readings.iter().filter(|reading| reading.kind == air::TYPE_DATA);
    let samples = data
        .map(|reading| Sample {
            device: reading.device,
            counter: reading.counter.into(),
            rain_pulses: reading.variables[1],
            flags: reading.variables[3] >> 16,
        })
        .collect();
    Ok(Outcome {
        stored: judged.readings.len(),
        refused: judged.refusals.len(),
        samples,
        heard,
        committed,
    })
}

#[derive(Clone, Copy)]
struct Source<'a> {
    gateway: &'a str,
    outbox: i64,
    outbox_id: i64,
    received_ms: i64,
}

/// What the key of a frame and its window say.
enum Standing {
    /// Its key does not exist, or its time is over.
    Over,
    New,
    NotNew(Verdict),
    /// A newer key has been heard. The window's verdict is not noted.
    Retired(Verdict),
}

/// A frame to be judged by the table of readings.
struct NotNew<'a> {
    source: &'a Source<'a>,
    bytes: &'a Vec<u8>,
    frame: &'a Authentic,
    verdict: Verdict,
    retired: bool,
}

/// A batch while it is judged.
#[derive(Default)]
struct Batch {
    now_ms: i64,
    readings: Vec<Reading>,
    refusals: Vec<Refusal>,
    epochs: OfDevices,
    /// By device and epoch: where the window stood before this batch.
    highest_before: HashMap<(u16, u8), Highest>,
    /// By device and epoch: what its counters say about the time.
    paces: HashMap<(u16, u8), Pace>,
    /// By device, epoch and outbox: what the outbox had heard before this batch.
    heard: HashMap<(u16, u8, i64), rows::Heard>,
    /// By device, epoch and outbox: the highest counter of this batch's readings.
    reached: HashMap<(u16, u8, i64), u32>,
    /// By device, epoch and outbox: the outbox's first reading under a newer key, before this batch.
    newer_keys: HashMap<(u16, u8, i64), Option<i64>>,
    /// What further gateways heard of frames that are readings already.
    hearings: Hearings,
    signals: Vec<Signal>,
    /// The names of gateways by the numbers of their outboxes.
    gateways: HashMap<i64, String>,
    /// By device that has begun anew: no order with a lower number is accepted.
    orders: HashMap<u16, u32>,
    /// By device and epoch: whether readings of it were deleted by hand, so that not all are remembered.
    forgotten: HashMap<(u16, u8), bool>,
}

impl Batch {
    fn refuse(&mut self, source: &Source<'_>, position: usize, bytes: &[u8], reason: Reason, device: Option<u16>) {
        self.refusals.push(Refusal {
            received_ms: source.received_ms,
            stored_ms: self.now_ms,
            gateway: source.gateway.to_owned(),
            reason: reason.text(),
            device,
            outbox: source.outbox,
            outbox_id: source.outbox_id,
            position: position as i64,
            bytes: bytes.to_vec(),
        });
    }

    /// Puts every authentic frame to its window, in the order of arrival.
    fn judge(&mut self, db: &mut Db, frames: &[(Source<'_>, &Vec<u8>, Authentic)]) -> Result<(), DbError> {
        self.highest_before = self.epochs.values().flatten().filter_map(highest).collect();
        let states = self.epochs.values().flatten();
        self.paces = states.map(|state| ((state.device, state.epoch), state.pace)).collect();
        let mut not_new = Vec::new();
        let mut here = HashSet::new();
        for (source, bytes, frame) in frames {
            let standing = self.accept(source, frame);
            let key = (frame.header.device, frame.header.epoch, frame.header.counter);
            let place = (key, source.outbox, source.outbox_id, frame.position);
            let (verdict, retired) = match standing {
                Standing::NotNew(verdict) => (verdict, false),
                Standing::Retired(verdict) => (verdict, true),
                Standing::New => {
                    here.insert(place);
                    continue;
                }
                Standing::Over => {
                    self.refuse(
                        source,
                        frame.position,
                        frame_bytes(bytes, frame),
                        Reason::WrongSuiteOrEpoch,
                        Some(key.0),
                    );
                    continue;
                }
            };
            // The same burst twice in one batch is a gateway that was impatient, not a replay.
            if !here.contains(&place) {
                not_new.push(NotNew {
                    source,
                    bytes,
                    frame,
                    verdict,
                    retired,
                });
            }
        }
        self.judge_again(db, not_new)
    }

    /// Frames that are not new by their window. It forgets after 64 counters; the table of readings remembers
    /// everything.
    fn judge_again(&mut self, db: &mut Db, frames: Vec<NotNew<'_>>) -> Result<(), DbError> {
        let stored = origins(db, frames.iter().map(|not_new| &not_new.frame.header))?;
        self.read_heard(db, &frames, &stored)?;
        let key_of = |not_new: &NotNew<'_>| {
            let header = &not_new.frame.header;
            (header.device, header.epoch, not_new.source.outbox)
        };
        self.hearings = Hearings::load(db, &frames.iter().map(key_of).collect())?;
        // The readings of this batch, and the outbox that each came from.
        let mut here: HashMap<Identity, i64> = self
            .readings
            .iter()
            .map(|reading| (reading.identity(), reading.outbox))
            .collect();
        let mut late = HashSet::new();
        let mut copies = HashSet::new();
        for not_new in frames {
            let NotNew {
                source,
                bytes,
                frame,
                verdict,
                retired,
            } = not_new;
            let identity = (frame.header.device, frame.header.epoch, frame.header.counter);
            if stored.get(&identity) == Some(&Some((source.outbox, source.outbox_id))) {
                continue; // stored from this very burst: sent again because an acknowledgement was lost
            }
            let place = (identity, source.outbox, source.outbox_id, frame.position);
            if late.contains(&place) || copies.contains(&place) {
                continue; // the same, within one batch
            }
            let known = verdict == Verdict::Replay || stored.contains_key(&identity) || here.contains_key(&identity);
            let overtaken = !known
                && self.was_overtaken(source, frame)
                && (!retired || self.was_overtaken_by_rotation(db, source, frame, verdict)?);
            if overtaken {
                here.insert(identity, source.outbox);
                late.insert(place);
                self.count_late(&frame.header);
                self.keep(source, frame);
                continue;
            }
            let first_outbox = match stored.get(&identity) {
                Some(origin) => origin.map(|(outbox, _)| outbox),
                None => here.get(&identity).copied(),
            };
            let by_another = first_outbox.is_some_and(|outbox| outbox != source.outbox);
            let key = (identity.0, identity.1, source.outbox);
            if by_another && !retired && self.hearings.is_harmless(key, identity.2, source.outbox_id) {
                copies.insert(place);
                self.note_signal(source, frame);
                continue; // a further gateway heard it too
            }
            let reason = match (retired, known) {
                (true, _) => Reason::WrongSuiteOrEpoch,
                (false, true) => Reason::Replay,
                (false, false) => Reason::OutsideWindow,
            };
            self.refuse(
                source,
                frame.position,
                frame_bytes(bytes, frame),
                reason,
                Some(identity.0),
            );
        }
        Ok(())
    }

    /// Frames of this batch with the highest counter of their key: what is listened for now.
    fn heard(&self) -> Vec<Heard> {
        let newest = self.readings.iter().filter_map(|reading| {
            let states = self.epochs.get(&reading.device)?;
            let state = states.iter().find(|state| state.epoch == reading.epoch)?;
            if state.window.highest != Some(reading.counter) || state.retired {
                return None;
            }
            let boots = reading.kind == air::TYPE_BOOT;
            let flags = if boots { 0 } else { (reading.variables[3] >> 16) as u16 };
            Some(Heard {
                gateway: self.gateways.get(&reading.outbox)?.clone(),
                device: reading.device,
                epoch: reading.epoch,
                counter: reading.counter,
                received_ms: reading.received_ms,
                device_time_s: reading.variables[0],
                flags,
                orders: self.orders.get(&reading.device).copied(),
                seen: state.window.seen,
                base: state.base,
            })
        });
        newest.collect()
    }

    /// One look for each key and outbox, whose frames may be thousands after a server was killed.
    /// What is a reading already needs none: copies that come a day late are as cheap as new frames.
    fn read_heard(
        &mut self,
        db: &mut Db,
        frames: &[NotNew<'_>],
        stored: &HashMap<Identity, Origin>,
    ) -> Result<(), DbError> {
        let mut spans: HashMap<(u16, u8, i64), (i64, i64)> = HashMap::new();
        for not_new in frames.iter().filter(|not_new| not_new.verdict != Verdict::Replay) {
            let header = &not_new.frame.header;
            if stored.contains_key(&(header.device, header.epoch, header.counter)) {
                continue;
            }
            let beyond = beyond_window(header);
            let span = spans
                .entry((header.device, header.epoch, not_new.source.outbox))
                .or_insert((beyond, beyond));
            *span = (span.0.min(beyond), span.1.max(beyond));
        }
        for ((device, epoch, outbox), (least, most)) in spans {
            let heard = rows::Heard::read(db, (device, epoch), outbox, least, most)?;
            self.heard.insert((device, epoch, outbox), heard);
        }
        Ok(())
    }

    /// Whether a frame from before the window, never stored, was late on the way rather than on the air.
    ///
    /// Bursts overtake one another between gateway and server: a server is killed with some in its hands, and another
    /// stores newer ones first; a gateway was offline for a day, while another heard the same sensor. An outbox numbers
    /// its bursts as they came from the air, so it tells: a frame that it received *after* a newer one from beyond the
    /// window was held back on the air, as by an attacker, and stays refused. One that it received before was merely
    /// overtaken.
    fn was_overtaken(&self, source: &Source<'_>, frame: &Authentic) -> bool {
        let header = &frame.header;
        let beyond = beyond_window(header);
        let contradicts = |reading: &Reading| {
            let same_key = (reading.device, reading.epoch) == (header.device, header.epoch);
            same_key && was_heard_before(reading, source, frame) && i64::from(reading.counter) >= beyond
        };
        let key = (header.device, header.epoch, source.outbox);
        let first_id = self.heard.get(&key).and_then(|heard| heard.first_from(beyond));
        // Late frames mostly come in their order. Then nothing of the batch is beyond, and need not be looked through.
        let is_beyond = self
            .reached
            .get(&key)
            .is_some_and(|highest| i64::from(*highest) >= beyond);
        first_id.is_none_or(|id| id > source.outbox_id) && !(is_beyond && self.readings.iter().any(contradicts))
    }

    /// Whether a frame under a retired key, never stored, was on its way when the key was retired: its own outbox had
    /// not heard the device under a newer key before it. Behind the window only the table of readings tells replays, so
    /// all must be there.
    fn was_overtaken_by_rotation(
        &mut self,
        db: &mut Db,
        source: &Source<'_>,
        frame: &Authentic,
        verdict: Verdict,
    ) -> Result<bool, DbError> {
        let header = &frame.header;
        let contradicts = |reading: &Reading| {
            reading.device == header.device && reading.epoch > header.epoch && was_heard_before(reading, source, frame)
        };
        if self.readings.iter().any(contradicts) {
            return Ok(false);
        }
        // Nothing of this batch is in the table yet, so one look serves all its frames.
        let key = (header.device, header.epoch, source.outbox);
        let first_id = match self.newer_keys.get(&key) {
            Some(first_id) => *first_id,
            None => {
                let first_id = first_of_newer_key(db, header, source.outbox)?;
                self.newer_keys.insert(key, first_id);
                first_id
            }
        };
        let heard_newer_key = first_id.is_some_and(|id| id <= source.outbox_id);
        Ok(!heard_newer_key && (verdict != Verdict::Outside || !self.is_forgotten(db, header)?))
    }

    fn is_forgotten(&mut self, db: &mut Db, header: &air::Header) -> Result<bool, DbError> {
        let key = (header.device, header.epoch);
        if let Some(forgotten) = self.forgotten.get(&key) {
            return Ok(*forgotten);
        }
        let states = self.epochs.get(&header.device);
        let state = states.and_then(|states| states.iter().find(|state| state.epoch == header.epoch));
        let accepted = state.map_or(0, |state| state.accepted);
        let here = self
            .readings
            .iter()
            .filter(|reading| (reading.device, reading.epoch) == key);
        let forgotten = count_readings(db, header)? + here.count() as i64 != accepted;
        self.forgotten.insert(key, forgotten);
        Ok(forgotten)
    }

    /// Of each key whose highest counter is of this batch: when its reading was taken, and when it came.
    fn note_newest_times(&mut self) {
        for reading in &self.readings {
            let states = self.epochs.entry(reading.device).or_default();
            let newest = states
                .iter_mut()
                .find(|state| state.epoch == reading.epoch && state.window.highest == Some(reading.counter));
            if let Some(state) = newest {
                state.time_ms = Some(reading.time_ms);
                state.heard_ms = Some(self.now_ms);
                state.pace = self
                    .paces
                    .get(&(reading.device, reading.epoch))
                    .copied()
                    .unwrap_or(state.pace);
            }
        }
    }

    fn count_late(&mut self, header: &air::Header) {
        let states = self.epochs.entry(header.device).or_default();
        for state in states.iter_mut().filter(|state| state.epoch == header.epoch) {
            // Changes nothing behind the window; under a retired key the counter may be within or above it.
            state.window.judge(header.counter);
            state.accepted += 1;
            state.changed = true;
        }
    }

    fn note_signal(&mut self, source: &Source<'_>, frame: &Authentic) {
        self.signals.extend(frame.dbm.map(|dbm| Signal {
            device: frame.header.device,
            epoch: frame.header.epoch,
            counter: frame.header.counter,
            outbox: source.outbox,
            dbm,
        }));
    }

    fn keep(&mut self, source: &Source<'_>, frame: &Authentic) {
        self.note_signal(source, frame);
        let key = (frame.header.device, frame.header.epoch, source.outbox);
        let reached = self.reached.entry(key).or_default();
        *reached = frame.header.counter.max(*reached);
        if frame.header.frame_type == air::TYPE_BOOT {
            let orders = Boot::parse(&frame.plaintext).orders;
            if orders != 0 {
                self.orders.insert(frame.header.device, orders);
            }
        }
        self.readings.push(Reading {
            device: frame.header.device,
            epoch: frame.header.epoch,
            counter: frame.header.counter,
            kind: frame.header.frame_type,
            received_ms: source.received_ms,
            stored_ms: self.now_ms,
            time_ms: self.now_ms,
            outbox: source.outbox,
            outbox_id: source.outbox_id,
            position: frame.position,
            variables: variables(frame.header.frame_type, &frame.plaintext),
        });
    }

    /// Puts a frame to its key's window. A new frame under a key that is in use becomes a reading.
    fn accept(&mut self, source: &Source<'_>, frame: &Authentic) -> Standing {
        let header = &frame.header;
        let Some(states) = self.epochs.get_mut(&header.device) else {
            return Standing::Over;
        };
        let Some(state) = states.iter_mut().find(|state| state.epoch == header.epoch) else {
            return Standing::Over;
        };
        if state.retires_ms.is_some_and(|time_ms| time_ms <= self.now_ms) {
            return Standing::Over;
        }
        if state.retired {
            return Standing::Retired({ state.window }.judge(header.counter));
        }
        let first = state.window.highest.is_none();
        let verdict = state.window.judge(header.counter);
        if verdict != Verdict::New {
            return Standing::NotNew(verdict);
        }
        state.changed = true;
        state.accepted += 1;
        if first || (header.frame_type == air::TYPE_BOOT && header.counter > state.base) {
            state.base = header.counter;
        }
        if state.window.highest == Some(header.counter) {
            state.last_received_ms = Some(source.received_ms);
        }
        if header.frame_type == air::TYPE_DATA && state.window.highest == Some(header.counter) {
            state.newest = Some(Newest {
                variables: variables(header.frame_type, &frame.plaintext),
            });
        }
        // The first good frame of a new key ends the older ones.
        for older in states
            .iter_mut()
            .filter(|older| older.epoch < header.epoch && !older.retired)
        {
            older.retired = true;
            older.changed = true;
        }
        self.keep(source, frame);
        Standing::New
    }
}

fn highest(state: &EpochState) -> Option<((u16, u8), Highest)> {
    let highest = Highest {
        counter: state.window.highest?,
        time_ms: state.time_ms?,
    };
    Some(((state.device, state.epoch), highest))
}

/// Whether the frame's own outbox received this reading of the same batch before it. The frames of one burst have one
/// id, and came from the air in the order of their positions.
fn was_heard_before(reading: &Reading, source: &Source<'_>, frame: &Authentic) -> bool {
    reading.outbox == source.outbox && (reading.outbox_id, reading.position) < (source.outbox_id, frame.position)
}

/// The lowest counter whose window a frame with this header is behind.
fn beyond_window(header: &air::Header) -> i64 {
    i64::from(header.counter) + i64::from(WINDOW)
}

fn frame_bytes<'a>(burst: &'a [u8], frame: &Authentic) -> &'a [u8] {
    &burst[frame.position..frame.position + air::FRAME_BYTES]
}

/// The four variables as the table keeps them; of data: time, pulses, temperature, supply and flags as `flags << 16 |
/// millivolt`.
fn variables(kind: u8, plaintext: &[u8; 16]) -> [i64; 4] {
    if kind == air::TYPE_DATA {
        let data = Data::parse(plaintext);
        let supply_and_flags = i64::from(data.flags) << 16 | i64::from(data.supply_millivolt);
        return [
            data.unix_time_s.into(),
            data.rain_pulses.into(),
            data.temperature_milli_celsius.into(),
            supply_and_flags,
        ];
    }
    let boot = Boot::parse(plaintext);
    let (major, minor, patch) = boot.firmware;
    let firmware = i64::from(major) << 16 | i64::from(minor) << 8 | i64::from(patch);
    [
        boot.unix_time_s.into(),
        boot.reset_cause.into(),
        firmware,
        boot.counter_mark.into(),
    ]
}

fn note_gateways(db: &mut Db, bursts: &[Burst], now_ms: i64) -> Result<(), DbError> {
    let names: BTreeSet<&str> = bursts.iter().map(|burst| burst.gateway.as_str()).collect();
    let columns = [
        Column::Ints(vec![now_ms; names.len()]),
        Column::Texts(names.into_iter().map(str::to_owned).collect()),
    ];
    db.execute_columns(
        "UPDATE gateway SET last_seen_ms = $1 WHERE name = $2",
        "UPDATE gateway SET last_seen_ms = u.t FROM unnest($1::bigint[], $2::text[]) AS u(t, n) WHERE name = u.n",
        &columns,
    )
}

/// Ids and times are 64 bits without a sign on the wire, with one in the database. An honest gateway reaches neither's
/// end.
fn clamp(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
