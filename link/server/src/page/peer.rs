//! The address at the other end of a browser's connection.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// What one party has of addresses: one, or, of the newer kind, 2^64, whose first half its provider gave it.
pub fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_network_of_addresses_is_one() {
        let of = |text: &str| neighbourhood(text.parse().expect(text)).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2::9"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:3::9"), "2001:db8:1:3::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
        assert_eq!(of("::1"), "::1");
    }
}
