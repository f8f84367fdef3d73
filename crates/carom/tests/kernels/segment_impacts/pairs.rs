//! Two balls, each on a segment.

use super::*;

struct PairCase<S: Space> {
    segments: [TrajectorySegment<S>; 2],
    since: [f64; 2],
    radii: [f64; 2],
    shift: S::Vector,
}

impl<S: Space> PairCase<S> {
    fn time(&self) -> f64 {
        let ([a, b], [sa, sb], [ra, rb]) = (&self.segments, self.since, self.radii);
        let time = balls_on_segments(a, ra, sa, b, rb, sb, self.shift);
        let swapped = balls_on_segments(b, rb, sb, a, ra, sa, -self.shift);
        assert_eq!(time, swapped, "in the other order");
        time
    }

    fn gap(&self, clock: f64) -> Seen {
        let [a, b] = [0, 1].map(|i| {
            let (segment, t) = (&self.segments[i], clock - self.since[i]);
            (
                segment.position_at(t),
                segment.velocity_at(t),
                size(&segment.place, t),
            )
        });
        let apart = a.0 - b.0 + self.shift;
        let reach = self.radii[0] + self.radii[1];
        let normal = apart.unit().unwrap_or(S::vector([1.0, 0.0, 0.0]));
        (
            apart.length() - reach,
            normal.dot(a.1 - b.1),
            a.2 + b.2 + reach + self.shift.length() + clock.abs() * (a.1.length() + b.1.length()),
        )
    }

    fn check(&self, what: &str) -> bool {
        let time = self.time();
        let ends = [0, 1].map(|i| self.since[i] + self.segments[i].end);
        let (from, to) = (self.since[0].max(self.since[1]), ends[0].min(ends[1]));
        if !(from < to) {
            assert_eq!(time, f64::INFINITY, "{what}");
            return false;
        }
        let fastest: f64 = [0, 1]
            .map(|i| speed_bound(&self.segments[i].place, to - self.since[i]))
            .iter()
            .sum();
        let found = time.is_finite().then_some(time);
        check(what, found, from, to, fastest, |t| self.gap(t));
        found.is_some()
    }
}

fn pairs<S: Space>(degrees: [usize; 2], number: usize, seed: u64) {
    let mut numbers = Numbers(seed);
    let mut met = 0;
    let near = if S::DIMENSION == 2 { 2.0 } else { 1.0 };
    for case in 0..number {
        let since = match case % 3 {
            0 => [0.0, 0.0],
            1 => [numbers.between(0.0, 1.0), 0.0],
            _ => [numbers.between(0.0, 1.0), numbers.between(0.0, 1.0)],
        };
        let shift = if case % 2 == 0 {
            S::Vector::ZERO
        } else {
            numbers.vector::<S>(1.0)
        };
        let pair = PairCase {
            segments: degrees.map(|degree| numbers.segment::<S>(degree, near)),
            since,
            radii: [numbers.between(0.05, 0.6), numbers.between(0.05, 0.6)],
            shift,
        };
        met += usize::from(pair.check(&format!("degrees {degrees:?}, case {case}")));
    }
    assert!(met > number / 20 && met < number, "{met} of {number} met");
}

#[test]
fn balls_of_all_degrees_in_the_plane() {
    for (seed, degrees) in [[1, 1], [2, 1], [2, 2], [5, 5], [9, 9], [9, 2], [0, 5]]
        .into_iter()
        .enumerate()
    {
        pairs::<Space2>(degrees, 2000, seed as u64);
    }
}

#[test]
fn balls_of_all_degrees_in_space() {
    for (seed, degrees) in [[1, 1], [2, 1], [2, 2], [5, 5], [9, 9], [2, 9]]
        .into_iter()
        .enumerate()
    {
        pairs::<Space3>(degrees, 2000, 100 + seed as u64);
    }
}

