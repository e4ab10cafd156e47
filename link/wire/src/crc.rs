//! CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xffff, no reflection; check value of "123456789" is 0x29b1.

const TABLE: [u16; 256] = table();

const fn table() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 0x8000 != 0 {
                (value << 1) ^ 0x1021
            } else {
                value << 1
            };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
}

pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, &byte| {
        (crc << 8) ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)]
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_catalogue_check_value() {
        assert_eq!(super::crc16(b"123456789"), 0x29b1);
    }
}
