//! What a sensor is told after its frames: the time, which frames are missing, one setting at a time, its next key.
//!
//! An answer is made of the newest frame of a device and is sent by the gateway that brought it, after the device's next
//! frame: only then it listens. Nothing is kept for an answer that gets lost. The next frame shows what the sensor knows,
//! and the next answer is made of that.

use std::collections::HashMap;

use link_wire::air::{self, Header, Order};
use link_wire::mqtt::{down_topic, Down, Forget};

use crate::db::{Cells, Db, Result, Value};
use crate::device_key::DeviceKey;
use crate::directory::Directory;
use crate::heard::Heard;
use crate::keys::{device_key, Seal};
use crate::message::Outgoing;
use crate::schema::bump_generation;
use crate::wanted::{self, Setting, Want};

/// A gateway's time is told on only if the frame came so soon after it: what was held back says nothing of now.
const FRESH_MS: i64 = 2_000;
/// A clock that is further off is told the time at once. It shows whole seconds, of a moment before it was sent.
const CLOCK_OFF_S: i64 = 3;
/// How often a clock that is right is told so. Slots of 455 ms hold for 6,285 s.
const CLOCK_EVERY_MS: i64 = 3_000_000;
/// How often a frame is asked for, and how often something is told in a row before it is told more rarely.
const MOST_ASKS: u8 = 3;
const EAGER: i64 = 10;
/// An answer goes with the next frame, and the one after that has the sensor's receipt.
const EAGER_FRAMES: u32 = 2;
const PATIENT_FRAMES: u32 = 16;
/// Each answer is two records in the sensor's EEPROM, whose ring goes round in eight: with 200 answers a day a cell is
/// written 25 times a day, and lasts for ten years. So many may come in a row.
const ANSWER_EVERY_MS: i64 = 432_000;
const ANSWERS_IN_A_ROW: i64 = 100;
/// Neither a clock nor a sensor's word moves a number beyond this one. What is left above it never runs out; whoever
/// has a sensor's key could else use up the numbers, also those of the keys after it.
const HIGHEST_BY_WORD: i64 = 0xe000_0000;
/// So long after an answer was sent a gateway has it surely, and sends it with the next frame.
const AT_THE_GATEWAY_MS: i64 = 2_000;
/// From here on the sensor accepts nothing.
const NEVER: i64 = 0xffff_fffe;

/// What this server knows of a device besides the database: nothing is lost if it is forgotten.
#[derive(Default)]
struct Recent {
    clock_told_ms: Option<i64>,
    /// Counters that were asked for, and how often.
    asked: HashMap<u32, u8>,
    /// From this counter on something may be asked for, or told, again.
    ask_from: u32,
    tell_from: u32,
    /// When all answers so far would have been given, one after the other in their time.
    paid_until_ms: i64,
    waiting: Option<Waiting>,
}

/// An answer that a gateway keeps until it is told to let go of it, because made-up frames may have had it sent.
struct Waiting {
    gateway: String,
    number: u32,
    answers: u32,
    sent_ms: i64,
}

/// Its number, and what goes to the gateway.
type Answer = (u32, Vec<u8>);

#[derive(Default)]
pub struct Answers {
    recent: HashMap<u16, Recent>,
    /// Since when this server tells the time; not all clocks at once.
    began_ms: Option<i64>,
}

impl Answers {
    /// The answers to these frames, their numbers committed.
    pub fn answer(
        &mut self,
        db: &mut Db,
        directory: &Directory,
        seal: &Seal,
        heard: &[Heard],
        now_ms: i64,
    ) -> Result<Vec<Outgoing>> {
        let mut answers = Vec::new();
        for frame in heard {
            if let Some(orders) = frame.orders {
                number_above(db, frame.device, orders)?;
            }
            if frame.flags & air::FLAG_LISTENS == 0 {
                continue;
            }
            let device = directory.devices.get(&frame.device);
            let key = device.and_then(|device| device.keys.iter().find(|key| key.epoch == frame.epoch));
            let Some(key) = key.filter(|_| device.is_some_and(|device| !device.revoked)) else {
                continue;
            };
            let answer = self.one(db, directory, seal, frame, key, now_ms)?;
            let recent = self.recent.entry(frame.device).or_default();
            answers.extend(recent.let_go(frame, answer.as_ref(), now_ms));
            if let Some((number, payload)) = answer {
                recent.waiting = Some(Waiting {
                    gateway: frame.gateway.clone(),
                    number,
                    answers: frame.counter,
                    sent_ms: now_ms,
                });
                answers.push(Outgoing {
                    topic: down_topic(&frame.gateway),
                    payload,
                });
            }
        }
        Ok(answers)
    }

