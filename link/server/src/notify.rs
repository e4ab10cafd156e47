//! Tells people and programs what happens at the site, through an outbox in the database: no message is lost by a
//! restart, each is tried until it is taken, and servers that share the database share the work.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::conditions::{self, other_server, Condition, Machine, Open};
use crate::db::{Cells, Db, Result, Row, Value};
use crate::deliver::{deliver, Notice};
use crate::hex;
use crate::keys::random;
use crate::log::{log, now_ms};
use crate::notify_settings::{webhook, Notify};
use crate::schema::{set_setting, setting};
use link_language::Language;

const LOOK_EVERY: Duration = Duration::from_secs(5);
/// A server that took a message and was killed gives it up after so long.
const LEASE_MS: i64 = 60_000;
const RETRY_FIRST_MS: i64 = 5_000;
const RETRY_LAST_MS: i64 = 600_000;
const DELIVERIES_AT_ONCE: u32 = 50;
/// A channel that takes longer leaves the others their turn, and has its own again with the next look.
const TURN: Duration = Duration::from_secs(10);
/// The site's name in messages, drawn once.
const SITE: &str = "notify_site";
/// When a server looked last; its name stands behind this.
const LOOKED: &str = "notify_looked_";
const LOOKED_EVERY_MS: i64 = 600_000;
/// A server that has not looked for so long is gone.
const GONE_MS: i64 = 86_400_000;
/// Alarms up to this number were told.
const LAST_ALARM: &str = "notify_alarm";

/// What was said last of each channel.
type Said = HashMap<String, String>;

