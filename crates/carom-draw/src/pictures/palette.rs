//! Which body has which colour.

use super::dress::in_theme;
use super::footage::Footage;
use crate::canvas::{Ink, Theme};
use crate::chart::rounded;

/// What colours tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// A few bodies have a colour each; many have one for each material, kind of name, size and mass, or for as much of
    /// that as there are colours for.
    #[default]
    Species,
    /// What it is made of.
    Material,
    /// How fast it is.
    Speed,
    /// Each has the next colour.
    Body,
}

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// From slow to fast. Lightness grows all the way, so that it is seen without colours too: the colour map viridis
/// (CC0).
const RAMP: [u32; 5] = [0x44_01_54, 0x3B_52_8B, 0x21_91_8C, 0x5E_C9_62, 0xFD_E7_25];
/// In greys, from light to dark: paper is light.
const GREY_RAMP: [u32; 2] = [0xE4_E4_E4, 0x10_10_10];

/// The colours of the moving bodies.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    theme: Theme,
    /// The share of the paper in every colour.
    faint: f64,
    /// Of each moving body.
    classes: Vec<usize>,
    /// Of the classes, where they are to be told.
    names: Vec<String>,
    /// By class, which colour of data it has; where there is nothing, the next one.
    inks: Vec<usize>,
    /// The speed at the end of the ramp, m/s, where colours tell speeds; and whether some are faster.
    fastest: Option<(f64, bool)>,
    /// The free ones among the moving bodies.
    free: Vec<usize>,
    /// Of each moving body, where it has one of its own.
    own: Vec<Option<Rgb>>,
    /// Whether balls have their numbers on them: then colours need not be told.
    numbered: bool,
}

/// What the picture says about its colours.
pub(crate) enum Key {
    /// Nothing.
    None,
    /// The name of each.
    Classes(Vec<(Rgb, String)>),
    /// A ramp, with what is at its end.
    Ramp(Vec<Rgb>, String),
}

/// The number of each among those that are not the same; `None` where there are more than there are colours.
pub(crate) fn numbered<K: PartialEq>(
    keys: impl Iterator<Item = K>,
) -> Option<(Vec<usize>, Vec<K>)> {
    let mut known: Vec<K> = Vec::new();
    let mut found = Vec::new();
    for key in keys {
        let place = known.iter().position(|other| *other == key);
        found.push(place.unwrap_or(known.len()));
        if place.is_none() {
            known.push(key);
        }
        if known.len() > Ink::SERIES {
            return None;
        }
    }
    Some((found, known))
}

/// The name without its number: `sphere 12` is a `sphere`.
pub(crate) fn kind_of(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// What tells a body from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits<'b> {
    pub material: &'b str,
    pub name: &'b str,
    /// How far it reaches, m.
    pub size: f64,
    /// kg.
    pub mass: f64,
}

/// What a species is told from others by: material, kind of name, size and mass.
type Species<'b> = (Option<&'b str>, Option<&'b str>, Option<u64>, Option<u64>);

/// The species of each of many bodies, and what each species is called.
///
/// By material, kind of name, size and mass; where those would be more than there are colours, as in a mixture of all
/// sizes, by less and less of it, so that two kinds of grains are told apart however much the grains of each kind
/// differ.
pub(crate) fn species(bodies: &[Traits<'_>]) -> (Vec<usize>, Vec<String>) {
    const BY: [[bool; 4]; 5] = [
        [true, true, true, true],
        [true, true, true, false],
        [true, true, false, false],
        [false, true, false, false],
        [true, false, false, false],
    ];
    for [material, kind, size, mass] in BY {
        let keys = bodies.iter().map(|body| -> Species<'_> {
            (
                material.then_some(body.material),
                kind.then(|| kind_of(body.name)),
                size.then(|| body.size.to_bits()),
                mass.then(|| body.mass.to_bits()),
            )
        });
        if let Some((found, known)) = numbered(keys) {
            let names = known.iter().map(|key| called(key, &known));
            return (found, names.collect());
        }
    }
    (vec![0; bodies.len()], Vec::new())
}