    fn one(
        &mut self,
        db: &mut Db,
        directory: &Directory,
        seal: &Seal,
        frame: &Heard,
        key: &DeviceKey,
        now_ms: i64,
    ) -> Result<Option<Answer>> {
        let wants = if directory.waiting.contains(&frame.device) {
            settle(db, frame, now_ms)?
        } else {
            Vec::new()
        };
        let began_ms = *self.began_ms.get_or_insert(now_ms);
        let recent = self.recent.entry(frame.device).or_default();
        if frame.counter < recent.tell_from.saturating_sub(2 * PATIENT_FRAMES) {
            // A new key, whose counters begin anew.
            *recent = Recent {
                paid_until_ms: recent.paid_until_ms,
                waiting: recent.waiting.take(),
                ..Recent::default()
            };
        }
        let is_on_trial = frame.flags & air::FLAG_ON_TRIAL != 0;
        if is_on_trial && !may_confirm(db, frame, &wants)? {
            return Ok(None);
        }
        let is_urgent = is_on_trial || wants.first().is_some_and(|want| want.told < EAGER);
        if !is_urgent && !recent.may_answer(now_ms) {
            return Ok(None);
        }
        let want = wants
            .first()
            .filter(|_| frame.counter >= recent.tell_from && !is_on_trial);
        if let Some(want) = want {
            let pause = if want.told < EAGER {
                EAGER_FRAMES
            } else {
                PATIENT_FRAMES
            };
            recent.tell_from = frame.counter.saturating_add(pause);
        }
        if let Some(want) = want.filter(|want| want.setting == Setting::Key) {
            recent.pay(now_ms);
            return next_key(db, seal, frame, key, want, now_ms);
        }
        let missing = recent.missing(frame);
        let is_fresh = (now_ms - frame.received_ms).abs() <= FRESH_MS;
        let tells_time = is_fresh && recent.needs_time(frame, began_ms, now_ms);
        let sets_clock = want.is_some_and(|want| want.setting == Setting::Clock) && is_fresh;
        let setting = want.and_then(|want| want.setting.on_air(want.value));
        if missing == 0 && !tells_time && !sets_clock && !is_on_trial && setting.is_none() {
            return Ok(None);
        }
        recent.pay(now_ms);
        if is_fresh {
            recent.clock_told_ms = Some(now_ms);
        }
        let (setting_number, value) = setting.unwrap_or((0, 0));
        let order = Order {
            answers: frame.counter,
            time_ms: is_fresh.then(|| u64::try_from(frame.received_ms).unwrap_or(0)),
            whatever_it_shows: sets_clock,
            missing,
            setting: setting_number,
            value,
        };
        let number = draw_number(db, frame, now_ms, want)?;
        Ok(number.and_then(|number| sealed(frame, key, air::TYPE_ORDER, number, order.encode())))
    }
}

impl Recent {
    /// Tells a gateway that the device was heard after it could have had what waits there: by a frame after the answer
    /// was there, or by the second one since; or that what waits is of no use, because another gateway gets the next.
    fn let_go(&mut self, frame: &Heard, answer: Option<&Answer>, now_ms: i64) -> Option<Outgoing> {
        let waiting = self.waiting.as_ref()?;
        let is_replaced = answer.is_some() && waiting.gateway == frame.gateway;
        let could_have = frame.counter > waiting.answers && now_ms - waiting.sent_ms >= AT_THE_GATEWAY_MS
            || frame.counter >= waiting.answers.saturating_add(2);
        if is_replaced || (answer.is_none() && !could_have) {
            return None;
        }
        let forget = Forget {
            device: frame.device,
            number: waiting.number,
        };
        let topic = down_topic(&waiting.gateway);
        self.waiting = None;
        Some(Outgoing {
            topic,
            payload: forget.encode(),
        })
    }

    fn may_answer(&self, now_ms: i64) -> bool {
        self.paid_until_ms <= now_ms + (ANSWERS_IN_A_ROW - 1) * ANSWER_EVERY_MS
    }

