//! Putting the members of an island back where they do not overlap.
//!
//! The velocities of a step keep bodies apart to first order in its length, and to what the solver leaves. What is left
//! is taken back at the level of places: with the geometry at the end of the step, the least displacements (weighted
//! by mass and inertia) after which no gap is negative,
//!
//! ```text
//! gap + n·(δ_a + φ_a × r_a − δ_b − φ_b × r_b) ≥ 0,    M δ = Σ n λ,   I φ = Σ r × n λ,   λ ≥ 0,
//! ```
//!
//! by the solver of the velocities, and again with the geometry there, until no gap is below half of what
//! [`Overlap::allowed`] says. Bodies that push each other away keep their common centre of mass, for λ is the same for
//! both. It changes no velocity and no angular momentum of a body about its centre. What it does to the potential
//! energy is an account of its own.
//!
//! Source of the idea: Acary, "Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with
//! unilateral contact and Coulomb's friction" (2013).

use super::movers::index_of;
use super::refresh::{Placement, Seen};
use super::{Hold, Island, Neighbours};
use crate::motion::Pose;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::{Row, rounds};
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::geometry::spots_between;
use crate::simulate::rigid::joined::{self, Bound, bound_at};
use crate::simulate::rigid::overlap::Overlap;
use crate::space::{Linear, Space};

/// How often the geometry is looked at anew. A way out is found in two or three passes; where contacts turn while they
/// are pushed apart it takes more.
const PASSES: usize = 40;

/// Rounds of the solver in one pass.
const ROUNDS: u32 = 500;

/// How near those beside are watched, in reaches.
const BESIDE: f64 = 1e-3;

/// In a crowd a pair is looked at again, on the way, where its bodies have been moved by this share of the gap.
const FAR: f64 = 0.5;

/// And points that are further apart than this, in reaches, are not pushed together on the way.
const NEAR: f64 = 1e-2;

/// What came of it.
pub(super) struct Projected<S: Space> {
    /// Where the pairs touch there.
    pub holds: Vec<Hold<S>>,
    /// Which members were moved.
    pub moved: Vec<bool>,
    /// The pair that is left too deep, where there was no way out.
    pub stuck: Option<Overlap>,
}

/// Where members of an island are, how they move, and when that is, s.
type Motion<'a, S> = (
    &'a mut [Pose<S>],
    &'a [(<S as Space>::Vector, <S as Space>::Angular)],
    f64,
);

/// A member, and what is beside it that it does not keep touching: with the place of that, if it is no member.
pub(super) type Beside<S> = (u32, RigidBodyRef, Option<Pose<S>>);

/// Moves members of an island at a time until they do not overlap. None is pushed into bodies beside them, which stay
/// where they are unless they are members. What has been seen at the poses that are given need not be looked at again.
pub(super) fn project<S: Shaped>(
    stage: &RigidWorld<S>,
    near: &impl Neighbours,
    island: &Island<S>,
    (poses, moves, t): Motion<'_, S>,
    beside: &[Beside<S>],
    seen: Option<Seen<S>>,
) -> Projected<S> {
    let mut moved = vec![0.0; poses.len()];
    let mut pass = 0;
    let mut found = seen;
    loop {
        let placement = Placement {
            members: &island.members,
            poses,
            moves,
            t,
        };
        let mut seen = placement.look(stage, near, island, (found.take(), &moved));
        let far = if island.crowd { FAR } else { 0.0 };
        placement.look_again(stage, island, &mut seen, (&moved, far));
        let mut holds = placement.refresh(stage, island, &seen);
        let deepest = deepest_of(stage, &holds);
        let share = deepest.map_or(0.0, |it| it.depth / it.allowed);
        let joints = stage.linkage.as_ref().and_then(|_| {
            let still = still(stage, island, poses);
            bound_at(stage, &island.members, (poses, &still), t)
        });
        let fits = |joints: &Bound<S>| joints.misfit(stage, poses, t).is_none();
        if share <= 0.5 && joints.as_ref().is_none_or(fits) || pass == PASSES {
            let stuck = deepest.filter(|_| share > 1.0);
            if far > 0.0 {
                let placement = Placement {
                    members: &island.members,
                    poses,
                    moves,
                    t,
                };
                placement.look_again(stage, island, &mut seen, (&moved, 0.0));
                holds = placement.refresh(stage, island, &seen);
            }
            return Projected {
                holds,
                moved: moved.iter().map(|&way| way > 0.0).collect(),
                stuck,
            };
        }
        found = Some(seen);
        let outside = outside(stage, island, poses, beside);
        let there = (&mut *poses, &mut moved[..], t);
        push_apart(stage, island, (&holds, &outside), joints, there);
        pass += 1;
    }
}

