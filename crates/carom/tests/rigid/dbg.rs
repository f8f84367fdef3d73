use super::differential::mixed;
use carom::prelude::*;
use carom::simulate::Exact;
use std::ops::ControlFlow;
#[test]
#[ignore]
fn debug_world() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let world = mixed::<Space2>(seed);
    let mut fast = Exact::new(world.clone()).expect("apart");
    let mut n = 0;
    let mut last = vec![];
    let end = fast.run(6.0, |c| {
        n += 1;
        last.push(format!("{} t={:.17} {:?} {:?} gap={:e} approach={:e} J={:?}", c.number, c.time, c.a, c.b, c.gap, c.approach_speed, c.impulse));
        ControlFlow::Continue(())
    });
    for l in last.iter().rev().take(12).rev() { println!("{l}"); }
    println!("{end:?} {n}");
    for id in fast.bodies().skip(5) { println!("{id:?} {:?}", fast.state(id)); }
}
