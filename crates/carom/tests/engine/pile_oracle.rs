//! Piles of more balls than are looked at all together (48), judged by somebody else: plain geometry over all pairs,
//! energies from the states, and the equilibrium of every ball and of all of them at once, from nothing but where they
//! lie.
//!
//! A heap at rest is in equilibrium if there are pushes at its contacts, none of them pulling, with friction within
//! Coulomb's cone and a torque against rolling within its bound, that hold the weight of everybody. The cones are
//! spanned by a few rays each, so these are linear equations with factors that are not negative; Gauss and Seidel's
//! method solves them one factor after the other. What remains of the weights is the residual: zero where there is an
//! equilibrium, and no less than the least that must be missing where there is none.

use carom::body::Kind;
use carom::material::Material;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Exact;
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// Discs that lie somewhere, in a tray or on a floor.
struct Heap {
    /// Place, radius and mass, m and kg.
    discs: Vec<(DVec2, f64, f64)>,
    /// A point on each wall, and the direction out of it.
    walls: Vec<(DVec2, DVec2)>,
}

/// Where a disc touches another, or a wall.
struct Touching {
    disc: usize,
    other: Option<usize>,
    /// Out of the other, towards the disc.
    normal: DVec2,
    gap: f64,
}

impl Heap {
    fn of(run: &Exact<Space2>) -> Self {
        let (mut discs, mut walls) = (Vec::new(), Vec::new());
        for id in run.bodies() {
            let body = run.body(id).unwrap();
            match (&body.shape, &body.kind) {
                (Shape::Ball(ball), Kind::Free(free)) => {
                    discs.push((run.state(id).position, ball.radius, free.mass));
                }
                (Shape::HalfSpace(_), _) => {
                    let normal = body.name.split(' ').map(|part| part.parse().unwrap());
                    let normal: Vec<f64> = normal.collect();
                    walls.push((body.pose.position, DVec2::new(normal[0], normal[1])));
                }
                _ => panic!("a heap is of discs and walls"),
            }
        }
        Heap { discs, walls }
    }

    /// All that are no further apart than a share of the radius.
    fn touching(&self, share: f64) -> Vec<Touching> {
        let mut all = Vec::new();
        for (disc, &(place, radius, _)) in self.discs.iter().enumerate() {
            for &(point, normal) in &self.walls {
                let gap = normal.dot(place - point) - radius;
                if gap <= share * radius {
                    all.push(Touching {
                        disc,
                        other: None,
                        normal,
                        gap,
                    });
                }
            }
            for (other, &(there, its, _)) in self.discs.iter().enumerate().take(disc) {
                let apart = place - there;
                let gap = apart.length() - radius - its;
                if gap <= share * radius.max(its) {
                    all.push(Touching {
                        disc,
                        other: Some(other),
                        normal: apart / apart.length(),
                        gap,
                    });
                }
            }
        }
        all
    }

    /// How much of its weight is not held, for the disc that is held worst, when all hold each other as well as they
    /// can.
    fn unheld(&self, share: f64, friction: f64, rolling: f64) -> f64 {
        // A column for each ray of each cone: what it does to the force (in weights) and to the torque (in weights
        // times the radius) of one disc or two.
        let mut columns: Vec<Vec<(usize, f64)>> = Vec::new();
        for touch in self.touching(share) {
            let along = touch.normal.perp();
            let radius = |disc: usize| self.discs[disc].1;
            let reach = touch.other.map_or(radius(touch.disc), |other| {
                radius(touch.disc).min(radius(other))
            });
            for (slip, roll) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let force = touch.normal + along * (slip * friction);
                let mut column = Vec::new();
                let both = [(Some(touch.disc), 1.0), (touch.other, -1.0)];
                for (disc, sign) in both {
                    let Some(disc) = disc else { continue };
                    let (_, radius, mass) = self.discs[disc];
                    let weight = mass * G;
                    // The arm goes from the centre to the contact: against the normal for the one, along it for the
                    // other; and so does the force.
                    let arm = touch.normal * (-sign * radius);
                    let torque = arm.perp_dot(force * sign) + sign * roll * rolling * reach;
                    column.push((3 * disc, sign * force.x / weight));
                    column.push((3 * disc + 1, sign * force.y / weight));
                    column.push((3 * disc + 2, torque / (weight * radius)));
                }
                columns.push(column);
            }
        }
        let mut left = vec![0.0; 3 * self.discs.len()];
        (0..self.discs.len()).for_each(|disc| left[3 * disc + 1] = -1.0);
        let mut factors = vec![0.0_f64; columns.len()];
        // Back and forth; a load goes down through some tens of discs, and back up, many times. Where a heap stands
        // only just, a few thousand sweeps are not enough.
        for sweep in 0..30_000 {
            for step in 0..columns.len() {
                let index = match sweep % 2 {
                    0 => step,
                    _ => columns.len() - 1 - step,
                };
                let column = &columns[index];
                let size: f64 = column.iter().map(|(_, part)| part * part).sum();
                let slope: f64 = column.iter().map(|&(row, part)| part * left[row]).sum();
                let next = (factors[index] - slope / size).max(0.0);
                let change = next - factors[index];
                factors[index] = next;
                for &(row, part) in column {
                    left[row] += part * change;
                }
            }
        }
        let worst = left.chunks(3).map(|of| {
            let sum: f64 = of.iter().map(|part| part * part).sum();
            sum.sqrt()
        });
        worst.fold(0.0, f64::max)
    }

    /// How much of its weight is not held, for the disc that is held worst by those that it touches, each of which may
    /// push as hard as it likes.
    fn unheld_alone(&self, share: f64, friction: f64) -> f64 {
        let touching = self.touching(share);
        let alone = |disc: usize| {
            let mut rays = Vec::new();
            for touch in &touching {
                let normal = match (touch.disc == disc, touch.other == Some(disc)) {
                    (true, _) => touch.normal,
                    (_, true) => -touch.normal,
                    _ => continue,
                };
                rays.extend([1.0, -1.0].map(|side| normal + normal.perp() * (side * friction)));
            }
            // Up has to lie between two of them: then it is as near to their sum as can be.
            let mut least = 1.0_f64;
            for a in &rays {
                for b in &rays {
                    let area = a.perp_dot(*b);
                    let parts = [DVec2::Y.perp_dot(*b) / area, a.perp_dot(DVec2::Y) / area];
                    if area.abs() > 1e-12 && parts.iter().all(|&part| part >= 0.0) {
                        return 0.0;
                    }
                }
                let along = a.y.max(0.0) / a.length();
                least = least.min((1.0 - along * along).max(0.0).sqrt());
            }
            least
        };
        (0..self.discs.len()).map(alone).fold(0.0, f64::max)
    }
}

