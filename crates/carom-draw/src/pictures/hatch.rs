//! Hatching: what moves by prescription is striped, and its stripes move with it.

use crate::canvas::Point;

/// Segments of parallel lines inside of a closed polygon, in units of its corners: along a direction at an angle (rad),
/// so far apart. Lines are where they are whatever the polygon is, so that stripes stay on a body that moves.
pub(super) fn hatch(corners: &[Point], angle: f64, apart: f64) -> Vec<[Point; 2]> {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    // Along the lines, and across them.
    let turned: Vec<Point> = corners
        .iter()
        .map(|[x, y]| [x * cos + y * sin, y * cos - x * sin])
        .collect();
    let back = |[u, v]: Point| [u * cos - v * sin, u * sin + v * cos];
    let low = turned.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let high = turned
        .iter()
        .map(|p| p[1])
        .fold(f64::NEG_INFINITY, f64::max);
    let count = (high - low) / apart;
    if !(apart > 0.0 && count.is_finite() && count < 2_000.0) {
        return Vec::new();
    }
    let mut segments = Vec::new();
    let mut line = (low / apart).ceil() * apart;
    while line < high {
        let mut cuts: Vec<f64> = Vec::new();
        for (place, a) in turned.iter().enumerate() {
            let b = turned[(place + 1) % turned.len()];
            if (a[1] <= line) != (b[1] <= line) {
                cuts.push(a[0] + (line - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
            }
        }
        cuts.sort_by(f64::total_cmp);
        for pair in cuts.chunks_exact(2) {
            segments.push([back([pair[0], line]), back([pair[1], line])]);
        }
        line += apart;
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_inside_and_stay_where_they_are() {
        let square = |x: f64| [[x, 0.0], [x + 2.0, 0.0], [x + 2.0, 2.0], [x, 2.0]];
        let level = hatch(&square(0.0), 0.0, 0.5);
        assert_eq!(level.len(), 4);
        assert!(level.iter().all(|[a, b]| (a[0], b[0]) == (0.0, 2.0)));
        let slanted = hatch(&square(0.0), 0.6, 0.3);
        let inside = |p: &Point| p.iter().all(|c| (-1e-12..2.0 + 1e-12).contains(c));
        assert!(slanted.len() > 5 && slanted.iter().flatten().all(inside));
        assert!(hatch(&square(0.0), 0.0, 1e-9).is_empty());
        assert!(hatch(&[], 0.0, 1.0).is_empty());
    }
}
