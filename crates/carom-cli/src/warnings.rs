//! What is said about a run that is not as it should be: budgets that do not close.
//!
//! # The bound
//!
//! Energy, momentum and angular momentum (about the origin: arms are at most as long as the farthest body is far) are
//! summed without rounding of their own (the sums carry what they round off), so that a residual comes from three
//! sources.
//!
//! * **Rounding at events.** An event rounds the velocities of its bodies, and where they are, by a few units of
//!   `u = 2⁻⁵³`; with what follows from that (normals, slips, the time of the event) by less than 64u of what the
//!   bodies have, which is at most what all have together: `64u · scale · (events + bodies)`. The scale is the sum of
//!   all accounts without their signs. Errors add up with either sign, so that this is far more than happens: it is to
//!   tell a fault from rounding.
//! * **Trajectory segments in fields**, each within the integrator's local tolerance τ of the true one in velocity:
//!   `8τ · scale · pieces`. Trajectories on walls that are not parabolas have τ = 10⁻¹³.
//! * **Steps.** By forces the scheme has an error of its own, which falls with the step: a hundredth of the scale is
//!   where it begins to show in results. Momentum is exact there up to rounding, as what acts between two is equal and
//!   opposite. Solids that keep touching go in steps, too: ten thousand a second are counted as events.
//!
//! A residual above the bound is never booked anywhere: it is said.

use carom::audit::Audit;
use carom::body::Kind;
use carom::motion::Integrator;
use carom::shape::Obstacle;
use carom::simulate::Simulation;
use carom::space::Linear;
use carom::world::{BodyId, World};
use carom_data::DataSpace;

/// What one event can make of the energy or the momentum of its bodies, relative.
const AT_AN_EVENT: f64 = 64.0 * 0.5 * f64::EPSILON;
/// The local error of ways on walls.
const ON_WALLS: f64 = 1e-13;
/// How much of the scale the steps of a run by forces may cost.
const BY_STEPS: f64 = 1e-2;
/// The shortest steps of solids that keep touching, per second.
const STEPS_OF_SOLIDS: f64 = 1e4;

/// How deep solids may be pressed into each other before it is said, in reaches of the smallest.
const SLIGHT: f64 = 1e-3;

/// What went into a run, and how large its numbers are.
struct Extent {
    /// Where rounding happens.
    events: f64,
    /// Of ways, each with a local error.
    pieces: f64,
    /// That error.
    tolerance: f64,
    by_forces: bool,
    /// J.
    energy: f64,
    /// kg·m/s.
    momentum: f64,
    /// kg·m²/s.
    angular_momentum: f64,
}

/// Everything that a run has to be warned of.
pub fn warnings<S: DataSpace>(
    world: &World<S>,
    run: &Simulation<S>,
    transitions: u64,
    audit: &Audit<S>,
) -> Vec<String> {
    let extent = Extent::new(world, run, transitions, audit);
    let mut warnings = Vec::new();
    let energy = audit.energy_residual.abs();
    let explained = extent.energy_bound();
    if !(energy <= explained) {
        let why = if extent.by_forces {
            ": the error of the steps; shorter ones do better"
        } else {
            ""
        };
        warnings.push(format!(
            "the energy budget is open by {energy:.3e} J, more than the {explained:.1e} J that rounding and the integrator explain{why}"
        ));
    }
    let momentum = audit.momentum_residual.length();
    let explained = extent.momentum_bound();
    if !(momentum <= explained) {
        warnings.push(format!(
            "the momentum budget is open by {momentum:.3e} kg m/s, more than the {explained:.1e} kg m/s that rounding and the integrator explain"
        ));
    }
    if let Some(angular) = &audit.angular_momentum {
        let open = angular.residual.length();
        let explained = extent.share() * extent.angular_momentum;
        if !(open <= explained) {
            warnings.push(format!(
                "the budget of angular momentum is open by {open:.3e} kg m²/s, more than the {explained:.1e} kg m²/s that rounding and the integrator explain"
            ));
        }
    }
    let deepest = audit.deepest_overlap;
    let by_steps = run.has_rigid_bodies() && !run.is_by_forces();
    if by_steps && deepest > SLIGHT * smallest_reach(world) {
        warnings.push(format!(
            "bodies in lasting contact overlapped by up to {deepest:.2e} m: shorter steps (rigid_bodies.step) reduce the overlap"
        ));
    }
    warnings.extend(run.warnings());
    warnings
}

/// How far the smallest free body reaches from its middle, m.
fn smallest_reach<S: DataSpace>(world: &World<S>) -> f64 {
    let free = world.bodies().iter();
    let free = free.filter(|body| matches!(body.kind, Kind::Free(_)));
    free.map(|body| body.shape.reach())
        .fold(f64::INFINITY, f64::min)
}

