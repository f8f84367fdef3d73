//! What bodies look like beyond their shape: colours that they are called by or were given, numbers on balls, pips on
//! dice, cloth and pockets of a table.
//!
//! A scene says it with `color` and `label`. What it does not say is told from names, as people use them: a body called
//! `red` is red, balls `1` to `15` beside a `cue` are those of pool, a cube in a scene about dice is a die.

use super::palette::{Rgb, mix};
use crate::canvas::Theme;
use crate::outlines::{Bounds, Form, Place, Thing};

/// What a body looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Dress {
    /// Its own colour, in light.
    pub colour: Option<Rgb>,
    /// What is written on it.
    pub label: Option<String>,
    /// Whether its colour is a band around it, and the rest is white.
    pub stripe: bool,
    /// Whether it has pips.
    pub die: bool,
    /// Whether it is a hole in a table.
    pub pocket: bool,
}

/// What a body is told by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'b> {
    pub name: &'b str,
    pub material: &'b str,
    /// As the scene has it.
    pub colour: Option<Rgb>,
    pub label: Option<&'b str>,
    pub free: bool,
}

/// Colours by the names that people have for them.
const NAMED: [(&str, u32); 24] = [
    ("red", 0xD0_2A_2A),
    ("crimson", 0xB0_1E_3C),
    ("maroon", 0x7A_20_2C),
    ("orange", 0xEE_82_1E),
    ("amber", 0xF0_A8_20),
    ("gold", 0xD8_A8_20),
    ("yellow", 0xF0_CC_28),
    ("lime", 0x98_C8_30),
    ("green", 0x2E_96_4E),
    ("teal", 0x16_88_88),
    ("cyan", 0x28_B4_CC),
    ("sky", 0x5C_B0_E4),
    ("blue", 0x24_62_C4),
    ("navy", 0x1C_34_74),
    ("indigo", 0x48_38_A0),
    ("purple", 0x7A_3C_A0),
    ("violet", 0x8E_50_C8),
    ("magenta", 0xC8_38_A0),
    ("pink", 0xEC_88_B0),
    ("brown", 0x84_54_30),
    ("black", 0x22_22_26),
    ("white", 0xF6_F4_EE),
    ("grey", 0x8A_8E_94),
    ("gray", 0x8A_8E_94),
];

/// Of the solid balls of pool from 1 to 8; 9 to 15 are those of 1 to 7 again, as stripes.
const POOL: [u32; 8] = [
    0xF0_C4_20, 0x1E_50_B4, 0xCC_2A_22, 0x5E_2E_88, 0xE8_70_1C, 0x1C_7C_44, 0x7C_20_2A, 0x1C_1C_20,
];
/// Ivory.
const WHITE: u32 = 0xF6_F2_E6;

/// Surfaces by what they are called, or made of.
const SURFACES: [(&[&str], u32); 4] = [
    (&["cloth", "felt", "baize"], 0x2E_84_5C),
    (&["cushion", "cushions"], 0x1E_5E_40),
    (&["wood", "wooden", "lane", "oak"], 0xC8_9A_62),
    (&["brass", "gold"], 0xC8_A2_3C),
];
/// The frame of a table.
pub(crate) const WOOD: Rgb = [0x6E, 0x45, 0x28];

pub(crate) fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    let parts = name.split(|letter: char| !letter.is_alphabetic());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The colour that a word is.
pub(crate) fn colour(text: &str) -> Option<Rgb> {
    let found = NAMED
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name));
    found.map(|(_, hex)| rgb(*hex))
}

/// The colour that a name has in it as a word of its own.
fn called(name: &str) -> Option<Rgb> {
    words(name).find_map(|word| colour(&word))
}

/// The colour of a surface by what it is made of or called.
pub(crate) fn surface(material: &str, name: &str) -> Option<Rgb> {
    let has = |of: &str| {
        SURFACES
            .iter()
            .find(|(names, _)| words(of).any(|word| names.contains(&word.as_str())))
            .map(|(_, hex)| rgb(*hex))
    };
    has(material).or_else(|| has(name))
}

/// Whether a body is the white ball that is struck with a cue.
fn is_cue(name: &str) -> bool {
    words(name).any(|word| word == "cue")
}