    fn pay(&mut self, now_ms: i64) {
        self.paid_until_ms = self.paid_until_ms.max(now_ms) + ANSWER_EVERY_MS;
    }

    /// Frames that are to be asked for, as an order says it.
    fn missing(&mut self, frame: &Heard) -> u32 {
        if frame.counter < self.ask_from {
            return 0;
        }
        self.asked
            .retain(|counter, _| frame.counter.wrapping_sub(*counter) <= air::MISSING_BITS);
        let mut missing: u32 = 0;
        for bit in 0..air::MISSING_BITS {
            let Some(counter) = frame
                .counter
                .checked_sub(1 + bit)
                .filter(|counter| *counter >= frame.base)
            else {
                break;
            };
            let times = self.asked.entry(counter).or_default();
            if frame.seen >> (bit + 1) & 1 == 0 && *times < MOST_ASKS {
                *times += 1;
                missing |= 1 << bit;
            }
        }
        if missing != 0 {
            // The order goes with the next frame, and then one of them comes in each period.
            self.ask_from = frame.counter.saturating_add(2 + missing.count_ones());
        }
        missing
    }

    fn needs_time(&self, frame: &Heard, began_ms: i64, now_ms: i64) -> bool {
        let off_s = (frame.received_ms / 1000 - frame.device_time_s).abs();
        let told_ms = self.clock_told_ms.unwrap_or_else(|| {
            // Not told since this server began: at some time within the interval, each device at its own.
            began_ms - i64::from(frame.device) * 7919 % CLOCK_EVERY_MS
        });
        frame.flags & air::FLAG_CLOCK_LOST_POWER != 0 || off_s >= CLOCK_OFF_S || now_ms - told_ms >= CLOCK_EVERY_MS
    }
}

/// Ends what the frame shows to be done or refused; what is left to be told, the most urgent first.
fn settle(db: &mut Db, frame: &Heard, now_ms: i64) -> Result<Vec<Want>> {
    let mut left = Vec::new();
    for want in wanted::open(db, frame.device)? {
        match verdict(&want, frame) {
            None => left.push(want),
            Some(done) => {
                db.transaction(|db| {
                    wanted::end(db, frame.device, &want, done, now_ms)?;
                    // What servers keep of a device besides the database.
                    bump_generation(db)
                })?;
            }
        }
    }
    Ok(left)
}

/// Whether a setting is in force (true) or refused (false); nothing if the frame does not tell.
fn verdict(want: &Want, frame: &Heard) -> Option<bool> {
    match want.setting {
        Setting::Key => (i64::from(frame.epoch) >= want.value).then_some(true),
        Setting::Clock => {
            let off_s = (frame.received_ms / 1000 - frame.device_time_s).abs();
            (want.told > 0 && off_s < CLOCK_OFF_S).then_some(true)
        }
        _ => {
            let echo = i64::from(frame.flags >> air::ORDER_SHIFT);
            let is_decided = want.is_received(echo) && frame.flags & air::FLAG_ON_TRIAL == 0;
            is_decided.then_some(frame.flags & air::FLAG_SETTING_REFUSED == 0)
        }
    }
}

/// Whether this frame shows that the new channel of a sensor is good. A gateway that listens on another channel cannot
/// have heard it there: somebody between them sends on what the sensor sends, and would send on the answer too.
fn may_confirm(db: &mut Db, frame: &Heard, wants: &[Want]) -> Result<bool> {
    let echo = i64::from(frame.flags >> air::ORDER_SHIFT);
    let tried = wants
        .iter()
        .find(|want| want.setting == Setting::Channel && want.is_received(echo));
    let Some(want) = tried else {
        return Ok(true);
    };
    let sql = "SELECT status FROM gateway WHERE name = $1 AND status IS NOT NULL";
    let row = db.query_one(sql, &[Value::Text(frame.gateway.clone())])?;
    let status: serde_json::Value = row
        .and_then(|row| serde_json::from_str(row.text(0)).ok())
        .unwrap_or_default();
    let listens_on = status["serial"]["microcontroller"]["channel"].as_i64();
    // Older firmware of gateways does not tell.
    Ok(listens_on.is_none_or(|channel| channel == want.value))
}

