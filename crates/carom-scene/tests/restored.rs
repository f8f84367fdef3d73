//! Scenes that went on with other bits after they had been stored and restored, each for a reason of its own.

use carom::simulate::{Compiled, Exact, Settling};
use carom::world::World;
use carom_scene::{AnyWorld, load};

/// Runs a world to its end, stored and restored at so many times on the way, each time by itself: the same bits.
fn same<S: Compiled>(world: World<S>, until: f64, pieces: u32) {
    let start = || Exact::with(world.clone(), &Settling::default()).expect("nothing overlaps");
    let mut whole = start();
    whole.run_to(until).expect("it gets on");
    let mut first = start();
    for k in 1..pieces {
        let time = until * f64::from(k) / f64::from(pieces);
        first.run_to(time).expect("it gets on");
        let mut later = Exact::<S>::restore(&first.snapshot()).expect("a snapshot");
        later.run_to(until).expect("it gets on");
        let (then, now) = (whole.collisions(), later.collisions());
        assert_eq!(then, now, "collisions, restored at {time} s");
        assert_eq!(whole.digest(), later.digest(), "restored at {time} s");
    }
}

fn check(name: &str, until: f64, pieces: u32) {
    let path = format!("{}/tests/restored/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let scene = load(path.as_ref()).unwrap_or_else(|errors| panic!("{errors}"));
    match scene.world {
        AnyWorld::Two(world) => same(world, until, pieces),
        AnyWorld::Three(world) => same(world, until, pieces),
    }
}

#[test]
fn bodies_near_a_restored_heap_are_the_same() {
    check("solids_in_the_plane", 1.5, 12);
}

#[test]
fn guests_of_a_restored_run_keep_their_places() {
    check("solids_in_space", 1.0, 12);
}
