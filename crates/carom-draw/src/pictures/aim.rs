//! What is in the picture: everything that moves and what is around it, or what is followed, and in which shape of
//! picture.

use super::footage::{Footage, Shot};
use super::solid::{Camera, Viewpoint, level};
use super::studio::{Flat, Projection, Style, radius};
use super::table::Table;
use crate::canvas::Area;
use crate::outlines::{Bounds, Form, Place, Thing, dot, scaled, sum, unit};

/// What stays in the middle of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Nothing, unless bodies would be specks: then all of them together.
    #[default]
    Natural,
    /// Nothing.
    Nothing,
    /// A body, by id.
    Body(usize),
}

/// What stays in the middle of the picture, decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Nothing.
    Still,
    /// A body, by its place among those that move.
    Member(usize),
    /// The middle of all free bodies.
    Crowd,
}

/// Of a body that is followed, what is seen to either side of it, in reaches of the body.
const AROUND: f64 = 9.0;
/// A body is a speck where its reach is a smaller share of the shorter side of the picture.
const SPECK: f64 = 0.014;

impl Aim {
    /// What is followed, and what is seen around it at the start; without that, everything is seen.
    pub fn new(
        footage: &Footage,
        follow: Follow,
        area: &Area,
        viewpoint: Viewpoint,
        size: [u32; 2],
    ) -> (Aim, Option<Bounds>) {
        match follow {
            Follow::Nothing => (Aim::Still, None),
            Follow::Body(id) => match footage.cast.iter().position(|&other| other == id) {
                Some(member) => (Aim::Member(member), Some(around(footage, id))),
                None => (Aim::Still, None),
            },
            Follow::Natural => match crowd(footage, area, viewpoint, size) {
                Some(bounds) => (Aim::Crowd, Some(bounds)),
                None => (Aim::Still, None),
            },
        }
    }

    /// Where what is followed is.
    pub fn middle(&self, footage: &Footage, place: impl Fn(usize) -> Place) -> Option<Place> {
        match self {
            Aim::Still => None,
            Aim::Member(member) => Some(place(*member)),
            Aim::Crowd => {
                let mut bounds = Bounds::NOTHING;
                for (member, &id) in footage.cast.iter().enumerate() {
                    let place = place(member);
                    if footage.bodies[id].free && !place[0].is_nan() {
                        bounds.add(place, 0.0);
                    }
                }
                Some(bounds.middle())
            }
        }
    }

    /// By how much what is followed has moved since the start, m.
    pub fn shift(&self, footage: &Footage, shot: &Shot) -> Option<Place> {
        let start = |member: usize| footage.things[footage.cast[member]].position;
        let now = |member: usize| shot.stances[member].position;
        let from = self.middle(footage, start)?;
        let to = self.middle(footage, now)?;
        let by = sum(to, scaled(from, -1.0));
        by.iter().all(|part| part.is_finite()).then_some(by)
    }
}

/// From where a scene is looked at that lies flat, as a table does: from the long side, so that what stands at its edge
/// hides nothing.
const OVER_TABLE: Viewpoint = Viewpoint {
    azimuth: 8.0,
    elevation: 50.0,
    zoom: 1.0,
};
/// What is lower than this share of its width lies flat.
const FLAT: f64 = 0.12;

/// From where a scene in 3-D is looked at, if nobody says it: by where things move, and which axis is up.
pub(crate) fn natural_viewpoint(moved: &Bounds, up: usize) -> Viewpoint {
    let bounds = moved.settled();
    let side = |i: usize| bounds.high[i] - bounds.low[i];
    let across = side((up + 1) % 3).min(side((up + 2) % 3));
    if side(up) < FLAT * across {
        OVER_TABLE
    } else {
        Viewpoint::default()
    }
}

/// The same from the other side, where more upright walls face that way: walls are open towards whoever looks, and of
/// one that is seen from behind there is nothing but its outline.
pub(crate) fn facing_walls(view: Viewpoint, things: &[Thing], zenith: Place) -> Viewpoint {
    let facing = |azimuth: f64| -> i64 {
        let eye = level(zenith, azimuth);
        let walls = things.iter().filter(|thing| !thing.bare && !thing.sensor);
        let seen = walls
            .filter_map(Thing::wall_normal)
            .map(|normal| dot(normal, eye));
        seen.map(|seen| i64::from(seen > 0.1) - i64::from(seen < -0.1))
            .sum()
    };
    let other = Viewpoint {
        azimuth: -view.azimuth,
        ..view
    };
    if facing(other.azimuth) > facing(view.azimuth) {
        other
    } else {
        view
    }
}

