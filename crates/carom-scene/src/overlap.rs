//! Bodies that overlap at the start.

use crate::problem::{MOST_PROBLEMS, Problem};
use crate::reader::Reader;
use crate::render::shortened;
use carom::space::Space;
use carom::world::{World, WorldError};
use std::ops::Range;

/// As many bodies as are compared at once: all of a block's pairs may overlap, and each takes room.
const BLOCK: usize = 64;

/// Reports the pairs that overlap by more than rounding explains. `places` says where in the file each body is put.
pub(crate) fn report<S: Space>(reader: &Reader<'_>, world: &World<S>, places: &[Range<usize>]) {
    let misplaced = report_misplaced(reader, world, places);
    for (a, b, fault) in overlaps(world) {
        // What a ball on the wrong side of a room's walls has to do with each of them follows from that.
        if misplaced.contains(&(a, places[b].clone())) {
            continue;
        }
        let [name_a, name_b] = [a, b].map(|index| shortened(&world.bodies()[index].name, 40));
        let (message, label, help) = match fault {
            Fault::Overlap { depth, allowed } => (
                format!("`{name_b}` overlaps `{name_a}` by {depth:.3e} m at the start"),
                format!("may overlap by at most {allowed:.1e} m, which rounding explains"),
                "move one of them; bodies that touch are welcome",
            ),
            Fault::Outside { beyond } => (
                format!(
                    "`{name_a}` is on the wrong side of `{name_b}`: its centre is {beyond:.3e} m beyond the surface"
                ),
                "keeps balls on its other side".to_owned(),
                "move one of them, or turn the wall round",
            ),
        };
        reader.report(
            Problem::new(places[b].clone(), message, label)
                .related(places[a].clone(), format!("`{name_a}` is here"))
                .help(help),
        );
    }
}

/// Reports the balls that are not on the side of a room's walls where they belong: which, and where that room is in the file.
fn report_misplaced<S: Space>(
    reader: &Reader<'_>,
    world: &World<S>,
    places: &[Range<usize>],
) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    for error in world.misplaced() {
        let WorldError::Room {
            a,
            name_a,
            room,
            belongs,
            b,
            name_b,
            beyond,
        } = error
        else {
            continue;
        };
        let [name_a, room, name_b] = [name_a, room, name_b].map(|name| shortened(&name, 40));
        let message = format!(
            "`{name_a}` is not {belongs} room `{room}`: its centre is {beyond:.3e} m beyond `{name_b}`"
        );
        reader.report(
            Problem::new(
                places[a].clone(),
                message,
                format!("must be {belongs} the room"),
            )
            .related(places[b].clone(), format!("room `{room}` is here"))
            .help("move the ball, or say with `balls` on which side of the room balls are"),
        );
        found.push((a, places[b].clone()));
    }
    found
}

type Overlap = (usize, usize, Fault);

/// What is wrong with two bodies, in metres.
enum Fault {
    Overlap { depth: f64, allowed: f64 },
    Outside { beyond: f64 },
}

/// The first overlaps, in no particular order.
///
/// A world says all its overlaps at once, and n bodies at one place have n²/2 of them. So the world is looked at in
/// blocks, two at a time, until there are as many as anyone will read.
fn overlaps<S: Space>(world: &World<S>) -> Vec<Overlap> {
    let count = world.bodies().len();
    let blocks: Vec<Range<usize>> = (0..count)
        .step_by(BLOCK)
        .map(|start| start..(start + BLOCK).min(count))
        .collect();
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        for other in &blocks[index..] {
            found.extend(between(world, block, other));
            if found.len() >= MOST_PROBLEMS {
                return found;
            }
        }
    }
    found
}

/// The overlaps of bodies of one block with bodies of another, or within a block.
fn between<S: Space>(world: &World<S>, block: &Range<usize>, other: &Range<usize>) -> Vec<Overlap> {
    let both: Vec<usize> = match block == other {
        true => block.clone().collect(),
        false => block.clone().chain(other.clone()).collect(),
    };
    let mut part = World::<S>::new();
    for &index in &both {
        // It was accepted before, so it is accepted again.
        let _ = part.add(world.bodies()[index].clone());
    }
    let crosses = |a: usize, b: usize| block == other || block.contains(&a) != block.contains(&b);
    part.overlaps()
        .into_iter()
        .filter_map(|error| match error {
            WorldError::Overlap {
                a,
                b,
                depth,
                allowed,
                ..
            } => Some((both[a], both[b], Fault::Overlap { depth, allowed })),
            WorldError::Outside { a, b, beyond, .. } => {
                Some((both[a], both[b], Fault::Outside { beyond }))
            }
            _ => None,
        })
        .filter(|&(a, b, ..)| crosses(a, b))
        .collect()
}