/// Draws the next number of a device, and notes which setting it tells. Numbers follow the server's clock, in seconds,
/// and never go back: so they are above all earlier ones even if the database came back from a backup. Their lowest eight
/// bits are the sensor's receipt: they differ from the last one, and from that of a sensor that has begun anew. Nothing
/// if there is no number left: one is never given twice.
fn draw_number(db: &mut Db, frame: &Heard, now_ms: i64, want: Option<&Want>) -> Result<Option<u32>> {
    db.transaction(|db| {
        let now_s = Value::Int((now_ms / 1000).min(HIGHEST_BY_WORD));
        let device = Value::Int(frame.device.into());
        db.execute(
            "INSERT INTO down (device, number) VALUES ($1, 0) ON CONFLICT DO NOTHING",
            std::slice::from_ref(&device),
        )?;
        let sql = "UPDATE down SET number = CASE WHEN number + 2 > $1 THEN number + 2 ELSE $1 END WHERE device = $2 \
                   RETURNING number";
        let mut number = 0;
        for _ in 0..3 {
            let row = db.query_one(sql, &[now_s.clone(), device.clone()])?;
            number = row.map_or(0, |row| row.int(0));
            let receipt = number & 0xff;
            if receipt != 0 && receipt != i64::from(frame.flags >> air::ORDER_SHIFT) {
                break;
            }
        }
        if number >= NEVER {
            return Ok(None);
        }
        if let Some(want) = want {
            wanted::tell(db, frame.device, want, number)?;
        }
        Ok(u32::try_from(number).ok())
    })
}

/// A sensor that has begun anew says below which number it accepts nothing.
fn number_above(db: &mut Db, device: u16, orders: u32) -> Result<()> {
    let values = [
        Value::Int(device.into()),
        Value::Int(i64::from(orders | 0xff).min(HIGHEST_BY_WORD)),
    ];
    db.execute(
        "INSERT INTO down (device, number) VALUES ($1, $2) ON CONFLICT (device) DO UPDATE SET number = \
         CASE WHEN down.number > excluded.number THEN down.number ELSE excluded.number END",
        &values,
    )?;
    Ok(())
}

/// The key of the next epoch, sealed under the present one.
fn next_key(
    db: &mut Db,
    seal: &Seal,
    frame: &Heard,
    key: &DeviceKey,
    want: &Want,
    now_ms: i64,
) -> Result<Option<Answer>> {
    let next = u8::try_from(want.value).ok().filter(|next| *next == frame.epoch + 1);
    let sql = "SELECT d.master FROM device d JOIN epoch e ON e.device = d.id WHERE d.id = $1 AND e.epoch = $2";
    let values = [Value::Int(frame.device.into()), Value::Int(want.value)];
    let row = db.query_one(sql, &values)?;
    let master = row.and_then(|row| seal.open(frame.device, row.bytes(0)));
    let (Some(next), Some(master)) = (next, master) else {
        return Ok(None);
    };
    let Some(number) = draw_number(db, frame, now_ms, Some(want))? else {
        return Ok(None);
    };
    let text = device_key(&master, next, key.suite);
    Ok(sealed(frame, key, air::TYPE_KEY, number, *text))
}

