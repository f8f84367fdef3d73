//! Radii and velocities: one for all, or drawn for each.

use crate::dimension::{ReadSpace, vector};
use crate::forms;
use crate::quantity::{ENERGY, LENGTH, RATIO, SPEED, VELOCITY};
use crate::random::Random;
use crate::reader::Entry;
use carom::shape::Shaped;
use carom::space::{Linear, Space};
use carom::world::World;

/// How large generated balls are, m.
pub(super) enum Radii {
    Same(f64),
    Between(f64, f64),
    /// With the sums of the weights up to and including each.
    Among(Vec<(f64, f64)>),
}

impl Radii {
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Radii::Same(radius) => *radius,
            Radii::Between(from, to) => random.between(*from, *to),
            Radii::Among(list) => {
                let (_, total) = list[list.len() - 1];
                let drawn = random.between(0.0, total);
                let found = list.iter().find(|(_, sum)| drawn < *sum);
                found.unwrap_or(&list[list.len() - 1]).0
            }
        }
    }

    pub fn largest(&self) -> f64 {
        match self {
            Radii::Same(radius) => *radius,
            Radii::Between(_, to) => *to,
            Radii::Among(list) => list.iter().map(|(radius, _)| *radius).fold(0.0, f64::max),
        }
    }
}

pub(super) fn radii(entry: &Entry<'_, '_>) -> Option<Radii> {
    if !entry.is_table() {
        return entry.number(LENGTH).map(Radii::Same);
    }
    let section = entry.section(entry.title.clone())?;
    if !section.has("values") {
        let section = section.of(&forms::UNIFORM_RADII);
        let from = section
            .required("from", "the smallest radius, or `values`: a list of radii")
            .and_then(|entry| entry.number(LENGTH));
        let last = section.required("to", "the largest radius");
        let to = last.as_ref().and_then(|entry| entry.number(LENGTH));
        section.finish(&[]);
        let (from, to) = (from?, to?);
        if to < from {
            last?.wrong("at least as large as `from`");
            return None;
        }
        return Some(Radii::Between(from, to));
    }
    let section = section.of(&forms::LISTED_RADII);
    let values = section.required("values", "the radii");
    let weights = section.optional("weights");
    let radii = values.as_ref().and_then(|entry| numbers(entry, LENGTH));
    let shares = match &weights {
        Some(entry) => numbers(entry, RATIO),
        None => radii.as_ref().map(|radii| vec![1.0; radii.len()]),
    };
    section.finish(&[]);
    let (radii, shares) = (radii?, shares?);
    let total: f64 = shares.iter().sum();
    if let Some(entry) = weights.filter(|_| shares.len() != radii.len() || total <= 0.0) {
        let count = radii.len();
        entry.wrong(&format!(
            "{count} numbers, one for each of the values, not all zero"
        ));
        return None;
    }
    let mut sum = 0.0;
    let sums = shares.into_iter().map(|share| {
        sum += share;
        sum
    });
    Some(Radii::Among(radii.into_iter().zip(sums).collect()))
}

fn numbers(entry: &Entry<'_, '_>, quantity: crate::quantity::Quantity) -> Option<Vec<f64>> {
    let fits = |length: usize| (1..=1000).contains(&length);
    let Some(items) = entry.as_items().filter(|items| fits(items.len())) else {
        entry.wrong("an array of 1 to 1000 numbers");
        return None;
    };
    let numbers: Vec<Option<f64>> = items.map(|item| item.number(quantity)).collect();
    numbers.into_iter().collect()
}

/// How fast generated balls are.
pub(super) enum Velocities<S: Space> {
    /// m/s.
    Same(S::Vector),
    /// Maxwell's distribution of a temperature `k_B T`, J.
    Thermal(f64),
    /// A speed in random directions, m/s.
    Directions(f64),
}

pub(super) fn velocities<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<Velocities<S>> {
    if !entry.is_table() {
        return vector::<S>(entry, VELOCITY).map(Velocities::Same);
    }
    let section = entry.section(entry.title.clone())?;
    if section.has("speed") {
        let section = section.of(&forms::BRISK);
        let speed = section.required("speed", "in metres per second");
        let speed = speed.and_then(|entry| entry.number(SPEED));
        section.finish(&[]);
        return speed.map(Velocities::Directions);
    }
    let section = section.of(&forms::THERMAL);
    let temperature = section.required(
        "temperature",
        "in joules, or `speed`, or an array instead of the table",
    );
    let temperature = temperature.and_then(|entry| entry.number(ENERGY));
    section.finish(&[]);
    temperature.map(Velocities::Thermal)
}

/// The velocities of balls, m/s.
pub(super) enum Drawn<S: Space> {
    Same(S::Vector),
    Each(Vec<S::Vector>),
}

impl<S: Shaped> Drawn<S> {
    /// Of a ball at a place. Random velocities are relative to the mean flow of a sheared box.
    pub fn at(&self, number: usize, place: S::Vector, world: &World<S>) -> S::Vector {
        match (self, world.shear()) {
            (Drawn::Same(velocity), _) => *velocity,
            (Drawn::Each(velocities), None) => velocities[number],
            (Drawn::Each(velocities), Some(shear)) => {
                velocities[number] + shear.flow_at::<S>(place, world.periods())
            }
        }
    }
}

impl<S: Space> Velocities<S> {
    pub fn draw(&self, masses: &[f64], random: &mut Random) -> Drawn<S> {
        match *self {
            Velocities::Same(velocity) => Drawn::Same(velocity),
            Velocities::Directions(speed) => {
                let each = masses.iter().map(|_| direction::<S>(random) * speed);
                Drawn::Each(each.collect())
            }
            Velocities::Thermal(temperature) => {
                Drawn::Each(thermal::<S>(temperature, masses, random))
            }
        }
    }
}

/// A direction, all alike.
fn direction<S: Space>(random: &mut Random) -> S::Vector {
    loop {
        let drawn = S::vector([0; 3].map(|_| random.normal()));
        if let Some(unit) = drawn.unit() {
            return unit;
        }
    }
}

/// Each component is normal with variance `k_B T / m`. Then the momentum of all is taken out and what is left is
/// scaled, so that `Σ m v²/2` is exactly `d/2 · k_B T` for each ball: a gas of the temperature asked for, at rest as a
/// whole.
fn thermal<S: Space>(temperature: f64, masses: &[f64], random: &mut Random) -> Vec<S::Vector> {
    let draw = |mass: &f64| {
        let spread = (temperature / mass).sqrt();
        S::vector([0; 3].map(|_| random.normal())) * spread
    };
    let mut velocities: Vec<S::Vector> = masses.iter().map(draw).collect();
    if velocities.len() < 2 {
        return velocities;
    }
    let total: f64 = masses.iter().sum();
    let mut momentum = S::Vector::ZERO;
    for (velocity, mass) in velocities.iter().zip(masses) {
        momentum += *velocity * *mass;
    }
    let drift = momentum * (1.0 / total);
    let mut energy = 0.0;
    for (velocity, mass) in velocities.iter_mut().zip(masses) {
        *velocity -= drift;
        energy += 0.5 * mass * velocity.length_squared();
    }
    let wanted = 0.5 * S::DIMENSION as f64 * temperature * masses.len() as f64;
    let scale = (wanted / energy).sqrt();
    if scale.is_finite() {
        for velocity in &mut velocities {
            *velocity = *velocity * scale;
        }
    }
    velocities
}
