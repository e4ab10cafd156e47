//! `serve`: joins the pieces. Messages go to one thread that verifies, stores and judges alarms; the page reads the
//! database by itself.
//!
//! Alarms are judged in the connection that stores. What another connection writes would make SQLite forget all pages
//! that this one has at hand; at 50 million readings that was a third of the work.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use link_wire::mqtt::{ack_topic, Ack};
use link_wire::ranges::from_ids;
use tokio::sync::{mpsc, watch};

use crate::alarm::{Judge, Sample};
use crate::answers::Answers;
use crate::broker::{is_server, SERVER_NAME};
use crate::checkpoint;
use crate::db::{Cells, Db, DbError, Row, Value};
use crate::directory::Directory;
use crate::epochs::Epochs;
use crate::error::{Result, UserError};
use crate::health::Health;
use crate::home;
use crate::ingest::{ingest, Burst, IngestError, Outcome};
use crate::intake::Intake;
use crate::keys::Seal;
use crate::log::{log, now_ms};
use crate::message::{Message, Outgoing};
use crate::months::Month;
use crate::mqtt::{self, Broker};
use crate::notify;
use crate::outboxes::{Doubles, Kind, Outboxes};
use crate::page;
use crate::partitions;
use crate::pending::Pending;
use crate::restored;
use crate::retention;
use crate::sayings::Sayings;
use crate::schema::note_month;
use crate::site::{Site, DEFAULT_FOLDER};

/// One commit for at most so many bytes of messages, some 30,000 frames. Each sensor's next reading changes a page of
/// its own, and the more of them share a commit, the fewer pages are written. A server that is not behind takes what is
/// there: a second of ten thousand sensors is 2000 frames.
const BATCH_BYTES: usize = 1_500_000;
const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_LAST: Duration = Duration::from_secs(5);
/// The audit log keeps this many refusals of each gateway at least, and is cut to it now and then: an attacker who
/// floods one gateway neither fills the disk nor pushes out what others reported.
const KEPT_REFUSALS: i64 = 100_000;
const TRIM_AFTER: usize = 20_000;
/// At start, devices heard within this time are judged: another server may have stored readings and been killed.
const ALARM_LOOK_BACK_MS: i64 = 3_600_000;
const LOOK_BACK_AT_ONCE: usize = 100;

/// Verifies, stores and acknowledges what gateways send, and shows it on the page.
///
/// Example: bancada link serve --site farm
#[derive(Args)]
pub struct ServeArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Which of the site's servers this is: each has a certificate of its own (provision --server)
    #[arg(long, default_value = SERVER_NAME)]
    name: String,
    /// Instead of the site's database; ps shows this argument, but not the variable BANCADA_LINK_DATABASE
    #[arg(long)]
    database: Option<String>,
    /// Instead of the site's broker: HOST:PORT
    #[arg(long)]
    broker: Option<String>,
    /// Instead of the site's address of the page; none: no page
    #[arg(long)]
    page: Option<String>,
    /// Where programs that watch the site find /metrics and /health: a loopback address and a port [default: nowhere]
    #[arg(long)]
    metrics: Option<String>,
    /// A name that browsers may call the page by, besides those of its certificate; may be repeated
    #[arg(long = "page-host")]
    page_hosts: Vec<String>,
}

