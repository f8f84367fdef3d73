//! What acts on which bodies at an instant.

use super::bodies::{ForceBodies, ForceBodyRef};
use super::granular::potential_push;
use super::links::{Link, Memory};
use super::state::{
    DAMPERS, DRIVEN, EXTERNAL, FIELDS, Flow, MovingBalls, ROLLING, SLIDING, SPINNING,
};
use crate::force::{Friction, Held, NormalForce, carry, rub};
use crate::impact::Strikable;
use crate::motion::{Load, Rates as _};
use crate::shape::{Obstacle, Shaped};
use crate::space::{Linear, Space};

/// How two bodies that are near each other lie and move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairLook<S: Space> {
    /// m; negative where they are apart.
    pub overlap: f64,
    /// Into a, of length one.
    pub normal: S::Vector,
    /// From the centres to where friction acts, m.
    pub arms: [S::Vector; 2],
    /// Where they touch, m.
    pub point: S::Vector,
    /// Of the other body at the contact point, m/s: zero for what stands still.
    pub wall_velocity: S::Vector,
    pub wall_angular_velocity: S::Angular,
    /// m/s, negative where they close.
    pub normal_velocity: f64,
    /// m/s.
    pub slip: S::Vector,
    /// The contact is another's: it is on a seam of two bodies, and the other is deeper.
    pub at_seam: bool,
}

/// Where a ball is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallMotion<S: Space> {
    pub place: S::Vector,
    pub velocity: S::Vector,
    pub angular_velocity: S::Angular,
}

impl<S: Space> MovingBalls<S> {
    pub fn of(&self, slot: u32) -> BallMotion<S> {
        let slot = slot as usize;
        BallMotion {
            place: self.position[slot],
            velocity: self.velocity[slot],
            angular_velocity: self.angular_velocity[slot],
        }
    }
}

/// Looks at a link.
#[inline]
pub(super) fn look<S: Strikable>(
    stage: &ForceBodies<S>,
    link: &Link<S>,
    moving: &MovingBalls<S>,
    time: f64,
) -> PairLook<S> {
    let one = moving.of(link.a);
    let two = match link.other {
        ForceBodyRef::Ball(b) => moving.of(b),
        ForceBodyRef::Fixture(_) => one,
    };
    look_at(stage, (link.a, link.other), (&one, &two), time)
}

/// Looks at a ball and its partner; where that is no ball the second motion has no meaning.
pub(super) fn look_at<S: Strikable>(
    stage: &ForceBodies<S>,
    (a, other): (u32, ForceBodyRef),
    (one, two): (&BallMotion<S>, &BallMotion<S>),
    time: f64,
) -> PairLook<S> {
    let BallMotion {
        place,
        velocity,
        angular_velocity,
    } = *one;
    let radius = stage.grains[a as usize].radius;
    match other {
        ForceBodyRef::Ball(b) => {
            let other_radius = stage.grains[b as usize].radius;
            let apart = stage.nearest(place - two.place);
            let distance = apart.length();
            let normal = if distance > 0.0 {
                apart * (1.0 / distance)
            } else {
                S::vector([1.0, 0.0, 0.0])
            };
            let overlap = radius + other_radius - distance;
            let cut = if stage.full_arms() {
                0.0
            } else {
                0.5 * overlap
            };
            let arms = [normal * (cut - radius), normal * (other_radius - cut)];
            let relative = velocity - two.velocity;
            let normal_velocity = normal.dot(relative);
            let turning = S::surface_velocity(angular_velocity, arms[0])
                - S::surface_velocity(two.angular_velocity, arms[1]);
            PairLook {
                overlap,
                normal,
                arms,
                point: place - normal * (radius - 0.5 * overlap),
                wall_velocity: S::Vector::ZERO,
                wall_angular_velocity: S::Angular::ZERO,
                normal_velocity,
                slip: relative - normal * normal_velocity + turning,
                at_seam: false,
            }
        }
        ForceBodyRef::Fixture(index) => {
            let fixture = &stage.fixtures[index as usize];
            let state = fixture.state_at(time);
            let closest = fixture.body.shape.closest(state.pose.to_local(place));
            let normal = S::rotate(state.pose.rotation, closest.normal);
            let overlap = radius - closest.distance;
            let point = place - normal * closest.distance;
            let arm = if stage.full_arms() {
                normal * -radius
            } else {
                normal * -closest.distance
            };
            let wall_arm = point - state.pose.position;
            let wall_velocity =
                state.velocity + S::surface_velocity(state.angular_velocity, wall_arm);
            let relative = velocity - wall_velocity;
            let normal_velocity = normal.dot(relative);
            PairLook {
                overlap,
                normal,
                arms: [arm, wall_arm],
                point,
                wall_velocity,
                wall_angular_velocity: state.angular_velocity,
                normal_velocity,
                slip: relative - normal * normal_velocity
                    + S::surface_velocity(angular_velocity, arm),
                at_seam: false,
            }
        }
    }
}

