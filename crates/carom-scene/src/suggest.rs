//! "Did you mean …?"

/// Names longer than this are not compared.
const LONGEST: usize = 64;
/// Candidates beyond this many are not looked at.
const MOST: usize = 1000;

/// The candidate nearest to what was written, if one is near enough to have been meant: a third of its letters may be
/// wrong, missing, doubled or swapped with a neighbour.
pub(crate) fn nearest<'c>(
    written: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().collect() };
    if written.len() > 4 * LONGEST {
        return None;
    }
    let written = letters(written);
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (distance(&written, &letters(candidate)), candidate))
        .filter(|(steps, candidate)| 3 * steps <= candidate.chars().count().max(3))
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours from one word to the other (optimal
/// string alignment), row by row.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = above;
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let keys = ["radius", "mass", "position", "velocity"];
        assert_eq!(nearest("raduis", keys), Some("radius"));
        assert_eq!(nearest("Mass", keys), Some("mass"));
        assert_eq!(nearest("positon", keys), Some("position"));
        assert_eq!(nearest("temperature", keys), None);
        assert_eq!(nearest("", keys), None);
    }

    #[test]
    fn the_distance_counts_single_steps() {
        let steps = |a: &str, b: &str| {
            distance(
                &a.chars().collect::<Vec<_>>(),
                &b.chars().collect::<Vec<_>>(),
            )
        };
        assert_eq!(steps("kitten", "sitting"), 3);
        assert_eq!(steps("ab", "ba"), 1);
        assert_eq!(steps("", "abc"), 3);
    }
}
