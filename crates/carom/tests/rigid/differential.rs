//! Worlds of balls by both engines of events: by `Exact`, made for balls, and by `Rigid`, for which a ball is a rigid
//! body like any other. Planning, first contacts, the geometry of contacts and the answer to them are other code; what
//! happens must be the same.
//!
//! # How much the two may differ
//!
//! A ball's place is off by a few roundings at the start. An error e of the places of two balls that meet puts the
//! instant off by e over the speed at which they close, and turns the normal by `e/(R cos φ)`, with R the distance of
//! the centres and φ the angle between the normal and the relative velocity. That turns the velocities afterwards by as
//! much again and twice it at the most, and after a flight of length ℓ the place is off by `e (1 + 2 ℓ/(R cos φ))`. So
//! errors grow by a factor with every collision: that is what chaos is. The bound is followed along with the run,
//! collision by collision, with four times a rounding of the coordinates entering at each, and the runs are compared
//! until it says nothing any more (1e-6 m), or until two close so slowly that they might settle. The bound is of first
//! order; twice of it is allowed.

use carom::body::Kind;
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::{Ball, HalfSpace};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::simulate::{Rigid, Settling};
use carom::space::Linear;
use std::ops::ControlFlow;

/// A generator that is the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector<S: Compiled>(&mut self, size: f64) -> S::Vector {
        let mut parts = [0.0; 3];
        for part in parts.iter_mut().take(S::DIMENSION) {
            *part = self.between(-size, size);
        }
        S::vector(parts)
    }
}

/// Half the side of the room, m.
const HALF: f64 = 2.5;

/// Balls of several sizes, masses and spins on a lattice in a room with a fixed ball in it, of two materials.
fn world<S: Compiled>(seed: u64) -> World<S> {
    let mut dice = Dice(seed);
    let mut world = World::new();
    let stuff = |restitution: f64, friction: f64| Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.8 * friction,
        ..Material::default()
    };
    let elastic = seed.is_multiple_of(3);
    let restitution = if elastic {
        1.0
    } else {
        dice.between(0.6, 0.95)
    };
    let smooth = stuff(restitution, 0.0);
    let rough = stuff(restitution, dice.between(0.05, 0.6));
    world.materials.add("default", smooth).expect("allowed");
    let rough = world.materials.add("rough", rough).expect("allowed");
    if seed % 2 == 1 {
        let mut gravity = [0.0; 3];
        gravity[S::DIMENSION - 1] = -dice.between(1.0, 9.81);
        world.set_gravity(S::vector(gravity)).expect("finite");
    }
    for axis in 0..S::DIMENSION {
        for sign in [-1.0, 1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            let normal = S::vector(normal);
            let wall = Shape::HalfSpace(HalfSpace::solid(normal).expect("a direction"));
            let wall = Body::fixed(wall).at(normal * -HALF);
            world.add(wall.made_of(rough)).expect("allowed");
        }
    }
    let post = Shape::Ball(Ball::new(0.3).expect("positive"));
    let post = Body::fixed(post);
    world.add(post).expect("allowed");
    let mut places = vec![[0.0; 3]];
    for axis in 0..S::DIMENSION {
        let more = |place: &[f64; 3]| {
            let place = *place;
            [-1.5, 0.0, 1.5].into_iter().map(move |at| {
                let mut place = place;
                place[axis] = at;
                place
            })
        };
        places = places.iter().flat_map(more).collect();
    }
    // The one in the middle is the post's.
    for place in places.into_iter().filter(|place| *place != [0.0; 3]) {
        let radius = dice.between(0.15, 0.45);
        let centre = S::vector(place) + dice.vector::<S>(0.15);
        let velocity = dice.vector::<S>(3.0);
        let mass = dice.between(0.5, 2.0);
        let mut ball = Body::ball(radius, mass, centre, velocity).expect("a ball");
        if let Kind::Free(free) = &mut ball.kind {
            let mut angular_velocity = [0.0; 3];
            for part in angular_velocity
                .iter_mut()
                .rev()
                .take(if S::DIMENSION == 2 { 1 } else { 3 })
            {
                *part = dice.between(-5.0, 5.0);
            }
            free.angular_velocity = S::angular_velocity(angular_velocity);
        }
        let ball = if dice.between(0.0, 1.0) < 0.5 {
            ball.made_of(rough)
        } else {
            ball
        };
        world.add(ball).expect("allowed");
    }
    world
}

/// How far the places of a ball may be off: since a collision, when it was off by so much and had so far to turn, and
/// its speed.
#[derive(Clone, Copy)]
struct Doubt {
    time: f64,
    place: f64,
    /// rad, as seen from its place.
    turned: f64,
    speed: f64,
}