/// From where a scene is looked at.
pub(super) fn viewpoint(footage: &Footage, style: &Style) -> Viewpoint {
    let natural = || {
        let gravity = footage.gravity;
        let up = (0..3).find(|&i| gravity[i].abs() > 0.99 * dot(gravity, gravity).sqrt());
        let view = match up {
            Some(up) if footage.dimension() == 3 && dot(gravity, gravity) > 0.0 => {
                natural_viewpoint(&footage.survey().bounds, up)
            }
            _ => Viewpoint::default(),
        };
        let zenith = match dot(gravity, gravity) {
            0.0 => [0.0, 0.0, 1.0],
            _ => unit(scaled(gravity, -1.0)),
        };
        facing_walls(view, &footage.things, zenith)
    };
    style.viewpoint.unwrap_or_else(natural)
}

/// Whether something is followed in a picture of a size.
pub(super) fn follows(
    footage: &Footage,
    follow: Follow,
    viewpoint: Viewpoint,
    size: [u32; 2],
) -> bool {
    let [width, height] = size;
    let area = Area {
        x: 0.0,
        y: 0.0,
        width: f64::from(width),
        height: f64::from(height),
    };
    Aim::new(footage, follow, &area, viewpoint, size).0 != Aim::Still
}

/// A body and what is near it.
fn around(footage: &Footage, id: usize) -> Bounds {
    let thing = &footage.things[id];
    let whole = seen(footage);
    let reach = match thing.reach() {
        reach if reach.is_finite() && reach > 0.0 => AROUND * reach,
        _ => 0.25 * whole.diagonal(),
    };
    let mut bounds = Bounds::NOTHING;
    bounds.add(thing.position, reach.min(0.5 * whole.diagonal()));
    if footage.dimension() == 2 {
        (bounds.low[2], bounds.high[2]) = (0.0, 0.0);
    }
    above_ground(bounds, ground(footage))
}

/// All free bodies together with room around them, where they would be specks in a picture of everything and are larger
/// that way. What a speck is goes by the picture with the words below it: whoever chooses its size does not know these
/// yet, and has to come to the same answer.
fn crowd(
    footage: &Footage,
    area: &Area,
    viewpoint: Viewpoint,
    [width, height]: [u32; 2],
) -> Option<Bounds> {
    if is_enclosed(footage) {
        return None;
    }
    let free = footage.cast.iter().filter(|&&id| footage.bodies[id].free);
    let largest = free
        .map(|&id| footage.things[id].reach())
        .fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let dimension = footage.dimension();
    let shorter = f64::from(width.min(height));
    let seen_as = |bounds: &Bounds| match dimension {
        2 => fitted(bounds, area, None).scale * largest / shorter,
        _ => {
            let points = outline(footage, bounds);
            let camera = Camera::new(&points, area, viewpoint, footage.gravity);
            let depth = camera.place(bounds.middle())[2].max(camera.near());
            camera.focal * largest / depth / shorter
        }
    };
    let start = Aim::Crowd.middle(footage, |member| {
        footage.things[footage.cast[member]].position
    })?;
    let crowd = footage.survey().crowd;
    let mut near = Bounds::NOTHING;
    for i in 0..dimension {
        let half = (0.65 * crowd[i]).max(14.0 * largest);
        (near.low[i], near.high[i]) = (start[i] - half, start[i] + half);
    }
    if dimension == 2 {
        (near.low[2], near.high[2]) = (0.0, 0.0);
    }
    let (whole, nearer) = (seen_as(&seen(footage)), seen_as(&near));
    let near = above_ground(near, ground(footage));
    (whole < SPECK && nearer > 2.0 * whole).then_some(near)
}

/// Whether bodies stay where walls or other fixtures are, so that these are what a picture shows.
fn is_enclosed(footage: &Footage) -> bool {
    let free = |id: usize| footage.bodies[id].free;
    encloses(&footage.things, free, footage.periods)
}

/// Whether fixtures among some things are around what is free.
pub(crate) fn encloses(things: &[Thing], free: impl Fn(usize) -> bool, periods: [f64; 3]) -> bool {
    if periods.iter().any(|&period| period > 0.0) {
        return true;
    }
    let fixtures = || things.iter().filter(|thing| !free(thing.id));
    let finite = fixtures().any(|thing| !matches!(thing.form, Form::Wall(_)) && !thing.sensor);
    let normals: Vec<Place> = fixtures().filter_map(Thing::wall_normal).collect();
    let opposite = normals
        .iter()
        .any(|a| normals.iter().any(|b| dot(*a, *b) < -0.99));
    finite || opposite
}

