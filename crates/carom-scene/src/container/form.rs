//! The forms of containers and the keys that each has.

use super::refusal::Refusals;
use crate::dimension::{ReadSpace, direction, vector};
use crate::forms;
use crate::quantity::PHASE as RADIANS;
use crate::reader::{Entry, Section};
use crate::shape::{METRES, METRES_POSITIVE};
use carom::container::{Container, ContainerError, Side, Stretch};
use carom::space::{Space, Space2, Space3};

/// A space that containers can be in.
pub(crate) trait ContainerSpace: ReadSpace {
    /// What files call the forms of containers here.
    const FORMS: &'static [&'static str];

    /// The forms that only the other space has.
    const OTHER_FORMS: &'static [&'static str];

    /// A container of one of the [`FORMS`](Self::FORMS), from the keys that it has.
    fn read_container(
        form: &str,
        refusals: &mut Refusals<'_, '_, '_>,
        side: Side,
    ) -> Option<Container<Self>>;
}

const PLANE: &[&str] = &[
    "rectangle",
    "regular_polygon",
    "polygon",
    "circle",
    "stadium",
    "outline",
];
const SOLID: &[&str] = &["box", "sphere", "cylinder", "prism"];

impl ContainerSpace for Space2 {
    const FORMS: &'static [&'static str] = PLANE;
    const OTHER_FORMS: &'static [&'static str] = SOLID;

    fn read_container(
        form: &str,
        refusals: &mut Refusals<'_, '_, '_>,
        side: Side,
    ) -> Option<Container<Self>> {
        let section = refusals.section;
        let name = refusals.name.clone();
        let list = match form {
            "polygon" => section.optional("corners"),
            "outline" => section.optional("pieces"),
            "regular_polygon" => section.optional("sides"),
            _ => None,
        };
        let built = match form {
            "rectangle" => {
                let (low, high) = corners_of_box::<Space2>(section, refusals)?;
                Container::rectangle(&name, side, low, high)
            }
            "polygon" => Container::polygon(&name, side, &polygon_corners(section, refusals)?),
            "regular_polygon" => {
                let sides = section.required("sides", "how many sides it has");
                let sides = sides.and_then(|entry| many(&entry, refusals.most));
                let round =
                    centre_and_radius::<Space2>(section, "of the circle its corners are on");
                let angle = angle(section);
                Container::regular_polygon(&name, side, sides?, round?, angle?)
            }
            "circle" => circle(section, refusals, side, &name)?,
            "stadium" => {
                let length = positive(section, "length", "of its straight walls, metres");
                let round = centre_and_radius::<Space2>(section, "of its half circles");
                let angle = angle(section);
                let (centre, radius) = round?;
                Container::stadium(&name, side, centre, length?, radius, angle?)
            }
            _ => Container::outline(&name, side, &pieces(section, refusals)?),
        };
        accept(built, refusals, list.as_ref())
    }
}

impl ContainerSpace for Space3 {
    const FORMS: &'static [&'static str] = SOLID;
    const OTHER_FORMS: &'static [&'static str] = PLANE;

    fn read_container(
        form: &str,
        refusals: &mut Refusals<'_, '_, '_>,
        side: Side,
    ) -> Option<Container<Self>> {
        let section = refusals.section;
        let name = refusals.name.clone();
        let list = match form {
            "prism" => section.optional("corners"),
            _ => None,
        };
        if let Some(entry) = section.optional("balls") {
            refusals.at("balls", &entry);
        }
        let built = match form {
            "box" => {
                let (low, high) = corners_of_box::<Space3>(section, refusals)?;
                Container::cuboid(&name, side, low, high)
            }
            "sphere" => {
                let (centre, radius) = centre_and_radius::<Space3>(section, "of the sphere")?;
                Container::sphere(&name, side, centre, radius)
            }
            "cylinder" => {
                let axis = section.required("axis", "the direction of its length, [x, y, z]");
                let axis = axis.and_then(|entry| direction::<Space3>(&entry));
                let length = positive(section, "length", "from end to end, metres");
                let round = centre_and_radius::<Space3>(section, "of the cylinder");
                let (centre, radius) = round?;
                Container::cylinder(&name, side, (centre, axis?), length?, radius)
            }
            _ => {
                let corners = polygon_corners(section, refusals);
                let height = |key, what| {
                    let entry = section.required(key, what)?;
                    Some((entry.number(METRES)?, entry))
                };
                let low = height("low", "the height of the floor, metres");
                let high = height("high", "the height of the ceiling, metres");
                let (corners, (low, _), (high, entry)) = (corners?, low?, high?);
                refusals.at("the height from low to high", &entry);
                Container::prism(&name, side, &corners, low, high)
            }
        };
        accept(built, refusals, list.as_ref())
    }
}

fn accept<S: ContainerSpace>(
    built: Result<Container<S>, ContainerError>,
    refusals: &Refusals<'_, '_, '_>,
    list: Option<&Entry<'_, '_>>,
) -> Option<Container<S>> {
    built.map_err(|error| refusals.report(error, list)).ok()
}

/// A whole number that is no more than bodies may be.
fn many(entry: &Entry<'_, '_>, most: usize) -> Option<usize> {
    let count = entry.count()?;
    let found = usize::try_from(count).ok().filter(|&count| count <= most);
    if found.is_none() {
        entry.wrong(&format!("at most {most}"));
    }
    found
}

fn positive(section: &Section<'_, '_>, key: &'static str, what: &str) -> Option<f64> {
    section.required(key, what)?.number(METRES_POSITIVE)
}