/// Looks at all links. Of contacts at a seam of two fixtures the deepest counts: a floor made of two pieces is not
/// twice as stiff where they meet.
pub(super) fn look_around<S: Strikable>(
    stage: &ForceBodies<S>,
    links: &[Link<S>],
    moving: &MovingBalls<S>,
    time: f64,
) -> Vec<PairLook<S>> {
    let mut looks: Vec<PairLook<S>> = (links.iter())
        .map(|link| look(stage, link, moving, time))
        .collect();
    let mut first = 0;
    while first < links.len() {
        let a = links[first].a;
        let end = first + links[first..].partition_point(|link| link.a == a);
        let touched: Vec<usize> = (first..end)
            .filter(|&i| {
                matches!(links[i].other, ForceBodyRef::Fixture(_)) && looks[i].overlap > 0.0
            })
            .collect();
        for &j in &touched {
            let shadowed = touched.iter().any(|&i| {
                let deeper = (looks[i].overlap, j) > (looks[j].overlap, i);
                i != j && deeper && lies_on(stage, links[i].other, looks[j].point, a, time)
            });
            looks[j].at_seam = shadowed;
        }
        first = end;
    }
    looks
}

/// Whether a point is on the surface of a piece of fixture, as far as it matters to a ball.
fn lies_on<S: Strikable>(
    stage: &ForceBodies<S>,
    other: ForceBodyRef,
    point: S::Vector,
    ball: u32,
    time: f64,
) -> bool {
    let ForceBodyRef::Fixture(index) = other else {
        return false;
    };
    let fixture = &stage.fixtures[index as usize];
    let pose = fixture.state_at(time).pose;
    let distance = fixture.body.shape.closest(pose.to_local(point)).distance;
    // Within √u of the radius of the seam rounding decides which of the two is deeper.
    distance.abs() <= 1e-6 * stage.grains[ball as usize].radius
}

/// How firmly two bodies touch: they do where it is positive. The overlap (m), or where attraction is cut off the
/// smaller of what the spring alone and spring and damper together would do (N).
pub(super) fn grip<S: Shaped>(stage: &ForceBodies<S>, link: &Link<S>, look: &PairLook<S>) -> f64 {
    if look.at_seam {
        return -look.overlap;
    }
    if stage.attracts() || look.overlap <= 0.0 {
        return look.overlap;
    }
    let force = uncut(link, look);
    force.elastic.min(force.elastic + force.viscous)
}

/// The force along the normal, without a cut and beyond the end of the overlap: as smooth as the law within it, so that
/// a step may end exactly at the end of the contact.
fn uncut<S: Space>(link: &Link<S>, look: &PairLook<S>) -> NormalForce {
    let mut normal = link.couple.normal;
    normal.ending = crate::force::Ending::Attracting;
    let overlap = look.overlap;
    let mut force = normal.force(overlap.abs(), look.normal_velocity);
    if overlap < 0.0 {
        force.elastic = -force.elastic;
    }
    force
}