pub fn serve(args: &ServeArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let broker = match &args.broker {
        None => Broker {
            host: site.settings.broker_host.clone(),
            port: site.settings.broker_port,
        },
        Some(text) => parse_broker(text)?,
    };
    if !is_server(&args.name) || !site.path(&format!("server/{}.crt", args.name)).is_file() {
        return Err(UserError(format!(
            "The site has no server '{0}'; give it a certificate with: bancada link provision --server {0}",
            args.name
        )));
    }
    let database = site.database(args.database.as_deref());
    site.open_database(args.database.as_deref())?;
    let mut db = Db::open_for_storing(&database)?;
    if db.is_postgres() {
        // Tried again all the time (retention.rs); until then there is a part for what has none.
        if let Err(error) = partitions::prepare(&mut db, now_ms()) {
            log(&format!("this month's part of the readings is not made yet: {error}"));
        }
    }
    let seal = Seal::read(&site.path("server/seal.key"))?;
    let directory = Directory::load(&mut db, &seal, now_ms())?;
    log(&format!(
        "{} devices, {} gateways",
        directory.devices.len(),
        directory.gateways.len()
    ));

    let intake = Arc::new(Intake::default());
    let health = Arc::new(Health::default());
    health.stores.store(true, Ordering::Relaxed);
    let (ack_in, ack_out) = mpsc::unbounded_channel();
    let (works_in, works_out) = watch::channel(true);

    let log_database = database.clone();
    spawn("checkpoints", move || checkpoint::run(&log_database))?;
    let kept_database = database.clone();
    spawn("months", move || retention::run(&kept_database))?;
    let notify_database = database.clone();
    let (notify_folder, told) = (site.folder.clone(), site.settings.notify.clone().unwrap_or_default());
    if let Some(mqtt) = told.mqtt.clone() {
        let (home_database, server) = (database.clone(), args.name.clone());
        spawn("home", move || home::run(&home_database, &server, &mqtt))?;
    }
    let server = args.name.clone();
    spawn("notify", move || {
        notify::run(&notify_database, &server, &notify_folder, &told)
    })?;
    let store = Store {
        database: database.clone(),
        db,
        seal,
        directory,
        outboxes: Outboxes::default(),
        epochs: Epochs::default(),
        doubles: Doubles::default(),
        sayings: Sayings::default(),
        pending: None,
        alarms: Alarms::default(),
        answers: Answers::default(),
        refused_since_trim: 0,
        noted_month: None,
        works: works_in,
        health: Arc::clone(&health),
    };
    let taken = Arc::clone(&intake);
    spawn("store", move || store.run(&taken, &ack_in))?;

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| UserError(format!("The server cannot start: {error}.")))?;
    runtime.block_on(async {
        let (client, events) = mqtt::connection(&site, &broker, &args.name)?;
        tokio::spawn(mqtt::publish(client.clone(), ack_out));
        if let Some(address) = &args.metrics {
            page::metrics::serve(&site, &database, address, Arc::clone(&health)).await?;
        }
        let watched = Arc::clone(&health);
        tokio::spawn(async move {
            mqtt::receive(client, events, &intake, &watched, works_out).await;
            intake.close();
        });
        let address = args.page.as_deref().unwrap_or(&site.settings.page);
        if address == "none" {
            page::stopped().await
        } else {
            page::serve(&site, &database, address, &args.page_hosts).await
        }
    })?;
    log("stopped");
    Ok(())
}

fn parse_broker(text: &str) -> Result<Broker> {
    let wrong = || UserError(format!("--broker {text}: a host and a port, such as localhost:8883."));
    let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
    Ok(Broker {
        host: host.to_owned(),
        port: port.parse().map_err(|_| wrong())?,
    })
}

/// A thread without which the server is of no use: if it fails, the server ends with a line in the log.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let label = name.to_owned();
    let body = move || {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        if ended.is_err() {
            log(&format!(
                "the thread '{label}' failed; the server ends, and its supervisor starts it anew"
            ));
            std::process::exit(1);
        }
    };
    thread::Builder::new()
        .name(name.into())
        .spawn(body)
        .map_err(|error| UserError(format!("The server cannot start: {error}.")))?;
    Ok(())
}

/// The newest status of each gateway in a batch, and whether the broker kept it from before. Of a flood of them one is
/// written.
type Statuses = BTreeMap<String, (String, bool)>;

struct Store {
    database: String,
    db: Db,
    seal: Seal,
    directory: Directory,
    outboxes: Outboxes,
    epochs: Epochs,
    doubles: Doubles,
    sayings: Sayings,
    alarms: Alarms,
    answers: Answers,
    /// What gateways have told of the time before a backup was put in place; nothing if none was, or all is told.
    pending: Option<Pending>,
    refused_since_trim: usize,
    /// The last month of which the database knows that there are readings stored in it.
    noted_month: Option<Month>,
    works: watch::Sender<bool>,
    health: Arc<Health>,
}

