//! Keeps a connection to the broker for as long as the daemon runs.

use std::time::{Duration, Instant};

use crate::counters::get;
use crate::log;
use crate::reminder::Reminder;
use crate::session::{self, End};
use crate::uplink::Uplink;

const PAUSE_FIRST: Duration = Duration::from_millis(250);

/// Connects, and connects again, until it is stopped.
pub async fn keep_connected(mut uplink: Uplink) {
    let longest = Duration::from_secs_f64(uplink.config.broker.backoff_max_s);
    let mut pause = PAUSE_FIRST.min(longest);
    let mut said = Reminder::default();
    let mut stop = uplink.stop.clone();
    loop {
        let mut acknowledged = false;
        let connections = get(&uplink.counters.connections);
        let reason = match session::run(&mut uplink, &mut acknowledged).await {
            End::Stopped => return,
            // The next connection is to be made with the new certificate.
            End::Renewed => continue,
            End::Lost(reason) => reason,
        };
        if acknowledged {
            pause = PAUSE_FIRST.min(longest);
        }
        if get(&uplink.counters.connections) > connections {
            said.forget();
        }
        if said.is_due(&reason, Instant::now()) {
            let broker = &uplink.config.broker;
            log::error(format_args!(
                "no connection to the broker {}:{} ({reason}): trying again; {} rows wait in the outbox",
                broker.host,
                broker.port,
                get(&uplink.counters.outbox_rows)
            ));
        }
        tokio::select! {
            () = tokio::time::sleep(jittered(pause)) => (),
            _ = stop.wait_for(|&stop| stop) => return,
        }
        pause = (pause * 2).min(longest);
    }
}

/// Between half and all of it, so that many gateways do not come back to a restarted broker at the same moment.
fn jittered(pause: Duration) -> Duration {
    let mut random = [0];
    // Without random numbers: without jitter.
    let _ = getrandom::fill(&mut random);
    pause.mul_f64(1.0 - f64::from(random[0]) / 510.0)
}
