//! The laws of `force/` for four contacts at once.
//!
//! With the normal `n` into *a*, the overlap δ, the reduced mass μ and `v_n = n·(v_a − v_b)`:
//!
//! ```text
//! v_t = (v_a − v_b) − v_n n − (r_a ω_a + r_b ω_b) × n                 (the surfaces past each other)
//! F_n = k δ − c v_n                 Hertz: k δ^(3/2) − c δ^(1/4) v_n    (or at least 0, where attraction is cut off)
//! ξ  ← ξ + v_t dt,  ξ ← ξ − (n·ξ) n                                   (the spring turns with the contact's frame)
//! F_t = −k_t ξ − c_t v_t, at most μ_s |F_n|, or else μ_c |F_n| with ξ let go to what that force stretches it to
//! torque on a: −r_a n × F_t, on b: −r_b n × F_t
//! ```
//!
//! Turning ξ by projection shortens it by half the square of the angle that the normal turns in a step, some 1e-9 of it
//! here. The arm is the radius, not the distance to the middle of the overlap, as in LAMMPS' `gran/hooke/history`,
//! whose arithmetic this is.

use super::lanes::{Four, FourMask, Lanes, get, put};
use crate::arrays::Each;
use crate::vectors::{Floats as _, Mask as _, Portable, Vectors};
use wide::f64x4;

/// What acts between two materials, as a function of the reduced mass and radius of the two balls.
///
/// `k = stiffness + stiffness_per_mass μ` (times √R for Hertz),
/// `c = damping + damping_per_mass μ + damping_ratio √(k μ)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rule {
    /// k, N/m; Hertz: per root of the reduced radius, Pa.
    pub stiffness: f64,
    /// What a contact of given duration adds for each kilogram, N/(m·kg).
    pub stiffness_per_mass: f64,
    /// c, N·s/m.
    pub damping: f64,
    /// γ, 1/s.
    pub damping_per_mass: f64,
    /// In units of √(k μ): 2ζ, for Hertz √5 ζ.
    pub damping_ratio: f64,
    /// k_t as a part of k.
    pub tangential_stiffness: f64,
    /// c_t as a part of c.
    pub tangential_damping: f64,
    /// μ_s.
    pub static_friction: f64,
    /// μ_c ≤ μ_s.
    pub kinetic_friction: f64,
    /// Of the torque against rolling, in units of the reduced radius times the normal force.
    pub rolling: f64,
    /// Of the torque against spinning about the normal, in the same units.
    pub spinning: f64,
}

/// Which forms of the law the crowd uses, for all of its contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Forms {
    pub hertz: bool,
    pub cut_off: bool,
    /// Whether any stiffness follows from a contact time.
    pub by_mass: bool,
    /// Whether any damping follows from restitution, which takes another root.
    pub by_ratio: bool,
    /// Whether anything resists rolling or spinning.
    pub rolls: bool,
    /// Whether energy is entered into the budget.
    pub books: bool,
    /// Whether friction acts at one point of both, in the middle of the overlap, and not at the full radii.
    pub point: bool,
    /// Whether record is kept of every contact. Springs then turn with the frame as in the general loop, without being
    /// shortened.
    pub logs: bool,
    /// Whether this is but a look: what contacts remember stays as it is.
    pub still: bool,
}

impl Forms {
    /// Linear, with attraction, stiffness and damping given, friction at the full radius, without rolling resistance,
    /// budgets and records.
    pub const PLAIN: Forms = Forms {
        hertz: false,
        cut_off: false,
        by_mass: false,
        by_ratio: false,
        rolls: false,
        books: false,
        point: false,
        logs: false,
        still: false,
    };

    /// Whether they are that, but for budgets, records, the point where friction acts, and dampings that follow from
    /// restitution.
    pub fn plain(self) -> bool {
        Forms {
            books: false,
            by_ratio: false,
            point: false,
            logs: false,
            ..self
        } == Forms::PLAIN
    }
}

