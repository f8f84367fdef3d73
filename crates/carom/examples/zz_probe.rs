//! probe
use carom::prelude::*;
use carom::space::Solid;
use std::ops::ControlFlow;
type V = <Solid as Space>::Vector;
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    t.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1e-9
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut lines = text.lines();
    let n: usize = lines.next().unwrap().trim().parse().unwrap();
    let side: f64 = lines
        .next()
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let (settle, count, repeats): (u64, u64, usize) = (
        a[2].parse().unwrap(),
        a[3].parse().unwrap(),
        a[4].parse().unwrap(),
    );
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut u = || {
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        ((seed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    let mut g = || (-2.0 * libm::log(u())).sqrt() * libm::cos(std::f64::consts::TAU * u());
    let mut world = World::<Solid>::new();
    world.set_periodic([Some(side); 3]).unwrap();
    let vs: Vec<V> = (0..n).map(|_| V::new(g(), g(), g())).collect();
    let mean = vs.iter().fold(V::ZERO, |s, &v| s + v) * (1.0 / n as f64);
    for i in 0..n {
        let f: Vec<f64> = lines
            .next()
            .unwrap()
            .split_whitespace()
            .skip(1)
            .map(|w| w.parse().unwrap())
            .collect();
        world
            .add(Body::ball(f[3], 1.0, V::new(f[0], f[1], f[2]), vs[i] - mean).unwrap())
            .unwrap();
    }
    drop(text);
    let c = cpu();
    let mut run = Exact::new(world).unwrap();
    let setup = cpu() - c;
    let mut advance = |m: u64| {
        if m == 0 {
            return 0.0;
        }
        let (mut left, mut virial) = (m, 0.0);
        run.run(1e300, |c| {
            virial += c.normal.dot(c.impulse);
            left -= 1;
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        virial
    };
    advance(settle);
    for _ in 0..repeats {
        let c = cpu();
        advance(count);
        println!("KCOLL {:.1}", 1e-3 * count as f64 / (cpu() - c));
    }
    println!("DIGEST {:016x} setup {setup:.2}", run.digest());
}
