//! Balls at random in a region, without overlaps.
//!
//! Up to a moderate fraction each is put where chance has it, again and again until it fits (random sequential
//! addition, the largest first). That saturates, at 0.547 in 2-D and 0.384 in 3-D for equal balls; beyond, see
//! [`pack`](super::pack).

use super::draw::Radii;
use super::region::{self, Region};
use super::{Looks, Placed, Room, content, needed_radii, pack};
use crate::dimension::ReadSpace;
use crate::fixtures::{self, Scenery, free_radius};
use crate::neighbours::Neighbours;
use crate::quantity::FRACTION;
use crate::random::Random;
use crate::reader::Section;
use carom::body::CollisionFilter;
use carom::simulate::Compiled;
use carom::world::World;
use std::ops::ControlFlow;

/// Fractions above which equal balls are packed at once: chance would take more than ten tries a ball.
const SPARSE: [f64; 2] = [0.36, 0.2];
/// Tries for one ball, and for all per ball.
const TRIES: usize = 20_000;
const TRIES_EACH: usize = 50;

pub(super) fn read<S: ReadSpace>(
    section: &Section<'_, '_>,
    looks: Option<&Looks<S>>,
    world: &World<S>,
    mut random: Random,
    room: Room,
) -> Option<Vec<Placed<S>>> {
    let radii = needed_radii(section, looks);
    let count = section.optional("count");
    let fraction = section.optional("fraction");
    let region = region::read::<S>(section, world.periods());
    let wanted = match (&count, &fraction) {
        (Some(count), Some(fraction)) => {
            let problem = fraction.problem("left out where the count is given");
            let problem = problem.related(count.span(), "given here");
            section.reader.report(problem);
            None
        }
        (Some(count), None) => count.count().map(Wanted::Count),
        (None, Some(fraction)) if looks.is_some_and(|looks| looks.template.is_some()) => {
            fraction.wrong("left out where there is a `body`: its `count` can be given");
            None
        }
        (None, Some(fraction)) => fraction.number(FRACTION).map(Wanted::Fraction),
        (None, None) => {
            section.required("count", "how many balls, or `fraction`");
            None
        }
    };
    let (looks, radii, region, wanted) = (looks?, radii?, region?, wanted?);
    let mut filling = Filling::new(world, region, looks.groups);
    let sizes = sizes(section, &wanted, radii, &filling, &mut random, room)?;
    let asked = count.or(fraction)?;
    match filling.fill(&sizes, &mut random) {
        Ok(places) => {
            let balls = places.into_iter().zip(sizes);
            Some(
                balls
                    .map(|(place, radius)| Placed::at(place, radius))
                    .collect(),
            )
        }
        Err(most) => {
            let allowed = match wanted {
                Wanted::Count(_) => format!("at most {most} here: no more were found to fit"),
                Wanted::Fraction(_) => {
                    let filled: f64 = sizes
                        .iter()
                        .take(most)
                        .map(|&radius| content::<S>(radius))
                        .sum();
                    let reached = filled / filling.region.content();
                    format!("at most {reached:.4} here: no more was found to fit")
                }
            };
            asked.wrong(&allowed);
            None
        }
    }
}

enum Wanted {
    Count(u64),
    Fraction(f64),
}

/// The radii of all balls, in the order in which they are numbered.
fn sizes<S: Compiled>(
    section: &Section<'_, '_>,
    wanted: &Wanted,
    radii: &Radii,
    filling: &Filling<'_, S>,
    random: &mut Random,
    room: Room,
) -> Option<Vec<f64>> {
    let all = filling.region.content();
    match *wanted {
        Wanted::Count(count) => {
            let count = room.check(section, count)?;
            Some((0..count).map(|_| radii.draw(random)).collect())
        }
        Wanted::Fraction(fraction) => {
            // More than the whole region cannot be filled; the packing then says how much can.
            let target = fraction.min(1.0) * all;
            if let Radii::Same(radius) = radii {
                let count = (target / content::<S>(*radius)).round().max(1.0);
                let count = room.check(section, count as u64)?;
                return Some(vec![*radius; count]);
            }
            let (mut sizes, mut filled) = (Vec::new(), 0.0);
            loop {
                let radius = radii.draw(random);
                let more = content::<S>(radius);
                // One more only where that comes nearer.
                if filled + 0.5 * more > target && !sizes.is_empty() {
                    return Some(sizes);
                }
                room.check(section, sizes.len() as u64 + 1)?;
                sizes.push(radius);
                filled += more;
            }
        }
    }
}