/// Until the program ends. `server`: the name of this one among the site's servers.
pub fn run(database: &str, server: &str, folder: &Path, settings: &Notify) {
    let mut db: Option<Db> = None;
    let mut said = Said::new();
    let machine = Machine { server, folder };
    loop {
        let mut attempt = || -> Result<()> {
            let db = match &mut db {
                Some(db) => db,
                none => {
                    let db = none.insert(Db::open(database)?);
                    name_webhooks(db, settings)?;
                    db
                }
            };
            look(db, &machine, settings, now_ms())?;
            send(db, settings, &mut said)
        };
        if attempt().is_err() {
            db = None; // the thread that stores says what is wrong with the database
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// What a version before this one has left is for webhooks by their places in site.toml, from 0 on.
fn name_webhooks(db: &mut Db, settings: &Notify) -> Result<()> {
    for (place, url) in settings.webhooks.iter().enumerate() {
        let values = [Value::Text(webhook(url)), Value::Text(format!("webhook {place}"))];
        db.execute("UPDATE message SET channel = $1 WHERE channel = $2", &values)?;
    }
    Ok(())
}

/// Notes what began and what ended since the last look, with a message for each channel.
fn look(db: &mut Db, machine: &Machine<'_>, settings: &Notify, now_ms: i64) -> Result<()> {
    let last = setting(db, LAST_ALARM)?.and_then(|text| text.parse().ok());
    let last: i64 = match last {
        Some(last) => last,
        // A site that begins to notify does not tell of old alarms.
        None => db
            .query("SELECT COALESCE(MAX(number), 0) FROM alarm", &[])?
            .first()
            .map_or(0, |row| row.int(0)),
    };
    let open = db.query("SELECT key, number FROM notice WHERE ended_ms IS NULL", &[])?;
    let open: Open = open.iter().map(|row| (row.text(0).to_owned(), row.int(1))).collect();
    let found = conditions::read(db, machine, settings, &open, last, now_ms)?;
    let new: Vec<&Condition> = found
        .iter()
        .filter(|condition| !open.contains_key(&condition.key))
        .collect();
    let lasting: HashSet<&str> = found
        .iter()
        .filter(|one| !one.is_over)
        .map(|one| one.key.as_str())
        .collect();
    let number_of = |key: &str| key.strip_prefix("alarm ").and_then(|number| number.parse::<i64>().ok());
    let newest = found
        .iter()
        .filter_map(|condition| number_of(&condition.key))
        .max()
        .unwrap_or(last)
        .max(last);
    note_looking(db, machine.server, now_ms)?;
    let mut over = Vec::new();
    for (key, number) in open.iter().filter(|(key, _)| !lasting.contains(key.as_str())) {
        // What only another server sees is that one's to end, as long as it is there.
        if !is_looking(db, other_server(key, machine.server), now_ms)? {
            over.push(*number);
        }
    }
    if new.is_empty() && over.is_empty() && newest == last {
        return Ok(());
    }
    let channels = settings.channels();
    db.transaction(|db| {
        set_setting(db, LAST_ALARM, &newest.to_string())?;
        for condition in new {
            begin(db, condition, &channels, now_ms)?;
        }
        over.iter().try_for_each(|number| end(db, *number, &channels, now_ms))
    })
}

/// When a server looked last, to ten minutes.
fn looked_ms(db: &mut Db, server: &str) -> Result<Option<i64>> {
    let text = setting(db, &format!("{LOOKED}{server}"))?;
    Ok(text.and_then(|text| text.parse().ok()))
}

fn note_looking(db: &mut Db, server: &str, now_ms: i64) -> Result<()> {
    let noted = looked_ms(db, server)?.is_some_and(|noted_ms| (now_ms - noted_ms).abs() < LOOKED_EVERY_MS);
    match noted {
        true => Ok(()),
        false => set_setting(db, &format!("{LOOKED}{server}"), &now_ms.to_string()),
    }
}

fn is_looking(db: &mut Db, server: Option<&str>, now_ms: i64) -> Result<bool> {
    let looked = server.map_or(Ok(None), |server| looked_ms(db, server))?;
    Ok(looked.is_some_and(|looked_ms| now_ms - looked_ms < GONE_MS))
}

fn begin(db: &mut Db, condition: &Condition, channels: &[String], now_ms: i64) -> Result<()> {
    let values = [
        Value::Text(condition.key.clone()),
        Value::Text(condition.kind.to_owned()),
        Value::Int(condition.rank),
        Value::Text(condition.place.clone()),
        Value::Text(condition.headline.clone()),
        Value::Text(condition.detail.clone()),
        Value::Int(condition.since_ms),
        Value::Int(now_ms),
    ];
    // Another server may have noted it.
    let sql = "INSERT INTO notice (key, kind, rank, place, headline, detail, since_ms, raised_ms) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING number";
    if let Some(row) = db.query_one(sql, &values)? {
        add_messages(db, row.int(0), "begin", channels, now_ms)?;
        if condition.is_over {
            end(db, row.int(0), channels, now_ms)?;
        }
    }
    Ok(())
}

fn end(db: &mut Db, number: i64, channels: &[String], now_ms: i64) -> Result<()> {
    let sql = "UPDATE notice SET ended_ms = $1 WHERE number = $2 AND ended_ms IS NULL";
    if db.execute(sql, &[Value::Int(now_ms), Value::Int(number)])? == 1 {
        add_messages(db, number, "end", channels, now_ms)?;
    }
    Ok(())
}

fn add_messages(db: &mut Db, notice: i64, part: &str, channels: &[String], now_ms: i64) -> Result<()> {
    for channel in channels {
        db.execute(
            "INSERT INTO message (notice, part, channel, next_ms) VALUES ($1, $2, $3, $4)",
            &[
                Value::Int(notice),
                Value::Text(part.to_owned()),
                Value::Text(channel.clone()),
                Value::Int(now_ms),
            ],
        )?;
    }
    Ok(())
}

/// Sends what is due, by each channel of this server in turn. One that takes nothing holds up no other.
fn send(db: &mut Db, settings: &Notify, said: &mut Said) -> Result<()> {
    // What a version before this one has left is for all addresses at once.
    let earlier = settings.mail.iter().map(|_| "mail".to_owned());
    settings
        .channels()
        .into_iter()
        .chain(earlier)
        .try_for_each(|channel| send_by(db, settings, &channel, said))
}

/// Alarms first. An end waits until its beginning has been taken by the same channel.
fn send_by(db: &mut Db, settings: &Notify, channel: &str, said: &mut Said) -> Result<()> {
    let due = db.query(
        &format!(
            "SELECT m.number, m.part, m.channel, m.tries, m.next_ms, n.number, n.kind, n.rank, n.place, n.headline, \
             n.detail, n.since_ms, n.raised_ms, n.ended_ms FROM message m JOIN notice n ON n.number = m.notice \
             WHERE m.next_ms <= $1 AND m.channel = $2 AND NOT EXISTS (SELECT 1 FROM message b \
             WHERE b.notice = m.notice AND b.channel = m.channel AND b.number < m.number) \
             ORDER BY CASE WHEN n.kind = 'alarm' THEN 0 ELSE 1 END, m.number LIMIT {DELIVERIES_AT_ONCE}"
        ),
        &[Value::Int(now_ms()), Value::Text(channel.to_owned())],
    )?;
    if due.is_empty() {
        return Ok(());
    }
    let site = site_name(db)?;
    let began = Instant::now();
    for row in &due {
        if began.elapsed() > TURN {
            break;
        }
        // Taken by this server, unless another was faster.
        let lease = [
            Value::Int(now_ms() + LEASE_MS),
            Value::Int(row.int(0)),
            Value::Int(row.int(4)),
        ];
        if db.execute(
            "UPDATE message SET next_ms = $1 WHERE number = $2 AND next_ms = $3",
            &lease,
        )? == 0
        {
            continue;
        }
        match deliver(settings, channel, &notice(row, &site, settings.language)) {
            Ok(()) => {
                db.execute("DELETE FROM message WHERE number = $1", &[Value::Int(row.int(0))])?;
                said.remove(channel);
            }
            Err(reason) => {
                let tries = row.int(3) + 1;
                db.execute(
                    "UPDATE message SET tries = $1, next_ms = $2 WHERE number = $3",
                    &[
                        Value::Int(tries),
                        Value::Int(now_ms() + pause_after_ms(tries)),
                        Value::Int(row.int(0)),
                    ],
                )?;
                let text = format!("{channel} does not take messages, which wait: {reason}");
                if said.get(channel) != Some(&text) {
                    log(&text);
                    said.insert(channel.to_owned(), text);
                }
            }
        }
    }
    Ok(())
}

/// Until a message is tried again that was refused so often.
fn pause_after_ms(tries: i64) -> i64 {
    RETRY_LAST_MS.min(RETRY_FIRST_MS << (tries - 1).clamp(0, 12))
}

fn notice(row: &Row, site: &str, language: Language) -> Notice {
    Notice {
        number: row.int(5),
        kind: row.text(6).to_owned(),
        rank: row.int(7),
        place: row.text(8).to_owned(),
        headline: row.text(9).to_owned(),
        detail: row.text(10).to_owned(),
        since_ms: row.int(11),
        raised_ms: row.int(12),
        ended_ms: row.optional_int(13),
        is_end: row.text(1) == "end",
        site: site.to_owned(),
        language,
    }
}

/// Names this site for whoever gets its messages, drawn once.
pub fn site_name(db: &mut Db) -> Result<String> {
    if let Some(name) = setting(db, SITE)? {
        return Ok(name);
    }
    let drawn = random::<8>().map_err(|error| crate::db::DbError(error.0))?;
    let values = [
        Value::Text(SITE.into()),
        Value::Text(format!("bancada-link-{}", hex::encode(&drawn))),
    ];
    db.execute(
        "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        &values,
    )?;
    Ok(setting(db, SITE)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<i64> = [1, 2, 3, 7, 8, 1000, i64::MAX].map(pause_after_ms).to_vec();
        assert_eq!(pauses, [5_000, 10_000, 20_000, 320_000, 600_000, 600_000, 600_000]);
    }

    /// What is noted is told in the order in which it came, and what began and ended between two looks has both.
    #[test]
    fn an_alarm_that_ended_between_two_looks_is_told_with_its_end_and_an_old_one_not_at_all() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let settings = Notify {
            webhooks: vec!["http://localhost".into()],
            free_disk_mb: 0,
            ..Notify::default()
        };
        let alarm = |db: &mut Db, cleared: &str| {
            let sql =
                "INSERT INTO alarm (device, raised_ms, cleared_ms, threshold_mm_per_hour, peak_mm_per_hour) VALUES";
            db.batch(&format!("{sql} (1, 5, {cleared}, 30.0, 40.0)"))
                .expect("an alarm");
        };
        let machine = Machine {
            server: "server",
            folder: Path::new("/nonexistent"),
        };
        alarm(&mut db, "6");
        look(&mut db, &machine, &settings, 100).expect("looked");
        assert_eq!(db.query("SELECT 1 FROM notice", &[]).expect("read").len(), 0);
        set_setting(&mut db, LAST_ALARM, "1").expect("set");
        alarm(&mut db, "7");
        alarm(&mut db, "NULL");
        for now_ms in [200, 300] {
            look(&mut db, &machine, &settings, now_ms).expect("looked");
        }
        let rows = db.query(
            "SELECT n.key, m.part FROM message m JOIN notice n ON n.number = m.notice ORDER BY m.number",
            &[],
        );
        let told: Vec<String> = rows
            .expect("read")
            .iter()
            .map(|row| format!("{} {}", row.text(0), row.text(1)))
            .collect();
        assert_eq!(told, ["alarm 2 begin", "alarm 2 end", "alarm 3 begin"]);
    }

    fn open_keys(db: &mut Db) -> Vec<String> {
        let rows = db.query("SELECT key FROM notice WHERE ended_ms IS NULL ORDER BY key", &[]);
        rows.expect("read").iter().map(|row| row.text(0).to_owned()).collect()
    }

    /// Two servers on two machines share a database: the disk of one is full, and that of the other is not.
    #[test]
    fn no_server_ends_what_only_another_one_sees() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let full = Notify {
            free_disk_mb: u64::MAX,
            ..Notify::default()
        };
        let well = Notify {
            free_disk_mb: 0,
            ..Notify::default()
        };
        let folder = Path::new("/");
        let (first, second) = (
            Machine {
                server: "server",
                folder,
            },
            Machine {
                server: "server-2",
                folder,
            },
        );
        // As a version before this one noted it.
        db.batch(
            "INSERT INTO notice (key, kind, rank, place, headline, detail, since_ms, raised_ms) \
             VALUES ('disk /', 'disk', 0, '', '', '', 1, 1)",
        )
        .expect("noted");
        look(&mut db, &second, &full, 100).expect("looked");
        look(&mut db, &first, &well, 200).expect("looked");
        assert_eq!(open_keys(&mut db), ["disk server-2 /"]);
        // One that is gone for good leaves nothing behind.
        look(&mut db, &first, &well, 100 + GONE_MS).expect("looked");
        assert_eq!(open_keys(&mut db), [""; 0]);
        look(&mut db, &second, &full, 200 + GONE_MS).expect("looked");
        look(&mut db, &first, &well, 300 + GONE_MS).expect("looked");
        assert_eq!(open_keys(&mut db), ["disk server-2 /"]);
        look(
            &mut db,
            &second,
            &Notify {
                free_disk_mb: 0,
                ..full
            },
            400 + GONE_MS,
        )
        .expect("looked");
        // Well above its limit only.
        let free_mb = rustix::fs::statvfs("/").map(|disk| (disk.f_bavail * disk.f_frsize) >> 20);
        let is_well_above = free_mb.is_ok_and(|free_mb| free_mb >= 100);
        assert_eq!(open_keys(&mut db).is_empty(), is_well_above);
    }

    /// A webhook that takes everything; what it took, in order.
    fn webhook_end() -> (String, std::sync::mpsc::Receiver<String>) {
        use std::io::{Read, Write};
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", socket.local_addr().expect("its address"));
        let (told, taken) = std::sync::mpsc::channel();
        thread::spawn(move || {
            for stream in socket.incoming() {
                let mut stream = stream.expect("a connection");
                let mut text = String::new();
                let mut bytes = [0; 4096];
                // The JSON is the last of it.
                while !text.ends_with('}') {
                    let count = stream.read(&mut bytes).expect("read");
                    text.push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
                told.send(text).expect("told");
                let answer = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                stream.write_all(answer.as_bytes()).expect("answered");
            }
        });
        (url, taken)
    }

    fn condition(key: String, kind: &'static str) -> Condition {
        Condition {
            key,
            kind,
            rank: 0,
            place: String::new(),
            headline: String::new(),
            detail: String::new(),
            since_ms: 1,
            is_over: false,
        }
    }

    #[test]
    fn a_channel_that_takes_nothing_holds_up_no_other_and_alarms_go_first() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let nowhere = format!("http://{}/", nobody.local_addr().expect("its address"));
        drop(nobody);
        let (url, taken) = webhook_end();
        let settings = Notify {
            webhooks: vec![nowhere, url],
            ..Notify::default()
        };
        let channels = settings.channels();
        for id in 0..60 {
            let silent = condition(format!("silent sensor {id}"), "silent sensor");
            begin(&mut db, &silent, &channels[..1], 1).expect("noted");
        }
        let silent = condition("silent sensor 60".into(), "silent sensor");
        begin(&mut db, &silent, &channels, 1).expect("noted");
        begin(&mut db, &condition("alarm 1".into(), "alarm"), &channels, 1).expect("noted");
        // Of a server that has another site.toml.
        begin(&mut db, &condition("disk x".into(), "disk"), &["mail".to_owned()], 1).expect("noted");
        let mut said = Said::new();
        send(&mut db, &settings, &mut said).expect("looked");
        assert!(taken.recv().expect("taken").contains("\"kind\":\"alarm\""));
        assert!(taken.recv().expect("taken").contains("\"kind\":\"silent sensor\""));
        let left = |db: &mut Db, channel: &str| {
            let sql = "SELECT MAX(tries) FROM message WHERE channel = $1";
            db.query_one(sql, &[Value::Text(channel.into())])
                .expect("read")
                .map(|row| row.optional_int(0))
        };
        assert_eq!(left(&mut db, &channels[0]), Some(Some(1)));
        assert_eq!(left(&mut db, &channels[1]), Some(None));
        assert_eq!(left(&mut db, "mail"), Some(Some(0)));
        assert_eq!(said.keys().collect::<Vec<_>>(), [&channels[0]]);
    }

    /// Three webhooks are away with a message each. The first is removed from site.toml, and then the second: what waits
    /// for them goes to nobody else.
    #[test]
    fn what_waits_for_a_webhook_that_is_removed_goes_to_no_other() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let (url, taken) = webhook_end();
        let with = |webhooks: &[&str]| Notify {
            webhooks: webhooks.iter().map(|url| (*url).to_owned()).collect(),
            ..Notify::default()
        };
        let urls = ["http://127.0.0.1:1/a", "http://127.0.0.1:1/b", url.as_str()];
        for (at, channel) in with(&urls).channels().into_iter().enumerate() {
            let key = format!("silent sensor {at}");
            begin(&mut db, &condition(key, "silent sensor"), &[channel], 1).expect("noted");
        }
        let mut said = Said::new();
        send(&mut db, &with(&urls[1..]), &mut said).expect("sent");
        assert!(taken.recv().expect("taken").contains("\"number\":3"));
        for webhooks in [&urls[1..], &urls[2..]] {
            db.batch("UPDATE message SET next_ms = 0").expect("due");
            send(&mut db, &with(webhooks), &mut said).expect("sent");
        }
        assert!(taken.try_recv().is_err(), "another one's message");
        let sql = "SELECT channel FROM message ORDER BY number";
        let rows = db.query(sql, &[]).expect("read");
        let waiting: Vec<&str> = rows.iter().map(|row| row.text(0)).collect();
        assert_eq!(waiting, with(&urls[..2]).channels());
    }

    #[test]
    fn what_the_version_before_left_keeps_its_webhook() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let settings = Notify {
            webhooks: vec!["http://a".into(), "http://b".into()],
            ..Notify::default()
        };
        for place in 0..3 {
            let channels = [format!("webhook {place}")];
            let key = format!("silent sensor {place}");
            begin(&mut db, &condition(key, "silent sensor"), &channels, 1).expect("noted");
        }
        name_webhooks(&mut db, &settings).expect("named");
        let rows = db
            .query("SELECT channel FROM message ORDER BY number", &[])
            .expect("read");
        let found: Vec<&str> = rows.iter().map(|row| row.text(0)).collect();
        // The third is another server's.
        assert_eq!(found, [webhook("http://a"), webhook("http://b"), "webhook 2".into()]);
    }
}
