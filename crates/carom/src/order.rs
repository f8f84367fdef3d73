//! Stable sorting that compiles once.
//!
//! The standard library's sort is compiled anew for each type and each comparison: seventy times in this crate, a
//! twelfth of its code. The lists sorted here are short, or sorted once in a run; so short ones are sorted by insertion
//! and long ones through one common sort of their indices. The result of a stable sort is unique: it is the standard
//! library's.

use std::cmp::Ordering;

/// Up to this length insertion is at least as quick.
const SHORT: usize = 20;

/// Stable sorting of a list.
pub(crate) trait InOrder<T> {
    /// Sorts by a comparison; equal ones keep their order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key; equal ones keep their order.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() > SHORT {
            let list = &*self;
            let order = sorted(list.len(), &mut |a, b| compare(&list[a], &list[b]));
            return rearrange(self, order);
        }
        for index in 1..self.len() {
            let mut place = index;
            while place > 0 && compare(&self[place], &self[place - 1]) == Ordering::Less {
                self.swap(place, place - 1);
                place -= 1;
            }
        }
    }
}

/// The indices in the order of what they stand for.
fn sorted(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Puts what was at `order[k]` to place k.
fn rearrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..list.len() {
        let mut place = start;
        while order[place] != start {
            let from = std::mem::replace(&mut order[place], place);
            list.swap(place, from);
            place = from;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut seed = 1u64;
        for length in [0, 1, 2, 3, 19, 20, 21, 22, 100, 1000] {
            for keys in [1, 3, 10_000] {
                let mut list: Vec<(u64, usize)> = (0..length)
                    .map(|index| {
                        seed = seed
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        ((seed >> 33) % keys, index)
                    })
                    .collect();
                let mut expected = list.clone();
                expected.sort_by_key(|&(key, _)| key);
                list.order_by_key(|&(key, _)| key);
                assert_eq!(list, expected);
            }
        }
    }
}
