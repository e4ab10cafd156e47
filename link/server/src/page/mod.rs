//! The page: what the sensors say, where they stand, what is missing, what was refused, and whether it rains too hard.
//! It needs a name and a password, it asks no other host for anything, and beyond this machine it speaks TLS only.

mod auth;
mod compress;
mod difference;
mod gate;
mod host;
mod line;
mod listener;
mod live;
pub mod metrics;
mod notes;
pub mod overview;
mod peer;
mod people;
mod pool;
mod readings;
mod series;
mod settings;
mod snapshot;
mod standing;
mod tiles;
mod view;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Extension, FromRef, Path, Query, Request, State};
use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use tokio::net::TcpListener;
use tokio::signal::unix::{signal, SignalKind};

use crate::error::{Result, UserError};
use crate::log::{log, now_ms};
use crate::people::Role;
use crate::site::Site;

use auth::{ByTls, Visitor};
use gate::Gate;
use host::Names;
use live::Live;
use pool::{Pool, Unavailable};
use readings::Readers;
use tiles::Tiles;

/// Longer than any answer of a database that works.
const ANSWER: Duration = Duration::from_secs(30);
/// The longest note, with room to spare: the longest form that browsers send.
const BODY_BYTES: usize = 16 * 1024;

#[derive(Clone)]
struct App {
    pool: Pool,
    gate: Arc<Gate>,
    live: Live,
    by_tls: ByTls,
    tiles: Arc<Tiles>,
    readers: Readers,
}

// What a handler asks for of it.
impl FromRef<App> for Pool {
    fn from_ref(app: &App) -> Pool {
        app.pool.clone()
    }
}

impl FromRef<App> for Arc<Gate> {
    fn from_ref(app: &App) -> Arc<Gate> {
        app.gate.clone()
    }
}

impl FromRef<App> for Live {
    fn from_ref(app: &App) -> Live {
        app.live.clone()
    }
}

impl FromRef<App> for Arc<Tiles> {
    fn from_ref(app: &App) -> Arc<Tiles> {
        app.tiles.clone()
    }
}

impl FromRef<App> for Readers {
    fn from_ref(app: &App) -> Readers {
        app.readers.clone()
    }
}

impl FromRef<App> for ByTls {
    fn from_ref(app: &App) -> ByTls {
        app.by_tls
    }
}

