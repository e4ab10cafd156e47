//! What is deleted is never accepted again, and nothing else is decided differently because of it.

use super::*;
use crate::directory::{Device, DeviceKey, Directory};
use crate::epochs::Epochs;
use crate::ingest::{ingest, Burst};
use crate::outboxes::Outboxes;
use crate::suite::{Opener, Suite};
use link_wire::air;

const KEYS: [[u8; 16]; 2] = [[0x5a; 16], [0xa5; 16]];
const DEVICE: u16 = 7;
const FIRST: Month = Month(680);

struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A database of its own, with the device in it, and who stores into it.
struct Store {
    db: Db,
    directory: Directory,
    outboxes: Outboxes,
    epochs: Epochs,
}

impl Store {
    fn new() -> Store {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        db.batch(&format!(
            "INSERT INTO device (id, name, master, slot, slots, period_s, channel) VALUES ({DEVICE}, '', x'', 0, 0, \
             5, 0); \
             INSERT INTO epoch (device, epoch, suite) VALUES ({DEVICE}, 0, 1), ({DEVICE}, 1, 1)"
        ))
        .expect("a device");
        let keys = KEYS
            .iter()
            .zip(0..)
            .filter_map(|(key, epoch)| DeviceKey::new(DEVICE, epoch, Suite::Ascon, key));
        let mut directory = Directory {
            generation: "0".into(),
            ..Directory::default()
        };
        directory.devices.insert(
            DEVICE,
            Device {
                revoked: false,
                keys: keys.collect(),
            },
        );
        let gateways = ["near", "far", "seldom"].map(|name| (name.to_owned(), true));
        directory.gateways.extend(gateways);
        Store {
            db,
            directory,
            outboxes: Outboxes::default(),
            epochs: Epochs::default(),
        }
    }

    /// How many of these bursts become readings.
    fn store(&mut self, bursts: &[Burst], month: Month) -> usize {
        let now_ms = month.begin_ms() + 1;
        crate::schema::note_month(&mut self.db, month).expect("noted");
        let outboxes = &mut self.outboxes;
        ingest(
            &mut self.db,
            &self.directory,
            outboxes,
            &mut self.epochs,
            None,
            bursts,
            now_ms,
        )
        .expect("stored")
        .stored
    }

    fn readings(&mut self) -> i64 {
        self.db.query("SELECT COUNT(*) FROM reading", &[]).expect("counted")[0].int(0)
    }
}

fn burst(gateway: &str, id: u64, epoch: u8, counter: u32) -> Burst {
    let header = air::Header {
        frame_type: air::TYPE_DATA,
        suite: Suite::Ascon.number(),
        epoch,
        device: DEVICE,
        counter,
    };
    let opener = Opener::new(Suite::Ascon, &KEYS[usize::from(epoch)]);
    let frame = opener.seal(header, [1; 16]).expect("sealed");
    Burst {
        gateway: gateway.to_owned(),
        outbox: [gateway.len() as u8; 16],
        id,
        received_ms: 0,
        bytes: [frame.header_bytes.as_slice(), &frame.ciphertext, &frame.tag].concat(),
    }
}

/// Two years with a gateway that is always there, one that is away for months and one that seldom hears anything, a
/// rotation, bursts sent again, and an attacker who records, holds back and replays. The same with and without
/// retention.
#[test]
fn nothing_is_decided_differently_because_readings_were_deleted() {
    for seed in 1..=6 {
        let mut chance = Chance(seed);
        let (mut all, mut kept) = (Store::new(), Store::new());
        let mut sent: Vec<(u8, u32)> = Vec::new();
        let mut delivered: Vec<Burst> = Vec::new();
        let mut waiting: Vec<Burst> = Vec::new();
        let (mut near_id, mut far_id, mut seldom_id) = (0, 0, 0);
        let mut accepted = 0;
        for at in 0..24 {
            let month = FIRST.plus(at);
            let epoch = u8::from(at >= 13);
            let away = (3..6).contains(&(at % 9));
            let mut tell = |bursts: &[Burst]| {
                let right = all.store(bursts, month);
                assert_eq!(kept.store(bursts, month), right, "seed {seed}, month {at}");
                accepted += right;
            };
            if !away {
                for some in std::mem::take(&mut waiting).chunks(16) {
                    tell(some);
                    delivered.extend_from_slice(some);
                }
            }
            for _ in 0..150 {
                let counter = sent.iter().filter(|(of, _)| *of == epoch).count() as u32;
                sent.push((epoch, counter));
                if chance.below(10) < 7 {
                    near_id += 1;
                    let fresh = burst("near", near_id, epoch, counter);
                    tell(std::slice::from_ref(&fresh));
                    delivered.push(fresh);
                }
                if chance.below(10) < 7 {
                    far_id += 1;
                    waiting.push(burst("far", far_id, epoch, counter));
                }
                if matches!(at, 0..=2 | 13..=14) {
                    if chance.below(2) == 0 {
                        seldom_id += 1;
                        tell(&[burst("seldom", seldom_id, epoch, counter)]);
                    }
                } else if chance.below(6) == 0 {
                    // Some of these no gateway ever heard: they were held back on the air.
                    let (epoch, counter) = sent[chance.below(sent.len() as u64) as usize];
                    seldom_id += 1;
                    tell(&[burst("seldom", seldom_id, epoch, counter)]);
                }
                if chance.below(4) == 0 {
                    // Recorded on the air, from any time, and brought to a gateway that hears it now.
                    let (epoch, counter) = sent[chance.below(sent.len() as u64) as usize];
                    near_id += 1;
                    tell(&[burst("near", near_id, epoch, counter)]);
                }
                if chance.below(8) == 0 && !delivered.is_empty() {
                    // The same burst again, as after an acknowledgement that was lost.
                    tell(&[delivered[chance.below(delivered.len() as u64) as usize].clone()]);
                }
            }
            kept.db
                .transaction(|db| set_setting(db, KEEP_MONTHS, "1"))
                .expect("set");
            look(&mut kept.db, false, month.begin_ms()).expect("looked");
        }
        assert!(accepted > 24 * 100, "{accepted}");
        assert_eq!(all.readings(), accepted as i64);
        assert!(kept.readings() < 1200, "{}", kept.readings());
    }
}

#[test]
fn months_are_counted_by_readings_and_not_by_a_clock_that_leaps() {
    let mut store = Store::new();
    set_setting(&mut store.db, KEEP_MONTHS, "2").expect("set");
    for at in 0..5 {
        let month = FIRST.plus(at);
        let bursts: Vec<Burst> = (0..10)
            .map(|id| burst("near", 1 + id + 10 * at as u64, 0, id as u32 + 10 * at as u32))
            .collect();
        assert_eq!(store.store(&bursts, month), 10);
        look(&mut store.db, false, month.begin_ms()).expect("looked");
        assert_eq!(store.readings(), 10 * (at + 1).min(3));
    }
    // The clock is a century ahead: one month more, and the oldest goes.
    let century = FIRST.plus(1200);
    look(&mut store.db, false, century.begin_ms()).expect("looked");
    assert_eq!(store.readings(), 30);
    assert_eq!(store.store(&[burst("near", 900, 0, 900)], century), 1);
    look(&mut store.db, false, century.begin_ms()).expect("looked");
    assert_eq!(store.readings(), 21);
    // Nothing is deleted unless the operator said so.
    set_setting(&mut store.db, KEEP_MONTHS, "0").expect("set");
    store.store(&[burst("near", 901, 0, 901)], century.plus(1));
    look(&mut store.db, false, century.begin_ms()).expect("looked");
    assert_eq!(store.readings(), 22);
}