impl Store {
    fn run(mut self, intake: &Intake, acks: &mpsc::UnboundedSender<Outgoing>) {
        self.alarms.judge(&mut self.db, Vec::new());
        while let Some(messages) = intake.take(BATCH_BYTES) {
            let mut bursts = Vec::new();
            let mut statuses = Statuses::new();
            let mut doubled = BTreeSet::new();
            for message in messages {
                match message {
                    Message::Up { gateway, payload } => {
                        let more = self.bursts(&gateway, &payload);
                        let outbox = more.first().map(|first| first.outbox);
                        doubled.extend(outbox.and_then(|outbox| self.doubled(&gateway, Kind::Outbox, &outbox)));
                        bursts.extend(more);
                    }
                    Message::Status {
                        gateway,
                        json,
                        retained,
                        instance,
                    } => {
                        let instance = instance.as_deref().map(str::as_bytes);
                        doubled.extend(instance.and_then(|mark| self.doubled(&gateway, Kind::Instance, mark)));
                        self.outboxes.telling.note(&gateway, &json);
                        statuses.insert(gateway, (json, retained));
                    }
                }
            }
            let outcome = self.persist(|store| store.store(&bursts, &statuses, &doubled));
            for ask in self.questions(&statuses) {
                let _ = acks.send(ask); // fails only while the program ends
            }
            self.refused_since_trim += outcome.refused;
            if self.refused_since_trim >= TRIM_AFTER {
                self.refused_since_trim = 0;
                if let Err(error) = trim_refusals(&mut self.db, KEPT_REFUSALS) {
                    log(&format!("the audit log could not be trimmed: {error}"));
                }
            }
            for ack in acknowledgements(&bursts, &outcome) {
                let _ = acks.send(ack); // fails only while the program ends
            }
            for answer in self.answer(&outcome) {
                let _ = acks.send(answer);
            }
            // After the acknowledgements: nobody waits for it.
            self.alarms.judge(&mut self.db, outcome.samples);
        }
    }

    /// What the devices that were heard are told. It is made anew with their next frames if it cannot be made now.
    fn answer(&mut self, outcome: &Outcome) -> Vec<Outgoing> {
        let told = self
            .answers
            .answer(&mut self.db, &self.directory, &self.seal, &outcome.heard, now_ms());
        told.unwrap_or_else(|error| {
            log(&format!("sensors are not answered: {error}"));
            Vec::new()
        })
    }

    /// The bursts of a payload; none, and a line in the log, if it cannot be read.
    fn bursts(&mut self, gateway: &str, payload: &[u8]) -> Vec<Burst> {
        mqtt::bursts(gateway, payload).unwrap_or_else(|error| {
            if self.sayings.may(gateway, "unreadable", Instant::now()) {
                log(&format!("gateway {gateway}: {error}; not acknowledged"));
            }
            Vec::new()
        })
    }

    /// The gateway, if what a message shows proves that two machines use its certificate.
    fn doubled(&mut self, gateway: &str, kind: Kind, mark: &[u8]) -> Option<String> {
        if !self.doubles.note(gateway, kind, mark) {
            return None;
        }
        if self.sayings.may(gateway, "doubled", Instant::now()) {
            log(&format!(
                "two machines use the certificate of gateway '{gateway}': if you know of only one, its key is in \
                 other hands; \
                 revoke it and give the gateway a new name"
            ));
        }
        Some(gateway.to_owned())
    }

    /// What gateways are asked whose status does not answer it yet.
    fn questions(&self, statuses: &Statuses) -> Vec<Outgoing> {
        let Some(pending) = &self.pending else {
            return Vec::new();
        };
        let open = statuses.keys().filter(|gateway| !pending.has_answered(gateway));
        open.map(|gateway| Outgoing {
            topic: ack_topic(gateway),
            payload: pending.question.ask().encode(),
        })
        .collect()
    }

    /// Reads how far the gateways are, after a backup was put in place.
    fn look_at_restored(&mut self) -> std::result::Result<(), DbError> {
        let Some(question) = self.directory.restored.clone() else {
            self.pending = None;
            return Ok(());
        };
        let pending = Pending::read(&mut self.db, question)?;
        if self
            .pending
            .as_ref()
            .is_none_or(|before| before.awaited != pending.awaited)
        {
            log(&pending.told());
        }
        if pending.awaited.is_empty() {
            restored::finish(&mut self.db)?;
        }
        self.pending = Some(pending);
        Ok(())
    }

