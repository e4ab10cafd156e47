//! Server-sent events: once a second, what changed. It is read from the database, so that a page shows what every
//! server stores.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::time::{Interval, MissedTickBehavior};

use super::auth::{lasts, token_digest};
use super::overview::{alarms, devices, gateways, notices, refusals, Device};
use super::pool::Pool;

const TICK: Duration = Duration::from_secs(1);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// A browser that falls further behind is told to load everything again.
const QUEUED: usize = 64;

#[derive(Clone)]
struct Change {
    kind: &'static str,
    json: Arc<str>,
}

#[derive(Clone)]
pub struct Live(broadcast::Sender<Change>);

impl Live {
    pub fn start(pool: Pool) -> Live {
        let (sender, _) = broadcast::channel(QUEUED);
        tokio::spawn(watch(pool, sender.clone()));
        Live(sender)
    }
}

async fn watch(pool: Pool, sender: broadcast::Sender<Change>) {
    let mut devices_before: HashMap<i64, Device> = HashMap::new();
    let mut said: HashMap<&'static str, Arc<str>> = HashMap::new();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if sender.receiver_count() == 0 {
            // No browser looks. The next one gets what it missed with its first load.
            devices_before.clear();
            said.clear();
            continue;
        }
        let read = pool
            .run(|db| Ok((devices(db)?, gateways(db)?, alarms(db)?, refusals(db)?, notices(db)?)))
            .await;
        let Ok((all, gateways, alarms, refusals, notices)) = read else {
            continue;
        };
        let changed: Vec<&Device> = all
            .iter()
            .filter(|device| devices_before.get(&device.id) != Some(device))
            .collect();
        if !changed.is_empty() {
            send(&sender, "devices", &changed);
            devices_before = all.into_iter().map(|device| (device.id, device)).collect();
        }
        for (kind, json) in [
            ("gateways", text(&gateways)),
            ("alarms", text(&alarms)),
            ("refusals", text(&refusals)),
            ("notices", text(&notices)),
        ] {
            if said.get(kind) != Some(&json) {
                said.insert(kind, json.clone());
                let _ = sender.send(Change { kind, json });
            }
        }
    }
}

fn text(value: &impl Serialize) -> Arc<str> {
    serde_json::to_string(value).unwrap_or_default().into()
}

fn send(sender: &broadcast::Sender<Change>, kind: &'static str, value: &impl Serialize) {
    let _ = sender.send(Change {
        kind,
        json: text(value),
    });
}

/// What one browser follows, for as long as its session lasts.
struct Follower {
    changes: broadcast::Receiver<Change>,
    pool: Pool,
    session: Vec<u8>,
    look: Interval,
}

impl Follower {
    async fn next(&mut self) -> Option<Event> {
        loop {
            tokio::select! {
                // A database that does not answer has not said that the session is over; nor has it anything to show.
                _ = self.look.tick() => if let Ok(false) = lasts(&self.pool, &self.session).await {
                    return None;
                },
                change = self.changes.recv() => return match change {
                    Ok(change) => Some(Event::default().event(change.kind).data(&*change.json)),
                    Err(broadcast::error::RecvError::Lagged(_)) => Some(Event::default().event("reload").data("")),
                    Err(broadcast::error::RecvError::Closed) => None,
                },
            }
        }
    }
}

pub async fn events(
    State(live): State<Live>,
    State(pool): State<Pool>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut look = tokio::time::interval(TICK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let follower = Follower {
        changes: live.0.subscribe(),
        pool,
        // Every request that gets here has one; an empty token belongs to no session.
        session: token_digest(&headers).unwrap_or_default(),
        look,
    };
    let events = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok(event), follower))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}