/// What a link does at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPull<S: Space> {
    /// On a, N.
    pub force: S::Vector,
    /// How fast the springs across the normal are stretched, m/s.
    pub rates: (S::Vector, S::Vector, S::Angular),
    /// What they remember from then on.
    pub memory: Memory<S>,
    /// To the damper, and into the springs and sliders across the normal, W.
    pub damper: f64,
    pub rubbing: f64,
    /// Whether it does anything.
    pub acts: bool,
}

impl<S: Space> Default for LinkPull<S> {
    fn default() -> Self {
        LinkPull {
            force: S::Vector::ZERO,
            rates: (S::Vector::ZERO, S::Vector::ZERO, S::Angular::ZERO),
            memory: Memory::default(),
            damper: 0.0,
            rubbing: 0.0,
            acts: false,
        }
    }
}

/// What acts on everyone at an instant.
#[derive(Clone, Debug)]
pub(super) struct ForceRates<S: Space> {
    /// m/s².
    pub push: Vec<S::Vector>,
    /// rad/s².
    pub twist: Vec<S::Angular>,
    pub pulls: Vec<LinkPull<S>>,
    /// Per second.
    pub flow: Flow<S>,
}

/// Which contacts act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Those that overlap at the instant.
    Overlapping,
    /// Those that are said to touch, even if they do not overlap any more.
    Touching,
}

/// How to look at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant {
    /// World time, s.
    pub time: f64,
    pub who: Who,
    /// For how long the springs are stretched at the slip of this instant before they pull, s.
    pub stretch_for: f64,
}

/// What acts on everyone, with the springs stretched as in `memories`.
pub(super) fn rates<S: Strikable>(
    stage: &ForceBodies<S>,
    links: &[Link<S>],
    memories: &[Memory<S>],
    moving: &MovingBalls<S>,
    at: Instant,
) -> ForceRates<S> {
    let number = stage.grains.len();
    let mut all = ForceRates {
        push: vec![S::Vector::ZERO; number],
        twist: vec![S::Angular::ZERO; number],
        pulls: Vec::with_capacity(links.len()),
        flow: Flow::default(),
    };
    let looks = look_around(stage, links, moving, at.time);
    for ((link, memory), look) in links.iter().zip(memories).zip(&looks) {
        let acts = match at.who {
            Who::Overlapping => grip(stage, link, look) > 0.0,
            Who::Touching => link.touch.is_some(),
        };
        let pull = if acts {
            contact(stage, link, memory, look, moving, at, &mut all)
        } else if look.at_seam {
            // The next segment takes over what is remembered.
            LinkPull {
                memory: *memory,
                ..LinkPull::default()
            }
        } else {
            LinkPull::default()
        };
        all.pulls.push(LinkPull { acts, ..pull });
    }
    for slot in 0..number {
        by_fields(stage, moving, at.time, slot, &mut all);
    }
    for (slot, load) in &stage.loads {
        let slot = *slot as usize;
        let grain = &stage.grains[slot];
        let pushed = Pushed {
            place: moving.position[slot],
            velocity: moving.velocity[slot],
            angular_velocity: (grain.inertia.is_finite()).then_some(moving.angular_velocity[slot]),
        };
        let (force, torque) = pushed.by(load, at.time, &mut all.flow);
        all.push[slot] += force * (1.0 / grain.mass);
        all.twist[slot] += torque * grain.inverse_inertia;
    }
    all
}

/// A body on which an external force acts.
pub(super) struct Pushed<S: Space> {
    pub place: S::Vector,
    pub velocity: S::Vector,
    /// `None` for one that cannot be spun, which takes no torque.
    pub angular_velocity: Option<S::Angular>,
}

