use super::differential::mixed;
use carom::prelude::*;
use carom::simulate::Exact;
use std::ops::ControlFlow;
#[test]
#[ignore]
fn debug_world() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let world = mixed::<Space2>(seed);
    let mut logs = vec![];
    for mut run in [
        Exact::new(world.clone()).unwrap(),
        Exact::reference(world).unwrap(),
    ] {
        let mut log = vec![];
        let end = run.run_until(2.0, |e| {
            log.push(format!("{e:?}"));
            ControlFlow::Continue(())
        });
        println!("{end:?} {}", log.len());
        logs.push(log);
    }
    for (k, (a, b)) in logs[0].iter().zip(&logs[1]).enumerate() {
        if a != b {
            println!("{k}\n{}\n{a}\n{b}", logs[0][k - 1]);
            break;
        }
    }
}
