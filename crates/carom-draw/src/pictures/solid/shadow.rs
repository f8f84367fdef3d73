//! Which places the light reaches: a map of heights, seen from the light.

use super::model::Model;
use crate::outlines::{Place, across, dot, scaled, sum};

/// Along either side.
const SIDE: usize = 1_024;

/// How high the highest thing is over each spot, towards the light.
pub(super) struct Shadow {
    axes: [Place; 3],
    low: [f64; 2],
    /// Spots for each metre.
    scale: f64,
    heights: Vec<f32>,
    /// What is so little below counts as lit, m: rounding, and the width of a spot.
    slack: f64,
}

impl Shadow {
    /// Of everything that is in a model so far; the map is as large as what is seen.
    pub fn new(model: &Model, corners: impl Iterator<Item = Place>) -> Self {
        let [x, y] = across(model.light);
        let axes = [x, y, model.light];
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in corners {
            for i in 0..2 {
                let at = dot(corner, axes[i]);
                (low[i], high[i]) = (low[i].min(at), high[i].max(at));
            }
        }
        let side = (high[0] - low[0])
            .max(high[1] - low[1])
            .max(f64::MIN_POSITIVE);
        let scale = (SIDE - 1) as f64 / side;
        let mut shadow = Shadow {
            axes,
            low,
            scale,
            heights: vec![f32::NEG_INFINITY; SIDE * SIDE],
            slack: 2.5 / scale,
        };
        for ball in model.balls.iter().filter(|ball| !ball.hollow) {
            shadow.ball(ball.centre, ball.radius);
        }
        for triangle in &model.triangles {
            shadow.triangle(triangle.corners);
        }
        shadow
    }

    fn spot(&self, place: Place) -> [f64; 3] {
        [
            (dot(place, self.axes[0]) - self.low[0]) * self.scale,
            (dot(place, self.axes[1]) - self.low[1]) * self.scale,
            dot(place, self.axes[2]),
        ]
    }

    fn range(low: f64, high: f64) -> std::ops::Range<usize> {
        let last = SIDE as f64;
        low.ceil().clamp(0.0, last) as usize..(high.floor() + 1.0).clamp(0.0, last) as usize
    }

    fn ball(&mut self, centre: Place, radius: f64) {
        let [x, y, height] = self.spot(centre);
        let r = radius * self.scale;
        for row in Self::range(y - r, y + r) {
            let dy = row as f64 - y;
            let half = (r * r - dy * dy).max(0.0).sqrt();
            for column in Self::range(x - half, x + half) {
                let dx = column as f64 - x;
                let up = (half * half - dx * dx).max(0.0).sqrt() / self.scale;
                let spot = &mut self.heights[row * SIDE + column];
                *spot = spot.max((height + up) as f32);
            }
        }
    }

    fn triangle(&mut self, corners: [Place; 3]) {
        let [a, b, c] = corners.map(|corner| self.spot(corner));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !(area.abs() > 1e-9) {
            return;
        }
        let range = |i: usize| {
            let three = [a[i], b[i], c[i]];
            Self::range(
                three.iter().copied().fold(f64::INFINITY, f64::min),
                three.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        for row in range(1) {
            for column in range(0) {
                let (x, y) = (column as f64, row as f64);
                let second = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
                let third = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
                if second < 0.0 || third < 0.0 || second + third > 1.0 {
                    continue;
                }
                let height = a[2] + second * (b[2] - a[2]) + third * (c[2] - a[2]);
                let spot = &mut self.heights[row * SIDE + column];
                *spot = spot.max(height as f32);
            }
        }
    }

    /// How much of the light reaches a place on a surface with a normal: from 0 to 1.
    pub fn light_at(&self, place: Place, normal: Place) -> f32 {
        // Off the surface, so that it does not shade itself.
        let [x, y, height] = self.spot(sum(place, scaled(normal, self.slack)));
        let height = height + 0.5 * self.slack;
        let last = (SIDE - 1) as f64 - WIDEST;
        if !(x >= WIDEST && y >= WIDEST && x < last && y < last) {
            return self.sharp(x, y, height as f32);
        }
        // How the surface falls away to either side, in height for each spot: not steeper than it can be seen.
        let [slope_x, slope_y, up] = self.axes.map(|axis| dot(axis, normal));
        let steep = 1.0 / (up.max(0.2) * self.scale);
        let on_surface = |dx: f64, dy: f64| (height - (slope_x * dx + slope_y * dy) * steep) as f32;
        // What is in the way nearby, and how far above.
        let (mut above, mut blocked) = (0.0_f32, 0.0_f32);
        for (dx, dy) in grid(0.6 * WIDEST) {
            let top = self.heights[(y + dy) as usize * SIDE + (x + dx) as usize];
            let here = on_surface(dx, dy);
            if top > here {
                above += top - here;
                blocked += 1.0;
            }
        }
        if blocked == 0.0 {
            return self.sharp(x, y, height as f32);
        }
        // The light is as wide as a lamp: the farther what is in the way, the softer its edge.
        let wide = (LAMP * f64::from(above / blocked) * self.scale).clamp(0.9, WIDEST);
        let taps = grid(0.62 * wide).map(|(dx, dy)| self.sharp(x + dx, y + dy, on_surface(dx, dy)));
        taps.sum::<f32>() / TAPS as f32
    }

    /// Whether a place is lit, blended among the four spots about it.
    fn sharp(&self, x: f64, y: f64, height: f32) -> f32 {
        if !(x >= 0.0 && y >= 0.0 && x < (SIDE - 1) as f64 && y < (SIDE - 1) as f64) {
            return 1.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (dx, dy) = (x.fract() as f32, y.fract() as f32);
        let lit =
            |row: usize, column: usize| f32::from(self.heights[row * SIDE + column] <= height);
        let upper = lit(row, column) * (1.0 - dx) + lit(row, column + 1) * dx;
        let lower = lit(row + 1, column) * (1.0 - dx) + lit(row + 1, column + 1) * dx;
        upper * (1.0 - dy) + lower * dy
    }
}

/// How wide the light is, as a share of its distance.
const LAMP: f64 = 0.22;
/// Spots that the edge of a shadow is wide at most, to either side.
const WIDEST: f64 = 9.0;
/// Places that a soft shadow is looked up at.
const TAPS: usize = 13;

/// Places about the origin: the middle, and two rings.
fn grid(step: f64) -> impl Iterator<Item = (f64, f64)> {
    const PLACES: [(f64, f64); TAPS] = [
        (0.0, 0.0),
        (0.8, 0.0),
        (0.4, 0.69),
        (-0.4, 0.69),
        (-0.8, 0.0),
        (-0.4, -0.69),
        (0.4, -0.69),
        (1.3, 0.75),
        (0.0, 1.5),
        (-1.3, 0.75),
        (-1.3, -0.75),
        (0.0, -1.5),
        (1.3, -0.75),
    ];
    PLACES.into_iter().map(move |(x, y)| (step * x, step * y))
}