/// What a species is called among all of them: by its kind of name, and by what else it takes.
fn called(one: &Species<'_>, all: &[Species<'_>]) -> String {
    let kind = |key: &Species<'_>| key.1.map(str::trim).unwrap_or_default().to_owned();
    let number = |bits: Option<u64>| rounded(bits.map_or(0.0, f64::from_bits), 4);
    let alike: Vec<&Species<'_>> = all.iter().filter(|key| kind(key) == kind(one)).collect();
    let differs = |of: fn(&Species<'_>) -> Option<u64>| alike.iter().any(|key| of(key) != of(one));
    let mut words = vec![kind(one)];
    if words[0].is_empty() || alike.iter().any(|key| key.0 != one.0) {
        words.push(one.0.unwrap_or_default().to_owned());
    }
    if differs(|key| key.2) {
        words.push(format!("{} m", number(one.2)));
    } else if differs(|key| key.3) {
        words.push(format!("{} kg", number(one.3)));
    }
    words.retain(|word| !word.is_empty());
    words.join(", ")
}

impl Palette {
    pub fn new(footage: &Footage, by: ColourBy, theme: Theme) -> Self {
        let who = |id: &usize| &footage.bodies[*id];
        // Kinematic bodies are fixtures.
        let members: Vec<usize> = (0..footage.cast.len())
            .filter(|&member| who(&footage.cast[member]).free)
            .collect();
        let cast: Vec<usize> = members.iter().map(|&m| footage.cast[m]).collect();
        let mut palette = Palette {
            theme,
            faint: 0.0,
            classes: vec![0; cast.len()],
            names: Vec::new(),
            inks: Vec::new(),
            fastest: None,
            free: Vec::new(),
            own: vec![None; footage.cast.len()],
            numbered: false,
        };
        if by == ColourBy::Species {
            let dress = |id: &usize| &footage.dresses[*id];
            let colour = |id: &usize| dress(id).colour.map(|colour| in_theme(colour, theme));
            palette.own = footage.cast.iter().map(colour).collect();
            let labelled = cast.iter().filter(|id| dress(id).label.is_some()).count();
            palette.numbered = 2 * labelled > cast.len();
        }
        match by {
            ColourBy::Speed => {
                let survey = footage.survey();
                palette.fastest = Some((survey.fast, survey.fastest > 1.05 * survey.fast));
            }
            ColourBy::Body => palette.classes = (0..cast.len()).collect(),
            ColourBy::Material => {
                let keys = cast.iter().map(|id| who(id).material.clone());
                if let Some((classes, names)) = numbered(keys) {
                    (palette.classes, palette.names) = (classes, names);
                }
            }
            ColourBy::Species if cast.len() <= Ink::SERIES => {
                palette.classes = (0..cast.len()).collect();
                palette.names = cast.iter().map(|id| who(id).name.clone()).collect();
                palette.inks = inks_for(&palette.names);
            }
            ColourBy::Species => {
                let traits = cast.iter().map(|&id| Traits {
                    material: &footage.bodies[id].material,
                    name: &footage.bodies[id].name,
                    size: footage.things[id].reach(),
                    mass: footage.bodies[id].mass,
                });
                (palette.classes, palette.names) = species(&traits.collect::<Vec<_>>());
            }
        }
        let mut classes = vec![0; footage.cast.len()];
        for (&member, class) in members.iter().zip(palette.classes) {
            classes[member] = class;
        }
        palette.free = members;
        palette.classes = classes;
        palette
    }

    /// The same with a share of the paper, so that arrows stand out.
    pub fn faint(self, share: f64) -> Self {
        Palette {
            faint: share,
            ..self
        }
    }

    /// Of a moving body with a speed, m/s.
    pub fn colour(&self, member: usize, speed: f64) -> Rgb {
        let full = match self.fastest {
            Some((fastest, _)) => self.ramp(if fastest > 0.0 { speed / fastest } else { 0.0 }),
            None => self.own[member]
                .unwrap_or_else(|| self.theme.colour(self.ink(self.classes[member]))),
        };
        mix(full, self.theme.colour(Ink::Paper), self.faint)
    }

    /// Of a class: that of its first member.
    fn colour_of(&self, class: usize) -> Rgb {
        let member = self
            .free
            .iter()
            .find(|&&member| self.classes[member] == class);
        let own = member.and_then(|&member| self.own[member]);
        own.unwrap_or_else(|| self.theme.colour(self.ink(class)))
    }

    fn ink(&self, class: usize) -> Ink {
        Ink::series(self.inks.get(class).copied().unwrap_or(class))
    }

    fn ramp(&self, share: f64) -> Rgb {
        let stops: &[u32] = match self.theme {
            Theme::Print => &GREY_RAMP,
            _ => &RAMP,
        };
        // The dark end would not be seen in the dark.
        let begin = if self.theme == Theme::Dark { 0.3 } else { 0.0 };
        let share = begin + (1.0 - begin) * share.clamp(0.0, 1.0);
        let along = share * (stops.len() - 1) as f64;
        let below = (along as usize).min(stops.len() - 2);
        let rgb = |hex: u32| [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8];
        mix(
            rgb(stops[below]),
            rgb(stops[below + 1]),
            along - below as f64,
        )
    }

    pub fn key(&self) -> Key {
        if let Some((fastest, faster)) = self.fastest {
            let colours = (0..=24).map(|step| self.ramp(f64::from(step) / 24.0));
            let more = if faster { " and more" } else { "" };
            let words = format!("{} m/s{more}", rounded(fastest, 3));
            return Key::Ramp(colours.collect(), words);
        }
        let distinct =
            |name: &String| self.names.iter().filter(|other| *other == name).count() == 1;
        match self.names.len() {
            0 | 1 => Key::None,
            _ if self.numbered => Key::None,
            _ if !self.names.iter().all(distinct) => Key::None,
            _ => {
                let classes = self.names.iter().enumerate();
                let told = told(classes.map(|(class, name)| (self.colour_of(class), name)));
                match told.len() {
                    1 => Key::None,
                    _ => Key::Classes(told),
                }
            }
        }
    }
}

/// Colours and what they mean: of one colour and one kind of name is one thing, so that three balls of steel are
/// `ball`, and not `ball 1`, `ball 2`, `ball 3`.
fn told<'n>(classes: impl Iterator<Item = (Rgb, &'n String)>) -> Vec<(Rgb, String)> {
    let mut told: Vec<(Rgb, String)> = Vec::new();
    for (colour, name) in classes {
        let kind = kind_of(name).trim_end();
        let mut others = told.iter_mut();
        let alike = others.find(|(other, known)| {
            *other == colour && !kind.is_empty() && kind_of(known).trim_end() == kind
        });
        match alike {
            Some((_, known)) => kind.clone_into(known),
            None => told.push((colour, name.clone())),
        }
    }
    told
}