fn angle(section: &Section<'_, '_>) -> Option<f64> {
    match section.optional("angle") {
        Some(entry) => entry.number(RADIANS),
        None => Some(0.0),
    }
}

fn centre_and_radius<S: ReadSpace>(
    section: &Section<'_, '_>,
    whose: &str,
) -> Option<(S::Vector, f64)> {
    let centre = section.required("position", &format!("the centre {whose}, in metres"));
    let centre = centre.and_then(|entry| vector::<S>(&entry, METRES));
    let radius = positive(section, "radius", &format!("the radius {whose}, metres"));
    Some((centre?, radius?))
}

fn corners_of_box<S: ReadSpace>(
    section: &Section<'_, '_>,
    refusals: &mut Refusals<'_, '_, '_>,
) -> Option<(S::Vector, S::Vector)> {
    let low = section.required("low", "the corner with the lowest coordinates, in metres");
    let high = section.required("high", "the corner with the highest coordinates, in metres");
    if let Some(entry) = &high {
        refusals.at("high", entry);
    }
    let low = low.and_then(|entry| vector::<S>(&entry, METRES));
    let high = high.and_then(|entry| vector::<S>(&entry, METRES));
    Some((low?, high?))
}

/// The elements of an array, no more than bodies may be.
fn items<'r, 't>(
    section: &Section<'r, 't>,
    key: &'static str,
    what: &str,
    refusals: &mut Refusals<'_, '_, '_>,
) -> Option<Vec<Entry<'r, 't>>> {
    let entry = section.required(key, what)?;
    let Some(items) = entry
        .as_items()
        .filter(|items| items.len() <= refusals.most)
    else {
        entry.wrong(&format!("{what}, at most {} of them", refusals.most));
        return None;
    };
    let items: Vec<_> = items.collect();
    refusals.list(items.iter().map(Entry::span).collect());
    Some(items)
}

fn polygon_corners(
    section: &Section<'_, '_>,
    refusals: &mut Refusals<'_, '_, '_>,
) -> Option<Vec<<Space2 as Space>::Vector>> {
    let what = "an array of points [x, y] in metres";
    let corners = items(section, "corners", what, refusals)?;
    let read: Vec<_> = corners.iter().map(flat_point).collect();
    read.into_iter().collect()
}

/// A point of the plane, also where the scene is in 3-D: the base of a prism.
fn flat_point(item: &Entry<'_, '_>) -> Option<<Space2 as Space>::Vector> {
    let Some(numbers) = item.as_items().filter(|numbers| numbers.len() == 2) else {
        item.wrong("a point [x, y] in metres");
        return None;
    };
    let read: Vec<_> = numbers.map(|number| number.number(METRES)).collect();
    Some(Space2::vector([read[0]?, read[1]?, 0.0]))
}

fn circle(
    section: &Section<'_, '_>,
    refusals: &mut Refusals<'_, '_, '_>,
    side: Side,
    name: &str,
) -> Option<Result<Container<Space2>, ContainerError>> {
    let round = centre_and_radius::<Space2>(section, "of the circle");
    let vanes = match section.optional("vanes") {
        Some(entry) => {
            refusals.at("vanes", &entry);
            refusals.at("length of vanes", &entry);
            read_vanes(&entry, section, refusals.most).map(Some)
        }
        None => Some(None),
    };
    let (centre, radius) = round?;
    let container = Container::circle(name, side, centre, radius);
    Some(match vanes? {
        Some((count, length)) => {
            container.and_then(|container| container.with_vanes(count, length))
        }
        None => container,
    })
}

fn read_vanes(
    entry: &Entry<'_, '_>,
    section: &Section<'_, '_>,
    most: usize,
) -> Option<(usize, f64)> {
    let inner = entry.section(format!("the vanes of {}", section.title))?;
    let count = inner.required("count", "how many there are");
    let count = count.and_then(|entry| many(&entry, most));
    let length = positive(&inner, "length", "from the circle inwards, metres");
    inner.finish(&[]);
    Some((count?, length?))
}

fn pieces(section: &Section<'_, '_>, refusals: &mut Refusals<'_, '_, '_>) -> Option<Vec<Stretch>> {
    let what = "an array of pieces { from, to } or { centre, radius, start, sweep }";
    let pieces = items(section, "pieces", what, refusals)?;
    let read: Vec<_> = pieces.iter().map(piece).collect();
    read.into_iter().collect()
}

/// A straight piece where it has one of its keys, an arc otherwise.
fn piece(item: &Entry<'_, '_>) -> Option<Stretch> {
    let section = item.section(item.title.clone())?;
    let point = |key, what: &str| {
        let entry = section.required(key, what);
        entry.and_then(|entry| flat_point(&entry))
    };
    let straight = section.has("from") || section.has("to");
    section.becomes(if straight {
        &forms::STRAIGHT_PIECE
    } else {
        &forms::CURVED_PIECE
    });
    let read = if straight {
        let from = point("from", "where it starts, [x, y] in metres");
        let to = point("to", "where it ends, [x, y] in metres");
        from.zip(to)
            .map(|(from, to)| Stretch::Straight { from, to })
    } else {
        let centre = point("centre", "the centre of the circle, [x, y] in metres");
        let radius = positive(&section, "radius", "the radius of the circle, metres");
        let radians = |key, what| section.required(key, what)?.number(RADIANS);
        let start = radians("start", "the angle at which it starts, radians");
        let sweep = radians(
            "sweep",
            "how far it goes, radians, clockwise where negative",
        );
        let arc = || {
            Some(Stretch::Arc {
                centre: centre?,
                radius: radius?,
                start: start?,
                sweep: sweep?,
            })
        };
        arc()
    };
    section.finish(&[]);
    read
}
