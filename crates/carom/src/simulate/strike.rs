//! What happens when a ball strikes: the shortest way that the two surfaces allow.
//!
//! Smooth balls, the case of every gas, are answered by [`response::smooth`](crate::response::smooth) without a contact
//! being made up; smooth balls against fixtures by its mirror image; everything else, and whatever is so slow or so
//! extreme that rounding needs care, by the law that the surface names.

mod jointed;

use super::bodies::{Bodies, BodyRef};
use crate::arrays::Each;
use crate::audit::Ledger;
use crate::contact::Contact;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::record::Velocities;
use crate::response::{Mode, Response, rebounds_clearly, respond, smooth};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// What a contact did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck<S: Space> {
    /// Centre of the ball, m.
    pub place: S::Vector,
    /// Where they touch, m.
    pub point: S::Vector,
    /// Out of the other into the ball.
    pub normal: S::Vector,
    /// Distance of the surfaces, m.
    pub gap: f64,
    /// Of the ball and the other.
    pub before: [Velocities<S>; 2],
    pub after: [Velocities<S>; 2],
    /// On the ball, kg·m/s.
    pub impulse: S::Vector,
    /// On the ball and on the other, each about its centre, kg·m²/s.
    pub angular: [S::Angular; 2],
    /// Of the other at the contact, m/s. It stays as it is where the other is fixture.
    pub surface_velocity: S::Vector,
    pub mode: Mode,
    /// Kinetic energy lost along the normal and across it, J.
    pub lost_to_restitution: f64,
    pub lost_to_friction: f64,
}

impl<S: Strikable> Bodies<S> {
    /// Enters what a contact between surfaces of a restitution did into the budget.
    #[inline(always)]
    pub fn enter(
        &self,
        ledger: &mut Ledger<S>,
        slot: usize,
        other: BodyRef,
        struck: &Struck<S>,
        restitution: f64,
    ) {
        let bumper = restitution > 1.0;
        let (along, across) = (struck.lost_to_restitution, struck.lost_to_friction);
        ledger.gap(struck.gap);
        match other {
            BodyRef::Ball(_) => {
                if along != 0.0 || across != 0.0 {
                    ledger.between_balls.enter(along, across, bumper);
                }
            }
            BodyRef::Fixture(_) => {
                ledger.with_fixtures.enter(along, across, bumper);
                ledger.push(
                    struck.place,
                    struck.impulse,
                    struck.angular[0],
                    struck.surface_velocity,
                );
            }
        }
        if struck.mode != Mode::Frictionless {
            let mut held = |slot: usize, side: usize| {
                if self.balls.inertials.of(slot).inverse_inertia == 0.0 {
                    ledger.held(struck.angular[side], struck.before[side].angular_velocity);
                }
            };
            held(slot, 0);
            if let BodyRef::Ball(other) = other {
                held(other as usize, 1);
                // Balls of an island may overlap a little: their surfaces are struck at points that are a gap apart.
                if struck.gap.abs() > 1e-12 * self.balls.hot[slot].radius {
                    let turned = S::torque(struck.normal * struck.gap, struck.impulse);
                    ledger.angular_from_projection.add(turned);
                }
            }
        }
    }

    /// What happens between two smooth balls that touch at a time; `None` where they are not closing, or rounding needs
    /// more care than is taken here. `STRAIGHT` says that balls neither fall nor turn.
    ///
    /// Longer than most: it is compiled into the loop of a gas of smooth balls, whose commonest event it is.
    #[inline(always)]
    pub fn bounce<const STRAIGHT: bool>(
        &self,
        a: usize,
        b: usize,
        time: f64,
        restitution: f64,
    ) -> Option<Struck<S>> {
        let balls = &self.balls;
        let (place, apart, velocities, spins);
        if !STRAIGHT {
            place = balls.position_at(a, time);
            apart = place - balls.position_at(b, time);
            velocities = [balls.velocity_at(a, time), balls.velocity_at(b, time)];
            spins = [
                balls.angular_velocity_at(a, time),
                balls.angular_velocity_at(b, time),
            ];
        } else {
            let pair = [&balls.hot[a], &balls.hot[b]];
            place = balls.place_of(pair[0], time);
            apart = place - balls.place_of(pair[1], time);
            velocities = pair.each(|ball| ball.velocity);
            spins = [S::Angular::ZERO; 2];
        }
        let apart = apart + balls.nearest_shift(apart);
        let masses = [balls.inertials.of(a).mass, balls.inertials.of(b).mass];
        let radii = [balls.hot[a].radius, balls.hot[b].radius];

        let [va, vb] = velocities;
        let squared = apart.length_squared();
        let mut speeds = va.length_squared() + vb.length_squared();
        if !STRAIGHT && balls.turning.is_some() {
            // |v + ω×r|² ≤ 2 (v² + ω²r²).
            let turning = |i: usize| radii[i] * radii[i] * spins[i].length_squared();
            speeds = 2.0 * (speeds + turning(0) + turning(1));
        }
        // They close, and will part, so fast that rounding cannot turn it into its opposite: as `rebounds_clearly` has
        // it.
        let closing = apart.dot(va - vb);
        let rebound = restitution.min(1.0) * closing;
        let bound = 64.0 * UNIT_ROUNDOFF;
        let clear = closing < 0.0 && rebound * rebound > (2.0 * bound * bound) * (speeds * squared);
        // Products of what is beyond could overflow where the quotients would not.
        let plain = |x: f64| x > 1e-75 && x < 1e75;
        if !(clear && plain(squared) && plain(masses[0]) && plain(masses[1]) && speeds < 1e75) {
            return None;
        }
        let meeting = smooth::Balls::<S> {
            apart,
            velocities,
            masses,
        };
        let smooth::Bounce {
            after,
            impulse,
            energy_lost,
        } = meeting.bounce(restitution);
        let distance = squared.sqrt();
        let normal = apart * (1.0 / distance);
        let with_spins = |[velocity_a, velocity_b]: [S::Vector; 2]| {
            [
                Velocities {
                    velocity: velocity_a,
                    angular_velocity: spins[0],
                },
                Velocities {
                    velocity: velocity_b,
                    angular_velocity: spins[1],
                },
            ]
        };
        Some(Struck {
            place,
            // On the second one's surface, as in every contact.
            point: (place - apart) + normal * radii[1],
            normal,
            gap: distance - (radii[0] + radii[1]),
            before: with_spins(velocities),
            after: with_spins(after),
            impulse,
            angular: [S::Angular::ZERO; 2],
            surface_velocity: vb,
            mode: Mode::Frictionless,
            lost_to_restitution: energy_lost,
            lost_to_friction: 0.0,
        })
    }

