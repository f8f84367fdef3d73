//! Bodies as plain lines, for pictures that are drawn elsewhere, as in notebooks.

use crate::outlines::{Bounds, DrawSpace, Form, things};
use carom::body::Kind;
use carom::shape::Shape;
use carom::world::World;

/// A body as it is seen along the third axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// From place to place, m.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Whether each of the lines surrounds a solid.
    pub solid: bool,
    /// Whether it has no end, and is shown as far as is seen.
    pub endless: bool,
    /// Whether bodies go through it.
    pub sensor: bool,
    /// Whether it is free.
    pub free: bool,
}

/// All bodies of a world but the free balls, where they are; `low` and `high` are opposite corners of what is seen, m.
pub fn sketches<S: DrawSpace>(world: &World<S>, low: [f64; 3], high: [f64; 3]) -> Vec<Sketch> {
    let bounds = Bounds { low, high }.settled();
    let bodies = world.bodies().iter().zip(things(world));
    bodies
        .filter(|(body, _)| !matches!((&body.shape, &body.kind), (Shape::Ball(_), Kind::Free(_))))
        .map(|(body, thing)| Sketch {
            lines: thing
                .world_lines(&bounds, S::DIMENSION == 2)
                .iter()
                .map(|line| line.iter().map(|&[x, y, _]| [x, y]).collect())
                .collect(),
            solid: S::DIMENSION == 2
                && matches!(thing.form, Form::Ball(_) | Form::Lines { solid: true, .. }),
            endless: matches!(thing.form, Form::Wall(_) | Form::Tube(..)),
            sensor: thing.sensor,
            free: matches!(body.kind, Kind::Free(_)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::body::Body;
    use carom::glam::DVec2;
    use carom::space::Space2;

    #[test]
    fn walls_end_where_is_seen_and_balls_are_left_out() {
        let mut world = World::<Space2>::new();
        let ball = Body::ball(0.5, 1.0, DVec2::new(0.0, 3.0), DVec2::ZERO);
        world.add(ball.unwrap()).unwrap();
        let floor = Body::fixed(Shape::half_space(DVec2::Y).unwrap());
        world.add(floor).unwrap();
        let seen = sketches(&world, [-1.0, -1.0, 0.0], [1.0, 4.0, 0.0]);
        assert_eq!(seen.len(), 1);
        assert!(seen[0].endless && !seen[0].solid && !seen[0].free);
        let line = &seen[0].lines[0];
        assert!(line.iter().all(|&[x, y]| y == 0.0 && x.abs() > 1.0));
    }
}
