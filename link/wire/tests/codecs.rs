//! The codecs against every damage of one frame, and against seeded random inputs.

#[path = "../fuzz/checks.rs"]
mod checks;

use checks::{check, frames_of};
use link_wire::air::{Boot, Data, Frame, Header};
use link_wire::burst::{Joiner, WAIT_MS};
use link_wire::mqtt::{gateway_of_topic, Ack, PayloadError, Up, UpWriter};
use link_wire::serial::{encode, Damage, Deframer, Payload, Status};

/// Xorshift64* (Vigna, 2014): the same inputs on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 32) % limit
    }

    /// Zeros, ones and small values often: what codecs stumble over.
    fn bytes(&mut self, length: u64) -> Vec<u8> {
        let plain = self.below(2) == 0;
        (0..length)
            .map(|_| match self.below(4) {
                0 if !plain => 0,
                1 if !plain => self.below(4) as u8,
                _ => self.next() as u8,
            })
            .collect()
    }

    fn payload(&mut self) -> Payload {
        let uptime_ms = self.next() as u32;
        match self.below(4) {
            0 => Payload::Status(Status {
                uptime_ms,
                chunks: self.below(300) as u32,
                bytes: self.next() as u32,
                overruns: self.below(3) as u16,
                module_restarts: 0,
                transmitted: uptime_ms / 3,
                refused: 2,
                channel: (self.below(2) == 0).then(|| self.below(128) as u8),
            }),
            1 => Payload::Paper {
                uptime_ms,
                plaintext: self.bytes(16).try_into().expect("16 bytes"),
            },
            _ => {
                let length = 1 + self.below(58);
                Payload::Received {
                    continues: self.below(2) == 0,
                    signal: self.below(2) == 0,
                    uptime_ms,
                    bytes: self.bytes(length),
                }
            }
        }
    }
}

fn encoded(payload: &Payload) -> Vec<u8> {
    let mut stream = Vec::new();
    encode(payload, &mut stream);
    stream
}

#[test]
fn seeded_inputs() {
    let mut random = Random(1);
    for _ in 0..60_000 {
        let length = random.below(200);
        let input = random.bytes(length);
        check(&input);
    }
    // Streams, payloads and scripts that begin well, so that the checks get beyond the first byte.
    for _ in 0..20_000 {
        let mut stream = vec![0];
        for _ in 0..random.below(4) {
            stream.extend(encoded(&random.payload()));
        }
        check(&stream);
        let mut up = vec![1, 1];
        up.extend(random.bytes(16));
        for _ in 0..random.below(4) {
            let length = 1 + random.below(80);
            up.extend(random.bytes(16));
            up.extend((length as u16).to_be_bytes());
            up.extend(random.bytes(length));
        }
        check(&up);
    }
}

/// Every bit flip, every truncation at either end, every lost and every doubled byte, of every kind of frame.
#[test]
fn damage_costs_one_frame_and_is_never_taken_for_another() {
    let mut random = Random(2);
    let (mut tried, mut wrong) = (0_u32, 0_u32);
    for _ in 0..700 {
        let [before, damaged, after, last] = std::array::from_fn(|_| random.payload());
        let good = encoded(&damaged);
        let mut cases: Vec<Vec<u8>> = Vec::new();
        for bit in 0..good.len() * 8 {
            let mut flipped = good.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            cases.push(flipped);
        }
        for cut in 1..good.len() {
            cases.push(good[..cut].to_vec());
            cases.push(good[cut..].to_vec());
            cases.push([&good[..cut], &good[cut + 1..]].concat());
            cases.push([&good[..cut], &good[cut - 1..]].concat());
        }
        for case in cases {
            tried += 1;
            // Without the zero at its end a frame takes the next one with it: that one is the frame that it costs.
            let whole_end = case.last() == Some(&0);
            let frames = frames_of(&[&encoded(&before), &case, &encoded(&after), &encoded(&last)]);
            let taken: Vec<&Payload> = frames.iter().flatten().collect();
            assert_eq!(taken.first(), Some(&&before));
            assert_eq!(taken.last(), Some(&&last));
            assert!(
                !whole_end || taken[..taken.len() - 1].last() == Some(&&after),
                "{case:02x?}"
            );
            wrong += taken
                .iter()
                .filter(|&&taken| ![&before, &damaged, &after, &last].contains(&taken))
                .count() as u32;
        }
    }
    // A 16-bit checksum lets one in 65,536 through where a flip moves the frame's structure; the server's tag stops
    // that one.
    assert!(tried > 200_000, "{tried}");
    assert!(u64::from(wrong) * 65_536 <= u64::from(tried) * 2, "{wrong} of {tried}");
}

