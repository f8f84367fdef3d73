//! `method` and `[forces]`: how contacts are followed, and the springs and dampers of materials.

use crate::forms;
use crate::problem::{Kind, Problem};
use crate::quantity::{DAMPING, DAMPING_RATE, POISSON, RATIO, SPRING, TIME, YOUNG};
use crate::reader::{Entry, Section};
use carom::material::{Constants, Damping, Stiffness};
use carom::simulate::Ending;
use carom::simulate::{self, ForceEngine, Forces, LeverArm, Scheme, Settling};

/// How contacts are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// By impulses, at the exact instants of contact.
    #[default]
    Events,
    /// By springs and dampers, step by step.
    Forces,
}

impl Method {
    /// Both.
    pub const ALL: [Method; 2] = [Method::Events, Method::Forces];

    /// Its name in scene files, flags and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Method::Events => "events",
            Method::Forces => "forces",
        }
    }

    /// The method of a simulation, with the options of a scene.
    pub fn with(self, settling: Settling, forces: Forces) -> simulate::Method {
        match self {
            Method::Events => simulate::Method::Impulses(settling),
            Method::Forces => simulate::Method::Forces(forces),
        }
    }
}

/// The keys that say how stiff something is: one of them, and the others may follow.
const STIFF: [&str; 3] = ["stiffness", "spring_time", "youngs_modulus"];
/// Keys that mean nothing without one of those.
const FOLLOWING: [&str; 5] = [
    "poissons_ratio",
    "damping",
    "damping_rate",
    "tangential_stiffness",
    "tangential_damping",
];

/// `method`; `None` where it is wrong.
pub(crate) fn method(top: &Section<'_, '_>) -> Option<Method> {
    let Some(entry) = top.optional("method") else {
        return Some(Method::default());
    };
    choice(
        &entry,
        "the name of a method",
        "a method",
        Method::ALL,
        Method::name,
    )
}

/// `[forces]`; `None` where something is wrong.
pub(crate) fn read(top: &Section<'_, '_>) -> Option<Forces> {
    let Some(entry) = top.optional("forces") else {
        return Some(Forces::default());
    };
    let section = entry.section("`forces`".to_owned())?;
    let scheme = section.optional("integrator").map(|entry| {
        choice(
            &entry,
            "the name of an integrator",
            "an integrator",
            Scheme::ALL,
            Scheme::name,
        )
    });
    let step = section.optional("step").map(|entry| entry.number(TIME));
    let attraction = section.optional("attraction").map(|entry| entry.flag());
    let locate_entry = section.optional("locate");
    let locate = locate_entry.as_ref().map(|entry| entry.flag());
    let arms = section.optional("lever_arm").map(|entry| {
        choice(
            &entry,
            "the point where friction acts",
            "a lever arm",
            [LeverArm::Point, LeverArm::Radius],
            arms_name,
        )
    });
    let runner = section.optional("engine").map(|entry| {
        choice(
            &entry,
            "the name of an engine",
            "an engine",
            ForceEngine::ALL,
            ForceEngine::name,
        )
    });
    let fallback = constants(&section);
    section.finish(&[]);
    let scheme = flat(scheme)?;
    let locate = flat(locate)?;
    if let (Some(true), Some(other), Some(entry)) = (
        locate,
        scheme.filter(|&s| s != Scheme::RungeKutta),
        locate_entry,
    ) {
        let name = other.name();
        entry.wrong(&format!(
            "left out, or false, where integrator = \"{name}\": only \"rk4\" finds the ends of contacts within the step"
        ));
        return None;
    }
    let mut forces = Forces::default();
    forces.ending = match flat(attraction)? {
        Some(false) => Ending::CutOff,
        _ => Ending::Attracting,
    };
    forces.scheme = scheme;
    forces.step = flat(step)?;
    forces.locate = locate;
    forces.lever_arm = flat(arms)?.unwrap_or_default();
    forces.fallback = fallback?;
    forces.engine = flat(runner)?.unwrap_or_default();
    Some(forces)
}

/// `Some(None)` where nothing was written, `None` where something wrong was.
fn flat<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        Some(value) => value.map(Some),
        None => Some(None),
    }
}

fn arms_name(arms: LeverArm) -> &'static str {
    match arms {
        LeverArm::Point => "point",
        LeverArm::Radius => "radius",
    }
}

fn choice<T: Copy, const N: usize>(
    entry: &Entry<'_, '_>,
    what: &str,
    kind: &str,
    all: [T; N],
    name: fn(T) -> &'static str,
) -> Option<T> {
    let text = entry.text(what)?;
    let found = all.into_iter().find(|&one| name(one) == text);
    if found.is_none() {
        entry.not_among(kind, all.into_iter().map(name), Kind::Value);
    }
    found
}