/// Where things happen with room around, where that is much less than everywhere that bodies go: those that leave for
/// good are not gone after.
pub(crate) fn where_it_happens(action: Bounds, everywhere: Bounds, dimension: usize) -> Bounds {
    let mut wider = action;
    let margin = 0.2 * action.diagonal();
    for i in 0..dimension {
        wider.low[i] = (action.low[i] - margin).max(everywhere.low[i]);
        wider.high[i] = (action.high[i] + margin).min(everywhere.high[i]);
    }
    match wider.settled() {
        wider if wider.diagonal() < 0.6 * everywhere.diagonal() => wider,
        _ => everywhere,
    }
}

/// Where bodies are at any time, and the places of fixtures among what is seen; all corners of that where walls without
/// an end are drawn up to them.
fn silhouette(footage: &Footage, bounds: &Bounds) -> Vec<Place> {
    let fixtures = || footage.things.iter().filter(|thing| !thing.moves);
    let mut all = footage.things.iter();
    let endless = all.any(|thing| matches!(thing.form, Form::Wall(_) | Form::Tube(..)));
    let periodic = footage.periods.iter().any(|&period| period > 0.0);
    let whole: Vec<Place> = bounds.corners().collect();
    if endless || periodic || footage.dimension() == 2 {
        return whole;
    }
    let inside = |place: &Place| {
        (0..3).all(|i| {
            let slack = 1e-9 * bounds.diagonal();
            (bounds.low[i] - slack..=bounds.high[i] + slack).contains(&place[i])
        })
    };
    let mut points: Vec<Place> = footage.survey().bounds.settled().corners().collect();
    for thing in fixtures() {
        match &thing.form {
            Form::Lines { lines, .. } => {
                points.extend(lines.iter().flatten().map(|&place| thing.to_world(place)));
            }
            Form::Ball(radius) | Form::Hollow(radius) => {
                let mut around = Bounds::NOTHING;
                around.add(thing.position, *radius);
                points.extend(around.corners());
            }
            Form::Wall(_) | Form::Tube(..) => (),
        }
    }
    points.retain(inside);
    match points.len() {
        0..8 => whole,
        _ => points,
    }
}