/// The colours of data by the names that people have for them.
const CALLED: [&[&str]; Ink::SERIES] = [
    &["blue"],
    &["red", "vermilion"],
    &["green"],
    &["purple", "pink"],
    &["orange", "yellow"],
    &["sky", "cyan"],
    &["grey", "gray"],
];

/// Which colour each of a few has: the one it is called by, a word of its name, where it is the first to be; the others
/// in their order what is left.
fn inks_for(names: &[String]) -> Vec<usize> {
    let called = |name: &String| {
        let mut inks = CALLED.iter();
        inks.position(|ink| name.split_whitespace().any(|word| ink.contains(&word)))
    };
    let mut inks: Vec<Option<usize>> = Vec::new();
    for name in names {
        let ink = called(name).filter(|ink| !inks.contains(&Some(*ink)));
        inks.push(ink);
    }
    let left: Vec<usize> = (0..Ink::SERIES)
        .filter(|ink| !inks.contains(&Some(*ink)))
        .collect();
    let mut left = left.into_iter();
    inks.into_iter()
        .map(|ink| ink.or_else(|| left.next()).unwrap_or_default())
        .collect()
}

/// The first colour with a share (from 0 to 1) of the second.
pub(crate) fn mix(a: Rgb, b: Rgb, share: f64) -> Rgb {
    [0, 1, 2].map(|i| {
        let (a, b) = (f64::from(a[i]), f64::from(b[i]));
        (a + (b - a) * share.clamp(0.0, 1.0)).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_are_told_by_lightness_alone() {
        let light =
            |[r, g, b]: Rgb| 0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b);
        for (theme, sign) in [
            (Theme::Light, 1.0),
            (Theme::Dark, 1.0),
            (Theme::Print, -1.0),
        ] {
            let palette = Palette {
                theme,
                faint: 0.0,
                classes: Vec::new(),
                names: Vec::new(),
                inks: Vec::new(),
                fastest: Some((1.0, false)),
                free: Vec::new(),
                own: Vec::new(),
                numbered: false,
            };
            let steps: Vec<f64> = (0..=20)
                .map(|step| sign * light(palette.ramp(f64::from(step) / 20.0)))
                .collect();
            assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        }
    }

    #[test]
    fn what_is_called_by_a_colour_has_it() {
        let inks = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            inks_for(&names)
        };
        assert_eq!(inks(&["red", "green", "blue"]), [1, 2, 0]);
        assert_eq!(inks(&["cue", "red 1", "red 2", "the blue"]), [2, 1, 3, 0]);
        assert_eq!(inks(&["a", "b", "c"]), [0, 1, 2]);
    }

    #[test]
    fn more_classes_than_colours_are_not_told_apart() {
        let (found, known) = numbered([3, 1, 3, 2].into_iter()).unwrap();
        assert_eq!((found, known), (vec![0, 1, 0, 2], vec![3, 1, 2]));
        assert!(numbered(0..8).is_none());
        assert_eq!(kind_of("sphere 12"), "sphere ");
    }

    /// Below a game of pinball stood `ball 1`, `ball 2`, `ball 3`, all of the same colour.
    #[test]
    fn what_has_one_colour_and_one_kind_of_name_is_told_once() {
        let (steel, gold) = ([1; 3], [2; 3]);
        let names = ["ball 1", "ball 2", "coin", "1", "2"].map(String::from);
        let colours = [steel, steel, gold, gold, gold];
        let told: Vec<(Rgb, String)> = told(colours.into_iter().zip(&names));
        let expected = [(steel, "ball"), (gold, "coin"), (gold, "1"), (gold, "2")];
        assert_eq!(told, expected.map(|(colour, name)| (colour, name.into())));
    }

    #[test]
    fn two_species_of_all_sizes_have_two_colours() {
        // Sizes, and masses with them, of a mixture: with more of them than there are colours all had the same
        // one, whatever it was called.
        let bodies: Vec<(String, f64)> = (0..40)
            .map(|number| {
                let kind = if number % 2 == 0 { "sand" } else { "stone" };
                (format!("{kind} {number}"), 1.0 + f64::from(number))
            })
            .collect();
        let traits: Vec<Traits<'_>> = (bodies.iter())
            .map(|(name, size)| Traits {
                material: "quartz",
                name,
                size: *size,
                mass: size * size,
            })
            .collect();
        let (classes, names) = species(&traits);
        let expected: Vec<usize> = (0..40).map(|number| number % 2).collect();
        assert_eq!(classes, expected);
        assert_eq!(names, ["sand", "stone"]);
    }

    #[test]
    fn species_of_one_name_are_told_by_what_they_weigh() {
        let of = |material, name, mass| Traits {
            material,
            name,
            size: 0.5,
            mass,
        };
        let light_and_heavy = [of("a", "ball 1", 1.0), of("a", "ball 2", 8.0)];
        let found = species(&light_and_heavy);
        assert_eq!(found.0, [0, 1]);
        assert_eq!(found.1, ["ball, 1 kg", "ball, 8 kg"]);
        let of_two = [of("lead", "1", 1.0), of("gold", "2", 1.0)];
        assert_eq!(species(&of_two).1, ["lead", "gold"]);
    }
}
