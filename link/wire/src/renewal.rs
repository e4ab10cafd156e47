//! How a gateway gets its next certificate: on the topic `link/<gateway>/request` a request (PKCS #10, RFC 2986) as PEM,
//! retained until it is answered, and on `link/<gateway>/certificate` the certificate as PEM, retained.

/// All requests.
pub const REQUESTS: &str = "link/+/request";

pub fn request_topic(gateway: &str) -> String {
    format!("link/{gateway}/request")
}

pub fn certificate_topic(gateway: &str) -> String {
    format!("link/{gateway}/certificate")
}

/// Whether it is time for another certificate: in the last third of its own. All in unix seconds.
pub fn is_due(begins_s: i64, ends_s: i64, now_s: i64) -> bool {
    ends_s.saturating_sub(now_s) <= ends_s.saturating_sub(begins_s) / 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_third_is_the_time_for_another() {
        assert!(!is_due(0, 300, 199));
        assert!(is_due(0, 300, 200) && is_due(0, 300, 300) && is_due(0, 300, 1000));
        assert!(is_due(i64::MAX, i64::MIN, 0) && is_due(i64::MIN, i64::MAX, i64::MAX));
    }
}