/// A flip in the bytes that are received, and not in the framing's own, is always seen: any CRC sees single-bit errors.
#[test]
fn no_single_bit_error_of_the_payload_is_missed() {
    let bytes = vec![0x55; 58];
    let good = encoded(&Payload::Received {
        continues: false,
        signal: false,
        uptime_ms: 0x0101_0101,
        bytes,
    });
    let zero_free = 1 + 1..good.len() - 1;
    for bit in zero_free.start * 8..zero_free.end * 8 {
        let mut flipped = good.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(frames_of(&[&flipped]).iter().all(Result::is_err), "bit {bit}");
    }
}

#[test]
fn what_is_wrong_with_a_frame_is_named() {
    let framed = |payload: &[u8]| {
        // By the definitions, bit by bit: independent of the encoder under test.
        let mut crc = 0xffff_u16;
        for &byte in payload {
            crc ^= u16::from(byte) << 8;
            for _ in 0..8 {
                crc = if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 };
            }
        }
        let whole = [payload, &crc.to_be_bytes()].concat();
        let mut frame: Vec<u8> = whole
            .split(|&byte| byte == 0)
            .flat_map(|group| [&[group.len() as u8 + 1][..], group].concat())
            .collect();
        frame.push(0);
        frame
    };
    assert_eq!(
        frames_of(&[&framed(&[9, 1, 1, 1, 1, 1])]),
        [Err(Damage::Unknown { payload_type: 9 })]
    );
    assert_eq!(
        frames_of(&[&framed(&[1, 1, 1, 1, 1, 1])]),
        [Err(Damage::Length { payload_type: 1 })]
    );
    assert_eq!(
        frames_of(&[&framed(&[2, 1, 1, 1, 1, 1, 1])]),
        [Err(Damage::Length { payload_type: 2 })]
    );
    assert_eq!(
        frames_of(&[&framed(&[1, 1, 1, 1, 1, 1, 7])]),
        [Ok(Payload::Received {
            continues: true,
            signal: false,
            uptime_ms: 0x0101_0101,
            bytes: vec![7]
        })]
    );
    let mut too_long = vec![1, 1];
    too_long.resize(6 + 59, 3);
    assert!(frames_of(&[&framed(&too_long)])[0].is_err());
    assert_eq!(frames_of(&[&[7; 1000], &[0]]), [Err(Damage::TooLong)]);
    assert_eq!(frames_of(&[&[9, 1, 0]]), [Err(Damage::Framing)]);
    assert_eq!(frames_of(&[&[3, 5, 5, 0]]), [Err(Damage::Crc)]);
    assert_eq!(frames_of(&[&[0, 0, 0]]), []);
}

#[test]
fn a_stream_without_an_end_is_not_kept() {
    let mut deframer = Deframer::default();
    for _ in 0..10_000 {
        deframer.push(&[0xa5; 1000], |_| panic!("no frame ends here"));
    }
    assert!(format!("{deframer:?}").len() < 1000);
}

#[test]
fn a_continuation_is_waited_for_only_after_a_full_chunk() {
    let mut joiner = Joiner::default();
    let mut bursts = Vec::new();
    joiner.chunk(false, &[1; 57], 1000, 0, |burst| bursts.push(burst));
    assert_eq!((bursts.len(), joiner.deadline_ms()), (1, None));
    joiner.chunk(false, &[2; 58], 2000, 10, |burst| bursts.push(burst));
    assert_eq!((bursts.len(), joiner.deadline_ms()), (1, Some(10 + WAIT_MS)));
    joiner.flush(10 + WAIT_MS - 1, |burst| bursts.push(burst));
    assert_eq!(bursts.len(), 1);
    joiner.chunk(true, &[3; 6], 3000, 100, |burst| bursts.push(burst));
    assert_eq!((bursts[1].received_ms, bursts[1].bytes.len()), (2000, 64));
    // After something was lost, a continuation continues nothing.
    joiner.gap(|_| ());
    joiner.chunk(true, &[4; 6], 4000, 101, |burst| bursts.push(burst));
    assert_eq!(bursts[2].bytes, [4; 6]);
}