/// A number that may be given, and where; `None` inside where it is wrong.
type Given<'r, 'a> = Option<(Option<f64>, Entry<'r, 'a>)>;

/// Reports where two of these are given; `None` then.
fn one_of(section: &Section<'_, '_>, entries: [&Given<'_, '_>; 3], words: &str) -> Option<()> {
    let mut given = entries.into_iter().flatten();
    if let (Some((_, first)), Some((_, second))) = (given.next(), given.next()) {
        let problem = second.problem(&format!("left out: {words}"));
        section
            .reader
            .report(problem.related(first.span(), "given here as well"));
        return None;
    }
    Some(())
}

/// Reports what is wrong with the springs at the first of these that is given.
fn say_where(section: &Section<'_, '_>, entries: [&Given<'_, '_>; 4], error: &str) {
    let place = entries
        .into_iter()
        .flatten()
        .next()
        .map_or(section.span.clone(), |(_, entry)| entry.span());
    let message = format!("the springs of {} cannot be", section.title);
    section
        .reader
        .report(Problem::new(place, message, error.to_owned()));
}

/// No spring is given: nothing else may be that goes with one.
fn alone(section: &Section<'_, '_>) -> Option<Option<Constants>> {
    let alone = FOLLOWING.into_iter().find(|key| section.has(key));
    if let Some(entry) = alone.and_then(|key| section.optional(key)) {
        let problem =
            entry.problem("together with one of stiffness, spring_time and youngs_modulus");
        section.reader.report(problem);
        return None;
    }
    Some(None)
}

/// The springs and dampers of a material, of a pair, or of all that have none; `Some(None)` where there are none,
/// `None` where something is wrong.
pub(crate) fn constants(section: &Section<'_, '_>) -> Option<Option<Constants>> {
    let number = |key, quantity| {
        let entry = section.optional(key)?;
        Some((entry.number(quantity), entry))
    };
    let stiffness = number("stiffness", SPRING);
    let spring_time = number("spring_time", TIME);
    let young = number("youngs_modulus", YOUNG);
    let poisson = number("poissons_ratio", POISSON);
    let damping = number("damping", DAMPING);
    let damping_rate = number("damping_rate", DAMPING_RATE);
    let tangential_stiffness = number("tangential_stiffness", RATIO);
    let tangential_damping = number("tangential_damping", RATIO);
    let all = [
        &stiffness,
        &spring_time,
        &young,
        &poisson,
        &damping,
        &damping_rate,
        &tangential_stiffness,
        &tangential_damping,
    ];
    if all.iter().any(|read| matches!(read, Some((None, _)))) {
        return None;
    }
    one_of(
        section,
        [&stiffness, &spring_time, &young],
        "only one of stiffness, spring_time and youngs_modulus can be given",
    )?;
    one_of(
        section,
        [&damping, &damping_rate, &None],
        "only one of damping and damping_rate can be given",
    )?;
    let value = |read: &Given<'_, '_>| read.as_ref().and_then(|(number, _)| *number);
    let spring = match (value(&stiffness), value(&spring_time), value(&young)) {
        (Some(stiffness), ..) => Stiffness::Given(stiffness),
        (_, Some(time), _) => Stiffness::ContactTime(time),
        (.., Some(modulus)) => Stiffness::Young {
            modulus,
            poisson: value(&poisson).unwrap_or(forms::POISSON),
        },
        (None, None, None) => return alone(section),
    };
    if let (Some((_, entry)), false) = (&poisson, young.is_some()) {
        entry.wrong("left out unless `youngs_modulus` is given");
        return None;
    }
    let default = Constants::linear(1.0);
    let constants = Constants {
        stiffness: spring,
        damping: match (value(&damping), value(&damping_rate)) {
            (Some(damping), _) => Damping::Given(damping),
            (_, Some(rate)) => Damping::PerMass(rate),
            _ => Damping::Restitution,
        },
        tangential_stiffness: value(&tangential_stiffness).unwrap_or(default.tangential_stiffness),
        tangential_damping: value(&tangential_damping).unwrap_or(default.tangential_damping),
    };
    // What is left that can be wrong is Poisson's ratio; whatever it is, it is said where the spring is.
    if let Err(error) = constants.check() {
        say_where(
            section,
            [&poisson, &young, &spring_time, &stiffness],
            &error.to_string(),
        );
        return None;
    }
    debug_assert!(STIFF.iter().any(|key| section.has(key)));
    Some(Some(constants))
}
