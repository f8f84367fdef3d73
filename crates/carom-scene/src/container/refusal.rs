//! What the library refuses, said at its place in the file.

use crate::problem::Problem;
use crate::reader::{Entry, Section};
use carom::container::ContainerError;
use std::ops::Range;

/// Where a container's values are in the file, as far as they have been read.
pub(crate) struct Refusals<'s, 'r, 't> {
    pub section: &'s Section<'r, 't>,
    /// Of the container.
    pub name: String,
    /// The most walls that it may have.
    pub most: usize,
    /// By the fields' names.
    spans: Vec<(&'static str, Range<usize>)>,
    /// Of the corners or pieces, in order.
    list: Vec<Range<usize>>,
}

impl<'s, 'r, 't> Refusals<'s, 'r, 't> {
    pub fn new(section: &'s Section<'r, 't>, name: &str, most: usize) -> Self {
        Refusals {
            section,
            name: name.to_owned(),
            most,
            spans: Vec::new(),
            list: Vec::new(),
        }
    }

    /// Remembers where a field is.
    pub fn at(&mut self, field: &'static str, entry: &Entry<'_, '_>) {
        self.spans.push((field, entry.span()));
    }

    /// Remembers where the corners or pieces are.
    pub fn list(&mut self, spans: Vec<Range<usize>>) {
        self.list = spans;
    }

    fn item(&self, number: usize) -> Range<usize> {
        let found = self.list.get(number.wrapping_sub(1)).cloned();
        found.unwrap_or_else(|| self.section.span.clone())
    }

    /// The place of a field: by its name, or by the number that it ends with.
    fn field(&self, field: &str) -> Range<usize> {
        let named = self.spans.iter().find(|(name, _)| *name == field);
        let numbered = || field.rsplit(' ').next()?.parse().ok();
        match (named, numbered()) {
            (Some((_, span)), _) => span.clone(),
            (None, Some(number)) => self.item(number),
            (None, None) => self.section.span.clone(),
        }
    }

    /// Says what is wrong where it is; `entry` is what was being read, where that is at fault.
    pub fn report(&self, error: ContainerError, entry: Option<&Entry<'_, '_>>) {
        let title = &self.section.title;
        let whole = || entry.map_or_else(|| self.section.span.clone(), |entry| entry.span());
        let problem = match &error {
            ContainerError::Number {
                field,
                value,
                allowed,
                ..
            } => Problem::new(
                self.field(field),
                format!("{field} of {title} is {value}"),
                format!("must be {allowed}"),
            ),
            ContainerError::Repeated {
                first, second, at, ..
            } => Problem::new(
                self.item(*second),
                format!("corners {first} and {second} of {title} are both at [{}, {}] m", at.x, at.y),
                "must differ from the others",
            )
            .related(self.item(*first), format!("corner {first}"))
            .help("the last wall leads back to the first corner by itself"),
            ContainerError::Crossing {
                first, second, at, ..
            } => Problem::new(
                self.item(*second),
                format!("walls {first} and {second} of {title} intersect at [{}, {}] m", at.x, at.y),
                format!("wall {second} starts here"),
            )
            .related(self.item(*first), format!("wall {first} starts here"))
            .help("walls may only touch their neighbours, at the corner between them"),
            ContainerError::Open {
                first,
                second,
                end,
                start,
                gap,
                allowed,
                ..
            } => Problem::new(
                self.item(*second),
                format!(
                    "{title} is not closed: wall {first} ends at [{}, {}] m, but wall {second} starts at [{}, {}] m, {gap:.3e} m away",
                    end.x, end.y, start.x, start.y
                ),
                format!("must start within {allowed:.1e} m of that end"),
            )
            .related(self.item(*first), format!("wall {first}")),
            ContainerError::Corners { corners, .. } => Problem::new(
                whole(),
                format!("{title} has {corners} corners"),
                "must have three or more",
            ),
            ContainerError::Materials { given, walls, .. } => Problem::new(
                whole(),
                format!("{title} has {walls} walls, but {given} materials are given for them"),
                format!("must be {walls} names, or `material` for all walls"),
            ),
            ContainerError::NoWall { wall, walls, .. } => Problem::new(
                whole(),
                format!("{title} has no wall {wall}"),
                format!("must be a number from 1 to {walls}"),
            ),
            ContainerError::Side { form, allowed, .. } => Problem::new(
                self.field("balls"),
                format!("{title} is a {form}, which has no walls for that side"),
                format!("must be {allowed}"),
            ),
            error => Problem::new(whole(), error.to_string(), "in this container"),
        };
        self.section.reader.report(problem);
    }
}