fn material(friction: f64, rolling: f64) -> Material {
    Material {
        restitution: 0.5,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: rolling,
        ..Material::default()
    }
}

/// A wall that is called by its normal, for whoever judges.
fn wall(point: DVec2, normal: DVec2) -> Body<Space2> {
    let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
    Body::fixed(shape)
        .at(point)
        .named(&format!("{:?} {:?}", normal.x, normal.y))
}

fn tray(width: f64, friction: f64, rolling: f64) -> World2 {
    let mut world = World2::new();
    world
        .materials
        .add("default", material(friction, rolling))
        .unwrap();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world.add(wall(DVec2::ZERO, DVec2::Y)).unwrap();
    world.add(wall(DVec2::ZERO, DVec2::X)).unwrap();
    world.add(wall(DVec2::new(width, 0.0), -DVec2::X)).unwrap();
    world
}

/// Marsaglia's xorshift, from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Discs of different sizes, poured into a tray.
fn poured(number: u32, friction: f64, seed: u64) -> World2 {
    let mut random = Random(seed);
    let mut world = tray(2.0, friction, 0.02);
    for index in 0..number {
        let radius = 0.04 + 0.02 * random.next();
        let place = DVec2::new(
            0.1 + 0.128 * f64::from(index % 15) + 0.005 * (random.next() - 0.5),
            0.1 + 0.13 * f64::from(index / 15),
        );
        let velocity = DVec2::new(random.next() - 0.5, random.next() - 0.5);
        let disc = Body::ball(radius, radius * radius, place, velocity).unwrap();
        world.add(disc).unwrap();
    }
    world
}

/// Runs until everything rests.
fn settled(world: World2) -> Exact<Space2> {
    let mut run = Exact::new(world).unwrap();
    let until = Until::time(60.0).or_rest(0.0);
    let end = run.run_until(until, |_| ControlFlow::Continue(()));
    assert_eq!(end.unwrap(), End::Rest, "at {} s", run.time());
    run
}

const SEED: u64 = 0x1234_5678_9abc_def1;

/// Bodies that lie on each other within four ten-thousandths of a radius touch, for those who fall asleep (`sleep.rs`);
/// and the larger of two may be the other.
const TOUCH: f64 = 4e-4 * (1.0 + 1e-9);

