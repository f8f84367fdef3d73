//! What a form covers across a direction: its shadow in parallel light.
//!
//! A convex polyhedron covers what its faces towards the light cover, `Σ (n·d) A` over the faces with n·d > 0, and the
//! middle of that is the mean of the middles of these faces, each with its `(n·d) A`. A ball covers `π r²`, a capsule
//! of length l at an angle θ to the light `π r² + 2 r l sin θ`, a cylinder `π r² |cos θ| + 2 r l sin θ`. In 2-D a form
//! covers a width w; its area is taken as that of a disc of that width, `π w²/4`.
//!
//! Parts of a compound that stand in the light of others are counted in full.

use super::mass::Moments;
use super::part::{Convex, Core};
use super::{Compound, hull::Hull};
use crate::space::{Linear, Space};
use glam::DVec3;
use std::f64::consts::PI;

impl<S: Space> Compound<S> {
    /// The area that it covers across a direction of length one, m², and the middle of that area: a place in its frame,
    /// in any depth, m.
    pub(crate) fn shadow(&self, direction: S::Vector) -> (f64, S::Vector) {
        if S::DIMENSION == 2 {
            let across = S::surface_velocity(S::angular_velocity([0.0, 0.0, 1.0]), direction);
            let reach = |out: S::Vector| {
                let heights = self.parts().iter().map(|part| part.height(out));
                heights.fold(f64::NEG_INFINITY, f64::max)
            };
            let (high, low) = (reach(across), -reach(-across));
            let width = high - low;
            return (0.25 * PI * width * width, across * (0.5 * (high + low)));
        }
        let light = DVec3::from_array(S::components(direction));
        let (mut area, mut middle) = (0.0, DVec3::ZERO);
        for part in self.parts() {
            let (more, place) = of_part(part, light);
            area += more;
            middle += place * more;
        }
        let middle = if area > 0.0 { middle / area } else { middle };
        (area, S::vector(middle.to_array()))
    }

    /// The radius of the ball with the same volume, in 2-D of the disc with the same area, m.
    pub(crate) fn radius_of_volume(&self) -> f64 {
        let volumes = self.parts().iter().filter_map(Moments::of);
        let volume: f64 = volumes.map(|moments| moments.volume).sum();
        if S::DIMENSION == 2 {
            (volume / PI).sqrt()
        } else {
            libm::cbrt(0.75 * volume / PI)
        }
    }
}

fn of_part<S: Space>(part: &Convex<S>, light: DVec3) -> (f64, DVec3) {
    let across = |along: f64| (1.0 - along * along).max(0.0).sqrt();
    let radius = part.rounding;
    match &part.core {
        Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => (0.0, DVec3::ZERO),
        Core::Cylinder(round) => {
            let along = Linear::dot(round.axis, light);
            let ends = PI * round.radius * round.radius * along.abs();
            let side = 4.0 * round.radius * round.half_length * across(along);
            (ends + side, round.centre)
        }
        Core::Hull(hull) => match *hull.corners.as_slice() {
            [centre] => (PI * radius * radius, centre),
            [from, to] => {
                let length = Linear::length(to - from);
                let along = Linear::dot(to - from, light) / length;
                let side = 2.0 * radius * length * across(along);
                (PI * radius * radius + side, (from + to) * 0.5)
            }
            _ => of_hull(hull, light),
        },
    }
}

fn of_hull(hull: &Hull, light: DVec3) -> (f64, DVec3) {
    let (mut area, mut middle) = (0.0, DVec3::ZERO);
    for (index, face) in hull.faces.iter().enumerate() {
        if Linear::dot(face.normal, light) <= 0.0 {
            continue;
        }
        let corner = |k: usize| hull.corners[hull.around(index)[k] as usize];
        for k in 2..hull.around(index).len() {
            let (a, b, c) = (corner(0), corner(k - 1), corner(k));
            let more = 0.5 * Linear::dot((b - a).cross(c - a), light).abs();
            area += more;
            middle += (a + b + c) * (more / 3.0);
        }
    }
    let middle = if area > 0.0 { middle / area } else { middle };
    (area, middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Pose;
    use crate::space::{Space2, Space3};
    use glam::DVec2;

    /// A cube covers its side, or along a diagonal of its body √3 times that; a box off the centre turns.
    #[test]
    fn shadows_have_their_closed_forms() {
        let block = Convex::<Space3>::block(DVec3::splat(0.5)).expect("positive");
        let cube = Compound::new(vec![block], 1.0).expect("one part");
        let (area, middle) = cube.shadow(DVec3::X);
        assert!((area - 1.0).abs() < 1e-15 && Linear::length(middle.cross(DVec3::X)) < 1e-15);
        let (area, _) = cube.shadow(DVec3::ONE / 3.0_f64.sqrt());
        assert!((area - 3.0_f64.sqrt()).abs() < 1e-14, "{area}");
        // Cauchy: the mean shadow of a convex body is a quarter of its surface; here over the corners of a lattice of
        // directions, to what so many of them leave.
        let cylinder = Convex::<Space3>::cylinder(0.5, 0.3).expect("positive");
        let cylinder = Compound::new(vec![cylinder], 1.0).expect("one part");
        let surface = 2.0 * PI * 0.3 * 1.0 + 2.0 * PI * 0.09;
        let number = 2000;
        let mean: f64 = (0..number)
            .map(|k| {
                let along = (2.0 * f64::from(k) + 1.0) / f64::from(number) - 1.0;
                let out = DVec3::new((1.0 - along * along).sqrt(), 0.0, along);
                cylinder.shadow(out).0 / f64::from(number)
            })
            .sum();
        assert!((mean - 0.25 * surface).abs() < 1e-5, "{mean} {surface}");
        let ball = Convex::<Space3>::ball(0.2).expect("positive");
        let ball = Compound::new(vec![ball.placed(&Pose::at(DVec3::Y))], 1.0).expect("one part");
        assert!((ball.shadow(DVec3::X).0 - 0.04 * PI).abs() < 1e-16);
        assert!((ball.radius_of_volume() - 0.2).abs() < 1e-15);
        let disc = Compound::new(vec![Convex::<Space2>::ball(0.2).expect("positive")], 1.0);
        let disc = disc.expect("one part");
        let (area, middle) = disc.shadow(DVec2::X);
        assert!((area - 0.04 * PI).abs() < 1e-16 && middle == DVec2::ZERO);
        assert!((disc.radius_of_volume() - 0.2).abs() < 1e-16);
    }
}