    fn store(
        &mut self,
        bursts: &[Burst],
        statuses: &Statuses,
        doubled: &BTreeSet<String>,
    ) -> std::result::Result<Outcome, DbError> {
        if !statuses.is_empty() || !doubled.is_empty() {
            self.db.transaction(|db| {
                note_statuses(db, statuses)?;
                note_doubles(db, doubled)
            })?;
        }
        loop {
            let now_ms = now_ms();
            if self.directory.stale_ms.is_some_and(|stale_ms| stale_ms <= now_ms) {
                self.load_directory(now_ms)?;
            }
            self.look_at_restored()?;
            let pending = self.pending.as_ref();
            match ingest(
                &mut self.db,
                &self.directory,
                &mut self.outboxes,
                &mut self.epochs,
                pending,
                bursts,
                now_ms,
            ) {
                Ok(outcome) => {
                    self.note_month(&outcome, Month::of(now_ms));
                    return Ok(outcome);
                }
                Err(IngestError::Db(error)) => return Err(error),
                Err(IngestError::StaleDirectory) => self.load_directory(now_ms)?,
            }
        }
    }

    fn load_directory(&mut self, now_ms: i64) -> std::result::Result<(), DbError> {
        // First the old one goes, and its keys with it; should the new one fail, an empty one is stale too.
        self.directory = Directory::default();
        self.directory = Directory::load(&mut self.db, &self.seal, now_ms)?;
        Ok(())
    }

    /// What fails is tried again with the next batch: the readings are stored already.
    fn note_month(&mut self, outcome: &Outcome, month: Month) {
        if self.noted_month != Some(month) && outcome.stored > 0 && note_month(&mut self.db, month).is_ok() {
            self.noted_month = Some(month);
        }
    }

    /// Tries until it works. Meanwhile the broker is left, nothing is acknowledged, and gateways keep what they have.
    fn persist(&mut self, attempt: impl Fn(&mut Store) -> std::result::Result<Outcome, DbError>) -> Outcome {
        let mut pause = RETRY_FIRST;
        loop {
            match attempt(self) {
                Ok(outcome) => {
                    self.health.stores.store(true, Ordering::Relaxed);
                    if !self.works.send_replace(true) {
                        log("the database works again");
                    }
                    return outcome;
                }
                Err(error) => {
                    self.health.stores.store(false, Ordering::Relaxed);
                    if self.works.send_replace(false) {
                        log(&format!("nothing can be stored: {error}"));
                    }
                    thread::sleep(pause);
                    pause = RETRY_LAST.min(pause * 2);
                    match Db::open_for_storing(&self.database) {
                        Ok(db) => self.db = db,
                        Err(_) => continue,
                    }
                    self.outboxes = Outboxes::default();
                    self.epochs = Epochs::default();
                }
            }
        }
    }
}

/// Deletes the oldest refusals of each gateway beyond so many.
fn trim_refusals(db: &mut Db, kept: i64) -> std::result::Result<(), DbError> {
    for gateway in db.query("SELECT DISTINCT gateway FROM refusal", &[])? {
        let values = [Value::Text(gateway.text(0).to_owned()), Value::Int(kept)];
        db.execute(
            "DELETE FROM refusal WHERE gateway = $1 AND number <= \
             (SELECT number FROM refusal WHERE gateway = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)",
            &values,
        )?;
    }
    Ok(())
}

fn note_doubles(db: &mut Db, gateways: &BTreeSet<String>) -> std::result::Result<(), DbError> {
    for gateway in gateways {
        let sql = "INSERT INTO double_use (gateway, noticed_ms) VALUES ($1, $2) \
                   ON CONFLICT (gateway) DO UPDATE SET noticed_ms = excluded.noticed_ms";
        db.execute(sql, &[Value::Text(gateway.clone()), Value::Int(now_ms())])?;
    }
    Ok(())
}

fn note_statuses(db: &mut Db, statuses: &Statuses) -> std::result::Result<(), DbError> {
    for (gateway, (json, retained)) in statuses {
        if *retained {
            // No sign of life, and its clock's time is as old as it is.
            let values = [gateway, json].map(|text| Value::Text(text.clone()));
            db.execute(
                "UPDATE gateway SET status = $2, status_ms = NULL WHERE name = $1",
                &values,
            )?;
            continue;
        }
        let values = [
            Value::Text(json.clone()),
            Value::Int(now_ms()),
            Value::Text(gateway.clone()),
        ];
        db.execute(
            "UPDATE gateway SET status = $1, last_seen_ms = $2, status_ms = $2 WHERE name = $3",
            &values,
        )?;
    }
    Ok(())
}