/// The rules of four contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleLanes<V: Vectors = Portable> {
    pub stiffness: Four<V>,
    pub stiffness_per_mass: Four<V>,
    pub damping: Four<V>,
    pub damping_per_mass: Four<V>,
    pub damping_ratio: Four<V>,
    pub tangential_stiffness: Four<V>,
    pub tangential_damping: Four<V>,
    pub static_friction: Four<V>,
    pub kinetic_friction: Four<V>,
    pub rolling: Four<V>,
    pub spinning: Four<V>,
    /// −1/k_t, of a linear spring whose stiffness is given.
    pub let_go: Four<V>,
}

impl RuleLanes {
    pub fn of(rules: [&Rule; 4]) -> Self {
        let of = |field: fn(&Rule) -> f64| f64x4::from(rules.each(field));
        RuleLanes {
            stiffness: of(|rule| rule.stiffness),
            stiffness_per_mass: of(|rule| rule.stiffness_per_mass),
            damping: of(|rule| rule.damping),
            damping_per_mass: of(|rule| rule.damping_per_mass),
            damping_ratio: of(|rule| rule.damping_ratio),
            tangential_stiffness: of(|rule| rule.tangential_stiffness),
            tangential_damping: of(|rule| rule.tangential_damping),
            static_friction: of(|rule| rule.static_friction),
            kinetic_friction: of(|rule| rule.kinetic_friction),
            rolling: of(|rule| rule.rolling),
            spinning: of(|rule| rule.spinning),
            let_go: of(|rule| -1.0 / (rule.tangential_stiffness * rule.stiffness)),
        }
    }

    /// From memory.
    #[inline(always)]
    pub fn with<V: Vectors>(&self, vectors: V) -> RuleLanes<V> {
        RuleLanes {
            stiffness: get(vectors, &self.stiffness),
            stiffness_per_mass: get(vectors, &self.stiffness_per_mass),
            damping: get(vectors, &self.damping),
            damping_per_mass: get(vectors, &self.damping_per_mass),
            damping_ratio: get(vectors, &self.damping_ratio),
            tangential_stiffness: get(vectors, &self.tangential_stiffness),
            tangential_damping: get(vectors, &self.tangential_damping),
            static_friction: get(vectors, &self.static_friction),
            kinetic_friction: get(vectors, &self.kinetic_friction),
            rolling: get(vectors, &self.rolling),
            spinning: get(vectors, &self.spinning),
            let_go: get(vectors, &self.let_go),
        }
    }
}

/// How four contacts stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct FourContacts<V: Vectors> {
    /// Which of them touch; the others may have any numbers.
    pub touching: FourMask<V>,
    /// Into *a*, of length one.
    pub normal: Lanes<V>,
    pub overlap: Four<V>,
    /// Of *a*'s centre relative to *b*'s, m/s.
    pub velocity: Lanes<V>,
    /// `r_a ω_a + r_b ω_b` with the arms of friction in place of the radii, m/s.
    pub rim: Lanes<V>,
    /// Reduced, kg.
    pub mass: Four<V>,
    /// Reduced, m. Asked for by Hertz and by rolling only.
    pub radius: Four<V>,
}

impl<V: Vectors> FourContacts<V> {
    /// No contact.
    #[inline(always)]
    pub fn none(vectors: V) -> Self {
        let (zero, zeros) = (vectors.all_four(0.0), Lanes::zero(vectors));
        FourContacts {
            touching: vectors.lanes_of_four(0),
            normal: zeros,
            overlap: zero,
            velocity: zeros,
            rim: zeros,
            mass: zero,
            radius: zero,
        }
    }
}

/// What four contacts remember.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneMemory<V: Vectors> {
    /// ξ, m.
    pub stretch: Lanes<V>,
    /// Which of them slide.
    pub slides: FourMask<V>,
}

/// Energies of contacts (J), and what flows there in a second: a sum over lanes is still to be taken.
///
/// What is lost across the normal is what went in there less what the springs still hold: that includes what they let
/// go of when contacts slide and end.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneTally<V: Vectors = Portable> {
    /// Stored along the normal now, J.
    pub pressed: Four<V>,
    /// Stored across it now, against sliding, rolling and spinning, J.
    pub stretched: [Four<V>; 3],
    /// Taken by the dampers along the normal, W.
    pub damped: Four<V>,
    /// Gone into what is across the normal, against sliding, rolling and spinning, W.
    pub worked: [Four<V>; 3],
    /// By driven fixtures, W.
    pub kinematic: Four<V>,
    /// By fixtures, N.
    pub pushed: Lanes<V>,
    /// By fixtures, about the origin, N·m.
    pub turned: Lanes<V>,
    /// The deepest overlap, m.
    pub deepest: Four<V>,
}

