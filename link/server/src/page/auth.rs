//! Who may see the page: a person with the password. Wrong passwords make an address wait.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Form, Request, State};
use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::peer::{neighbourhood, Peer};
use super::pool::{Pool, Unavailable};
use crate::db::{Cells, Value};
use crate::keys::random;
use crate::log::{log, now_ms};
use crate::{hex, password, token};

const COOKIE: &str = "bancada_link";
const SESSION_DAYS: i64 = 7;
const MS_PER_DAY: i64 = 86_400_000;
const FREE_FAILURES: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Beyond this many addresses the limiter forgets those that may try again.
const REMEMBERED: usize = 10_000;
const LONGEST_PASSWORD: usize = 1024;

/// Counts failed attempts of each address, and lets one password be hashed at a time: each takes 19 MB.
pub struct Gate {
    failures: Mutex<HashMap<IpAddr, (u32, Instant)>>,
    hashing: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Gate {
            failures: Mutex::default(),
            hashing: Semaphore::new(1),
        }
    }
}

fn wait_after(failures: u32) -> Duration {
    match failures.checked_sub(FREE_FAILURES) {
        None => Duration::ZERO,
        Some(beyond) => LONGEST_WAIT.min(FIRST_WAIT * 2u32.pow(beyond.min(10))),
    }
}

impl Gate {
    /// How long this address still has to wait.
    fn wait(&self, address: IpAddr) -> Duration {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(&address).map_or(Duration::ZERO, |(count, last)| {
            wait_after(*count).saturating_sub(last.elapsed())
        })
    }

    fn note(&self, address: IpAddr, success: bool) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if success {
            failures.remove(&address);
            return;
        }
        if failures.len() >= REMEMBERED {
            failures.retain(|_, (count, last)| last.elapsed() < wait_after(*count));
        }
        let entry = failures.entry(address).or_insert((0, Instant::now()));
        *entry = (entry.0.saturating_add(1), Instant::now());
    }
}

#[derive(Deserialize)]
pub struct Attempt {
    password: String,
}

/// Whether browsers use TLS, so that the cookie may be for TLS only.
#[derive(Clone, Copy)]
pub struct ByTls(pub bool);

pub async fn login(
    State(gate): State<Arc<Gate>>,
    State(pool): State<Pool>,
    State(ByTls(by_tls)): State<ByTls>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    Form(attempt): Form<Attempt>,
) -> Response {
    let address = neighbourhood(peer.ip());
    // One attempt at a time is looked at: a hundred at once must not slip past the count together.
    let Ok(_turn) = gate.hashing.acquire().await else {
        return form(StatusCode::SERVICE_UNAVAILABLE, "Try again.");
    };
    let wait = gate.wait(address);
    if !wait.is_zero() {
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
    let Ok(stored) = pool.run(password::stored).await else {
        return form(StatusCode::SERVICE_UNAVAILABLE, "The database does not answer.");
    };
    let right = tokio::task::spawn_blocking(move || {
        let short = attempt.password.len() <= LONGEST_PASSWORD;
        short && stored.is_some_and(|stored| password::matches(&stored, &attempt.password))
    });
    let right = right.await.unwrap_or(false);
    gate.note(address, right);
    if !right {
        log(&format!("page: wrong password from {address}"));
        return form(StatusCode::UNAUTHORIZED, "That is not the password.");
    }
    match open_session(&pool).await {
        Some(token) => {
            let secure = if by_tls { "; Secure" } else { "" };
            let age_s = SESSION_DAYS * MS_PER_DAY / 1000;
            with_cookie(
                Redirect::to("/").into_response(),
                &format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age_s}{secure}"),
            )
        }
        None => form(StatusCode::SERVICE_UNAVAILABLE, "The database does not answer."),
    }
}

async fn open_session(pool: &Pool) -> Option<String> {
    let token = random::<32>().ok()?;
    let digest = Value::Bytes(Sha256::digest(token).to_vec());
    let now_ms = now_ms();
    let stored = pool.run(move |db| {
        db.execute("DELETE FROM session WHERE expires_ms < $1", &[Value::Int(now_ms)])?;
        db.execute(
            "INSERT INTO session (token, expires_ms) VALUES ($1, $2)",
            &[digest, Value::Int(now_ms + SESSION_DAYS * MS_PER_DAY)],
        )
    });
    stored.await.ok()?;
    Some(hex::encode(&token))
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

/// Whether the session of this token lasts: neither logged out nor expired, nor ended by a new password.
pub async fn lasts(pool: &Pool, digest: &[u8]) -> Result<bool, Unavailable> {
    let digest = Value::Bytes(digest.to_vec());
    let found = pool
        .run(move |db| db.query_one("SELECT expires_ms FROM session WHERE token = $1", &[digest]))
        .await?;
    Ok(found.is_some_and(|row| row.int(0) > now_ms()))
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
pub async fn require(State(pool): State<Pool>, request: Request, next: Next) -> Response {
    let refused = if request.uri().path() == "/" {
        to_login()
    } else {
        (StatusCode::UNAUTHORIZED, "Log in first.").into_response()
    };
    let Some(digest) = token_digest(request.headers()) else {
        return refused;
    };
    match lasts(&pool, &digest).await {
        Ok(true) => next.run(request).await,
        Ok(false) => refused,
        Err(unavailable) => unavailable.into_response(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_grows_and_ends() {
        assert_eq!(wait_after(FREE_FAILURES - 1), Duration::ZERO);
        assert_eq!(wait_after(FREE_FAILURES), FIRST_WAIT);
        assert_eq!(wait_after(FREE_FAILURES + 1), FIRST_WAIT * 2);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn a_success_forgets_failures_of_its_address_only() {
        let gate = Gate::default();
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        for _ in 0..8 {
            gate.note(one, false);
            gate.note(other, false);
        }
        assert!(!gate.wait(one).is_zero());
        gate.note(one, true);
        assert!(gate.wait(one).is_zero());
        assert!(!gate.wait(other).is_zero());
    }
}
