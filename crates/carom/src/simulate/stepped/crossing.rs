//! Where a step is cut: at the first contact that begins or ends within it.

/// How steps of any length are tried from the same start, and what is looked at in them.
pub(super) struct StepCuts<A, L, B> {
    /// How often a step is tried at the most.
    pub rounds: u32,
    /// Tries a step of a length, s.
    pub attempt: A,
    /// The length of a step, s.
    pub step_of: L,
    /// How far each contact is beyond its beginning or its end after a step: positive where it has passed it.
    pub beyond: B,
    /// The same at the start; `None` where that is not known.
    pub at_start: Option<Vec<f64>>,
}

/// The shortest step after which a contact has passed its beginning or end, given one that is too long: by regula falsi
/// (Illinois), each time with a step of its own from the same start, so that the time found is as good as the scheme.
///
/// Only what those have that cross is looked at. What others in the list have must not count: which they are depends on
/// when the list was made, and a run that goes on from a snapshot makes it anew.
pub(super) fn first_crossing<T, A, L, B>(cuts: &StepCuts<A, L, B>, beyond: T) -> T
where
    A: Fn(f64) -> T,
    L: Fn(&T) -> f64,
    B: Fn(&T) -> Vec<f64>,
{
    let whole = (cuts.step_of)(&beyond);
    let most = |values: &[f64], of: &[usize]| {
        (of.iter().map(|&index| values[index])).fold(f64::NEG_INFINITY, f64::max)
    };
    let values = (cuts.beyond)(&beyond);
    let mut crossing = which_crossed(&values);
    let mut high_value = most(&values, &crossing);
    let mut low = 0.0;
    let mut low_value =
        (cuts.at_start.as_ref()).map_or(f64::NEG_INFINITY, |values| most(values, &crossing));
    let mut best = beyond;
    let mut same_side = 0;
    // A few rounds do; a bisection in every eighth bounds them all.
    for round in 1..=cuts.rounds {
        let high = (cuts.step_of)(&best);
        if high - low <= 1e-12 * whole || high_value == 0.0 {
            break;
        }
        let secant = high - high_value * (high - low) / (high_value - low_value);
        let middle = if secant > low && secant < high && round % 8 != 0 {
            secant
        } else {
            0.5 * (low + high)
        };
        let trial = (cuts.attempt)(middle);
        let values = (cuts.beyond)(&trial);
        let crossed = which_crossed(&values);
        if crossed.is_empty() {
            (low, low_value) = (middle, most(&values, &crossing));
            same_side = same_side.min(0) - 1;
            if same_side < -1 {
                high_value *= 0.5;
            }
        } else {
            (best, high_value) = (trial, most(&values, &crossed));
            crossing = crossed;
            same_side = same_side.max(0) + 1;
            if same_side > 1 {
                low_value *= 0.5;
            }
        }
    }
    best
}

/// Which contacts have passed their beginning or their end, by place in the list, given how far they are beyond it.
pub(super) fn which_crossed(beyond: &[f64]) -> Vec<usize> {
    (0..beyond.len())
        .filter(|&index| beyond[index] > 0.0)
        .collect()
}
