//! Periodic boxes that are sheared, by the boundary conditions of Lees and Edwards.

mod box_truths;
mod fluid;
mod reference;

use carom::prelude::*;

/// Numbers in [0, 1), one after the other.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A number of about the normal distribution: twelve numbers less six have variance one.
fn normal(next: &mut impl FnMut() -> f64) -> f64 {
    (0..12).map(|_| next()).sum::<f64>() - 6.0
}

/// Discs of diameter 1 m and mass 1 kg on a square lattice of `side²` sites, at a share of the area, with speeds of
/// temperature 1 J and the mean flow of a shear rate, 1/s. As a whole they are at rest relative to the flow: a drift
/// along the gradient would make the flow faster and faster.
fn discs(side: u32, share: f64, rate: f64, seed: u64) -> World2 {
    let spacing = (std::f64::consts::FRAC_PI_4 / share).sqrt();
    let length = f64::from(side) * spacing;
    let mut world = World2::new();
    world
        .set_periodic([Some(length), Some(length), None])
        .unwrap();
    let shear = Shear::new(rate);
    world.set_shear(Some(shear)).unwrap();
    let mut next = numbers(seed);
    let drawn: Vec<DVec2> = (0..side * side)
        .map(|_| DVec2::new(normal(&mut next), normal(&mut next)))
        .collect();
    let mean = drawn.iter().sum::<DVec2>() / f64::from(side * side);
    for (site, drawn) in (0_u32..).zip(drawn) {
        let place = DVec2::new(f64::from(site % side) + 0.5, f64::from(site / side) + 0.5);
        let place = place * spacing;
        let flow = shear.flow_at::<carom::space::Space2>(place, world.periods());
        let ball = Body::ball(0.5, 1.0, place, drawn - mean + flow).unwrap();
        world.add(ball).unwrap();
    }
    world
}

/// The same with balls in 3-D.
fn balls(side: u32, share: f64, rate: f64, seed: u64) -> World3 {
    let spacing = libm::cbrt(std::f64::consts::PI / 6.0 / share);
    let length = f64::from(side) * spacing;
    let mut world = World3::new();
    world.set_periodic([Some(length); 3]).unwrap();
    let shear = Shear::new(rate);
    world.set_shear(Some(shear)).unwrap();
    let mut next = numbers(seed);
    let mut draw = || DVec3::new(normal(&mut next), normal(&mut next), normal(&mut next));
    let drawn: Vec<DVec3> = (0..side * side * side).map(|_| draw()).collect();
    let mean = drawn.iter().sum::<DVec3>() / f64::from(side * side * side);
    for (site, drawn) in (0_u32..).zip(drawn) {
        let [x, y, z] = [site % side, site / side % side, site / (side * side)];
        let place = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) + DVec3::splat(0.5);
        let place = place * spacing;
        let flow = shear.flow_at::<carom::space::Space3>(place, world.periods());
        let ball = Body::ball(0.5, 1.0, place, drawn - mean + flow).unwrap();
        world.add(ball).unwrap();
    }
    world
}
