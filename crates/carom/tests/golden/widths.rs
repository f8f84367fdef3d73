//! Which vectors a run computes with is chosen when it begins, by what the processor has. All of them go through here,
//! whatever the machine would choose.

use crate::Random;
use carom::kernels::vectors::{self, Width};
use carom::prelude::*;
use carom::simulate::Compiled;
use carom::simulate::Exact;

/// Equal balls on a lattice, so dense that they are found by lists (0.47), or in cells of their own.
fn lattice_gas<S: Compiled>(radius: f64) -> World<S> {
    let mut world = World::<S>::new();
    let mut random = Random(5);
    let layers = if S::DIMENSION == 3 { 8 } else { 1 };
    for index in 0..64 * layers {
        let place = [index % 8, index / 8 % 8, index / 64].map(|along| f64::from(along) + 0.5);
        let velocity = S::vector([0; 3].map(|_| random.next()));
        let ball = Body::ball(radius, 1.0, S::vector(place), velocity).unwrap();
        world.add(ball).unwrap();
    }
    world.set_periodic([Some(8.0); 3]).unwrap();
    world
}

fn digest<S: Compiled>(world: World<S>, until: f64) -> u64 {
    let mut run = Exact::new(world).unwrap();
    run.run_to(until).unwrap();
    assert!(run.collisions() > 100, "{} collisions", run.collisions());
    run.digest()
}

#[test]
fn every_width_of_vectors_has_the_same_bits() {
    let all = Width::all();
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && !cfg!(target_feature = "avx2") {
        assert!(all.contains(&Width::Avx2), "{all:?}");
    }
    let mut gases = Vec::new();
    for width in all {
        vectors::choose(Some(width));
        assert_eq!(vectors::width(), width);
        // The recorded ones, of gases and of crowds by forces.
        for (name, _) in crate::gases::ALL.iter().chain(crate::forces::ALL) {
            crate::compare(&crate::all(), name);
        }
        gases.push([
            digest(lattice_gas::<Space3>(0.47), 2.0),
            digest(lattice_gas::<Space3>(0.3), 5.0),
            digest(lattice_gas::<Space2>(0.45), 5.0),
            digest(lattice_gas::<Space2>(0.25), 20.0),
        ]);
    }
    vectors::choose(None);
    assert!(gases.iter().all(|gas| *gas == gases[0]), "{gases:x?}");
}
