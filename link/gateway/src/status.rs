//! What the gateway says of itself on its status topic, as JSON.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use link_wire::mqtt::Uuid;
use serde_json::{json, Value};

use crate::counters::{get, held, Counters};

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// In one word or two, how the gateway does.
pub fn state(counters: &Counters) -> &'static str {
    if counters.disk_full.load(Relaxed) {
        "disk full"
    } else if !counters.port_open.load(Relaxed) {
        "no serial port"
    } else {
        "running"
    }
}

/// What the broker says in our place when we are gone without a word.
pub fn last_will() -> Value {
    json!({ "version": VERSION, "state": "connection lost" })
}

pub fn report(counters: &Counters, state: &str, daemon: &Daemon, outbox: &Uuid, oldest: Option<(u64, u64)>) -> Value {
    let answered = held(&counters.answered);
    let microcontroller = counters
        .microcontroller
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .map(|status| {
            json!({
                "uptime_ms": status.uptime_ms,
                "chunks": status.chunks,
                "bytes": status.bytes,
                "overruns": status.overruns,
                "module_restarts": status.module_restarts,
                "transmitted": status.transmitted,
                "refused": status.refused,
                "channel": status.channel,
            })
        });
    json!({
        "version": VERSION,
        "state": state,
        "instance": hex(&daemon.instance),
        // So that the server can say by how much this clock differs from its own.
        "unix_ms": SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64),
        "uptime_s": daemon.started.elapsed().as_secs(),
        "outbox": {
            "uuid": hex(outbox),
            "rows": get(&counters.outbox_rows),
            "oldest_id": oldest.map(|(id, _)| id),
            "oldest_unix_ms": oldest.map(|(_, unix_ms)| unix_ms),
            // The server's last question after a backup, and up to which id everything was heard before it.
            "asked": answered.map(|answered| hex(&answered.question)),
            "asked_last_id": answered.map(|answered| answered.last_id),
            "stored_rows": get(&counters.stored_rows),
            "commits": get(&counters.commits),
            "disk_full_times": get(&counters.disk_full_times),
        },
        "serial": {
            "open": counters.port_open.load(Relaxed),
            "openings": get(&counters.port_openings),
            "bytes": get(&counters.serial_bytes),
            "frames": get(&counters.frames),
            "damaged_frames": get(&counters.damaged_frames),
            "chunks": get(&counters.chunks),
            "lost_chunks": get(&counters.lost_chunks),
            "bursts": get(&counters.bursts),
            "paper_frames": get(&counters.paper_frames),
            "signal": counters.signal.load(Relaxed),
            "microcontroller": microcontroller,
        },
        "down": {
            "taken": get(&counters.down_taken),
            "written": get(&counters.down_written),
            "lost": get(&counters.down_lost),
        },
        "broker": {
            "connections": get(&counters.connections),
            "sent_rows": get(&counters.sent_rows),
            "resent_rows": get(&counters.resent_rows),
            "acknowledged_rows": get(&counters.acknowledged_rows),
        },
    })
}

/// This run of the daemon.
pub struct Daemon {
    pub started: Instant,
    /// Drawn at the start, so that the server notices if two run with one certificate.
    pub instance: [u8; 8],
}

impl Daemon {
    pub fn begin() -> Daemon {
        let mut instance = [0; 8];
        // Without random numbers no outbox was made either; then this is no worse.
        let _ = getrandom::fill(&mut instance);
        Daemon {
            started: Instant::now(),
            instance,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
