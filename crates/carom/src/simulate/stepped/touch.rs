//! What is told of contacts that last.

use crate::record::{Collision, Digest, Edit, Event, SensorCrossing, Velocities};
use crate::response::Mode;
use crate::space::{Linear, Space};
use crate::world::BodyId;
use std::ops::ControlFlow;

/// A contact from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Touch<S: Space> {
    /// Counted from 1, in the order in which they ended.
    pub number: u64,
    /// The free ball that the normal points into.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// World time, s.
    pub begin: f64,
    /// World time, s.
    pub end: f64,
    /// Where they began to touch, m.
    pub point: S::Vector,
    /// Unit normal at the beginning, out of b into a.
    pub normal: S::Vector,
    /// What the contact gave to a; to b its opposite, kg·m/s.
    pub impulse: S::Vector,
    /// Velocities and angular velocities of a and b at the beginning.
    pub before: [Velocities<S>; 2],
    /// Velocities and angular velocities of a and b at the end.
    pub after: [Velocities<S>; 2],
    /// Where the centres of a and b were at the beginning and at the end, m.
    pub places: [[S::Vector; 2]; 2],
    /// How fast they closed at the beginning, along the normal, m/s.
    pub approach_speed: f64,
    /// How fast they parted at the end, along the normal there, m/s.
    pub separation_speed: f64,
    /// The deepest overlap, m.
    pub deepest: f64,
    /// When it was, world time, s.
    pub deepest_at: f64,
    /// What the damper took, J.
    pub lost_to_damper: f64,
    /// What friction and resistance to rolling and spinning took, J.
    pub lost_to_friction: f64,
    /// What the friction did: nothing, stick throughout, or slide at some time.
    pub mode: Mode,
}

impl<S: Space> Touch<S> {
    /// How long it lasted, s.
    pub fn duration(&self) -> f64 {
        self.end - self.begin
    }

    /// The effective restitution: how fast they parted over how fast they closed; `None` where they did not close.
    pub fn restitution(&self) -> Option<f64> {
        (self.approach_speed > 0.0).then(|| self.separation_speed / self.approach_speed)
    }

    /// The same as a collision at the instant at which it began, to put beside one by impulses.
    pub fn to_collision(&self) -> Collision<S> {
        Collision {
            number: self.number,
            time: self.begin,
            a: self.a,
            b: self.b,
            point: self.point,
            normal: self.normal,
            impulse: self.impulse,
            mode: self.mode,
            before: self.before,
            after: self.after,
            energy_lost: self.lost_to_damper + self.lost_to_friction,
            lost_to_friction: self.lost_to_friction,
            gap: -self.deepest,
            approach_speed: self.approach_speed,
            duration: self.duration(),
        }
    }

    pub(super) fn hash(&self, digest: &mut Digest) {
        digest.number(self.begin);
        digest.number(self.end);
        digest.word(u64::from(self.a.0) << 32 | u64::from(self.b.0));
        digest.vector::<S>(self.impulse);
    }
}

/// A contact that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Begin<S: Space> {
    /// World time, s.
    pub time: f64,
    /// The free ball that the normal points into.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Where they touch, m.
    pub point: S::Vector,
    /// Unit normal, out of b into a.
    pub normal: S::Vector,
    /// How fast they close, m/s.
    pub approach_speed: f64,
}

/// Something that happened in a run by forces.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Incident<S: Space> {
    /// Two bodies began to touch.
    Began(Begin<S>),
    /// Two bodies no longer touch.
    Ended(Touch<S>),
    /// A ball began to overlap a sensor.
    Entered(SensorCrossing),
    /// A ball came clear of a sensor.
    Left(SensorCrossing),
    /// Something was changed from outside.
    Edited(Edit),
}

impl<S: Space> Incident<S> {
    /// Reports it in the form in which a run by impulses would: a contact as a collision when it has ended. That one
    /// has begun is not reported.
    pub fn tell(
        &self,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Incident::Began(_) => ControlFlow::Continue(()),
            Incident::Ended(touch) => listener(&Event::Collision(&touch.to_collision())),
            Incident::Entered(passage) => listener(&Event::Entered(*passage)),
            Incident::Left(passage) => listener(&Event::Left(*passage)),
            Incident::Edited(edit) => listener(&Event::Edited(*edit)),
        }
    }

    /// When, world time, s.
    pub fn time(&self) -> f64 {
        match self {
            Incident::Began(begin) => begin.time,
            Incident::Ended(touch) => touch.end,
            Incident::Entered(passage) | Incident::Left(passage) => passage.time,
            Incident::Edited(edit) => edit.time,
        }
    }
}

/// The deepest overlap within a step, and how long after its beginning: of the cubic with the overlaps and their rates
/// at both ends.
///
/// `None` where the overlap does not turn from growing to shrinking in it. The cubic is off by `(ω dt)⁴/384` of the
/// overlap.
pub(super) fn deepest_within(before: [f64; 2], after: [f64; 2], step: f64) -> Option<(f64, f64)> {
    let ([x0, v0], [x1, v1]) = (before, after);
    if !(v0 > 0.0 && v1 <= 0.0) {
        return None;
    }
    // In s from 0 to 1: x = x0 + m0 s + (3d − 2m0 − m1) s² + (m0 + m1 − 2d) s³.
    let (m0, m1, d) = (v0 * step, v1 * step, x1 - x0);
    let (square, cube) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
    // x′ = m0 + 2 square s + 3 cube s² falls through zero: by the form of the root that does not cancel.
    let root = (square * square - 3.0 * cube * m0).max(0.0).sqrt();
    let s = (m0 / (root - square)).clamp(0.0, 1.0);
    let value = x0 + s * (m0 + s * (square + s * cube));
    Some((value, s * step)).filter(|(value, _)| Linear::is_finite(*value))
}
