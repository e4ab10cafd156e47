//! What must hold of the codecs for every input: shared by the fuzzer and the tests with seeded inputs.

use link_wire::air::{Boot, Data, Frame, FRAME_BYTES};
use link_wire::burst::{Burst, Joiner, WAIT_MS};
use link_wire::mqtt::{Ack, Up, UpWriter, BURST_BYTES};
use link_wire::ranges;
use link_wire::serial::{encode, Damage, Deframer, Payload};

/// Panics if anything does not hold for `input`; its first byte chooses what is looked at.
pub fn check(input: &[u8]) {
    let Some((&choice, input)) = input.split_first() else {
        return;
    };
    match choice % 6 {
        0 => any_stream(input),
        1 => any_up(input),
        2 => any_ack(input),
        3 => any_frame(input),
        4 => any_chunks(input),
        _ => any_ids(input),
    }
}

pub fn frames_of(pieces: &[&[u8]]) -> Vec<Result<Payload, Damage>> {
    let mut deframer = Deframer::default();
    let mut frames = Vec::new();
    for piece in pieces {
        deframer.push(piece, |frame| frames.push(frame));
    }
    frames
}

/// A stream gives the same frames however it is cut, what it gives can be sent again, and after it everything is in
/// step.
fn any_stream(stream: &[u8]) {
    let whole = frames_of(&[stream]);
    let singles: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(whole, frames_of(&singles));
    let (first, second) = stream.split_at(stream.len() / 3);
    assert_eq!(whole, frames_of(&[first, second]));
    for payload in whole.iter().flatten() {
        let mut again = Vec::new();
        encode(payload, &mut again);
        assert_eq!(frames_of(&[&again]), [Ok(payload.clone())]);
    }
    let good = Payload::Received {
        continues: true,
        signal: false,
        uptime_ms: 7,
        bytes: stream.iter().copied().chain([0]).take(58).collect(),
    };
    let mut after = vec![0];
    encode(&good, &mut after);
    assert_eq!(frames_of(&[stream, &after]).last(), Some(&Ok(good)));
}

/// A payload that can be read is the only one that says so.
fn any_up(payload: &[u8]) {
    let Ok(up) = Up::parse(payload) else { return };
    let mut writer = UpWriter::new(up.outbox);
    for record in &up.records {
        assert!((1..=BURST_BYTES).contains(&record.burst.len()));
        let bytes = writer.bytes_with(record.burst.len());
        writer.push(record.id, record.received_unix_ms, record.burst);
        assert_eq!(bytes, writer.payload().len());
    }
    assert_eq!(writer.records(), up.records.len());
    assert_eq!(writer.payload(), payload);
}

fn any_ack(payload: &[u8]) {
    let Ok(ack) = Ack::parse(payload) else { return };
    assert!(ack
        .ranges
        .iter()
        .all(|range| range.contains(range.first) && range.contains(range.last)));
    assert_eq!(ack.encode(), payload);
}

fn any_frame(bytes: &[u8]) {
    if let Some(frame) = Frame::parse(bytes) {
        assert_eq!(frame.encode(), bytes[..FRAME_BYTES]);
        assert_eq!(frame.header.encode(), frame.header_bytes);
    }
    if let Some((plaintext, _)) = bytes.split_first_chunk() {
        assert_eq!(Data::parse(plaintext).encode(), *plaintext);
        assert_eq!(Boot::parse(plaintext).encode(), *plaintext);
    }
}

/// However the radio's bytes are cut to chunks: each 32 bytes without a gap lie whole in exactly one burst, in order.
/// The input is a script: a byte for each chunk says how long it is, whether it continues, and whether there was
/// silence before.
fn any_chunks(script: &[u8]) {
    let mut joiner = Joiner::default();
    let mut bursts: Vec<Burst> = Vec::new();
    let mut stretches: Vec<Vec<u8>> = Vec::new();
    let (mut now_ms, mut number) = (0, 0_u32);
    for &step in script {
        let continues = step & 0x40 != 0 && !stretches.is_empty();
        if step & 0x80 != 0 {
            now_ms += WAIT_MS;
            joiner.flush(now_ms, |burst| bursts.push(burst));
            assert_eq!(joiner.deadline_ms(), None);
        }
        // Four bytes of a counter, so that every stretch of 32 bytes is found at one place only.
        let bytes: Vec<u8> = (0..=u32::from(step & 0x3f).min(57))
            .map(|_| {
                number += 1;
                (number / 4).to_be_bytes()[(number % 4) as usize]
            })
            .collect();
        match stretches.last_mut() {
            Some(last) if continues => last.extend_from_slice(&bytes),
            _ => stretches.push(bytes.clone()),
        }
        joiner.chunk(continues, &bytes, now_ms, now_ms, |burst| bursts.push(burst));
        now_ms += 1;
    }
    joiner.gap(|burst| bursts.push(burst));
    assert!(bursts
        .iter()
        .all(|burst| (1..=BURST_BYTES).contains(&burst.bytes.len())));
    let windows = |bytes: &[u8]| bytes.windows(FRAME_BYTES).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let sent: Vec<Vec<u8>> = stretches.iter().flat_map(|stretch| windows(stretch)).collect();
    let joined: Vec<Vec<u8>> = bursts.iter().flat_map(|burst| windows(&burst.bytes)).collect();
    assert_eq!(sent, joined);
}

fn any_ids(input: &[u8]) {
    let ids: Vec<u64> = input
        .iter()
        .map(|&byte| {
            if byte > 250 {
                u64::MAX - u64::from(255 - byte)
            } else {
                byte.into()
            }
        })
        .collect();
    let ranges = ranges::from_ids(ids.iter().copied());
    assert!(ranges.iter().all(|range| range.first <= range.last));
    assert!(ranges.windows(2).all(|pair| pair[1].first - pair[0].last > 1));
    let covered: u64 = ranges.iter().map(|range| range.last - range.first + 1).sum();
    let distinct: std::collections::BTreeSet<u64> = ids.iter().copied().collect();
    assert_eq!(covered, distinct.len() as u64);
    assert!(distinct.iter().all(|&id| ranges.iter().any(|range| range.contains(id))));
}