/// The pair that overlaps most, for what is allowed.
pub(super) fn deepest_of<S: Shaped>(stage: &RigidWorld<S>, holds: &[Hold<S>]) -> Option<Overlap> {
    let mut deepest = None;
    for hold in holds {
        Overlap::note(&mut deepest, stage, hold.pair(), &hold.spots);
    }
    deepest
}

/// Where members touch those beside them, or nearly: none is pushed into them.
fn outside<S: Shaped>(
    stage: &RigidWorld<S>,
    island: &Island<S>,
    poses: &[Pose<S>],
    beside: &[Beside<S>],
) -> Vec<Hold<S>> {
    let of = |&(a, other, pose): &Beside<S>| {
        let member = |slot: u32| poses[index_of(&island.members, slot) as usize];
        let mine = member(a);
        let pose = match (pose, other) {
            (None, RigidBodyRef::Body(b)) => member(b),
            (pose, _) => pose.unwrap_or_default(),
        };
        let margin = BESIDE * stage.inert[a as usize].reach;
        let spots = spots_between(stage, a, other, &[mine, pose], margin);
        Hold { a, other, spots }
    };
    beside.iter().map(of).collect()
}

/// The members of an island at poses, at rest.
fn still<S: Shaped>(stage: &RigidWorld<S>, island: &Island<S>, poses: &[Pose<S>]) -> Vec<Mover<S>> {
    let still = |(&slot, pose): (&u32, &Pose<S>)| {
        let inert = &stage.inert[slot as usize];
        Mover {
            inverse_mass: 1.0 / inert.mass,
            inverse_inertia: inert.inverse_inertia(pose.rotation),
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        }
    };
    island.members.iter().zip(poses).map(still).collect()
}

/// One pass: the displacements for the geometry as it is.
fn push_apart<S: Shaped>(
    stage: &RigidWorld<S>,
    island: &Island<S>,
    (holds, outside): (&[Hold<S>], &[Hold<S>]),
    mut joints: Option<Bound<S>>,
    (poses, moved, t): (&mut [Pose<S>], &mut [f64], f64),
) {
    let mut movers = still(stage, island, poses);
    // All fixtures are one: nothing moves them here.
    let fixture = movers.len() as u32;
    movers.push(Mover::fixed());
    let mut rows = Vec::new();
    let mut least = f64::INFINITY;
    for hold in holds {
        let a = index_of(&island.members, hold.a);
        let mine = poses[a as usize].position;
        let (b, its) = match hold.other {
            RigidBodyRef::Body(slot) => {
                let b = index_of(&island.members, slot);
                (b, poses[b as usize].position)
            }
            RigidBodyRef::Fixture(index) => {
                (fixture, stage.props[index as usize].pose_at(t).position)
            }
        };
        least = least.min(Overlap::allowed(stage, hold.pair()));
        let heap = island.crowd;
        let far = NEAR * stage.inert[hold.a as usize].reach;
        for spot in hold.spots.iter().filter(|spot| !heap || spot.gap < far) {
            let arms = [mine, its].map(|centre| stage.nearest(spot.place - centre));
            let mut row = Row::new([a, b], arms, spot.normal, [0.0; 2], &movers);
            row.wanted = -spot.gap;
            rows.push(row);
        }
    }
    for hold in outside {
        let a = index_of(&island.members, hold.a);
        let mine = poses[a as usize].position;
        let member = match hold.other {
            RigidBodyRef::Body(b) => island.members.binary_search(&b).ok(),
            RigidBodyRef::Fixture(_) => None,
        };
        for spot in &hold.spots {
            let (b, arm) = match member {
                Some(b) => (b as u32, stage.nearest(spot.place - poses[b].position)),
                None => (fixture, S::Vector::ZERO),
            };
            let arms = [stage.nearest(spot.place - mine), arm];
            let mut row = Row::new([a, b], arms, spot.normal, [0.0; 2], &movers);
            row.wanted = -spot.gap.max(0.0);
            rows.push(row);
        }
    }
    let most = rounds(ROUNDS, rows.len());
    if let Some(joints) = &mut joints {
        joints.put_right();
    }
    joined::solve(&mut rows, &mut movers, &mut joints, (0.05 * least, most));
    for (k, (pose, mover)) in poses.iter_mut().zip(&movers).enumerate().take(moved.len()) {
        if mover.velocity == S::Vector::ZERO && mover.angular_velocity == S::Angular::ZERO {
            continue;
        }
        pose.position += mover.velocity;
        pose.rotation = S::compose(S::rotation_of(mover.angular_velocity, 1.0), pose.rotation);
        let reach = stage.inert[island.members[k] as usize].reach;
        let way = mover.velocity.length() + mover.angular_velocity.length() * reach;
        moved[k] += way.max(f64::MIN_POSITIVE);
    }
}
