//! Bytes as hexadecimal digits. Keys pass through here: no buffer grows, which would leave a copy behind.

pub fn encode(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || text.len() % 2 != 0 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 2);
    for at in (0..text.len()).step_by(2) {
        bytes.push(u8::from_str_radix(&text[at..at + 2], 16).ok()?);
    }
    Some(bytes)
}
