//! Server-sent events: at first everything that a browser shows, then once a second what changed of it. It is read from
//! the database, so that a page shows what every server stores.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, Form, Query, State};
use axum::http::{header, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use serde::Deserialize;
use serde_json::{json, Value};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior};

use super::auth::{token_digest, visitor, Visitor};
use super::compress::{self, Packer};
use super::difference::Fields;
use super::pool::Pool;
use super::snapshot::{self, Snapshot};
use super::tiles::Tiles;
use super::view::{Told, View};

const TICK: Duration = Duration::from_secs(1);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Of the name that a browser gives its stream.
const LONGEST_NAME: usize = 40;
const LONGEST_FIND: usize = 200;

/// Which stream of which session.
type Name = (Vec<u8>, String);
/// What each stream's browser looks at.
type Views = Arc<Mutex<HashMap<Name, watch::Sender<View>>>>;

#[derive(Clone)]
pub struct Live {
    snapshots: watch::Receiver<Option<Arc<Snapshot>>>,
    views: Views,
    tiles: Arc<Tiles>,
}

impl Live {
    pub fn start(pool: Pool, tiles: Arc<Tiles>, low_supply_v: f64) -> Live {
        let (sender, snapshots) = watch::channel(None);
        let views = Views::default();
        tokio::spawn(take(pool, sender, views.clone(), low_supply_v));
        Live {
            snapshots,
            views,
            tiles,
        }
    }
}

async fn take(pool: Pool, sender: watch::Sender<Option<Arc<Snapshot>>>, views: Views, low_supply_v: f64) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if views.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            // No browser looks; the next one must not be shown what is old by then.
            sender.send_replace(None);
            continue;
        }
        if let Ok(snapshot) = pool.run(move |db| snapshot::read(db, low_supply_v)).await {
            sender.send_replace(Some(Arc::new(snapshot)));
        }
    }
}

#[derive(Deserialize)]
pub struct Asked {
    /// The name that the browser gave its stream.
    #[serde(default)]
    stream: String,
    #[serde(default)]
    find: String,
    #[serde(default)]
    standing: String,
    #[serde(default)]
    cards: usize,
    #[serde(default)]
    chosen: i64,
    #[serde(default)]
    map: u8,
}

impl Asked {
    fn parts(self) -> Option<(String, View)> {
        let view = View {
            find: self.find,
            standing: self.standing,
            cards: self.cards,
            chosen: self.chosen,
            map: self.map,
        };
        (self.stream.len() <= LONGEST_NAME && view.find.len() <= LONGEST_FIND).then_some((self.stream, view))
    }
}

/// What one browser follows, for as long as its session lasts.
struct Follower {
    snapshots: watch::Receiver<Option<Arc<Snapshot>>>,
    view: watch::Receiver<View>,
    live: Live,
    name: Name,
    told: Told,
    packer: Packer,
    pool: Pool,
    visitor: Visitor,
    look: Interval,
    spoke: Instant,
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut views = self.live.views.lock().unwrap_or_else(PoisonError::into_inner);
        // Another stream of this name may have taken the place.
        let is_own = |sender: &watch::Sender<View>| sender.subscribe().same_channel(&self.view);
        if views.get(&self.name).is_some_and(is_own) {
            views.remove(&self.name);
        }
    }
}

impl Follower {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            tokio::select! {
                // A database that does not answer has not said that the session is over; nor has it anything to show.
                _ = self.look.tick() => match visitor(&self.pool, &self.name.0).await {
                    Ok(None) => return None,
                    Ok(Some(visitor)) => self.visitor = visitor,
                    Err(_) => {}
                },
                changed = self.snapshots.changed() => changed.ok()?,
                // Its sender is gone if another stream of this name has come: the snapshots go on.
                Ok(()) = self.view.changed() => {}
            }
            if let Some(text) = self.say() {
                self.spoke = Instant::now();
                return Some(self.packer.pack(&text).into());
            }
        }
    }

    fn say(&mut self) -> Option<String> {
        let snapshot = self.snapshots.borrow_and_update().clone()?;
        let view = self.view.borrow_and_update().clone();
        let mut own = Fields::new();
        let user = json!({ "name": self.visitor.name, "role": self.visitor.role.name() });
        own.insert("user".into(), user);
        own.insert(
            "tiles".into(),
            serde_json::to_value(&*self.live.tiles).unwrap_or(Value::Null),
        );
        match self.told.changes(&snapshot, &view, own) {
            Some(changes) => Some(format!("event: changes\ndata: {changes}\n\n")),
            None => (self.spoke.elapsed() >= KEEP_ALIVE).then(|| ":\n\n".to_owned()),
        }
    }
}

pub async fn events(
    State(live): State<Live>,
    State(pool): State<Pool>,
    Extension(visitor): Extension<Visitor>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let Some((stream, view)) = asked.parts() else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut look = tokio::time::interval(TICK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Every request that gets here has one; an empty token belongs to no session.
    let name = (token_digest(&headers).unwrap_or_default(), stream);
    let (sender, receiver) = watch::channel(view);
    live.views
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(name.clone(), sender);
    let packs = compress::is_taken(&headers);
    let follower = Follower {
        snapshots: live.snapshots.clone(),
        view: receiver,
        live,
        name,
        told: Told::default(),
        packer: Packer::new(packs),
        pool,
        visitor,
        look,
        spoke: Instant::now(),
    };
    let pieces = stream::unfold(follower, |mut follower| async move {
        let piece = follower.next().await?;
        Some((Ok::<Bytes, Infallible>(piece), follower))
    });
    let mut response = Body::from_stream(pieces).into_response();
    let kind = header::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if packs {
        compress::mark(response.headers_mut());
    }
    response
}

/// The browser looks at something else from now on.
pub async fn look_at(State(live): State<Live>, headers: HeaderMap, Form(asked): Form<Asked>) -> StatusCode {
    let Some((stream, view)) = asked.parts() else {
        return StatusCode::BAD_REQUEST;
    };
    let name = (token_digest(&headers).unwrap_or_default(), stream);
    let views = live.views.lock().unwrap_or_else(PoisonError::into_inner);
    match views.get(&name) {
        Some(sender) => {
            sender.send_replace(view);
            StatusCode::NO_CONTENT
        }
        None => StatusCode::NOT_FOUND,
    }
}