/// Until the program is asked to end.
pub async fn stopped() -> Result<()> {
    let mut terminate =
        signal(SignalKind::terminate()).map_err(|error| UserError(format!("The server cannot start: {error}.")))?;
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// `hosts` are what browsers may call it by, besides addresses and the names of its certificate.
pub async fn serve(site: &Site, database: &str, address: &str, hosts: &[String]) -> Result<()> {
    let address: SocketAddr = address.parse().map_err(|_| {
        UserError(format!(
            "--page {address}: an address and a port, such as 127.0.0.1:8080, or none."
        ))
    })?;
    let names = Arc::new(Names::new(&site.path("server"), hosts)?);
    let busy = |error| {
        UserError(format!(
            "The page cannot listen on {address}: {error}; choose another with --page ADDRESS:PORT."
        ))
    };
    let socket = TcpListener::bind(address).await.map_err(busy)?;
    let bound = socket.local_addr().map_err(busy)?;
    // In clear text only on this machine itself.
    let tls = !address.ip().is_loopback();
    let sockets = if tls {
        listener::Sockets::tls(socket, &site.path("server"))?
    } else {
        listener::Sockets::plain(socket)
    };
    log(&format!("page at {}://{bound}/", if tls { "https" } else { "http" }));

    let pool = Pool::new(database);
    let tiles = Arc::new(Tiles::look(&site.path("tiles")));
    let low_supply_v = site.settings.notify.clone().unwrap_or_default().low_supply_v;
    let app = App {
        live: Live::start(pool.clone(), tiles.clone(), low_supply_v),
        tiles,
        pool,
        gate: Arc::new(Gate::default()),
        by_tls: ByTls(tls),
        readers: Readers::default(),
    };
    tokio::select! {
        () = sockets.serve(router(app, names)) => Ok(()),
        ended = stopped() => ended,
    }
}

/// What is behind `auth::require` and needs a role besides.
fn for_role(router: Router<App>, role: Role) -> Router<App> {
    let check =
        move |visitor: Extension<Visitor>, request: Request, next: Next| auth::at_least(role, visitor, request, next);
    router.route_layer(middleware::from_fn(check))
}

fn router(app: App, names: Arc<Names>) -> Router {
    let for_viewers = Router::new()
        .route("/", get(index))
        .route("/logout", post(auth::logout))
        .route("/api/overview", get(overview))
        .route("/api/series", get(series))
        .route("/api/live", get(live::events))
        .route("/api/view", post(live::look_at))
        .route("/api/sensors/{device}/notes", get(notes::of_sensor))
        .route("/api/alarms/{alarm}/notes", get(notes::of_alarm))
        .route("/api/own-password", post(people::set_own))
        .route("/tiles/{zoom}/{x}/{y}", get(tiles::tile));
    let for_operators = Router::new()
        .route("/api/notices/{number}/acknowledge", post(acknowledge))
        .route("/api/sensors/{device}", post(notes::set_sensor))
        .route("/api/sensors/{device}/notes", post(notes::add_to_sensor))
        .route("/api/alarms/{alarm}/notes", post(notes::add_to_alarm));
    let for_administrators = Router::new()
        .route("/api/people", get(people::list).post(people::add))
        .route("/api/people/role", post(people::set_role))
        .route("/api/people/password", post(people::reset))
        .route("/api/people/remove", post(people::remove));
    let behind_password = for_viewers
        .merge(for_role(for_operators, Role::Operator))
        .merge(for_role(for_administrators, Role::Administrator))
        .route_layer(middleware::from_fn_with_state(app.pool.clone(), auth::require));
    let for_programs = Router::new()
        .route("/api/readings", get(readings::readings))
        .route("/api/settings", get(settings::settings))
        .route_layer(middleware::from_fn_with_state(app.pool.clone(), auth::require_any));
    let mut router = Router::new()
        .merge(behind_password)
        .merge(for_programs)
        .route("/login", get(login_page).post(auth::login));
    for (path, kind, content) in FILES {
        router = router.route(path, get(move || file(kind, content)));
    }
    router
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(middleware::from_fn(compress::answers))
        .layer(middleware::from_fn(limit))
        .layer(middleware::from_fn(guard))
        .layer(middleware::from_fn_with_state(names, host::require))
        .with_state(app)
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
/// What everybody may have: without the password they tell nothing.
const FILES: [(&str, &str, &str); 14] = [
    ("/app.js", SCRIPT, include_str!("../../page/app.js")),
    ("/alarms.js", SCRIPT, include_str!("../../page/alarms.js")),
    ("/chart.js", SCRIPT, include_str!("../../page/chart.js")),
    ("/detail.js", SCRIPT, include_str!("../../page/detail.js")),
    ("/language.js", SCRIPT, include_str!("../../page/language.js")),
    ("/map.js", SCRIPT, include_str!("../../page/map.js")),
    ("/people.js", SCRIPT, include_str!("../../page/people.js")),
    ("/sensors.js", SCRIPT, include_str!("../../page/sensors.js")),
    ("/sound.js", SCRIPT, include_str!("../../page/sound.js")),
    ("/tables.js", SCRIPT, include_str!("../../page/tables.js")),
    ("/words.js", SCRIPT, include_str!("../../page/words.js")),
    (
        "/pt-BR.po",
        "text/plain; charset=utf-8",
        include_str!("../../page/pt-BR.po"),
    ),
    (
        "/style.css",
        "text/css; charset=utf-8",
        include_str!("../../page/style.css"),
    ),
    ("/icon.svg", "image/svg+xml", include_str!("../../page/icon.svg")),
];

async fn file(kind: &'static str, content: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], content)
}

async fn index() -> impl IntoResponse {
    file("text/html; charset=utf-8", include_str!("../../page/index.html")).await
}

async fn login_page() -> Response {
    auth::form(StatusCode::OK, "")
}

async fn overview(State(pool): State<Pool>) -> std::result::Result<Json<overview::Overview>, Unavailable> {
    pool.run(overview::read).await.map(Json)
}

/// Somebody has taken note of what the server tells.
async fn acknowledge(
    State(pool): State<Pool>,
    Path(number): Path<i64>,
) -> std::result::Result<StatusCode, Unavailable> {
    let known = pool.run(move |db| overview::acknowledge(db, number, now_ms())).await?;
    Ok(if known {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::NOT_FOUND
    })
}

async fn series(
    State(pool): State<Pool>,
    Query(wanted): Query<series::Wanted>,
) -> std::result::Result<Json<series::Series>, Unavailable> {
    pool.run(move |db| series::read(db, &wanted)).await.map(Json)
}

/// The time in which a whole request must arrive and be answered. The stream of changes has no limit.
async fn limit(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(ANSWER, next.run(request)).await;
    answered.unwrap_or_else(|_| (StatusCode::REQUEST_TIMEOUT, "That took too long.").into_response())
}

/// Whether a form was sent by another site's page, as far as the browser says. Old ones say it by `Origin` only.
fn is_foreign(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site != "same-origin" && site != "none";
    }
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else {
        return false; // no browser, or one that says nothing: the cookie is SameSite=Strict
    };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_none() || host != text(header::HOST)
}

/// No script, style or frame of anyone else's, nothing kept in caches, and no form posted from another site.
async fn guard(request: Request, next: Next) -> Response {
    if request.method() == "POST" && is_foreign(request.headers()) {
        return (StatusCode::FORBIDDEN, "This form came from another site.").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let policy = "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}