/// The distance of the centres at a contact, m; of a wall the radius of the ball.
fn distance<S: Compiled>(world: &World<S>, collision: &Collision<S>) -> f64 {
    let radius = |id: BodyId| match &world.body(id).shape {
        Shape::Ball(ball) => ball.radius,
        _ => 0.0,
    };
    radius(collision.a) + radius(collision.b)
}

/// Compares the runs of a world as far as anything can be said; how many collisions that were, and how many balls took
/// part in them on average.
fn compare<S: Compiled>(seed: u64) -> usize {
    let world = world::<S>(seed);
    let until = 6.0;
    let mut exact = Exact::new(world.clone()).expect("nothing overlaps");
    let mut rigid = Rigid::new(world.clone(), &Settling::default()).expect("nothing overlaps");
    let (mut one, mut two) = (Vec::new(), Vec::new());
    // So many that the bound is exhausted long before.
    let enough = |number: u64| match number < 400 {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let _ = exact.run(until, |collision| {
        one.push(*collision);
        enough(collision.number)
    });
    let _ = rigid.run(until, |collision| {
        two.push(*collision);
        enough(collision.number)
    });
    let size = f64::EPSILON * 4.0 * HALF;
    let start = |body: &Body<S>| Doubt {
        time: 0.0,
        place: size,
        turned: 0.0,
        speed: match &body.kind {
            Kind::Free(free) => free.velocity.length(),
            _ => 0.0,
        },
    };
    let mut doubts: Vec<Doubt> = world.bodies().iter().map(start).collect();
    let pull = world.gravity().length();
    let mut compared = 0;
    let mut last = 0.0;
    for (left, right) in one.iter().zip(&two) {
        let sides = [left.a, left.b];
        let free = |id: &&BodyId| matches!(world.body(**id).kind, Kind::Free(_));
        let off = |id: &BodyId| {
            let doubt = &doubts[id.0 as usize];
            let flown = left.time - doubt.time;
            let way = (doubt.speed + 0.5 * pull * flown) * flown;
            doubt.place + doubt.turned * way
        };
        let error = sides.iter().filter(free).map(off).sum::<f64>() + size;
        let relative = left.before[0].velocity - left.before[1].velocity;
        let closing = -relative.dot(left.normal);
        if error > 1e-6 || closing < 0.3 {
            break;
        }
        let tolerance = 2.0 * error / closing;
        // Two that are nearer to each other in time than that may change places.
        if compared > 0 && left.time - last < 2.0 * tolerance {
            break;
        }
        let same = sides == [right.a, right.b] || sides == [right.b, right.a];
        assert!(
            same && (left.time - right.time).abs() <= tolerance,
            "world {seed}, collision {}: {left:?} by Exact, {right:?} by Rigid, {tolerance:e} s",
            left.number
        );
        let reach = distance(&world, left);
        let cosine = closing / relative.length();
        // The normal is turned by so much, and what an impulse does with it. A surface may be at the limit of sticking:
        // there the answer changes its slope, not its value.
        let turned = error / (reach * cosine);
        let flipped = left.a != right.a;
        for side in 0..2 {
            let its = right.after[if flipped { 1 - side } else { side }];
            let speed = relative.length() + left.before[side].velocity.length();
            let most = 16.0 * speed * turned;
            let apart = (left.after[side].velocity - its.velocity).length();
            assert!(
                apart <= most,
                "world {seed}, collision {}: {left:?} by Exact, {right:?} by Rigid, {apart:e} m/s of {most:e}",
                left.number
            );
            doubts[sides[side].0 as usize] = Doubt {
                time: left.time,
                place: error / cosine,
                turned: 2.0 * turned,
                speed: left.after[side].velocity.length(),
            };
        }
        last = left.time;
        compared += 1;
    }
    compared
}

/// Thirty worlds of eight balls in the plane: elastic and not, with gravity and without, smooth and rough.
#[test]
fn discs_run_by_both_engines_give_the_same_events() {
    let compared: Vec<usize> = (0..30).map(compare::<Space2>).collect();
    println!("{compared:?}");
    // An error of 1e-15 m that grows tenfold with each collision of a ball leaves some eight of them for each.
    assert!(compared.iter().sum::<usize>() > 30 * 12, "{compared:?}");
}

/// Twelve worlds of twenty-six balls in space.
#[test]
fn spheres_run_by_both_engines_give_the_same_events() {
    let compared: Vec<usize> = (100..112).map(compare::<Space3>).collect();
    println!("{compared:?}");
    assert!(compared.iter().sum::<usize>() > 12 * 20, "{compared:?}");
}
