//! What every law of impact must keep, whatever the contact: balances, symmetries, energy.
//!
//! Tolerances are counted in units of rounding of the quantities that enter, `u = 1.1e-16` times some tens of
//! operations, and are relative to the sizes *before* cancellation.

mod laws;
mod rods;

use carom::kernels::contact::{Contact, Side};
use carom::kernels::response::{Mode, Response, respond, stronge};
use carom::material::{Law, Surface};
use carom::space::{Linear, Space, Space2, Space3};
use glam::{DMat3, DQuat, DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Some tens of roundings.
const ROUNDING: f64 = 1e-14;

/// A body with everything that its energy and momentum need, which a contact does not know.
#[derive(Clone, Copy, Debug)]
struct Body<S: Space> {
    mass: f64,
    inertia: S::Inertia,
    position: S::Vector,
    side: Side<S>,
}

impl<S: Space> Body<S> {
    fn energy(&self, side: &Side<S>) -> f64 {
        0.5 * self.mass * side.velocity.length_squared()
            + 0.5
                * side
                    .angular_velocity
                    .dot(S::angular_momentum(self.inertia, side.angular_velocity))
    }

    fn angular_momentum(&self, side: &Side<S>) -> S::Angular {
        S::torque(self.position, side.velocity * self.mass)
            + S::angular_momentum(self.inertia, side.angular_velocity)
    }
}

/// Numbers in [−1, 1] or [0, 1] from which bodies are made, in either space.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    mass: f64,
    sizes: [f64; 3],
    turn: [f64; 4],
    corner: [f64; 3],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

trait Sample: Space {
    /// Mass properties of a block in world axes: inertia and its inverse, and the arm to one of its corners.
    fn block(mass: f64, numbers: &Numbers) -> (Self::Inertia, Self::Inertia, Self::Vector);
}

impl Sample for Space2 {
    fn block(mass: f64, numbers: &Numbers) -> (f64, f64, DVec2) {
        let [x, y, _] = numbers.sizes;
        let inertia = mass * (x * x + y * y) / 12.0;
        let turn = DVec2::new(numbers.turn[0], numbers.turn[1] + 2.0).normalize();
        let corner = DVec2::new(
            x * numbers.corner[0].signum(),
            y * numbers.corner[1].signum(),
        );
        (inertia, 1.0 / inertia, turn.rotate(corner * 0.5))
    }
}

impl Sample for Space3 {
    fn block(mass: f64, numbers: &Numbers) -> (DMat3, DMat3, DVec3) {
        let size = DVec3::from_array(numbers.sizes);
        let squared = size * size;
        let principal = (DVec3::splat(squared.element_sum()) - squared) * (mass / 12.0);
        let [x, y, z, w] = numbers.turn;
        let turn = DMat3::from_quat(DQuat::from_xyzw(x, y, z, w + 2.0).normalize());
        let own = |d: DVec3| turn * DMat3::from_diagonal(d) * turn.transpose();
        let corner = size * 0.5 * DVec3::from_array(numbers.corner).signum();
        (own(principal), own(principal.recip()), turn * corner)
    }
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let signed = || -1.0..1.0_f64;
    (
        0.1..5.0_f64,
        prop::array::uniform3(0.1..1.0_f64),
        prop::array::uniform4(signed()),
        prop::array::uniform3(signed()),
        prop::array::uniform3(signed()),
        prop::array::uniform3(-5.0..5.0_f64),
    )
        .prop_map(
            |(mass, sizes, turn, corner, velocity, angular_velocity)| Numbers {
                mass,
                sizes,
                turn,
                corner,
                velocity,
                angular_velocity,
            },
        )
}

fn body<S: Sample>(numbers: &Numbers, point: S::Vector, ball: Option<S::Vector>) -> Body<S> {
    let mass = numbers.mass;
    let (inertia, inverse_inertia, arm) = match ball {
        None => S::block(mass, numbers),
        Some(toward) => {
            let inertia = S::ball_inertia(mass, numbers.sizes[0]);
            (
                S::isotropic_inertia(inertia),
                S::isotropic_inertia(1.0 / inertia),
                toward * numbers.sizes[0],
            )
        }
    };
    Body {
        mass,
        inertia,
        position: point - arm,
        side: Side {
            inverse_mass: 1.0 / mass,
            inverse_inertia,
            velocity: S::vector(numbers.velocity),
            angular_velocity: S::angular_velocity(numbers.angular_velocity),
            arm,
        },
    }
}

fn normal<S: Space>() -> impl Strategy<Value = S::Vector> {
    prop::array::uniform3(-1.0..1.0_f64).prop_filter_map("too short", |parts| {
        let vector = S::vector(parts);
        (vector.length() > 0.1).then(|| vector.unit()).flatten()
    })
}

fn any_law() -> impl Strategy<Value = Law> {
    prop::sample::select(vec![Law::Coulomb, Law::Newton, Law::Course, Law::Beta])
}

/// A surface that does not add energy of itself.
fn surface() -> impl Strategy<Value = Surface> {
    (
        prop_oneof![4 => 0.0..1.0_f64, 1 => Just(0.0), 1 => Just(1.0)],
        prop_oneof![6 => 0.0..1.5_f64, 1 => Just(0.0), 1 => Just(50.0)],
        1.0..1.5_f64,
        any_law(),
    )
        .prop_map(|(restitution, kinetic_friction, more, law)| Surface {
            restitution,
            static_friction: kinetic_friction * more,
            kinetic_friction,
            law,
            ..Surface::default()
        })
}

/// The speeds that enter the relative velocity, before anything cancels.
fn speeds<S: Space>(contact: &Contact<S>) -> f64 {
    [&contact.a, &contact.b]
        .map(|side| side.velocity.length() + side.angular_velocity.length() * side.arm.length())
        .iter()
        .sum()
}

fn same<S: Space>(
    found: &Response<S>,
    expected: &Response<S>,
    tolerance: f64,
    contact: &Contact<S>,
) {
    let error = (found.impulse - expected.impulse).length();
    // An impulse can be small although the velocities that decide it are not.
    let size = expected.impulse.length() + speeds(contact) * contact.alpha();
    assert!(
        error <= tolerance * size,
        "{found:?} is not {expected:?}: off by {:e}",
        error / size
    );
}