/// A region and what is in it.
pub(super) struct Filling<'w, S: Compiled> {
    pub region: Region<S>,
    /// The balls of the world that the new ones meet, then the new ones.
    pub balls: Neighbours<S>,
    scenery: Vec<Scenery<'w, S>>,
}

impl<'w, S: Compiled> Filling<'w, S> {
    fn new(world: &'w World<S>, region: Region<S>, groups: CollisionFilter) -> Self {
        let mut balls = Neighbours::new(world.periods());
        for body in world.bodies() {
            if let Some(radius) = free_radius(body)
                && body.groups.collides_with(groups)
            {
                balls.insert(body.pose.position, radius);
            }
        }
        let scenery = fixtures::all(world);
        let meets = |obstacle: &Scenery<'_, S>| obstacle.meets(groups);
        Filling {
            region,
            balls,
            scenery: scenery.into_iter().filter(meets).collect(),
        }
    }

    /// The places of balls of these sizes, or how many of them could be placed at most.
    fn fill(&mut self, sizes: &[f64], random: &mut Random) -> Result<Vec<S::Vector>, usize> {
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let equal = sizes.iter().all(|&radius| radius == largest);
        let filled: f64 = sizes.iter().map(|&radius| content::<S>(radius)).sum();
        let fraction = filled / self.region.content();
        if equal && fraction > SPARSE[S::DIMENSION - 2] {
            return pack::fill(self, sizes.len(), largest, random);
        }
        let old = self.balls.len();
        match self.by_chance(sizes, random) {
            Ok(places) => Ok(places),
            // A lattice for the largest may hold more than chance does.
            Err(_) if equal => {
                let clean = Neighbours::new(self.balls.periods());
                let full = std::mem::replace(&mut self.balls, clean);
                for id in 0..old as u32 {
                    self.balls.insert(full.place(id), full.radius(id));
                }
                pack::fill(self, sizes.len(), largest, random)
            }
            Err(reached) => Err(reached),
        }
    }

    fn by_chance(&mut self, sizes: &[f64], random: &mut Random) -> Result<Vec<S::Vector>, usize> {
        let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
        let size = |index: u32| sizes[index as usize];
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        let mut places = vec![S::vector([0.0; 3]); sizes.len()];
        let mut tries_left = (TRIES_EACH * sizes.len()).max(TRIES);
        for (number, &index) in order.iter().enumerate() {
            let radius = size(index);
            let mut tries = TRIES.min(tries_left);
            let place = loop {
                if tries == 0 {
                    return Err(number);
                }
                tries -= 1;
                tries_left -= 1;
                let Some(place) = self.region.draw(radius, random) else {
                    return Err(number);
                };
                if self.is_clear(place, radius, None) {
                    break place;
                }
            };
            self.balls.insert(place, radius);
            places[index as usize] = place;
        }
        Ok(places)
    }

    /// Whether a ball fits there, beside everything but one ball.
    pub fn is_clear(&self, place: S::Vector, radius: f64, but: Option<u32>) -> bool {
        let free = self.balls.near(place, radius, |id, _| {
            if Some(id) == but {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        free.is_continue()
            && self
                .scenery
                .iter()
                .all(|obstacle| obstacle.is_clear(place, radius))
    }
}
