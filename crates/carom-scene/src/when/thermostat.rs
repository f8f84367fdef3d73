//! `[thermostat]`: random kicks that keep a granular gas going.

use super::Reading;
use crate::dimension::ReadSpace;
use crate::plan::{Cue, Rule};
use crate::quantity::{HEATING, TIME, UNTIL};
use crate::reader::Section;
use carom::body::Kind;
use carom::simulate::{Action, RandomKicks};

/// The streams of random numbers that generators use have other numbers.
const STREAM: u64 = 0x7468_6572_6d6f_0000;

impl<S: ReadSpace> Reading<'_, S> {
    /// The rule of the thermostat, where there is one.
    pub(super) fn thermostat(&self, top: &Section<'_, '_>) -> Option<Rule<S>> {
        let entry = top.optional("thermostat")?;
        let section = entry.section("`thermostat`".to_owned())?;
        let strength = section.required("strength", "ξ², in m²/s³");
        let strength = strength.and_then(|entry| entry.number(HEATING));
        let interval = section.required("interval", "from one kick to the next, in seconds");
        let interval = interval.and_then(|entry| {
            let interval = entry.number(TIME)?;
            self.not_too_often(&entry, interval)
        });
        let from = match section.optional("from") {
            Some(entry) => entry.number(UNTIL).map(Some),
            None => Some(None),
        };
        let bodies = match section.optional("bodies") {
            Some(entry) => self.cast.several(&entry).and_then(|ids| {
                let free = |&id: &_| matches!(self.body(id).kind, Kind::Free(_));
                if ids.iter().all(free) {
                    return Some(Some(ids));
                }
                entry.wrong("the names of free bodies");
                None
            }),
            None => Some(None),
        };
        let conserves = match section.optional("conserve_momentum") {
            Some(entry) => entry.flag(),
            None => Some(true),
        };
        section.finish(&[]);
        let (strength, interval) = (strength?, interval?);
        let mut kicks = RandomKicks::heating(strength, interval, self.around.seed ^ STREAM);
        kicks.bodies = bodies?;
        kicks.conserves_momentum = conserves?;
        Some(Rule {
            name: "thermostat".to_owned(),
            line: entry.line(),
            cue: Cue::Every {
                from: from?.unwrap_or(interval),
                interval,
                times: None,
            },
            action: Action::Kick(kicks),
        })
    }
}
