//! Bodies that overlap at the start.

use crate::fixtures::{self, Fault, free_radius};
use crate::neighbours::Neighbours;
use crate::problem::{MOST_PROBLEMS, Problem};
use crate::reader::Reader;
use crate::render::shortened;
use carom::simulate::Compiled;
use carom::space::Linear;
use carom::world::World;
use carom::world::{WorldError, has_rigid_bodies};
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

/// As many comparisons as are made. Only bodies by the thousand in one place, that pass through each other, need more.
const MOST_TESTS: u64 = 2_000_000_000;

/// Reports the pairs that overlap by more than rounding explains. `places` says where in the file each body is put.
pub(crate) fn report<S: Compiled>(reader: &Reader<'_>, world: &World<S>, places: &[Range<usize>]) {
    let misplaced = report_misplaced(reader, world, places);
    for (a, b, fault) in overlaps(world) {
        // What a ball on the wrong side of a container's walls has to do with each of them follows from that.
        if misplaced.contains(&(a, places[b].clone())) {
            continue;
        }
        let [name_a, name_b] = [a, b].map(|index| shortened(&world.bodies()[index].name, 40));
        let (message, label, help) = match fault {
            Fault::Overlap { depth, allowed } => (
                format!("`{name_b}` overlaps `{name_a}` by {depth:.3e} m at the start"),
                format!("may overlap by at most {allowed:.1e} m, which rounding explains"),
                "move one of them; bodies may touch",
            ),
            Fault::Outside { beyond } => (
                format!(
                    "`{name_a}` is on the wrong side of `{name_b}`: its centre is {beyond:.3e} m beyond the surface"
                ),
                "keeps balls on its other side".to_owned(),
                "move one of them, or reverse the normal of the wall",
            ),
        };
        reader.report(
            Problem::new(places[b].clone(), message, label)
                .related(places[a].clone(), format!("`{name_a}` is here"))
                .help(help),
        );
    }
}

/// Reports the balls that are not on the side of a container's walls where they belong: which, and where that container
/// is in the file.
fn report_misplaced<S: Compiled>(
    reader: &Reader<'_>,
    world: &World<S>,
    places: &[Range<usize>],
) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    for error in world.misplaced() {
        let WorldError::Container {
            a,
            name_a,
            container,
            belongs,
            b,
            name_b,
            beyond,
        } = error
        else {
            continue;
        };
        let [name_a, container, name_b] =
            [name_a, container, name_b].map(|name| shortened(&name, 40));
        let message = format!(
            "`{name_a}` is not {belongs} container `{container}`: its centre is {beyond:.3e} m beyond `{name_b}`"
        );
        reader.report(
            Problem::new(
                places[a].clone(),
                message,
                format!("must be {belongs} the container"),
            )
            .related(
                places[b].clone(),
                format!("container `{container}` is here"),
            )
            .help("move the ball, or say with `balls` on which side of the container balls are"),
        );
        found.push((a, places[b].clone()));
    }
    found
}

type Overlap = (usize, usize, Fault);

/// The first overlaps, in no particular order: n bodies at one place have n²/2 of them, and nobody reads them all.
fn overlaps<S: Compiled>(world: &World<S>) -> Vec<Overlap> {
    let bodies = world.bodies();
    if has_rigid_bodies(world) {
        let found = world.overlaps().into_iter();
        let overlap = |error: WorldError| match error {
            WorldError::Overlap {
                a,
                b,
                depth,
                allowed,
                ..
            } => Some((a, b, Fault::Overlap { depth, allowed })),
            _ => None,
        };
        return found.filter_map(overlap).take(MOST_PROBLEMS).collect();
    }
    let mut search = Search {
        found: Vec::new(),
        seen: BTreeSet::new(),
        tests: 0,
    };
    let mut order: Vec<(u32, f64)> = (0u32..)
        .zip(bodies)
        .filter_map(|(index, body)| Some((index, free_radius(body)?)))
        .collect();
    // The largest first, so that a large ball never looks for small ones.
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut balls = Neighbours::<S>::new(world.periods());
    for (rank, &(index, radius)) in order.iter().enumerate() {
        let body = &bodies[index as usize];
        let id = balls.insert(body.pose.position, radius);
        debug_assert_eq!(id as usize, rank);
        let flow = balls.near(balls.place(id), radius, |other, distance| {
            let (second, _) = order[other as usize];
            search.count()?;
            if other == id
                || !body.groups.collides_with(bodies[second as usize].groups)
                || world.are_jointed((index as usize, second as usize))
            {
                return ControlFlow::Continue(());
            }
            let reach = radius + balls.radius(other);
            let places = [index, second].map(|id| bodies[id as usize].pose.position.length());
            let fault = Fault::overlap(reach - distance, places[0].max(places[1]) + reach);
            let (a, b) = (index.min(second) as usize, index.max(second) as usize);
            search.add(a, b, fault)
        });
        if flow.is_break() {
            return search.found;
        }
    }
    for obstacle in fixtures::all(world) {
        let mut test = |rank: u32| {
            let (index, radius) = order[rank as usize];
            search.count()?;
            if !obstacle.meets(bodies[index as usize].groups)
                || world.are_jointed((index as usize, obstacle.index))
            {
                return ControlFlow::Continue(());
            }
            let fault = obstacle.fault(balls.place(rank), radius);
            search.add(index as usize, obstacle.index, fault)
        };
        let (place, reach) = obstacle.bounds();
        let flow = if reach.is_finite() {
            balls.near(place, reach, |rank, _| test(rank))
        } else {
            (0..balls.len() as u32).try_for_each(test)
        };
        if flow.is_break() {
            break;
        }
    }
    search.found
}

struct Search {
    found: Vec<Overlap>,
    seen: BTreeSet<(usize, usize)>,
    tests: u64,
}

impl Search {
    fn count(&mut self) -> ControlFlow<()> {
        self.tests += 1;
        if self.tests > MOST_TESTS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn add(&mut self, a: usize, b: usize, fault: Option<Fault>) -> ControlFlow<()> {
        if let Some(fault) = fault
            && self.seen.insert((a, b))
        {
            self.found.push((a, b, fault));
        }
        if self.found.len() < MOST_PROBLEMS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