impl<S: Space> Pushed<S> {
    /// The force (N) and the torque (N·m) that act on it, with what flows by them entered.
    pub fn by(&self, load: &Load<S>, time: f64, flow: &mut Flow<S>) -> (S::Vector, S::Angular) {
        let force = load.force_at(time);
        let (torque, turning) = match self.angular_velocity {
            Some(turning) => (load.torque_at(time), turning),
            None => (S::Angular::ZERO, S::Angular::ZERO),
        };
        flow.energy[EXTERNAL] += force.dot(self.velocity) + torque.dot(turning);
        flow.momentum[2] += force;
        flow.angular[3] += S::torque(self.place, force) + torque;
        (force, torque)
    }
}

/// What a contact does: added to all rates, and returned.
///
/// Longer than most: all that one contact does, in the innermost loop of a step.
fn contact<S: Shaped>(
    stage: &ForceBodies<S>,
    link: &Link<S>,
    memory: &Memory<S>,
    look: &PairLook<S>,
    moving: &MovingBalls<S>,
    at: Instant,
    all: &mut ForceRates<S>,
) -> LinkPull<S> {
    let (a, couple) = (link.a as usize, &link.couple);
    let along = match at.who {
        Who::Touching => uncut(link, look),
        Who::Overlapping => couple.normal.force(look.overlap, look.normal_velocity),
    };
    let pressing = along.total().abs();
    let scale = couple.normal.tangential_scale(look.overlap.max(0.0));
    let across = Across::<S> {
        scale,
        pressing,
        normal: look.normal,
        stretch_for: at.stretch_for,
    };
    let sliding = across.resist(&couple.sliding, &memory.sliding, look.slip);
    let force = look.normal * along.total() + sliding.force;
    let mut turning = S::Angular::ZERO;
    let mut pull = LinkPull {
        ..LinkPull::default()
    };
    pull.memory.sliding = sliding.held;
    pull.rates.0 = sliding.rate;
    let slid = -sliding.force.dot(look.slip);
    pull.damper = -along.viscous * look.normal_velocity;
    pull.rubbing = slid;
    all.flow.energy[DAMPERS] += pull.damper;
    all.flow.energy[SLIDING] += slid;
    if couple.rolling.acts() || couple.spinning.acts() {
        let other_spin = match link.other {
            ForceBodyRef::Ball(b) => moving.angular_velocity[b as usize],
            ForceBodyRef::Fixture(_) => look.wall_angular_velocity,
        };
        let relative = moving.angular_velocity[a] - other_spin;
        let rolling_velocity = S::surface_velocity(relative, look.normal) * couple.radius;
        let rolled = across.resist(&couple.rolling, &memory.rolling, rolling_velocity);
        turning += S::torque(look.normal * couple.radius, rolled.force);
        pull.memory.rolling = rolled.held;
        pull.rates.1 = rolled.rate;
        // n × (ω × n) = ω − n (n·ω): what is left of the spin is about the normal.
        let about_normal =
            relative - S::torque(look.normal, S::surface_velocity(relative, look.normal));
        let spinning_velocity = about_normal * couple.radius;
        let spun = across.turn(&couple.spinning, &memory.spinning, spinning_velocity);
        turning += spun.force * couple.radius;
        pull.memory.spinning = spun.held;
        pull.rates.2 = spun.rate;
        let lost = [
            -rolled.force.dot(rolling_velocity),
            -spun.force.dot(spinning_velocity),
        ];
        pull.rubbing += lost[0] + lost[1];
        all.flow.energy[ROLLING] += lost[0];
        all.flow.energy[SPINNING] += lost[1];
    }
    let grain = &stage.grains[a];
    all.push[a] += force * (1.0 / grain.mass);
    // The normal force passes through the centres.
    let torque = S::torque(look.arms[0], sliding.force) + turning;
    all.twist[a] += torque * grain.inverse_inertia;
    match link.other {
        ForceBodyRef::Ball(b) => {
            let b = b as usize;
            let other = &stage.grains[b];
            all.push[b] -= force * (1.0 / other.mass);
            let torque = S::torque(look.arms[1], sliding.force) + turning;
            all.twist[b] -= torque * other.inverse_inertia;
            if other.inertia.is_infinite() {
                all.flow.angular[0] += torque;
                all.flow.energy[DRIVEN] += torque.dot(moving.angular_velocity[b]);
            }
        }
        ForceBodyRef::Fixture(_) => {
            all.flow.momentum[0] += force;
            all.flow.angular[0] += S::torque(moving.position[a], force) + torque;
            all.flow.energy[DRIVEN] +=
                force.dot(look.wall_velocity) + turning.dot(look.wall_angular_velocity);
        }
    }
    if grain.inertia.is_infinite() {
        // Whatever keeps it turning as it does takes the torque up, and works against it.
        all.flow.angular[0] -= torque;
        all.flow.energy[DRIVEN] -= torque.dot(moving.angular_velocity[a]);
    }
    pull.force = force;
    pull
}