/// One acknowledgement for each outbox, of exactly the ids that are committed.
fn acknowledgements(bursts: &[Burst], outcome: &Outcome) -> Vec<Outgoing> {
    let mut ids: BTreeMap<(&str, [u8; 16]), Vec<u64>> = BTreeMap::new();
    for (burst, _) in bursts
        .iter()
        .zip(&outcome.committed)
        .filter(|(_, committed)| **committed)
    {
        ids.entry((&burst.gateway, burst.outbox)).or_default().push(burst.id);
    }
    ids.into_iter()
        .map(|((gateway, outbox), ids)| Outgoing {
            topic: ack_topic(gateway),
            payload: Ack {
                outbox,
                ranges: from_ids(ids),
            }
            .encode(),
        })
        .collect()
}

/// Judges what was stored; what fails is judged again with the next batch.
#[derive(Default)]
struct Alarms {
    judge: Judge,
    waiting: Vec<Sample>,
    /// Devices that another server may have stored readings of and been killed before it judged them; nothing before
    /// the first look.
    earlier: Option<Vec<Sample>>,
    said: bool,
}

impl Alarms {
    fn judge(&mut self, db: &mut Db, samples: Vec<Sample>) {
        self.waiting.extend(samples);
        let mut attempt = || -> std::result::Result<(), DbError> {
            // A few with each batch: an hour of ten thousand sensors takes long to read, and gateways wait.
            let earlier = match &mut self.earlier {
                Some(earlier) => earlier,
                none => none.insert(recent(db)?),
            };
            let rest = earlier.len().saturating_sub(LOOK_BACK_AT_ONCE);
            self.waiting.extend(earlier.drain(rest..));
            match self.waiting.is_empty() {
                true => Ok(()),
                false => self.judge.judge(db, &self.waiting),
            }
        };
        match attempt() {
            Ok(()) => {
                self.waiting.clear();
                self.said = false;
            }
            Err(error) => {
                if !std::mem::replace(&mut self.said, true) {
                    log(&format!("alarms wait for the database: {error}"));
                }
            }
        }
    }
}

/// A sample for each device that was heard of lately, with the counter that it had at the beginning of the look back.
fn recent(db: &mut Db) -> std::result::Result<Vec<Sample>, DbError> {
    let since_ms = now_ms() - ALARM_LOOK_BACK_MS;
    let rows = db.query(
        "SELECT e.device, e.rain_pulses, e.flags, e.highest, d.period_s FROM epoch e JOIN device d ON d.id = e.device \
         WHERE e.heard_ms >= $1 AND e.rain_pulses IS NOT NULL",
        &[Value::Int(since_ms)],
    )?;
    let sample = |row: &Row| {
        Some(Sample {
            device: u16::try_from(row.int(0)).ok()?,
            counter: row.int(3) - ALARM_LOOK_BACK_MS / 1000 / row.int(4).max(1),
            rain_pulses: row.int(1),
            flags: row.int(2),
        })
    };
    Ok(rows.iter().filter_map(sample).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_one_gateway_pushes_no_refusal_of_another_out() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let refuse = |db: &mut Db, gateway: &str, count: i64| {
            for id in 0..count {
                let values = [Value::Text(gateway.to_owned()), Value::Int(id)];
                let sql = "INSERT INTO refusal (received_ms, stored_ms, gateway, reason, outbox, outbox_id, position, \
                           bytes) VALUES (0, 0, $1, 'malformed', length($1), $2, 0, x'00')";
                db.execute(sql, &values).expect("refused");
            }
        };
        refuse(&mut db, "quiet", 3);
        refuse(&mut db, "flooded", 500);
        refuse(&mut db, "other one", 20);
        trim_refusals(&mut db, 10).expect("trimmed");
        let sql = "SELECT gateway, COUNT(*), MIN(outbox_id) FROM refusal GROUP BY gateway ORDER BY gateway";
        let rows = db.query(sql, &[]).expect("counted");
        let kept: Vec<_> = rows.iter().map(|row| (row.text(0), row.int(1), row.int(2))).collect();
        assert_eq!(kept, [("flooded", 10, 490), ("other one", 10, 10), ("quiet", 3, 0)]);
    }
}
