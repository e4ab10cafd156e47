//! Who may see the page and do something there: a person with a name and a password. Wrong passwords make an address
//! wait, and everybody at the name that is guessed at.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, Extension, Form, Request, State};
use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::gate::Gate;
use super::peer::{neighbourhood, Peer};
use super::pool::{Pool, Unavailable};
use crate::db::{Cells, Value};
use crate::keys::random;
use crate::log::{log, now_ms};
use crate::people::{self, Login, Role};
use crate::{hex, password, token};

const COOKIE: &str = "bancada_link";
const SESSION_DAYS: i64 = 7;
const MS_PER_DAY: i64 = 86_400_000;
const FULL_LINE_S: u64 = 5;

#[derive(Deserialize)]
pub struct Attempt {
    /// Empty or missing where the first account is meant.
    #[serde(default)]
    username: String,
    password: String,
}

/// Who sent a request, by its session.
#[derive(Clone)]
pub struct Visitor {
    pub name: String,
    pub role: Role,
}

/// Whether browsers use TLS, so that the cookie may be for TLS only.
#[derive(Clone, Copy)]
pub struct ByTls(pub bool);

pub async fn login(
    State(gate): State<Arc<Gate>>,
    State(pool): State<Pool>,
    State(ByTls(by_tls)): State<ByTls>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
    Form(attempt): Form<Attempt>,
) -> Response {
    let address = neighbourhood(peer.ip());
    let name = match attempt.username.trim() {
        "" => people::FIRST.to_owned(),
        // PostgreSQL has no such letter, and nobody's name has it.
        name => name.replace('\0', "\u{fffd}"),
    };
    let (asked, from) = (name.clone(), address.to_string());
    let found = pool.run(move |db| Ok((people::find(db, &asked)?, people::is_usual(db, &asked, &from)?)));
    let Ok((account, is_usual)) = found.await else {
        return form(StatusCode::SERVICE_UNAVAILABLE, "The database does not answer.");
    };
    // Who has logged in from here before does not stand behind a flood of strangers.
    let (line, hashing) = match is_usual {
        true => (&gate.line_usual, &gate.hashing_usual),
        false => (&gate.line, &gate.hashing),
    };
    let Some(_place) = line.enter(address) else {
        let mut response = form(
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many are logging in at once. Try again.",
        );
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(FULL_LINE_S));
        return response;
    };
    // One attempt at a time is looked at: a hundred at once must not slip past the count together.
    let Ok(_turn) = hashing.acquire().await else {
        return form(StatusCode::SERVICE_UNAVAILABLE, "Try again.");
    };
    let wait = gate.wait(address, &name, is_usual);
    if !wait.is_zero() {
        if gate.refused.may(address, Instant::now()) {
            note_login(&pool, &name, address, Login::Waiting).await;
        }
        let seconds = wait.as_secs() + 1;
        let mut response = form(
            StatusCode::TOO_MANY_REQUESTS,
            &format!("Too many attempts. Try again in {seconds} s."),
        );
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        return response;
    }
    // The hash that the password is right for.
    let matched = tokio::task::spawn_blocking(move || {
        if attempt.password.len() > password::LONGEST {
            return None;
        }
        match account {
            Some(account) => password::matches(&account.hash, &attempt.password).then_some(account.hash),
            None => {
                password::match_nothing(&attempt.password);
                None
            }
        }
    });
    let matched = matched.await.unwrap_or(None);
    let right = matched.is_some();
    gate.note(address, &name, right);
    note_login(&pool, &name, address, if right { Login::In } else { Login::Wrong }).await;
    let Some(hash) = matched else {
        log(&format!("page: wrong name or password from {address}"));
        return form(StatusCode::UNAUTHORIZED, "The name or the password is wrong.");
    };
    match open_session(&pool, name, hash).await {
        Some(Some(token)) => {
            let secure = if by_tls || is_by_relay_with_tls(&headers) {
                "; Secure"
            } else {
                ""
            };
            let age_s = SESSION_DAYS * MS_PER_DAY / 1000;
            with_cookie(
                Redirect::to("/").into_response(),
                &format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age_s}{secure}"),
            )
        }
        Some(None) => form(StatusCode::UNAUTHORIZED, "The name or the password is wrong."),
        None => form(StatusCode::SERVICE_UNAVAILABLE, "The database does not answer."),
    }
}