/// The number of a ball of pool, by its name: `7`, `ball 7`, `7 ball`.
fn number(name: &str) -> Option<u32> {
    let rest: String = name.to_lowercase().replace("ball", "");
    let number: u32 = rest.trim().parse().ok()?;
    (1..=15).contains(&number).then_some(number)
}

/// What all bodies of a scene look like.
pub(crate) fn dress(title: &str, bodies: &[Given<'_>], things: &[Thing]) -> Vec<Dress> {
    let pool = bodies.iter().any(|body| body.free && is_cue(body.name))
        && bodies
            .iter()
            .any(|body| body.free && number(body.name).is_some());
    // A cushion alone is a wall like others.
    let is_cloth = |body: &Given<'_>| surface(body.material, body.name) == Some(rgb(SURFACES[0].1));
    let table = pool || bodies.iter().any(is_cloth);
    let bowling = words(title).any(|word| word == "bowling");
    let about_dice = words(title).any(|word| word == "dice" || word == "die");
    bodies
        .iter()
        .zip(things)
        .map(|(body, thing)| {
            let mut dress = Dress {
                colour: body.colour,
                label: body
                    .label
                    .filter(|label| !label.is_empty())
                    .map(str::to_owned),
                die: is_cube(thing)
                    && (about_dice || words(body.name).any(|w| w == "die" || w == "dice")),
                pocket: words(body.name).any(|word| word == "pocket" || word == "pockets"),
                ..Dress::default()
            };
            let is_ball = matches!(thing.form, Form::Ball(_));
            if pool && body.free && is_ball {
                dress_for_pool(&mut dress, body.name);
            }
            if bowling
                && body.free
                && dress.colour.is_none()
                && words(body.name).any(|w| w == "pin")
            {
                dress.colour = Some(rgb(WHITE));
            }
            if dress.colour.is_none() && body.free {
                dress.colour = called(body.name).or_else(|| called(body.material));
            }
            if dress.colour.is_none() && !body.free {
                let cushion = Some(rgb(SURFACES[1].1));
                let own = surface(body.material, body.name);
                dress.colour = own.filter(|_| table || own != cushion);
            }
            dress
        })
        .collect()
}

/// Pockets are sensors, but holes to look at: they are drawn as bodies are.
pub(crate) fn fill_pockets(things: &mut [Thing], dresses: &[Dress]) {
    for (thing, dress) in things.iter_mut().zip(dresses) {
        thing.sensor &= !dress.pocket;
    }
}

/// What is not said yet of a ball of pool.
fn dress_for_pool(dress: &mut Dress, name: &str) {
    let labelled = dress.label.as_deref().and_then(number);
    let Some(number) = labelled.or_else(|| number(name)) else {
        if is_cue(name) && dress.colour.is_none() {
            dress.colour = Some(rgb(WHITE));
        }
        return;
    };
    dress.stripe = number > 8;
    dress.label.get_or_insert_with(|| number.to_string());
    let solid = POOL[(number as usize - 1) % 8];
    dress.colour.get_or_insert(rgb(solid));
}

/// Half of the side of a cube, m.
fn cube(thing: &Thing) -> Option<f64> {
    let Form::Lines { lines, faces, .. } = &thing.form else {
        return None;
    };
    let mut bounds = Bounds::NOTHING;
    for &place in lines.iter().flatten() {
        bounds.add(place, 0.0);
    }
    let half = bounds.high[0];
    let even = (0..3).all(|i| {
        (bounds.high[i] - half).abs() < 1e-9 * half && (bounds.low[i] + half).abs() < 1e-9 * half
    });
    (faces.len() == 6 && even).then_some(half)
}

fn is_cube(thing: &Thing) -> bool {
    cube(thing).is_some()
}

/// Where the pips of a die are, in its own frame: centre, outward normal, radius. Opposite sides have seven.
pub(crate) fn pips(thing: &Thing) -> Vec<(Place, Place, f64)> {
    let Some(half) = cube(thing) else {
        return Vec::new();
    };
    // Corners, edges and the middle of a face, in units of half a side.
    const FAR: f64 = 0.5;
    let spots = |number: u32| -> Vec<[f64; 2]> {
        let mut spots = Vec::new();
        if number % 2 == 1 {
            spots.push([0.0, 0.0]);
        }
        if number > 1 {
            spots.extend([[-FAR, -FAR], [FAR, FAR]]);
        }
        if number > 3 {
            spots.extend([[-FAR, FAR], [FAR, -FAR]]);
        }
        if number == 6 {
            spots.extend([[-FAR, 0.0], [FAR, 0.0]]);
        }
        spots
    };
    let sides = [
        (2, 1.0, 1),
        (2, -1.0, 6),
        (1, -1.0, 2),
        (1, 1.0, 5),
        (0, 1.0, 3),
        (0, -1.0, 4),
    ];
    let mut pips = Vec::new();
    for (axis, sign, number) in sides {
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        for [u, v] in spots(number) {
            let mut place = [0.0; 3];
            // A little above the face, so that it does not hide them.
            place[axis] = 1.004 * sign * half;
            place[(axis + 1) % 3] = u * half;
            place[(axis + 2) % 3] = v * half;
            pips.push((place, normal, 0.19 * half));
        }
    }
    pips
}

/// How light a colour is, from 0 to 1.
pub(crate) fn lightness([r, g, b]: Rgb) -> f64 {
    (0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)) / 255.0
}

