//! How much of the light from everywhere is kept away from balls by their neighbours.
//!
//! A sphere of radius r at a distance l covers, for a surface that looks straight at it, the share (r/l)² of the light
//! that comes from all around, and for one that looks at an angle θ to it the share (r/l)² max(0, cos θ). Over a ball
//! that sum is taken by its first two terms in spherical harmonics, max(0, cos θ) ≈ 1/4 + cos θ/2, so that all
//! neighbours of a ball become one number and one vector, and a pixel costs the same however dense the balls lie.

use super::model::Ball;
use crate::outlines::{Place, dot, scaled, sum};
use std::collections::HashMap;

/// What keeps light from a ball: a number, and a vector towards where most of it is, in the camera's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cover {
    pub all: f64,
    pub towards: Place,
}

impl Cover {
    /// The share of the light from everywhere that a part of the surface with a normal does not get.
    pub fn of(&self, normal: Place) -> f32 {
        let share = 0.25 * self.all + 0.5 * dot(normal, self.towards);
        (0.85 * share).clamp(0.0, 0.72) as f32
    }
}

/// Neighbours farther away than so many radii of the largest ball do not count.
const REACH: f64 = 4.5;
/// Balls beyond which nobody sees it, and it would take long.
const MOST: usize = 300_000;

type Cell = [i64; 3];

/// Of each ball, in their order. Hollow ones neither cover nor are covered.
pub(super) fn covers(balls: &[Ball]) -> Vec<Cover> {
    let none = vec![Cover::default(); balls.len()];
    let largest = balls.iter().filter(|ball| !ball.hollow);
    let largest = largest.map(|ball| ball.radius).fold(0.0, f64::max);
    let width = REACH * largest;
    if balls.len() < 2 || balls.len() > MOST || !(width > 0.0 && width.is_finite()) {
        return none;
    }
    let cell = |place: Place| -> Cell { place.map(|c| (c / width).floor() as i64) };
    // Only looked up, never gone through: its order does not matter.
    let mut cells: HashMap<Cell, Vec<usize>> = HashMap::new();
    for (number, ball) in balls.iter().enumerate().filter(|(_, ball)| !ball.hollow) {
        cells.entry(cell(ball.centre)).or_default().push(number);
    }
    let of = |(number, ball): (usize, &Ball)| {
        let mut cover = Cover::default();
        if ball.hollow {
            return cover;
        }
        let [x, y, z] = cell(ball.centre);
        for step in 0..27_i64 {
            let near = [x + step % 3 - 1, y + step / 3 % 3 - 1, z + step / 9 - 1];
            for &other in cells.get(&near).into_iter().flatten() {
                if other != number {
                    add(&mut cover, ball, &balls[other], width);
                }
            }
        }
        cover
    };
    balls.iter().enumerate().map(of).collect()
}

fn add(cover: &mut Cover, ball: &Ball, other: &Ball, width: f64) {
    let to = sum(other.centre, scaled(ball.centre, -1.0));
    let square = dot(to, to);
    if !(square > 0.0) || square > width * width {
        return;
    }
    let distance = square.sqrt();
    // It fades out, so that nothing leaps where a neighbour comes near enough to count.
    let fade = 1.0 - distance / width;
    let share = (other.radius * other.radius / square).min(1.0) * fade;
    cover.all += share;
    cover.towards = sum(cover.towards, scaled(to, share / distance));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64) -> Ball {
        Ball {
            centre: [x, 0.0, 10.0],
            radius: 1.0,
            tone: [0.0; 3],
            axes: None,
            coat: None,
            hollow: false,
        }
    }

    #[test]
    fn a_ball_is_darker_towards_its_neighbour() {
        let alone = covers(&[ball(0.0), ball(50.0)]);
        assert_eq!(alone, [Cover::default(); 2]);
        let pair = covers(&[ball(0.0), ball(2.0)]);
        let [towards, away] = [1.0, -1.0].map(|x| pair[0].of([x, 0.0, 0.0]));
        assert!(towards > 0.08 && away == 0.0, "{towards} {away}");
        // In the middle of three it is dark on both sides.
        let row = covers(&[ball(-2.0), ball(0.0), ball(2.0)]);
        assert!(row[1].all > 1.9 * row[0].all && row[1].towards[0].abs() < 1e-12);
    }
}