/// Whether the browser speaks TLS with a relay in front of this server: it says where the form is from.
fn is_by_relay_with_tls(headers: &HeaderMap) -> bool {
    let origin = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    origin.is_some_and(|origin| origin.starts_with("https://"))
}

async fn note_login(pool: &Pool, name: &str, address: IpAddr, outcome: Login) {
    let (name, address) = (name.to_owned(), address.to_string());
    // A record that cannot be written locks nobody out.
    let _ = pool
        .run(move |db| people::note_login(db, &name, &address, outcome))
        .await;
}

/// The token; no token if the account was removed, or its password changed, since it was looked at.
async fn open_session(pool: &Pool, name: String, hash: String) -> Option<Option<String>> {
    let token = random::<32>().ok()?;
    let digest = Sha256::digest(token).to_vec();
    let now_ms = now_ms();
    let stored = pool.run(move |db| {
        db.execute("DELETE FROM session WHERE expires_ms < $1", &[Value::Int(now_ms)])?;
        people::open_session(db, &name, &hash, digest, now_ms + SESSION_DAYS * MS_PER_DAY)
    });
    let is_open = stored.await.ok()?;
    Some(is_open.then(|| hex::encode(&token)))
}

fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

/// The database keeps the token's hash only, which opens no session.
pub fn token_digest(headers: &HeaderMap) -> Option<Vec<u8>> {
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let token = cookies
        .flat_map(|text| text.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='))?;
    Some(Sha256::digest(hex::decode(token)?).to_vec())
}

/// Whose session this token is, if it lasts: neither logged out nor expired, nor ended by a new password.
pub async fn visitor(pool: &Pool, digest: &[u8]) -> Result<Option<Visitor>, Unavailable> {
    let digest = Value::Bytes(digest.to_vec());
    let sql = "SELECT s.expires_ms, a.name, a.role FROM session s JOIN account a ON a.name = s.account \
               WHERE s.token = $1";
    let found = pool.run(move |db| db.query_one(sql, &[digest])).await?;
    let lasting = found.filter(|row| row.int(0) > now_ms());
    Ok(lasting.map(|row| Visitor {
        name: row.text(1).to_owned(),
        role: Role::parse(row.text(2)).unwrap_or(Role::Viewer),
    }))
}

/// Lets a request with a session or with a token (`Authorization: Bearer …`) through.
pub async fn require_any(State(pool): State<Pool>, request: Request, next: Next) -> Response {
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let Some(token) = given.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned) else {
        return require(State(pool), request, next).await;
    };
    match pool.run(move |db| token::is_known(db, &token)).await {
        Ok(true) => next.run(request).await,
        Ok(false) => (StatusCode::UNAUTHORIZED, "This token is not known.").into_response(),
        Err(unavailable) => unavailable.into_response(),
    }
}

/// Lets a request with a session through; sends a browser to the password, a script away.
pub async fn require(State(pool): State<Pool>, mut request: Request, next: Next) -> Response {
    let refused = if request.uri().path() == "/" {
        to_login()
    } else {
        (StatusCode::UNAUTHORIZED, "Log in first.").into_response()
    };
    let Some(digest) = token_digest(request.headers()) else {
        return refused;
    };
    match visitor(&pool, &digest).await {
        Ok(Some(visitor)) => {
            request.extensions_mut().insert(visitor);
            next.run(request).await
        }
        Ok(None) => refused,
        Err(unavailable) => unavailable.into_response(),
    }
}

/// Lets through who may do this at least; to be used behind `require`.
pub async fn at_least(role: Role, Extension(visitor): Extension<Visitor>, request: Request, next: Next) -> Response {
    match visitor.role >= role {
        true => next.run(request).await,
        false => (StatusCode::FORBIDDEN, "Your user may not do this.").into_response(),
    }
}

pub async fn logout(State(pool): State<Pool>, headers: HeaderMap) -> Response {
    if let Some(digest) = token_digest(&headers) {
        let _ = pool
            .run(move |db| db.execute("DELETE FROM session WHERE token = $1", &[Value::Bytes(digest)]))
            .await;
    }
    with_cookie(
        to_login(),
        &format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"),
    )
}

fn to_login() -> Response {
    Redirect::to("/login").into_response()
}

/// The login page, with what went wrong.
pub fn form(status: StatusCode, message: &str) -> Response {
    let page = include_str!("../../page/login.html").replace("{message}", message);
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}