/// How springs across the normal are pulled at an instant.
struct Across<S: Space> {
    scale: (f64, f64),
    pressing: f64,
    normal: S::Vector,
    stretch_for: f64,
}

/// What such a spring does: its force, how fast it is stretched, what it remembers.
struct Resistance<V> {
    force: V,
    rate: V,
    held: Held<V>,
}

impl<S: Space> Across<S> {
    fn resist(
        &self,
        friction: &Friction,
        held: &Held<S::Vector>,
        velocity: S::Vector,
    ) -> Resistance<S::Vector> {
        let turned = Held {
            stretch: carry(held.stretch, self.normal),
            slides: held.slides,
        };
        self.pull(friction, turned, velocity)
    }

    /// About the normal: what is left of the stretch where the normal has turned is its part along it.
    fn turn(
        &self,
        friction: &Friction,
        held: &Held<S::Angular>,
        velocity: S::Angular,
    ) -> Resistance<S::Angular> {
        let across = S::torque(self.normal, S::surface_velocity(held.stretch, self.normal));
        let turned = Held {
            stretch: held.stretch - across,
            slides: held.slides,
        };
        self.pull(friction, turned, velocity)
    }

    fn pull<V: Linear>(&self, friction: &Friction, held: Held<V>, velocity: V) -> Resistance<V> {
        if !friction.acts() {
            return Resistance {
                force: V::ZERO,
                rate: V::ZERO,
                held: Held::default(),
            };
        }
        let held = Held {
            stretch: held.stretch + velocity * self.stretch_for,
            slides: held.slides,
        };
        let rubbing = rub(friction, self.scale, &held, velocity, self.pressing);
        Resistance {
            force: rubbing.force,
            rate: velocity,
            held: rubbing.held,
        }
    }
}

/// Adds what gravity and other fields do to a ball.
fn by_fields<S: Shaped>(
    stage: &ForceBodies<S>,
    moving: &MovingBalls<S>,
    time: f64,
    slot: usize,
    all: &mut ForceRates<S>,
) {
    let (fields, grain) = (&stage.fields, &stage.grains[slot]);
    let (place, velocity, angular_velocity) = (
        moving.position[slot],
        moving.velocity[slot],
        moving.angular_velocity[slot],
    );
    let gravity = fields.gravity;
    if gravity != S::Vector::ZERO {
        all.flow.angular[2] += S::torque(place, gravity * grain.mass);
    }
    if fields.is_uniform() {
        all.push[slot] += gravity;
        return;
    }
    let ball = fields.for_ball(grain.mass, grain.radius, grain.inertia);
    let (push, twist) = ball.rates(time, place, velocity, angular_velocity);
    all.push[slot] += push;
    all.twist[slot] += twist;
    let by_others = (push - gravity) * grain.mass;
    all.flow.momentum[1] += by_others;
    all.flow.angular[1] += S::torque(place, by_others);
    // What fields do beyond their potential.
    let mut lost =
        -(push - potential_push(&stage.fields, grain.mass, place)).dot(velocity) * grain.mass;
    if grain.inertia.is_finite() {
        all.flow.angular[1] += twist * grain.inertia;
        lost -= twist.dot(angular_velocity) * grain.inertia;
    }
    all.flow.energy[FIELDS] += lost;
}
