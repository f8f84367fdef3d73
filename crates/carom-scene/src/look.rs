//! How bodies are to be shown: `color` and `label` of bodies, generated bodies and materials.

use crate::reader::{Entry, Section};
use crate::scene::Scene;
use carom::world::BodyId;
use std::collections::BTreeMap;
use std::ops::Range;

mod names;

use names::COLOURS;

/// How a body, or everything of a material, is to be shown. What is `None` is left to whoever draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Red, green and blue.
    pub color: Option<[u8; 3]>,
    /// A short text, such as the number of a ball.
    pub label: Option<Box<str>>,
}

impl Look {
    pub(crate) fn is_plain(&self) -> bool {
        *self == Look::default()
    }
}

/// How the bodies and materials of a scene are to be shown, where the scene says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Of bodies, by ranges of their numbers that do not overlap, in order.
    bodies: Vec<(Range<u32>, Look)>,
    /// Of materials, by name.
    materials: BTreeMap<String, Look>,
}

impl Looks {
    pub(crate) fn new(bodies: Vec<(Range<u32>, Look)>, materials: BTreeMap<String, Look>) -> Self {
        let mut bodies = bodies;
        bodies.retain(|(range, look)| !range.is_empty() && !look.is_plain());
        bodies.sort_by_key(|(range, _)| range.start);
        Looks { bodies, materials }
    }

    /// What a scene says of a body itself.
    pub fn of_body(&self, id: BodyId) -> Option<&Look> {
        let behind = self
            .bodies
            .partition_point(|(range, _)| range.start <= id.0);
        let (range, look) = self.bodies.get(behind.checked_sub(1)?)?;
        range.contains(&id.0).then_some(look)
    }

    /// What a scene says of a material.
    pub fn of_material(&self, name: &str) -> Option<&Look> {
        self.materials.get(name)
    }

    /// How a body of a material is to be shown: what the body does not say, its material may.
    pub fn of(&self, id: BodyId, material: &str) -> Look {
        let own = self.of_body(id).cloned().unwrap_or_default();
        let general = self.of_material(material).cloned().unwrap_or_default();
        Look {
            color: own.color.or(general.color),
            label: own.label.or(general.label),
        }
    }

    /// Whether a scene says nothing at all.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.materials.is_empty()
    }
}

impl Scene {
    /// How a body is to be shown: by what the scene says of it, or else of its material.
    ///
    /// ```
    /// use carom::world::BodyId;
    ///
    /// let text = r#"
    ///     version = 1
    ///     dimension = 2
    ///     run.until = 1
    ///     materials.ivory = { color = "white" }
    ///     bodies = [
    ///         { shape = "ball", radius = 1, mass = 1, position = [0, 0], color = "red", label = "7" },
    ///         { shape = "ball", radius = 1, mass = 1, position = [3, 0], material = "ivory" },
    ///     ]
    /// "#;
    /// let scene = carom_scene::parse("balls.toml", text).unwrap_or_else(|errors| panic!("{errors}"));
    /// let look = scene.looks.of(BodyId(0), "ivory");
    /// assert_eq!((look.color, look.label.as_deref()), (Some([255, 0, 0]), Some("7")));
    /// assert_eq!(scene.looks.of(BodyId(1), "ivory").color, Some([255, 255, 255]));
    /// ```
    pub fn look(&self, id: BodyId, material: &str) -> Look {
        self.looks.of(id, material)
    }
}

/// A colour by its name, or as `#rrggbb`.
pub(crate) fn colour(entry: &Entry<'_, '_>) -> Option<[u8; 3]> {
    let text = entry.text("a colour")?;
    let parts = |number: u32| {
        let [_, red, green, blue] = number.to_be_bytes();
        [red, green, blue]
    };
    let found = COLOURS.iter().find(|(name, _)| *name == text);
    if let Some((_, colour)) = found {
        return Some(parts(*colour));
    }
    let hexadecimal = text.strip_prefix('#').filter(|digits| {
        digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    let parsed = hexadecimal.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match parsed {
        Some(number) => Some(parts(number)),
        None if text.starts_with('#') => {
            entry.wrong("a colour such as \"red\" or \"#ff8000\"");
            None
        }
        None => {
            let names = COLOURS.iter().map(|(name, _)| *name);
            let kind = crate::problem::Kind::Value;
            entry.not_among("a colour (or one such as \"#ff8000\")", names, kind);
            None
        }
    }
}

/// `color` and `label`; `None` where one is wrong.
pub(crate) fn read(section: &Section<'_, '_>) -> Option<Look> {
    let color = match section.optional("color") {
        Some(entry) => colour(&entry).map(Some),
        None => Some(None),
    };
    let label = match section.optional("label") {
        Some(entry) => entry.label().map(|label| Some(label.into())),
        None => Some(None),
    };
    Some(Look {
        color: color?,
        label: label?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of the names of CSS were known, although the page said "a name as in CSS".
    #[test]
    fn all_names_of_css_are_known() {
        let known: BTreeMap<&str, u32> = COLOURS.into_iter().collect();
        assert_eq!(known.len(), COLOURS.len(), "a name is there twice");
        for (name, colour) in [
            ("tomato", 0xFF6347),
            ("rebeccapurple", 0x663399),
            ("steelblue", 0x4682B4),
            ("aliceblue", 0xF0F8FF),
            ("yellowgreen", 0x9ACD32),
        ] {
            assert_eq!(known.get(name), Some(&colour), "{name}");
        }
        // Each of those with "gray" in it has another spelling.
        let grays = known.iter().filter(|(name, _)| name.contains("gray"));
        for (name, colour) in grays {
            assert_eq!(
                known.get(name.replace("gray", "grey").as_str()),
                Some(colour),
                "{name}"
            );
        }
    }
}