fn sealed(frame: &Heard, key: &DeviceKey, frame_type: u8, number: u32, text: [u8; 16]) -> Option<Answer> {
    let header = Header {
        frame_type,
        suite: key.suite.number(),
        epoch: frame.epoch,
        device: frame.device,
        counter: number,
    };
    let sealed = key.seal(header, text, frame.counter)?;
    Some((number, Down { frame: sealed.encode() }.encode()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    fn frame() -> Heard {
        Heard {
            gateway: "roof".into(),
            device: 7,
            epoch: 0,
            counter: 1,
            received_ms: 0,
            device_time_s: 0,
            flags: air::FLAG_LISTENS,
            orders: None,
            seen: 1,
            base: 0,
        }
    }

    fn database() -> Db {
        let mut db = Db::open(":memory:").expect("a database");
        schema::create(&mut db).expect("its tables");
        db.batch(
            "INSERT INTO device (id, name, master, slot, slots, period_s, channel) VALUES (7, '', x'00', 0, 0, 5, 23)",
        )
        .expect("a device");
        db
    }

    #[test]
    fn no_word_of_a_sensor_and_no_clock_uses_up_the_numbers() {
        let mut db = database();
        number_above(&mut db, 7, 0xffff_ff00).expect("noted");
        let first = draw_number(&mut db, &frame(), 1_800_000_000_000, None).expect("drawn");
        let second = draw_number(&mut db, &frame(), i64::MAX, None).expect("drawn");
        assert!(first > Some(HIGHEST_BY_WORD as u32) && second > first && second < Some(0xe000_0010));
    }

    #[test]
    fn a_number_is_never_given_twice() {
        let mut db = database();
        db.batch(&format!("INSERT INTO down (device, number) VALUES (7, {})", NEVER - 3))
            .expect("set");
        assert!(draw_number(&mut db, &frame(), 0, None).expect("drawn").is_some());
        assert_eq!(draw_number(&mut db, &frame(), 0, None).expect("drawn"), None);
    }

    #[test]
    fn a_channel_is_confirmed_by_a_gateway_that_listens_there_only() {
        let mut db = database();
        let on_trial = Heard {
            flags: air::FLAG_LISTENS | air::FLAG_ON_TRIAL | 77 << air::ORDER_SHIFT,
            ..frame()
        };
        let want = |setting: Setting| Want {
            setting,
            value: 5,
            told: 1,
            receipts: 77,
        };
        let mut at = |channel: &str, want: Want| {
            let status = format!("{{\"serial\": {{\"microcontroller\": {channel}}}}}");
            let sql = format!(
                "INSERT INTO gateway (name, serial, status) VALUES ('roof', '', '{status}') ON CONFLICT (name) DO \
                 UPDATE SET status = excluded.status"
            );
            db.batch(&sql).expect("noted");
            may_confirm(&mut db, &on_trial, &[want]).expect("looked up")
        };
        assert!(at("{\"channel\": 5}", want(Setting::Channel)));
        assert!(!at("{\"channel\": 23}", want(Setting::Channel)));
        assert!(at("{\"channel\": 23}", want(Setting::Power)));
        assert!(at("{\"channel\": null}", want(Setting::Channel)) && at("null", want(Setting::Channel)));
    }

    #[test]
    fn a_gateway_lets_go_of_what_the_device_could_have_had() {
        let at = |counter: u32| Heard { counter, ..frame() };
        let waits = || Recent {
            waiting: Some(Waiting {
                gateway: "roof".into(),
                number: 500,
                answers: 10,
                sent_ms: 1_000,
            }),
            ..Recent::default()
        };
        let forget = Forget { device: 7, number: 500 }.encode();
        let let_go = |frame: &Heard, answer: Option<&Answer>, now_ms: i64| {
            let told = waits().let_go(frame, answer, now_ms);
            told.map(|told| (told.topic, told.payload))
        };
        let expected = Some(("link/roof/down".to_owned(), forget));
        // The next frame may have been on its way already when the answer came to the gateway.
        assert_eq!(let_go(&at(11), None, 2_999), None);
        assert_eq!(let_go(&at(11), None, 3_000), expected);
        assert_eq!(let_go(&at(12), None, 1_500), expected);
        // A frame that was sent again says nothing.
        assert_eq!(let_go(&at(10), None, 90_000), None);
        // A newer answer takes the place of this one, but not at another gateway.
        let newer = (502, vec![1]);
        assert_eq!(let_go(&at(11), Some(&newer), 9_000), None);
        let elsewhere = Heard {
            gateway: "hill".into(),
            ..at(11)
        };
        assert_eq!(let_go(&elsewhere, Some(&newer), 1_001), expected);
    }

    #[test]
    fn answers_that_never_help_become_rare() {
        let mut recent = Recent::default();
        let day_ms = 86_400_000;
        let answered = |recent: &mut Recent, begin_ms: i64| {
            let frames = (0..day_ms / 5_000).map(|at| begin_ms + at * 5_000);
            let told = frames.filter(|now_ms| {
                let may = recent.may_answer(*now_ms);
                if may {
                    recent.pay(*now_ms);
                }
                may
            });
            told.count() as i64
        };
        let first = answered(&mut recent, day_ms * 20_000);
        let second = answered(&mut recent, day_ms * 20_001);
        assert!((290..=301).contains(&first), "{first}");
        assert!((199..=201).contains(&second), "{second}");
    }
}
