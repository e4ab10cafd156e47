//! Sets of outbox ids, kept and sent as ranges.

/// `first..=last`; both belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub first: u64,
    pub last: u64,
}

impl Range {
    pub fn contains(&self, id: u64) -> bool {
        self.first <= id && id <= self.last
    }
}

/// The fewest ranges that hold exactly `ids`, in ascending order; `ids` may come in any order and more than once.
pub fn from_ids(ids: impl IntoIterator<Item = u64>) -> Vec<Range> {
    let mut sorted: Vec<u64> = ids.into_iter().collect();
    sorted.sort_unstable();
    let mut ranges: Vec<Range> = Vec::new();
    for id in sorted {
        match ranges.last_mut() {
            // Sorted: `id` is not below `range.last`, so the difference is the distance and cannot overflow.
            Some(range) if id - range.last <= 1 => range.last = id,
            _ => ranges.push(Range { first: id, last: id }),
        }
    }
    ranges
}