impl LaneTally {
    pub const ZERO: LaneTally = LaneTally {
        pressed: f64x4::ZERO,
        stretched: [f64x4::ZERO; 3],
        damped: f64x4::ZERO,
        worked: [f64x4::ZERO; 3],
        kinematic: f64x4::ZERO,
        pushed: Lanes::ZERO,
        turned: Lanes::ZERO,
        deepest: f64x4::ZERO,
    };

    /// From memory.
    #[inline(always)]
    pub fn with<V: Vectors>(&self, vectors: V) -> LaneTally<V> {
        let [sliding, rolling, spinning] = &self.stretched;
        let [slid, rolled, spun] = &self.worked;
        LaneTally {
            pressed: get(vectors, &self.pressed),
            stretched: [
                get(vectors, sliding),
                get(vectors, rolling),
                get(vectors, spinning),
            ],
            damped: get(vectors, &self.damped),
            worked: [get(vectors, slid), get(vectors, rolled), get(vectors, spun)],
            kinematic: get(vectors, &self.kinematic),
            pushed: self.pushed.with(vectors),
            turned: self.turned.with(vectors),
            deepest: get(vectors, &self.deepest),
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn put<V: Vectors>(&mut self, tally: LaneTally<V>) {
        put::<V>(&mut self.pressed, tally.pressed);
        put::<V>(&mut self.damped, tally.damped);
        for way in 0..3 {
            put::<V>(&mut self.stretched[way], tally.stretched[way]);
            put::<V>(&mut self.worked[way], tally.worked[way]);
        }
        put::<V>(&mut self.kinematic, tally.kinematic);
        self.pushed.put(tally.pushed);
        self.turned.put(tally.turned);
        put::<V>(&mut self.deepest, tally.deepest);
    }

    pub fn add(&mut self, other: &LaneTally) {
        self.pressed += other.pressed;
        self.damped += other.damped;
        for way in 0..3 {
            self.stretched[way] += other.stretched[way];
            self.worked[way] += other.worked[way];
        }
        self.kinematic += other.kinematic;
        self.pushed = self.pushed + other.pushed;
        self.turned = self.turned + other.turned;
        self.deepest = self.deepest.max(other.deepest);
    }
}

/// The sum over lanes, always in this order: that of the crate `wide` depends on the processor that a program is built
/// for.
pub(super) fn total(lanes: f64x4) -> f64 {
    let [a, b, c, d] = lanes.to_array();
    (a + b) + (c + d)
}

/// What acts on *a*; on *b* the opposite force, and the same twist.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneForces<V: Vectors> {
    /// N.
    pub force: Lanes<V>,
    /// `n × F_t`, N: the torque is this times minus the radius.
    pub twist: Lanes<V>,
    /// Along the normal, N: what presses the two together.
    pub pressing: Four<V>,
    /// k_t and c_t, for what resists rolling.
    pub tangential: (Four<V>, Four<V>),
    pub memory: LaneMemory<V>,
    /// Which contacts act: those that touch, but for those whose attraction is cut off.
    pub acting: FourMask<V>,
    /// To the damper, and into what is across the normal, W.
    pub taken: [Four<V>; 2],
}

/// The stretch of springs turned with the frames of their contacts: without the part along the new normal, but as long
/// as before.
#[inline(always)]
pub(super) fn carried<V: Vectors>(vectors: V, stretch: Lanes<V>, normal: Lanes<V>) -> Lanes<V> {
    let across = stretch - normal.times(stretch.dot(normal));
    let after = across.dot(across);
    let scale = (stretch.dot(stretch) / after).sqrt();
    across
        .times(scale)
        .masked(after.greater(vectors.all_four(0.0)))
}

/// What acts at four contacts after a step of `dt` (s) in which they moved as they do now.
///
/// Longer than most: one law for four lanes that is compiled as a whole for each kind of vectors.
#[inline(always)]
pub(super) fn answer<V: Vectors>(
    vectors: V,
    forms: Forms,
    rules: &RuleLanes<V>,
    meet: FourContacts<V>,
    memory: LaneMemory<V>,
    dt: Four<V>,
    tally: &mut LaneTally<V>,
) -> LaneForces<V> {
    let (zero, one) = (vectors.all_four(0.0), vectors.all_four(1.0));
    let minus = vectors.all_four(-1.0);
    let n = meet.normal;
    let normal_velocity = meet.velocity.dot(n);
    let slip = meet.velocity - n.times(normal_velocity) - meet.rim.cross(n);

    let mut stiffness = rules.stiffness;
    if forms.by_mass {
        stiffness += rules.stiffness_per_mass * meet.mass;
    }
    let (mut spring, mut scale) = (meet.overlap, (one, one));
    if forms.hertz {
        let root = meet.overlap.most_number(zero).sqrt();
        stiffness = stiffness * meet.radius.sqrt();
        spring = meet.overlap * root;
        scale = (root, root.sqrt());
    }
    let mut damping = rules.damping + rules.damping_per_mass * meet.mass;
    if forms.by_ratio {
        damping += rules.damping_ratio * (stiffness * meet.mass).sqrt();
    }
    let mut stretching = rules.tangential_stiffness * stiffness;
    let mut rubbing = rules.tangential_damping * damping;
    if forms.hertz {
        damping = damping * scale.1;
        stretching = stretching * scale.0;
        rubbing = rubbing * scale.1;
    }

    let elastic = stiffness * spring;
    let mut along = elastic - damping * normal_velocity;
    let mut acting = meet.touching;
    if forms.cut_off {
        // What does not push does not touch, and remembers nothing.
        acting = acting & along.greater(zero);
        along = along.most_number(zero);
    }
    let pressing = along.abs();

    let moved = if forms.logs {
        carried(vectors, memory.stretch, n) + slip.times(dt)
    } else {
        let moved = memory.stretch + slip.times(dt);
        moved - n.times(moved.dot(n))
    };
    let mut across = (moved.times(stretching) + slip.times(rubbing)).times(minus);
    let mut stretch = moved;
    let kinetic = rules.kinetic_friction * pressing;
    let limit = kinetic.or_else(memory.slides, rules.static_friction * pressing);
    let square = across.dot(across);
    let slides = square.greater(limit * limit) & acting;
    // Few contacts of a bed at rest slide: the division and the root are mostly saved.
    if slides.any() {
        let held = across.times(kinetic / square.sqrt());
        across = held.or_else(slides, across);
        let back = if forms.by_mass || forms.hertz {
            minus / stretching
        } else {
            rules.let_go
        };
        let let_go = (across + slip.times(rubbing)).times(back);
        let rubs = rules.static_friction.greater(zero);
        let springs = stretching.greater(zero) & rubs;
        stretch = let_go.masked(springs).or_else(slides, stretch);
    }
    let (mut stretch, mut slides) = (stretch.masked(acting), slides);
    if forms.still {
        (stretch, slides) = (memory.stretch, memory.slides);
    }

    let mut taken = [zero; 2];
    if forms.books {
        let half = vectors.all_four(0.5);
        let energy = if forms.hertz {
            vectors.all_four(0.4) * stiffness * spring * meet.overlap
        } else {
            half * stiffness * spring * meet.overlap
        };
        // Where record is kept, what a spring still holds when it is cut off is given up at once; otherwise as it
        // expands.
        let counted = if forms.logs { acting } else { meet.touching };
        tally.pressed += energy.only(counted);
        tally.stretched[0] += (half * stretching * stretch.dot(stretch)).only(acting);
        taken[0] = ((elastic - along) * normal_velocity).only(counted);
        taken[1] = (across.dot(slip) * minus).only(acting);
        tally.damped += taken[0];
        tally.worked[0] += taken[1];
    }

    LaneForces {
        force: (n.times(along) + across).masked(acting),
        twist: n.cross(across).masked(acting),
        pressing,
        tangential: (stretching, rubbing),
        memory: LaneMemory { stretch, slides },
        acting,
        taken,
    }
}