/// The three discs of a pyramid, of radius 1 m, lie still if discs hold each other with a friction of at least tan 15°
/// and the floor with a third of that (each lower disc: torques about its contact with the floor).
#[test]
fn the_oracle_knows_a_pyramid() {
    let least = libm::tan(std::f64::consts::PI / 12.0);
    let heap = Heap {
        discs: [(-1.0, 1.0), (1.0, 1.0), (0.0, 1.0 + 3.0_f64.sqrt())]
            .map(|(x, y)| (DVec2::new(x, y), 1.0, 2.0))
            .to_vec(),
        walls: vec![(DVec2::ZERO, DVec2::Y)],
    };
    let unheld = |friction: f64, rolling: f64| heap.unheld(1e-9, friction, rolling);
    assert!(unheld(least + 1e-3, 0.0) < 1e-6);
    assert!(unheld(least - 1e-3, 0.0) > 1e-4);
    assert!(unheld(0.0, 0.0) > 0.1);
    // Resistance to rolling holds what friction does not.
    assert!(unheld(least - 0.02, 0.1) < 1e-6);
    // Alone, each is held by its neighbours, who may push as hard as they like.
    assert_eq!(heap.unheld_alone(1e-9, 0.0), 0.0);
    let leaning = Heap {
        discs: vec![
            (DVec2::new(0.0, 1.0), 1.0, 2.0),
            (DVec2::new(0.5, 1.0 + 3.75_f64.sqrt()), 1.0, 2.0),
        ],
        walls: vec![(DVec2::ZERO, DVec2::Y)],
    };
    assert!(leaning.unheld_alone(1e-9, 0.0) > 0.2);
    assert!(leaning.unheld(1e-9, 10.0, 0.0) > 0.1);
}

/// Pours a heap, and judges its energy and places; how much of its weight is not held, for the disc that those around
/// it hold worst.
fn judged(number: u32) -> f64 {
    let world = poured(number, 0.4, SEED);
    let energy = |place: DVec2, velocity: DVec2, mass: f64| {
        mass * (G * place.y + 0.5 * velocity.length_squared())
    };
    let mut before = 0.0;
    for body in world.bodies() {
        if let Kind::Free(free) = &body.kind {
            before += energy(body.pose.position, free.velocity, free.mass);
        }
    }
    let run = settled(world);
    let heap = Heap::of(&run);
    assert_eq!(heap.discs.len(), number as usize);
    let after: f64 = (heap.discs.iter())
        .map(|&(place, _, mass)| energy(place, DVec2::ZERO, mass))
        .sum();
    let audit = run.audit();
    let lost = audit.lost_in_collisions + audit.losses.lasting.total() + audit.losses.fields;
    // Some ten thousand collisions, each rounded a few times.
    let close = |a: f64, b: f64| (a - b).abs() < 1e-11 * before;
    assert!(close(before - after, lost), "{before} {after} {lost}");
    // What contacts that last take along their normals is a loss, and part of all that was lost.
    let settling = audit.losses.lasting.settling;
    assert!(
        (0.0..=before - after).contains(&settling),
        "{settling} of {lost}"
    );
    for id in run.bodies() {
        let state = run.state(id);
        assert_eq!(
            (state.velocity, state.angular_velocity),
            (DVec2::ZERO, 0.0),
            "{id:?}"
        );
    }
    // Nobody is in anybody: all pairs, by their places alone.
    let touching = heap.touching(TOUCH);
    let deepest = touching.iter().map(|touch| touch.gap).fold(0.0, f64::min);
    // Overlaps are taken back to a millionth of the radius.
    let radius = heap
        .discs
        .iter()
        .map(|disc| disc.1)
        .fold(f64::INFINITY, f64::min);
    assert!(deepest > -1e-6 * radius, "{deepest:e}");
    heap.unheld_alone(TOUCH, 0.4)
}

#[test]
fn a_heap_of_sixty_has_the_energy_and_the_places_that_it_says() {
    assert_eq!(judged(60), 0.0, "one of sixty hangs in the air");
}

#[test]
fn a_heap_of_150_has_the_energy_and_the_places_that_it_says() {
    assert_eq!(judged(150), 0.0, "one of 150 hangs in the air");
}

/// A heap that sleeps can stand as a whole. Resistance to rolling slows a disc that rolls down by μ_r g, for which the
/// couple is μ_r (1 + I/(m r²)) = 3/2 μ_r, in weights times radii.
#[test]
fn a_heap_of_sixty_is_in_equilibrium() {
    let run = settled(poured(60, 0.4, SEED));
    let unheld = Heap::of(&run).unheld(TOUCH, 0.4, 1.5 * 0.02);
    // A thousandth of a weight: what gaps of 4e-4 radii leave open at the contacts, and what the method has not found
    // yet.
    assert!(unheld < 1e-3, "{unheld:e} of a weight is not held");
}

/// Laid together at rest, without friction: the upper one presses the lower ones apart, and comes down between them in
/// less than two seconds.
#[test]
fn three_smooth_discs_do_not_stay_a_pyramid() {
    let mut world = tray(20.0, 0.0, 0.0);
    let middle = 10.0;
    for (x, y) in [(-1.0, 1.0), (1.0, 1.0), (0.0, 1.0 + 3.0_f64.sqrt())] {
        let place = DVec2::new(middle + x, y);
        world
            .add(Body::ball(1.0, 2.0, place, DVec2::ZERO).unwrap())
            .unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    run.run_to(2.0).unwrap();
    let heap = Heap::of(&run);
    let apart = heap.discs[1].0.x - heap.discs[0].0.x;
    assert!(apart > 2.5, "the lower ones are {apart} m apart");
}
