//! Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): no zero in the encoding, so a zero can end a frame.

/// Appends the encoding of `data` to `out`.
pub(crate) fn encode(data: &[u8], out: &mut Vec<u8>) {
    for group in data.split(|&byte| byte == 0) {
        // A full group of 254 stands for itself without a zero after it, so only what is left over ends the group.
        let mut rest = group;
        while rest.len() >= 254 {
            out.push(0xff);
            out.extend_from_slice(&rest[..254]);
            rest = &rest[254..];
        }
        out.push(rest.len() as u8 + 1);
        out.extend_from_slice(rest);
    }
}

/// Replaces the contents of `out` by the decoding of `encoded`; false if `encoded` is no encoding.
pub(crate) fn decode(encoded: &[u8], out: &mut Vec<u8>) -> bool {
    out.clear();
    let mut rest = encoded;
    let mut zero_due = false;
    while let Some((&code, tail)) = rest.split_first() {
        if zero_due {
            out.push(0);
        }
        let Some(count) = usize::from(code).checked_sub(1) else {
            return false;
        };
        let Some((group, after)) = tail.split_at_checked(count) else {
            return false;
        };
        if group.contains(&0) {
            return false;
        }
        out.extend_from_slice(group);
        zero_due = code != 0xff;
        rest = after;
    }
    !encoded.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    /// The examples of the paper's successor texts: published pairs, not our own output.
    const PAIRS: [(&[u8], &[u8]); 8] = [
        (&[], &[1]),
        (&[0], &[1, 1]),
        (&[0, 0], &[1, 1, 1]),
        (&[0, 0x11, 0], &[1, 2, 0x11, 1]),
        (&[0x11, 0x22, 0, 0x33], &[3, 0x11, 0x22, 2, 0x33]),
        (&[0x11, 0x22, 0x33, 0x44], &[5, 0x11, 0x22, 0x33, 0x44]),
        (&[0x11, 0, 0, 0], &[2, 0x11, 1, 1, 1]),
        (&[0x11], &[2, 0x11]),
    ];

    #[test]
    fn published_pairs_both_ways() {
        for (plain, encoded) in PAIRS {
            let mut out = Vec::new();
            encode(plain, &mut out);
            assert_eq!(out, encoded);
            assert!(decode(encoded, &mut out));
            assert_eq!(out, plain);
        }
    }

    #[test]
    fn lengths_around_a_full_group() {
        for length in 250..520 {
            let plain: Vec<u8> = (0..length).map(|index| (index % 255 + 1) as u8).collect();
            let mut encoded = Vec::new();
            encode(&plain, &mut encoded);
            assert!(!encoded.contains(&0));
            let mut out = Vec::new();
            assert!(decode(&encoded, &mut out));
            assert_eq!(out, plain);
        }
    }

    #[test]
    fn what_is_no_encoding() {
        for wrong in [&[][..], &[0], &[2], &[3, 1], &[2, 0], &[1, 0]] {
            assert!(!decode(wrong, &mut Vec::new()), "{wrong:?}");
        }
    }
}