/// Black or white, whichever is seen better on a colour.
pub(crate) fn contrast(colour: Rgb) -> Rgb {
    if lightness(colour) > 0.55 {
        [0x1A, 0x1A, 0x1A]
    } else {
        [0xFA, 0xFA, 0xFA]
    }
}

/// A colour as a theme has it: greys in print, and nothing in the dark that would not be seen.
pub(crate) fn in_theme(colour: Rgb, theme: Theme) -> Rgb {
    match theme {
        Theme::Light => colour,
        Theme::Dark if lightness(colour) < 0.16 => mix(colour, [255; 3], 0.22),
        Theme::Dark => colour,
        Theme::Print => [(255.0 * lightness(colour)).round() as u8; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outlines::DrawSpace;
    use carom::space::Space3;

    fn ball(id: usize) -> Thing {
        Thing {
            id,
            form: Form::Ball(0.03),
            position: [0.0; 3],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            moves: true,
            sensor: false,
            bare: false,
        }
    }

    fn named(name: &str) -> Given<'_> {
        Given {
            name,
            material: "phenolic",
            colour: None,
            label: None,
            free: true,
        }
    }

    #[test]
    fn colours_are_what_they_are_called() {
        assert_eq!(colour("reddish"), None);
        let [r, g, b] = colour("Red").unwrap();
        assert!(r > 2 * g && r > 2 * b, "red is not orange");
        assert_eq!(called("the red one"), colour("red"));
        assert_eq!(called("bored 3"), None);
    }

    #[test]
    fn balls_of_pool_have_their_numbers_and_stripes() {
        let names = ["cue", "1", "8", "9", "15"];
        let bodies = names.map(named);
        let things: Vec<Thing> = (0..5).map(ball).collect();
        let found = dress("A break", &bodies, &things);
        assert_eq!(found[0].label, None);
        assert!(lightness(found[0].colour.unwrap()) > 0.9);
        assert_eq!(found[1].label.as_deref(), Some("1"));
        assert_eq!(
            [&found[2], &found[3], &found[4]].map(|d| d.stripe),
            [false, true, true]
        );
        assert_eq!(found[3].colour, found[1].colour);
        // Without a cue ball numbers are names like others.
        let plain = dress("", &bodies[1..], &things[1..]);
        assert!(plain.iter().all(|dress| *dress == Dress::default()));
    }

    #[test]
    fn opposite_sides_of_a_die_have_seven_pips() {
        let mut die = ball(0);
        die.form = Space3::block([0.01; 3]);
        let pips = pips(&die);
        assert_eq!(pips.len(), 21);
        for axis in 0..3 {
            let on = pips
                .iter()
                .filter(|(_, normal, _)| normal[axis] != 0.0)
                .count();
            assert_eq!(on, 7);
        }
        assert!(dress("Dice", &[named("a")], &[die.clone()])[0].die);
        assert!(!dress("Boxes", &[named("a")], &[die])[0].die);
    }
}