/// Two balls, one of which is deflected so that the least distance is the sum of the radii but for a share of 10⁻ᵏ.
#[test]
fn grazing_balls() {
    let mut numbers = Numbers(7);
    for degree in [2, 3, 5, 9] {
        for case in 0..1500 {
            let mut pair = PairCase::<Space2> {
                segments: [numbers.segment(degree, 2.0), numbers.segment(2, 2.0)],
                since: [0.0, numbers.between(-0.2, 0.2)],
                radii: [0.0, numbers.between(0.01, 0.2)],
                shift: DVec2::ZERO,
            };
            let ends = [0, 1].map(|i| pair.since[i] + pair.segments[i].end);
            let (from, to) = (pair.since[0].max(pair.since[1]), ends[0].min(ends[1]));
            // The least distance, by sampling and a parabola through three samples.
            let distance = |t: f64| pair.gap(t).0 + pair.radii[0] + pair.radii[1];
            let number = 2000;
            let at = |k: i32| from + (to - from) * f64::from(k) / f64::from(number);
            let k = (1..number)
                .min_by(|&a, &b| distance(at(a)).total_cmp(&distance(at(b))))
                .unwrap();
            let (mut low, mut high) = (at(k - 1), at(k + 1));
            for _ in 0..100 {
                let (one, other) = (low + (high - low) * 0.4, low + (high - low) * 0.6);
                if distance(one) < distance(other) {
                    high = other;
                } else {
                    low = one;
                }
            }
            let least = distance(0.5 * (low + high));
            let last = distance(at(number));
            let share = 10f64.powi(-numbers.between(1.0, 17.0) as i32);
            let sign = if numbers.below(2) == 0 { 1.0 } else { -1.0 };
            pair.radii[0] = least * (1.0 + sign * share) - pair.radii[1];
            if pair.radii[0] > 0.0 && pair.gap(from).0 > 1e-3 && last > least * 1.01 {
                let met = pair.check(&format!(
                    "grazing at degree {degree}, case {case}, {sign} × {share}"
                ));
                // The golden section knows the least distance to 1e-15 or so.
                if share > 1e-13 {
                    assert_eq!(met, sign > 0.0, "degree {degree}, case {case}, {share}");
                }
            }
        }
    }
}

/// Two balls of the plane, the first on a curve about the second, which stands at the origin; R = 1.
fn about_a_ball(terms: &[DVec2], end: f64) -> PairCase<Space2> {
    let still = TrajectorySegment {
        place: Curve::constant(DVec2::ZERO),
        angular_velocity: Curve::constant(0.0),
        end: f64::INFINITY,
    };
    let moving = TrajectorySegment {
        place: Curve::new(terms),
        end,
        ..still
    };
    PairCase {
        segments: [moving, still],
        since: [0.0, 0.0],
        radii: [0.5, 0.5],
        shift: DVec2::ZERO,
    }
}

#[test]
fn touching_to_begin_with() {
    let at = DVec2::new(1.0, 0.0);
    let zero = DVec2::ZERO;
    let time = |velocity: DVec2, half: DVec2, third: DVec2| {
        about_a_ball(&[at, velocity, half, third], 10.0).time()
    };
    for third in [zero, DVec2::new(0.0, 1e-300)] {
        // Closing, opening for good, opening and coming back after 2v/a.
        assert_eq!(time(-DVec2::X, zero, third), 0.0);
        assert_eq!(time(DVec2::X, zero, third), f64::INFINITY);
        assert_eq!(time(DVec2::X, DVec2::X, third), f64::INFINITY);
        let back = time(DVec2::X, -DVec2::X, third);
        assert!((back - 1.0).abs() < 1e-14, "{back}");
        // At rest and pressed: what rounding makes of the gap, 1e-15, is fallen through in 1e-7 s.
        let pressed = time(zero, -DVec2::X, third);
        assert!(pressed < 1e-6, "{pressed}");
        assert_eq!(time(zero, DVec2::X, third), f64::INFINITY);
        // Along the surface: it parts.
        assert_eq!(time(DVec2::Y, zero, third), f64::INFINITY);
        // Along the surface and pulled in harder than the round asks for: a > v²/R.
        let pulled = time(DVec2::Y, -DVec2::X, third);
        assert!(pulled < 1e-6, "{pulled}");
        // Not hard enough.
        assert_eq!(time(DVec2::Y, -0.2 * DVec2::X, third), f64::INFINITY);
    }
    // Slower than rounding explains is not closing: the floor is 32u times the speeds.
    let slow = DVec2::new(-1e-15, 1.0);
    assert_eq!(time(slow, zero, zero), f64::INFINITY);
}

/// |x|² − 1 ≈ t⁴ at the vertex: the parabola has the curvature of the circle there, and half-planes see it in ever
/// shorter steps.
#[test]
fn a_parabola_that_hugs_the_ball() {
    for delta in [0.0, 1e-13, 1e-9, 1e-6, 1e-3] {
        for side in [1.0, -1.0] {
            for third in [0.0, 1e-300] {
                // x = 1 + δ − ½ s², y = s with s = t − 1.
                let terms = [
                    DVec2::new(0.5 + side * delta, -1.0),
                    DVec2::new(1.0, 1.0),
                    DVec2::new(-0.5, 0.0),
                    DVec2::new(third, 0.0),
                ];
                let pair = about_a_ball(&terms, 2.0);
                let met = pair.check(&format!("hugging by {}", side * delta));
                if delta > 0.0 {
                    assert_eq!(met, side < 0.0, "{delta} {side} {third}");
                }
            }
        }
    }
}