impl Extent {
    fn new<S: DataSpace>(
        world: &World<S>,
        run: &Simulation<S>,
        transitions: u64,
        audit: &Audit<S>,
    ) -> Self {
        let (mut bodies, mut mass, mut weight) = (0.0, 0.0, 0.0);
        let (mut inertia, mut farthest) = (0.0, 0.0_f64);
        let gravity = run.gravity().length();
        for (id, body) in (0..).map(BodyId).zip(world.bodies()) {
            if let (Kind::Free(free), true) = (&body.kind, run.has(id)) {
                bodies += 1.0;
                mass += free.mass;
                let distance = run.unwrapped_position(id).length();
                weight += free.mass * gravity * distance;
                farthest =
                    farthest.max(distance.max(body.pose.position.length()) + body.shape.reach());
                inertia += free.mass * body.shape.reach().powi(2);
            }
        }
        let steps = match run.stepping() {
            Some(stepping) => stepping.steps as f64 * bodies,
            None if run.has_rigid_bodies() => STEPS_OF_SOLIDS * run.time() * bodies,
            None => 0.0,
        };
        let tolerance = match world.integrator() {
            Integrator::Adaptive(tolerance)
                if !world.fields().is_uniform() || !world.joints().is_empty() =>
            {
                tolerance.absolute.max(tolerance.relative)
            }
            _ => 0.0,
        };
        let pieces = run.segments() as f64;
        let momentum = momentum_scale(audit, mass);
        Extent {
            events: 16.0 + bodies + run.collisions() as f64 + transitions as f64 + pieces + steps,
            pieces,
            tolerance: tolerance.max(ON_WALLS),
            by_forces: run.stepping().is_some(),
            energy: weight + energy_scale(audit),
            momentum,
            angular_momentum: farthest * momentum + spin_scale(audit, inertia),
        }
    }

    /// J.
    fn energy_bound(&self) -> f64 {
        let mut share = self.share();
        if self.by_forces {
            share += BY_STEPS;
        }
        share * self.energy
    }

    /// kg·m/s.
    fn momentum_bound(&self) -> f64 {
        self.share() * self.momentum
    }

    fn share(&self) -> f64 {
        AT_AN_EVENT * self.events + 8.0 * self.tolerance * self.pieces
    }
}

/// All accounts without their signs, J.
fn energy_scale<S: DataSpace>(audit: &Audit<S>) -> f64 {
    let kinds = [audit.initial, audit.now].map(|energy| {
        energy.translational.abs() + energy.rotational.abs() + energy.potential.abs()
    });
    let impacts = [audit.losses.between_balls, audit.losses.with_fixtures].map(|loss| {
        let lost = loss.restitution.abs() + loss.friction.abs();
        lost + loss.energy_added + loss.energy_added_by_friction
    });
    let lasting = &audit.losses.lasting;
    let lasting = [
        lasting.sliding,
        lasting.rolling,
        lasting.spinning,
        lasting.settling,
        lasting.damping,
        lasting.stepping,
        lasting.projection,
        lasting.energy_added_by_friction,
    ];
    let others = [
        audit.losses.fields,
        audit.losses.integration,
        audit.work_by_kinematic,
        audit.external_work,
        audit.shear_work,
        audit.given,
        audit.in_contact.energy,
    ];
    let size = |accounts: &[f64]| accounts.iter().map(|account| account.abs()).sum::<f64>();
    size(&kinds) + size(&impacts) + size(&lasting) + size(&others)
}

/// The same for momentum, kg·m/s: what bodies have may cancel, so that `√(2 m E)` is counted, the most that they can
/// have with their energy.
fn momentum_scale<S: DataSpace>(audit: &Audit<S>, mass: f64) -> f64 {
    let accounts = [
        audit.momentum_initial,
        audit.momentum,
        audit.momentum_from_fixtures,
        audit.momentum_from_gravity,
        audit.momentum_from_fields,
        audit.momentum_from_external,
        audit.momentum_from_shear,
        audit.momentum_given,
        audit.in_contact.momentum,
    ];
    let within =
        [audit.initial, audit.now].map(|energy| (2.0 * mass * energy.translational).sqrt());
    accounts.iter().map(|account| account.length()).sum::<f64>() + within[0] + within[1]
}

/// The same for angular momentum about the origin without what the momenta have of it, kg·m²/s: `√(2 I E)` is the most
/// that spins can have.
fn spin_scale<S: DataSpace>(audit: &Audit<S>, inertia: f64) -> f64 {
    let accounts = audit.angular_momentum.map_or(0.0, |angular| {
        let accounts = [
            angular.initial,
            angular.now,
            angular.from_fixtures,
            angular.from_gravity,
            angular.from_fields,
            angular.from_external,
            angular.from_projection,
            angular.given,
            angular.in_contact,
        ];
        accounts.iter().map(|account| account.length()).sum::<f64>()
    });
    let within =
        [audit.initial, audit.now].map(|energy| (2.0 * inertia * energy.rotational).sqrt());
    accounts + within[0] + within[1]
}