/// The shape of a picture that what is seen fills: width over height.
pub(super) fn shape(footage: &Footage, bounds: &Bounds, viewpoint: Viewpoint) -> f64 {
    let sides = match footage.dimension() {
        2 => [0, 1].map(|i| bounds.high[i] - bounds.low[i]),
        _ => {
            let square = Area {
                x: 0.0,
                y: 0.0,
                width: 1000.0,
                height: 1000.0,
            };
            let points = outline(footage, bounds);
            let camera = Camera::new(&points, &square, viewpoint, footage.gravity);
            let seen = points.iter().filter_map(|&point| camera.project(point));
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for place in seen {
                for i in 0..2 {
                    (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
                }
            }
            [high[0] - low[0], high[1] - low[1]]
        }
    };
    match sides[0] / sides[1] {
        shape if shape.is_finite() && shape > 0.0 => shape,
        _ => 16.0 / 9.0,
    }
}

/// Shapes of pictures, at least and at most.
const SHAPES: [f64; 2] = [0.5, 3.2];
const WIDE: f64 = 16.0 / 9.0;

/// The size of a picture of a shape, as large as a wide one of some pixels: what is tall is in a tall picture, and a
/// strip in a lower one.
pub(super) fn size_of(shape: f64, [width, height]: [u32; 2]) -> [u32; 2] {
    let shape = shape.clamp(SHAPES[0], SHAPES[1]);
    let even = |side: f64| 2 * (0.5 * side).round() as u32;
    if shape >= WIDE {
        return [width, even(f64::from(width) / shape)];
    }
    let pixels = f64::from(width) * f64::from(height);
    let tall = (pixels / shape).sqrt();
    [even(shape * tall), even(tall)]
}

impl Projection {
    /// The same for what has moved.
    pub fn moved(&self, by: Place) -> Projection {
        match self {
            Projection::Flat(flat) => Projection::Flat(Flat {
                origin: [
                    flat.origin[0] - flat.scale * by[0],
                    flat.origin[1] + flat.scale * by[1],
                ],
                ..*flat
            }),
            Projection::Solid(camera) => Projection::Solid(camera.moved(by)),
        }
    }
}

/// The same, moved.
pub(super) fn moved(bounds: &Bounds, by: Place) -> Bounds {
    Bounds {
        low: sum(bounds.low, by),
        high: sum(bounds.high, by),
    }
}

/// Of the height of a picture, what level ground takes at most where there is room above it.
const GROUND: f64 = 0.14;

/// The height of level ground in 2-D, m: of the highest wall without an end that faces up.
pub(super) fn ground(footage: &Footage) -> Option<f64> {
    let faces_up = |thing: &&Thing| {
        let normal = thing.wall_normal().unwrap_or_default();
        normal[1] > 1.0 - 1e-9 && !thing.bare && !thing.sensor
    };
    let walls = footage.things.iter().filter(faces_up);
    let heights = walls.map(|wall| wall.position[1]);
    heights
        .filter(|_| footage.dimension() == 2)
        .reduce(f64::max)
}

/// What is seen of a part of the world, moved up where most of its lower half would be ground.
fn above_ground(mut bounds: Bounds, ground: Option<f64>) -> Bounds {
    let height = bounds.high[1] - bounds.low[1];
    if let Some(ground) = ground.filter(|ground| *ground < bounds.middle()[1]) {
        let up = (ground - GROUND * height - bounds.low[1]).max(0.0);
        bounds.low[1] += up;
        bounds.high[1] += up;
    }
    bounds
}

/// A part of the world in an area, in the middle of it; where there is room to spare, it is above the ground.
pub(super) fn fitted(bounds: &Bounds, area: &Area, ground: Option<f64>) -> Flat {
    let sides = [0, 1].map(|i| (bounds.high[i] - bounds.low[i]).max(f64::MIN_POSITIVE));
    let scale = (area.width / sides[0]).min(area.height / sides[1]);
    let mut middle = bounds.middle();
    let spare = area.height / scale - sides[1];
    if let Some(ground) = ground.filter(|ground| *ground < middle[1]) {
        let wanted = ground + (0.5 - GROUND) * area.height / scale;
        middle[1] = wanted.clamp(middle[1], middle[1] + 0.5 * spare.max(0.0));
    }
    Flat {
        scale,
        origin: [
            area.x + 0.5 * area.width - scale * middle[0],
            area.y + 0.5 * area.height + scale * middle[1],
        ],
    }
}

/// Where bodies are at any time, and fixtures that has an end and is not far away.
pub(super) fn seen(footage: &Footage) -> Bounds {
    let survey = footage.survey();
    let everywhere = survey.bounds.settled();
    let moved = match survey.action.filter(|_| !is_enclosed(footage)) {
        Some(action) => where_it_happens(action, everywhere, footage.dimension()),
        None => everywhere,
    };
    around_all(footage, moved)
}

/// Where bodies are at any time, and fixtures around.
pub(super) fn everything(footage: &Footage) -> Bounds {
    around_all(footage, footage.survey().bounds.settled())
}

/// Some part of the world where bodies are, with fixtures and a margin.
fn around_all(footage: &Footage, moved: Bounds) -> Bounds {
    let mut bounds = with_fixtures(&footage.things, moved, footage.dimension(), footage.periods);
    if let Some(table) = Table::of(footage) {
        table.widen(&mut bounds);
    }
    if footage.dimension() == 2 {
        let sides = [0, 1].map(|i| bounds.high[i] - bounds.low[i]);
        let margin = 0.035 * sides[0].max(sides[1]);
        for i in 0..2 {
            bounds.low[i] -= margin;
            bounds.high[i] += margin;
        }
        (bounds.low[2], bounds.high[2]) = (0.0, 0.0);
    }
    bounds
}

/// Where bodies are, with the fixtures among some things that are not far away.
pub(crate) fn with_fixtures(
    things: &[Thing],
    moved: Bounds,
    dimension: usize,
    periods: [f64; 3],
) -> Bounds {
    let mut bounds = moved;
    for thing in things.iter().filter(|thing| !thing.moves) {
        let mut wider = bounds;
        thing.widen(&mut wider);
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    let walls = things.iter().filter(|thing| !thing.moves);
    for wall in walls {
        // A ball may never come up to a wall; the container is seen as a whole where it is not much larger.
        let Some(normal) = wall.wall_normal() else {
            continue;
        };
        for i in 0..dimension {
            if normal[i].abs() > 1.0 - 1e-9 && dot(normal, normal) > 0.0 {
                let mut wider = bounds;
                wider.low[i] = wider.low[i].min(wall.position[i]);
                wider.high[i] = wider.high[i].max(wall.position[i]);
                if wider.diagonal() <= 1.5 * moved.diagonal() {
                    bounds = wider;
                }
            }
        }
    }
    for tube in things.iter() {
        let mut wider = bounds;
        for line in tube_rings(tube, &bounds) {
            wider.add(line, 0.0);
        }
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    let radii = things.iter().filter_map(|t| radius(&t.form));
    let largest = radii.fold(0.0, f64::max);
    for (i, &period) in periods.iter().enumerate() {
        if period > 0.0 {
            // Balls at the edge reach over it.
            let over = largest.min(0.1 * period);
            (bounds.low[i], bounds.high[i]) = (-over, period + over);
        }
    }
    bounds
}

/// Places around the ends of a tube, as far as other things reach.
fn tube_rings(thing: &Thing, bounds: &Bounds) -> Vec<Place> {
    match thing.form {
        Form::Tube(..) => thing
            .world_lines(bounds, false)
            .into_iter()
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

/// Places that have to be seen: the corners of what is seen, or, where that is a hollow, places on it.
pub(super) fn outline(footage: &Footage, bounds: &Bounds) -> Vec<Place> {
    let around = footage.things.iter().find_map(|thing| match thing.form {
        Form::Hollow(radius) => {
            let fits = |i: usize| {
                let side = bounds.high[i] - bounds.low[i];
                (side - 2.0 * radius).abs() < 0.01 * radius
            };
            (0..3).all(fits).then_some((thing.position, radius))
        }
        _ => None,
    });
    let Some((centre, radius)) = around else {
        return silhouette(footage, bounds);
    };
    // Along a spiral from pole to pole, by the golden angle: evenly spread.
    const PLACES: u32 = 400;
    (0..PLACES)
        .map(|place| {
            let z = 1.0 - 2.0 * (f64::from(place) + 0.5) / f64::from(PLACES);
            let across = (1.0 - z * z).sqrt();
            let angle = 2.399_963_229_728_653 * f64::from(place);
            let unit = [across * libm::cos(angle), across * libm::sin(angle), z];
            [0, 1, 2].map(|i| centre[i] + radius * unit[i])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dominoes stood on ground that took a quarter of the picture, with as much nothing above them; a ball that is
    /// followed along a belt was on one that took half of it.
    #[test]
    fn room_to_spare_is_above_the_ground() {
        let area = Area {
            x: 0.0,
            y: 0.0,
            width: 300.0,
            height: 100.0,
        };
        let mut strip = Bounds::NOTHING;
        strip.add([0.0; 3], 0.0);
        strip.add([30.0, 4.0, 0.0], 0.0);
        // Ten pixels for each metre: 10 m are seen upwards, 6 more than there have to be.
        let lowest = |ground: Option<f64>| {
            let flat = fitted(&strip, &area, ground);
            (flat.origin[1] - area.height) / flat.scale
        };
        assert_eq!(lowest(None), -3.0);
        assert!((lowest(Some(0.5)) - (0.5 - 1.4)).abs() < 1e-12);
        // What has to be seen is seen, below the ground as well.
        assert_eq!(lowest(Some(1.9)), 0.0);
        assert_eq!(lowest(Some(3.0)), -3.0);
        let mut near = Bounds::NOTHING;
        near.add([0.0; 3], 1.0);
        let seen = above_ground(near, Some(-0.1));
        assert!((seen.low[1] - (-0.1 - 0.28)).abs() < 1e-12);
        assert!((seen.high[1] - seen.low[1] - 2.0).abs() < 1e-12);
        assert_eq!(above_ground(near, Some(0.5)).low, near.low);
    }

    #[test]
    fn tall_scenes_have_tall_pictures() {
        assert_eq!(size_of(WIDE, [1280, 720]), [1280, 720]);
        assert_eq!(size_of(1.0, [1280, 720]), [960, 960]);
        let [width, height] = size_of(0.1, [1280, 720]);
        // Both are even, as films need them.
        assert!(height.abs_diff(2 * width) <= 2, "{width} {height}");
        // A strip, but never a thread.
        assert_eq!(size_of(40.0, [1280, 720]), [1280, 400]);
        assert_eq!(size_of(2.0, [640, 360]), [640, 320]);
    }
}
