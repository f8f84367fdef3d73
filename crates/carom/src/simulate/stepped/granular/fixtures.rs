//! What acts at contacts with walls and other shapes.

use super::batch::{ActingSlot, SlotKind, WithArms};
use super::forces::{ForceScene, rows, shortened};
use super::lanes::Lanes;
use super::law::{FourContacts, LaneTally, RuleLanes};
use super::log::Log;
use super::slots::Slot;
use crate::arrays::Each;
use crate::vectors::{Floats as _, Mask as _, Vectors};
use wide::f64x4;

/// A wall: everything behind a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// The normal, into the container, and the height of the plane along it, m.
    pub plane: f64x4,
    /// m/s.
    pub velocity: f64x4,
}

/// How a ball stands to a shape that is not a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// Of the ball's centre from the surface, m.
    pub distance: f64,
    /// Into the ball.
    pub normal: [f64; 3],
    /// Of the surface at the nearest place, m/s.
    pub velocity: [f64; 3],
    /// Of the shape, rad/s.
    pub angular_velocity: [f64; 3],
    /// Of the surface, 1/m: positive where it bulges, negative where it is hollow.
    pub curvature: f64,
}

/// What the four lanes of a slot with fixtures are about, and which of them do not count.
#[derive(Clone, Copy)]
pub(super) struct FixtureLanes {
    pub kind: SlotKind,
    pub shade: u8,
}

impl ForceScene<'_> {
    #[inline(never)]
    pub(super) fn fixture<V: Vectors>(
        &self,
        vectors: V,
        at: ActingSlot<'_>,
        log: &mut Log,
        which: FixtureLanes,
        rules: &RuleLanes,
        tally: &mut LaneTally,
    ) -> u8 {
        vectors.run(
            #[inline(always)]
            || self.fixture_with(vectors, at, log, which, rules, tally),
        )
    }

    /// Longer than most: one pass over four lanes that is compiled as a whole for each kind of vectors.
    #[inline(always)]
    fn fixture_with<V: Vectors>(
        &self,
        vectors: V,
        ActingSlot { slot, actions }: ActingSlot<'_>,
        log: &mut Log,
        FixtureLanes { kind, shade }: FixtureLanes,
        rules: &RuleLanes,
        tally: &mut LaneTally,
    ) -> u8 {
        let a = self.balls_of(slot.a);
        let (zero, one) = (vectors.all_four(0.0), vectors.all_four(1.0));
        let [x, y, z, radius] = rows(
            vectors,
            [&a[0].place, &a[1].place, &a[2].place, &a[3].place],
        );
        let place = Lanes { x, y, z };
        let (mut reduced, mut turning) = (radius, Lanes::zero(vectors));
        let (normal, height, moving) = match kind {
            SlotKind::Shapes => {
                let feet = [0, 1, 2, 3].map(|lane| {
                    if slot.used(lane) {
                        (self.foot)(slot.a[lane], slot.b[lane])
                    } else {
                        NOWHERE
                    }
                });
                let height = vectors.four(&feet.each(|foot| foot.distance));
                let normal = Lanes::of(vectors, feet.each(|foot| foot.normal));
                let curvature = vectors.four(&feet.each(|foot| foot.curvature));
                reduced = one / (one / radius + curvature);
                turning = Lanes::of(vectors, feet.each(|foot| foot.angular_velocity));
                let moving = Lanes::of(vectors, feet.each(|foot| foot.velocity));
                (normal, height, moving)
            }
            _ => {
                let walls = [
                    self.wall_of(slot, 0),
                    self.wall_of(slot, 1),
                    self.wall_of(slot, 2),
                    self.wall_of(slot, 3),
                ];
                let [x, y, z, offset] = rows(
                    vectors,
                    [
                        &walls[0].plane,
                        &walls[1].plane,
                        &walls[2].plane,
                        &walls[3].plane,
                    ],
                );
                let normal = Lanes { x, y, z };
                let [x, y, z, _] = rows(
                    vectors,
                    [
                        &walls[0].velocity,
                        &walls[1].velocity,
                        &walls[2].velocity,
                        &walls[3].velocity,
                    ],
                );
                (normal, normal.dot(place) - offset, Lanes { x, y, z })
            }
        };
        let overlap = radius - height;
        let touching = vectors.lanes_of_four(!shade & 15) & overlap.greater(zero);
        if !touching.any() {
            slot.part(actions);
            return 0;
        }
        let [x, y, z, per_mass] = rows(
            vectors,
            [
                &a[0].velocity,
                &a[1].velocity,
                &a[2].velocity,
                &a[3].velocity,
            ],
        );
        let velocity = Lanes { x, y, z } - moving;
        let [x, y, z, _] = rows(vectors, [&a[0].rim, &a[1].rim, &a[2].rim, &a[3].rim]);
        let mut cut = zero;
        let mut rim = Lanes { x, y, z };
        if self.forms.point {
            cut = overlap;
            rim = shortened(vectors, a, cut, radius);
        }
        let before = slot.touching;
        let meet = FourContacts {
            touching,
            normal,
            overlap,
            velocity,
            rim,
            mass: one / per_mass,
            radius: reduced,
        };
        let (rules, mut sums) = (rules.with(vectors), tally.with(vectors));
        let at = ActingSlot {
            slot: &mut *slot,
            actions,
        };
        let met = WithArms { meet, cut };
        let mut answer = self.settle(vectors, self.forms, at, &rules, met, &mut sums);
        let mut moment = Lanes::zero(vectors);
        if self.forms.rolls {
            let spins = self.spins(vectors, slot.a) - turning;
            let more = self.resist_rolling(vectors, slot, &rules, &meet, &answer, spins, &mut sums);
            answer.taken[1] += more;
            if let Some(turning) = &slot.turning {
                let [a, b, c, d] = &turning.moments;
                let [x, y, z, _] = rows(vectors, [a, b, c, d]);
                moment = Lanes { x, y, z };
            }
        }
        if self.forms.books {
            sums.kinematic += answer.force.dot(moving) + moment.dot(turning);
            sums.pushed = sums.pushed + answer.force;
            // Lanes that are not used have places that are numbers, and no force.
            let torque = moment - answer.twist.times(radius - cut);
            sums.turned = sums.turned + (place.cross(answer.force) + torque).masked(answer.acting);
        }
        let too_deep = if self.forms.logs {
            self.keep(vectors, log, before, (&meet, radius), &answer, &mut sums)
        } else {
            0
        };
        tally.put(sums);
        too_deep
    }

    /// The wall of a lane.
    #[inline(always)]
    fn wall_of(&self, slot: &Slot, lane: usize) -> &Wall {
        if slot.used(lane) {
            &self.walls[slot.b[lane] as usize]
        } else {
            &FAR_AWAY
        }
    }
}

const NOWHERE: Foot = Foot {
    distance: f64::INFINITY,
    normal: [0.0; 3],
    velocity: [0.0; 3],
    angular_velocity: [0.0; 3],
    curvature: 0.0,
};

static FAR_AWAY: Wall = Wall {
    plane: f64x4::new([0.0, 0.0, 0.0, f64::NEG_INFINITY]),
    velocity: f64x4::ZERO,
};