/// The layouts written out by hand from the description of the frame.
#[test]
fn the_air_frame_bit_by_bit() {
    let bytes: Vec<u8> = [0x11, 0x2f, 0x12, 0x34, 0xde, 0xad, 0xbe, 0xef]
        .into_iter()
        .chain(8..32)
        .collect();
    let frame = Frame::parse(&bytes).expect("a frame");
    let header = Header {
        frame_type: 1,
        suite: 2,
        epoch: 15,
        device: 0x1234,
        counter: 0xdead_beef,
    };
    assert_eq!(frame.header, header);
    assert_eq!(
        (frame.ciphertext[0], frame.ciphertext[15], frame.tag[0], frame.tag[7]),
        (8, 23, 24, 31)
    );
    assert_eq!(Frame::parse(&bytes[..31]), None);
    for first in (0..=255).filter(|first| first >> 4 != 1) {
        assert_eq!(
            Frame::parse(&[&[first], &bytes[1..]].concat()),
            None,
            "version of {first:#x}"
        );
    }
    for suite in (0..16).filter(|suite| ![1, 2].contains(suite)) {
        assert_eq!(
            Frame::parse(&[&[0x10, suite << 4], &bytes[2..]].concat()),
            None,
            "suite {suite}"
        );
    }
    let data = Data::parse(&[0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xfe, 0, 5, 0x0c, 0xe4]);
    assert_eq!(
        (data.unix_time_s, data.rain_pulses, data.temperature_milli_celsius),
        (1, 2, -2)
    );
    assert_eq!((data.flags, data.supply_millivolt), (5, 3300));
    let boot = Boot::parse(&[0, 0, 0, 1, 0, 0, 0, 8, 0, 1, 2, 3, 0, 0, 1, 0]);
    assert_eq!(
        (boot.unix_time_s, boot.reset_cause, boot.firmware, boot.counter_mark),
        (1, 8, (1, 2, 3), 256)
    );
}

#[test]
fn payloads_that_are_refused() {
    let mut writer = UpWriter::new([7; 16]);
    writer.push(1, 2, &[3; 32]);
    let good = writer.into_payload();
    for cut in 0..good.len() {
        // After the prefix alone there are no records, which is a payload too.
        assert_eq!(Up::parse(&good[..cut]).is_ok(), cut == 17, "{cut} bytes");
    }
    let with_length = |length: u16| {
        let mut payload = good.clone();
        payload[33..35].copy_from_slice(&length.to_be_bytes());
        payload
    };
    assert_eq!(
        Up::parse(&with_length(0)),
        Err(PayloadError::BurstLength { id: 1, bytes: 0 })
    );
    assert_eq!(
        Up::parse(&with_length(513)),
        Err(PayloadError::BurstLength { id: 1, bytes: 513 })
    );
    assert_eq!(Up::parse(&with_length(33)), Err(PayloadError::Truncated));
    assert_eq!(
        Up::parse(&[&[2], &good[1..]].concat()),
        Err(PayloadError::Layout { found: 2 })
    );
    let backwards = [&good[..17], &9_u64.to_be_bytes(), &2_u64.to_be_bytes()].concat();
    assert_eq!(
        Ack::parse(&backwards),
        Err(PayloadError::RangeBackwards { first: 9, last: 2 })
    );
    assert_eq!(Ack::parse(&backwards[..32]), Err(PayloadError::Truncated));
}

#[test]
fn the_gateway_in_a_topic() {
    assert_eq!(gateway_of_topic("link/gw-a/up"), Some("gw-a"));
    for wrong in ["link//up", "link/gw-a", "lin/gw-a/up", "link", ""] {
        assert_eq!(gateway_of_topic(wrong), None, "{wrong}");
    }
}