    /// What happens between a ball and another body that touch at a time, by the law between them; `None` where they
    /// are not closing.
    pub fn answer(
        &self,
        slot: usize,
        other: BodyRef,
        time: f64,
        surface: &Surface,
    ) -> Option<Struck<S>> {
        if self.are_jointed(slot, other) {
            return self.answer_jointed(slot, other, time, surface);
        }
        let (contact, gap) = self.contact(slot, other, time);
        if !contact.is_approaching() {
            return None;
        }
        let place = self.balls.position_at(slot, time);
        let mirrored = matches!(other, BodyRef::Fixture(_))
            && surface.is_smooth()
            && rebounds_clearly(&contact, surface.restitution.min(1.0));
        if mirrored {
            let mass = self.balls.inertials.of(slot).mass;
            if let Some(struck) = mirror(&contact, place, gap, mass, surface.restitution) {
                return Some(struck);
            }
        }
        let response = respond(&contact, surface);
        let after = contact.after(&response);
        Some(Struck::of(&contact, &response, &after, place, gap))
    }
}

impl<S: Space> Struck<S> {
    /// What an impulse at a contact did to a ball at a place, where the velocities are those of `after` in the end: its
    /// own doing, or also that of others at the same instant.
    pub fn of(
        contact: &Contact<S>,
        response: &Response<S>,
        after: &Contact<S>,
        place: S::Vector,
        gap: f64,
    ) -> Self {
        let lost = contact.energy_lost_until(after, response.impulse);
        let lost_to_friction = match response.mode {
            Mode::Frictionless | Mode::Idle => 0.0,
            _ => contact.energy_lost_until(after, contact.tangential(response.impulse)),
        };
        Struck {
            place,
            point: contact.point,
            normal: contact.normal,
            gap,
            before: velocities(contact),
            after: velocities(after),
            impulse: response.impulse,
            angular: [response.angular_a, response.angular_b],
            surface_velocity: contact.b.contact_velocity(),
            mode: response.mode,
            lost_to_restitution: lost - lost_to_friction,
            lost_to_friction,
        }
    }
}

/// A smooth ball against fixture; `None` where the numbers are too large for it.
fn mirror<S: Space>(
    contact: &Contact<S>,
    place: S::Vector,
    gap: f64,
    mass: f64,
    restitution: f64,
) -> Option<Struck<S>> {
    let surface_velocity = if contact.is_through_centre(&contact.b) {
        contact.b.velocity
    } else {
        contact.b.contact_velocity()
    };
    let bounce = smooth::against_surface::<S>(
        contact.normal,
        contact.a.velocity,
        surface_velocity,
        mass,
        restitution,
    );
    let before = velocities(contact);
    let mut after = before;
    after[0].velocity = bounce.after[0];
    (after[0].velocity.is_finite() && bounce.impulse.is_finite()).then_some(Struck {
        place,
        point: contact.point,
        normal: contact.normal,
        gap,
        before,
        after,
        impulse: bounce.impulse,
        angular: [S::Angular::ZERO; 2],
        surface_velocity,
        mode: Mode::Frictionless,
        lost_to_restitution: bounce.energy_lost,
        lost_to_friction: 0.0,
    })
}

fn velocities<S: Space>(contact: &Contact<S>) -> [Velocities<S>; 2] {
    [contact.a, contact.b].map(|side| Velocities {
        velocity: side.velocity,
        angular_velocity: side.angular_velocity,
    })
}
