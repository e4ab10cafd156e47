//! What browsers get is compressed (gzip, RFC 1952), if they take it: a page in a storm is read by telephone.
//!
//! Compression beside secrets tells of them by the length (BREACH), if an attacker can both choose a part of an answer
//! and see its length. No answer holds a secret that lasts: the session is in a header, which is not compressed.

use std::io::Write;

use axum::body::{to_bytes, Body};
use axum::extract::Request;
use axum::http::{header, HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use flate2::write::GzEncoder;
use flate2::Compression;

/// A shorter answer is sent as it is.
const LEAST_BYTES: usize = 500;
/// No file of the page and no answer is longer; a download of readings, which is a stream, is not compressed.
const MOST_BYTES: u64 = 16_000_000;

/// Whether a browser takes gzip (RFC 9110, section 12.5.3).
pub fn is_taken(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    accepted.is_some_and(|text| {
        text.split(',').any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
        })
    })
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| {
        (kind.starts_with("text/") && !kind.starts_with("text/event-stream") && !kind.starts_with("text/csv"))
            || kind.starts_with("application/json")
            || kind.starts_with("image/svg")
    })
}

/// Compresses whole answers that are text.
pub async fn answers(request: Request, next: Next) -> Response {
    let taken = is_taken(request.headers());
    let response = next.run(request).await;
    let exact = axum::body::HttpBody::size_hint(response.body()).exact();
    let fits = exact.is_some_and(|bytes| bytes >= LEAST_BYTES as u64 && bytes <= MOST_BYTES);
    if !taken || !fits || !is_text(response.headers()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_BYTES as usize).await else {
        return Response::from_parts(head, Body::empty());
    };
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::default());
    let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
    let Ok(packed) = packed else {
        return Response::from_parts(head, Body::from(bytes));
    };
    mark(&mut head.headers);
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(packed))
}

pub fn mark(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
}

/// A stream that is compressed piece by piece: what was put in can be read at the other end.
pub struct Packer(Option<GzEncoder<Vec<u8>>>);

impl Packer {
    pub fn new(packs: bool) -> Packer {
        Packer(packs.then(|| GzEncoder::new(Vec::new(), Compression::default())))
    }

    pub fn pack(&mut self, text: &str) -> Vec<u8> {
        let Some(encoder) = &mut self.0 else {
            return text.as_bytes().to_vec();
        };
        // Writing to memory cannot fail.
        let _ = encoder.write_all(text.as_bytes()).and_then(|()| encoder.flush());
        std::mem::take(encoder.get_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn each_piece_can_be_read_when_it_has_come() {
        let mut packer = Packer::new(true);
        let mut all = Vec::new();
        for (number, text) in ["one ", "two ", "three"].iter().enumerate() {
            all.extend(packer.pack(text));
            let mut said = [0; 100];
            let mut decoder = flate2::read::GzDecoder::new(all.as_slice());
            let mut read = 0;
            while let Ok(more @ 1..) = decoder.read(&mut said[read..]) {
                read += more;
            }
            assert_eq!(&said[..read], ["one ", "one two ", "one two three"][number].as_bytes());
        }
        assert_eq!(Packer::new(false).pack("plain"), b"plain");
    }

    #[test]
    fn a_browser_says_what_it_takes() {
        let takes = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(text).expect(text));
            is_taken(&headers)
        };
        assert!(takes("gzip, deflate, br") && takes("br;q=1.0, GZIP;q=0.5") && takes("gzip"));
        assert!(!takes("br") && !takes("gzip;q=0") && !takes("") && !is_taken(&HeaderMap::new()));
    }
}
