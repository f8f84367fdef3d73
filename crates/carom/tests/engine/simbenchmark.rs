//! Tasks of SimBenchmark (leggedrobotics, public) whose answers are known. (*Rolling*, with a box, is in
//! `tests/rigid/loads.rs`.)

use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Exact;

const G: f64 = 9.81;

/// A level floor at z = 0 under gravity, everything of one material without friction.
fn smooth_floor(restitution: f64) -> World3 {
    let mut world = World3::new();
    let material = Material {
        restitution,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    world.add(Body::fixed(floor)).unwrap();
    world
}

/// A number from 0 to 1 (Marsaglia's xorshift).
fn next(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// 6 × 6 × 6 balls of 10 kg and 0.1 m, 0.21 m apart, each shifted by up to a millimetre along the floor, the lowest
/// ones so high above it (m).
fn cube_of_balls(restitution: f64, height: f64) -> World3 {
    let mut world = smooth_floor(restitution);
    let mut state = 0x2545_f491_4f6c_dd1d;
    for index in 0..216_u32 {
        let [x, y, z] = [index % 6, index / 6 % 6, index / 36].map(f64::from);
        let shift = DVec3::new(next(&mut state), next(&mut state), 0.0) * 1e-3;
        let place = DVec3::new(x, y, z) * 0.21 + DVec3::new(0.0, 0.0, height + 0.1) + shift;
        let ball = Body::ball(0.1, 10.0, place, DVec3::ZERO).unwrap();
        world.add(ball).unwrap();
    }
    world
}

/// *666*: the cube collapses without rebound and without friction. Nobody is in another, and since nothing pushes along
/// the floor, nothing moves along it on the whole.
#[test]
fn a_cube_of_inelastic_balls_collapses_without_overlaps_or_momentum() {
    let mut run = Exact::new(cube_of_balls(0.0, 1e-3)).unwrap();
    let weight = 216.0 * 10.0 * G;
    for tenth in 1..=20 {
        run.run_to(0.1 * f64::from(tenth)).unwrap();
        let audit = run.audit();
        let along = DVec2::new(audit.momentum.x, audit.momentum.y).length();
        let scale = audit.momentum.z.abs() + weight * run.time();
        assert!(along <= 1e-12 * scale, "{along} at {tenth}");
        assert!(audit.energy_residual.abs() <= 1e-9 * audit.initial.total());
        assert!(audit.deepest_overlap <= 1e-6 * 0.1, "{audit:?}");
        let places: Vec<DVec3> = (run.bodies().skip(1))
            .map(|id| run.state(id).position)
            .collect();
        for (index, place) in places.iter().enumerate() {
            assert!(place.z >= 0.1 * (1.0 - 1e-6), "{place} at {tenth}");
            for other in &places[..index] {
                let gap = (*place - *other).length() - 0.2;
                assert!(gap >= -1e-6 * 0.1, "{gap} at {tenth}");
            }
        }
    }
}

/// *Elastic 666*: from a metre above the floor, without any loss: the energy stays what it is.
#[test]
fn a_cube_of_elastic_balls_keeps_its_energy() {
    let mut run = Exact::new(cube_of_balls(1.0, 1.0)).unwrap();
    let energy = run.audit().initial.total();
    for second in 1..=10 {
        run.run_to(f64::from(second)).unwrap();
        let audit = run.audit();
        // A few ulp for each of some thousand collisions, of either sign.
        assert!(
            (audit.now.total() - energy).abs() <= 1e-12 * energy,
            "{audit:?}"
        );
        let along = DVec2::new(audit.momentum.x, audit.momentum.y).length();
        assert!(along <= 1e-11 * 216.0 * 10.0 * G, "{along} at {second}");
    }
    assert!(run.collisions() > 5_000, "{}", run.collisions());
}

/// *Bouncing*: 49 balls fall from 5 m. Those of restitution ε are thrown back to ε²ᵏ of the height at the k-th bounce;
/// the elastic ones for ever.
#[test]
fn falling_balls_are_thrown_back_to_their_heights() {
    for restitution in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0_f64] {
        let mut world = smooth_floor(restitution);
        let ids: Vec<BodyId> = (0..49_u32)
            .map(|index| {
                let [x, y] = [index % 7, index / 7].map(f64::from);
                let place = DVec3::new(2.0 * x, 2.0 * y, 5.5);
                world
                    .add(Body::ball(0.5, 1.0, place, DVec3::ZERO).unwrap())
                    .unwrap()
            })
            .collect();
        let mut run = Exact::new(world).unwrap();
        let fall = (2.0 * 5.0 / G).sqrt();
        let (mut time, mut speed) = (fall, (2.0 * 5.0 * G).sqrt());
        for bounce in 1..=8 {
            speed *= restitution;
            // At the top of the hop.
            let top = time + speed / G;
            run.run_to(top).unwrap();
            for &id in &ids {
                let height = run.state(id).position.z - 0.5;
                let expected = 0.5 * speed * speed / G;
                assert!(
                    (height - expected).abs() < 1e-12 * 5.0,
                    "ε = {restitution}, bounce {bounce}: {height} m, {expected} m"
                );
            }
            time += 2.0 * speed / G;
        }
        let audit = run.audit();
        let lost = 1.0 - restitution * restitution;
        assert!(audit.energy_residual.abs() < 1e-12 * 49.0 * 5.0 * G * lost.max(1.0));
    }
}
