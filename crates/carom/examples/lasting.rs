//! Bodies that keep touching, in numbers that are too large for tests: a heap of boxes in space that settles and
//! sleeps, a row of dominoes, a pyramid.
//!
//! `cargo run --release --example lasting -- [heap|dominoes|pyramid] [number] [seconds]`

use carom::prelude::*;
use carom::simulate::{Exact, Settling};
use carom::space::Space;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

const G: f64 = 9.81;

/// Numbers that look random, the same in every run (Knuth's multiplier).
struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

fn stuff(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

/// As the scene `heap-of-300-boxes`: five by five in a room, layer above layer.
fn heap(number: usize) -> Result<World3, Failure> {
    let mut world = World3::new();
    world.materials.add("default", stuff(0.2, 0.5))?;
    world.set_gravity(DVec3::new(0.0, 0.0, -G))?;
    let mut walls = vec![(DVec3::Z, DVec3::ZERO)];
    for axis in [DVec3::X, DVec3::Y] {
        walls.extend([(axis, -axis), (-axis, axis)]);
    }
    for (normal, place) in walls {
        world.add(Body::fixed(Shape::half_space(normal)?).at(place))?;
    }
    let mut numbers = Numbers(3);
    for k in 0..number {
        let (layer, row, column) = (k / 25, k / 5 % 5, k % 5);
        let place = DVec3::new(
            0.38 * (row as f64 - 2.0),
            0.38 * (column as f64 - 2.0),
            0.3 + 0.3 * layer as f64,
        );
        let body = Body::free(Shape::block(DVec3::new(0.1, 0.075, 0.05))?)
            .mass(2.4)
            .at(place + numbers.vector() * 0.02)
            .rotated(Space3::rotation_of(numbers.vector(), 3.0));
        world.add(body)?;
    }
    Ok(world)
}

fn dominoes(number: usize) -> Result<World2, Failure> {
    let mut world = floor2(0.0, 0.4)?;
    for k in 0..number {
        let push = if k == 0 { 2.0 } else { 0.0 };
        let body = Body::free(Shape::block(DVec2::new(0.04, 0.25))?)
            .mass(1.0)
            .at(DVec2::new(0.2 * k as f64, 0.25))
            .velocity(DVec2::new(0.25 * push, 0.0))
            .angular_velocity(-push);
        world.add(body)?;
    }
    Ok(world)
}

fn pyramid(base: usize) -> Result<World2, Failure> {
    let mut world = floor2(0.0, 0.6)?;
    for row in 0..base {
        for k in 0..base - row {
            let x = 1.1 * (k as f64 + 0.5 * row as f64);
            let body = Body::free(Shape::block(DVec2::splat(0.5))?).mass(1.0);
            world.add(body.at(DVec2::new(x, 0.55 + 1.05 * row as f64)))?;
        }
    }
    Ok(world)
}

fn floor2(restitution: f64, friction: f64) -> Result<World2, Failure> {
    let mut world = World2::new();
    world
        .materials
        .add("default", stuff(restitution, friction))?;
    world.set_gravity(DVec2::new(0.0, -G))?;
    world.add(Body::fixed(Shape::floor()))?;
    Ok(world)
}

/// Runs a world and says every so often how it stands.
fn told<S: carom::simulate::Compiled>(world: World<S>, seconds: f64) -> Result<(), Failure> {
    let mut run = Exact::with(world, &Settling::default()).map_err(|wrong| format!("{wrong:?}"))?;
    let start = Instant::now();
    let mut shown = 0.0;
    while shown < seconds && !run.is_at_rest_everywhere() {
        shown += 0.25;
        run.run_to(shown)?;
        let audit = run.audit();
        let lasting = audit.losses.lasting;
        println!(
            "{shown:.2} s: {:.2} s of work, {} collisions, {:?} last and sleep, deepest {:.1e} m, {:.4} J, steps {:.2e}, projection {:.2e}, unexplained {:.1e}",
            start.elapsed().as_secs_f64(),
            run.collisions(),
            run.lasting_rigid(),
            audit.deepest_overlap,
            audit.now.total(),
            lasting.stepping,
            lasting.projection,
            audit.energy_residual,
        );
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "heap".to_owned());
    let number = arguments.next().map(|text| text.parse()).transpose()?;
    let seconds = arguments.next().map_or(Ok(10.0), |text| text.parse())?;
    match what.as_str() {
        "heap" => told(heap(number.unwrap_or(300))?, seconds),
        "dominoes" => told(dominoes(number.unwrap_or(200))?, seconds),
        "pyramid" => told(pyramid(number.unwrap_or(20))?, seconds),
        other => Err(format!("{other}: heap, dominoes or pyramid").into()),
    }
}
