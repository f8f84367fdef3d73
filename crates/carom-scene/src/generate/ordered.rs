//! Places by a rule without chance: a lattice, a row, a rack.

use super::{Looks, Placed, Room, needed_radii, rack};
use crate::dimension::{ReadSpace, direction, vector};
use crate::problem::Kind;
use crate::quantity::{GAP, LENGTH, OFFSET, PLACE};
use crate::random::Random;
use crate::reader::{Entry, Section};
use carom::space::{Linear, Space};

/// The balls of a lattice, a row or a rack.
pub(super) fn read<S: ReadSpace>(
    kind: &str,
    section: &Section<'_, '_>,
    looks: Option<&Looks<S>>,
    mut random: Random,
    room: Room,
) -> Option<Vec<Placed<S>>> {
    let radii = needed_radii(section, looks);
    let places = match kind {
        "lattice" => lattice::<S>(section, room),
        "row" => row::<S>(section, room),
        _ => rack::<S>(section, radii.map(|radii| radii.largest()), room),
    };
    let radii = radii?;
    let place = |(place, index, ball)| Placed {
        index,
        ball,
        ..Placed::at(place, radii.draw(&mut random))
    };
    Some(places?.into_iter().map(place).collect())
}

/// A place, with its column, row and layer, and which ball of a game lies there.
type Spot<S> = (<S as Space>::Vector, [u64; 3], Option<&'static str>);

fn position<S: ReadSpace>(section: &Section<'_, '_>, what: &str) -> Option<S::Vector> {
    let entry = section.required("position", what)?;
    vector::<S>(&entry, PLACE)
}

/// x runs fastest, so that numbers count along rows.
fn lattice<S: ReadSpace>(section: &Section<'_, '_>, room: Room) -> Option<Vec<Spot<S>>> {
    let counts = section
        .required("counts", "how many along each axis")
        .and_then(|entry| counts::<S>(&entry));
    let first = position::<S>(section, "of the first ball, in metres");
    let spacing = section
        .required("spacing", "from one ball to the next, in metres")
        .and_then(|entry| spacing::<S>(&entry));
    let staggered = match section.optional("staggered") {
        Some(entry) => entry.flag(),
        None => Some(false),
    };
    let (counts, first, spacing, staggered) = (counts?, first?, spacing?, staggered?);
    let total = counts
        .iter()
        .try_fold(1u64, |all, &count| all.checked_mul(count));
    let total = room.check(section, total.unwrap_or(u64::MAX))?;
    let mut places = Vec::with_capacity(total);
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            let shift = if staggered && y % 2 == 1 { 0.5 } else { 0.0 };
            for x in 0..counts[0] {
                let steps = [x as f64 + shift, y as f64, z as f64];
                let offset = [0, 1, 2].map(|axis| steps[axis] * spacing[axis]);
                places.push((first + S::vector(offset), [x, y, z], None));
            }
        }
    }
    Some(places)
}

fn counts<S: Space>(entry: &Entry<'_, '_>) -> Option<[u64; 3]> {
    let Some(items) = entry.as_items().filter(|items| items.len() == S::DIMENSION) else {
        let dimension = S::DIMENSION;
        entry.wrong(&format!(
            "{dimension} whole numbers, as the scene has dimension = {dimension}"
        ));
        return None;
    };
    let mut counts = [1; 3];
    let mut good = true;
    for (count, item) in counts.iter_mut().zip(items) {
        match item.count() {
            Some(number) => *count = number,
            None => good = false,
        }
    }
    good.then_some(counts)
}

fn spacing<S: Space>(entry: &Entry<'_, '_>) -> Option<[f64; 3]> {
    match entry.as_items() {
        Some(_) => vector::<S>(entry, LENGTH).map(S::components),
        None => entry.number(LENGTH).map(|spacing| [spacing; 3]),
    }
}

fn row<S: ReadSpace>(section: &Section<'_, '_>, room: Room) -> Option<Vec<Spot<S>>> {
    let count = section
        .required("count", "how many")
        .and_then(|entry| entry.count());
    let first = position::<S>(section, "of the first ball, in metres");
    let step = section
        .required("step", "from one ball to the next, in metres")
        .and_then(|entry| vector::<S>(&entry, OFFSET));
    let (count, first, step) = (count?, first?, step?);
    let count = room.check(section, count)?;
    Some(
        (0..count)
            .map(|number| (first + step * number as f64, [number as u64, 0, 0], None))
            .collect(),
    )
}

/// Row k has k balls; neighbours in a row and in the next are a diameter and a gap apart. It lies in the plane of x and
/// y.
fn rack<S: ReadSpace>(
    section: &Section<'_, '_>,
    radius: Option<f64>,
    room: Room,
) -> Option<Vec<Spot<S>>> {
    let game = section.optional("game");
    let rows = section.optional("rows");
    let name = match &game {
        Some(entry) => game_of(entry).map(Some),
        None => Some(None),
    };
    let rows = match (rows, &game) {
        (Some(entry), Some(_)) => {
            entry.wrong("left out where there is a game, which has its own");
            None
        }
        (Some(entry), None) => entry.whole(1, 10_000),
        (None, Some(_)) => Some(0),
        (None, None) => {
            section.required("rows", "how many rows: 5 make 15 balls");
            None
        }
    };
    let tip = position::<S>(section, "of the ball at the tip, in metres");
    let along = section.optional("direction");
    let towards = match &along {
        Some(entry) => direction::<S>(entry),
        None => Some(S::vector([1.0, 0.0, 0.0])),
    };
    let gap = match section.optional("gap") {
        Some(entry) => entry.number(GAP),
        None => Some(0.0),
    };
    let (rows, name, tip, towards, gap, radius) = (rows?, name?, tip?, towards?, gap?, radius?);
    let flat = S::components(towards);
    let across = S::vector([-flat[1], flat[0], 0.0]).unit();
    let (Some(across), Some(towards)) = (across, S::vector([flat[0], flat[1], 0.0]).unit()) else {
        along?.wrong("a direction in the x–y plane");
        return None;
    };
    let pitch = 2.0 * radius + gap;
    if let Some(game) = name {
        let balls = rack::of_game(game, pitch);
        room.check(section, balls.len() as u64)?;
        let spot = |(name, ahead, aside): rack::Spotted| {
            let place = tip + towards * ahead + across * aside;
            (place, [0; 3], Some(name))
        };
        return Some(balls.into_iter().map(spot).collect());
    }
    room.check(section, rows * (rows + 1) / 2)?;
    let depth = pitch * (0.5 * 3.0_f64.sqrt());
    let mut places = Vec::new();
    for row in 0..rows {
        for number in 0..=row {
            let aside = (number as f64 - 0.5 * row as f64) * pitch;
            let place = tip + towards * (row as f64 * depth) + across * aside;
            places.push((place, [number, row, 0], None));
        }
    }
    Some(places)
}

fn game_of(entry: &Entry<'_, '_>) -> Option<&'static str> {
    let text = entry.text("the name of a game")?;
    let found = rack::GAMES.into_iter().find(|game| *game == text);
    if found.is_none() {
        entry.not_among("a game", rack::GAMES.into_iter(), Kind::Value);
    }
    found
}
