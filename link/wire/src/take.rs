//! Reading big-endian integers off the front of a slice.

/// The first `N` bytes, and `input` moved past them; None if there are fewer.
fn array<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = input.split_first_chunk::<N>()?;
    *input = rest;
    Some(*head)
}

pub(crate) fn u8(input: &mut &[u8]) -> Option<u8> {
    array::<1>(input).map(|[byte]| byte)
}

pub(crate) fn u16(input: &mut &[u8]) -> Option<u16> {
    array(input).map(u16::from_be_bytes)
}

pub(crate) fn u32(input: &mut &[u8]) -> Option<u32> {
    array(input).map(u32::from_be_bytes)
}

pub(crate) fn u64(input: &mut &[u8]) -> Option<u64> {
    array(input).map(u64::from_be_bytes)
}

pub(crate) fn uuid(input: &mut &[u8]) -> Option<[u8; 16]> {
    array(input)
}

pub(crate) fn bytes<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(head)
}
