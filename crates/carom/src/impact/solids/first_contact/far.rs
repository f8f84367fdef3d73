//! Bodies far apart: the balls around them tell how long they stay so.

use super::bound::first_zero;
use super::{ContactSearch, PairAtTime};
use crate::shape::convex::Core;
use crate::space::{Linear, Space};

impl<S: Space> ContactSearch<'_, S> {
    /// How long bodies that are far apart stay so, s; `None` where they are not.
    pub(super) fn step_of_far(&self, scene: &PairAtTime) -> Option<f64> {
        self.step_of_balls(scene)
            .or_else(|| self.step_of_wall(scene))
    }

    /// Where the balls about the two centres are well apart: how long they stay so.
    fn step_of_balls(&self, scene: &PairAtTime) -> Option<f64> {
        let distance = Linear::length(scene.b.centre);
        let gap = distance - self.reach;
        // NaN and infinity fall through; nearer, the shapes themselves allow longer steps.
        if !(gap > 0.02 * self.reach) {
            return None;
        }
        let normal = scene.b.centre / distance;
        let (speed, push) = (
            Linear::dot(normal, scene.velocity),
            Linear::dot(normal, scene.acceleration) - self.sway,
        );
        Some(first_zero(gap, speed, push))
    }

    /// Where one of the two is a wall without end, and the ball about the other well above it: how long it stays so.
    fn step_of_wall(&self, scene: &PairAtTime) -> Option<f64> {
        let (wall, other, arm, side) = match (scene.a.core, scene.b.core) {
            (_, Core::HalfSpace { .. }) => (&scene.b, &scene.a, self.a.0.arm, -1.0),
            (Core::HalfSpace { .. }, _) => (&scene.a, &scene.b, self.b.0.arm, 1.0),
            _ => return None,
        };
        let &Core::HalfSpace { normal, offset } = wall.core else {
            return None;
        };
        let reach = (arm + self.rounding) * (1.0 + 1e-14);
        let normal = wall.turned(normal);
        let gap = Linear::dot(normal, other.centre - wall.centre) - offset - reach;
        if !(gap > 0.02 * reach) {
            return None;
        }
        let (speed, push) = (
            side * Linear::dot(normal, scene.velocity),
            side * Linear::dot(normal, scene.acceleration) - self.sway,
        );
        Some(first_zero(gap, speed, push))
    }
}
