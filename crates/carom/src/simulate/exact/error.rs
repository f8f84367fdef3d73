//! Why a run ends: by itself, and by an error.

use crate::motion::FlightError;
use crate::simulate::watchdog::Busy;
use thiserror::Error;

/// Why a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The time asked for has come.
    Time,
    /// The observer wanted no more.
    Observer,
    /// There have been as many collisions as were asked for.
    Collisions,
    /// Everything has come to rest.
    Rest,
    /// The condition that was given holds.
    Condition,
    /// The [`Cancel`](crate::simulate::Cancel) token was used. The run can go on.
    Cancelled,
}

/// Why a run could not go on. What it did so far is kept.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RunError {
    /// The time asked for is NaN, or lies in the past.
    #[error("cannot run until {until} s: the clock stands at {time} s")]
    Until {
        /// As asked, s.
        until: f64,
        /// Now, s.
        time: f64,
    },
    /// Infinitely many collisions pile up at one instant.
    #[error(
        "the run stalls at t = {time} s: {collisions} collisions without the clock moving on, the last between {a} and {b} \
         (a ball that comes to rest bounces infinitely often in a finite time; a contact time gets past that)"
    )]
    Livelock {
        /// s.
        time: f64,
        /// At this instant.
        collisions: u64,
        /// Name or number of one body of the last collision.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A ball that a joint holds comes to keep touching something, or to rub on it.
    #[error(
        "{a} meets {b} at t = {time} s, and a joint holds one of them: contacts of such bodies that rub or last are followed by the force method alone"
    )]
    JointedContact {
        /// s.
        time: f64,
        /// Name or number of one body.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A kinematic body is so fast that the search for its next contact does not come to an end.
    #[error(
        "the search for the next contact of {a} with {b} does not come to an end: nothing by t = {time} s after {searches} attempts \
         (the motion of {b} is very fast for the time that passes between contacts)"
    )]
    Search {
        /// Certainly free of contacts until then, s.
        time: f64,
        /// Without a collision in between.
        searches: u64,
        /// Name or number of the ball.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// There is no next segment of a ball's trajectory: a field is not finite, or changes too fast.
    #[error("the trajectory of {body} cannot be continued: {reason}")]
    Flight {
        /// Name or number.
        body: String,
        /// What is wrong, and where.
        reason: Box<FlightError>,
    },
    /// The run is so slow that it would take more than a lifetime.
    #[error(
        "the run makes hardly any progress: {body} {busy}; the last {steps} steps led from t = {since} s on by {advance:e} s only, and at that rate it never reaches t = {until} s"
    )]
    Crawl {
        /// World time, s.
        time: f64,
        /// When the steps began that were counted, s.
        since: f64,
        /// How far they led, s; less than the last digit of the time, perhaps.
        advance: f64,
        /// How many.
        steps: u64,
        /// The time that was asked for, s.
        until: f64,
        /// Name or number of the body that took the last of them.
        body: String,
        /// What it is busy with.
        busy: Busy,
    },
    /// Moving walls add energy without end.
    #[error(
        "walls that move have given the balls {times:.1e} times the energy that they began with, or that balls as fast as the walls have, by t = {time} s: {body} moves at {speed:.1e} m/s{between}, and there is no end to it \
         (an elastic ball in a gap that closes has infinitely many collisions)"
    )]
    Runaway {
        /// World time, s.
        time: f64,
        /// How many times.
        times: f64,
        /// Name or number of the fastest ball.
        body: String,
        /// How fast it is, m/s.
        speed: f64,
        /// What it goes to and fro between: " between a and b", or less where less is near it.
        between: String,
    },
    /// Two bodies that something presses together collide without end, where they should keep touching.
    #[error(
        "{a} and {b} are pressed together and do not come to rest on each other: the last {collisions} collisions led on by {advance:e} s only, to t = {time} s, and before each the two were nearer than 1e-13 of a radius \
         (contacts that last are not followed between all bodies yet; a contact time gets past that)"
    )]
    Pressed {
        /// World time, s.
        time: f64,
        /// How many, of these two and of others beside them.
        collisions: u64,
        /// How far they led, s.
        advance: f64,
        /// Name or number of one body of the last of them.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// The search for the first contact of two rigid bodies leads nowhere.
    #[error(
        "the search for the first contact of {a} with {b} makes hardly any progress: {searches} searches led from t = {since} s on by {advance:e} s only (they turn very fast for the time that was asked for, or graze each other)"
    )]
    FirstContact {
        /// Certainly free of contacts of the two until then, s.
        time: f64,
        /// When the searches began that were counted, s.
        since: f64,
        /// How far they led, s.
        advance: f64,
        /// How many.
        searches: u64,
        /// Name or number of one body.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A ball is so fast, so large or so far away that products of such numbers are no longer finite, and its contacts
    /// would be missed.
    #[error(
        "the {what} of {body} is {value:e} {unit} at t = {time} s: beyond {most:e} a contact cannot be found, since products of such numbers are no longer finite",
        most = super::bounds::MOST
    )]
    OutOfBounds {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
        /// What of it.
        what: &'static str,
        /// As it is.
        value: f64,
        /// Of that.
        unit: &'static str,
    },
    /// A ball is so fast that the clock cannot separate its contacts.
    #[error(
        "the speed of {body} is {speed:e} m/s at t = {time} s: it moves {way:e} m within the rounding of the clock, which is too much for a radius of {radius} m, and its contacts cannot be separated (restitution above 1, and fixtures that close in, give energy without end)"
    )]
    TooFast {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
        /// m/s.
        speed: f64,
        /// Within the rounding of the clock, m.
        way: f64,
        /// m.
        radius: f64,
    },
    /// A body is squeezed and cannot get away: going on would press it into another, or it is already in it by far more
    /// than rounding and steps explain.
    #[error("{}", squeezed(.a, .b, .against.as_deref(), *.time, [*.depth, *.allowed]))]
    Squeezed {
        /// s.
        time: f64,
        /// Name or number of one of the two, a free body.
        a: String,
        /// Name or number of the other.
        b: String,
        /// Name or number of the fixture on the other side of it, where one is known. Then nothing overlaps yet.
        against: Option<String>,
        /// How deep it is, or would be soon, m.
        depth: f64,
        /// What is allowed between these two, m.
        allowed: f64,
        /// Those among them whose motion is given.
        drives: Vec<crate::world::BodyId>,
    },
    /// A number has grown beyond what `f64` holds.
    #[error("the motion of {body} is no longer finite at t = {time} s")]
    NotFinite {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
    },
}

fn squeezed(
    a: &str,
    b: &str,
    against: Option<&str>,
    time: f64,
    [depth, allowed]: [f64; 2],
) -> String {
    match against {
        Some(against) => format!(
            "{a} is squeezed between {b} and {against} at t = {time} s and cannot get away: they would overlap by more than {allowed:e} m, which is the most"
        ),
        None => format!(
            "{a} and {b} overlap by {depth:e} m at t = {time} s, and {allowed:e} m is the most: they are pressed into each other and cannot get away \
             (fixtures that close in on a body, or more weight than the contacts of a heap could be solved for; shorter steps and more solver iterations may help)"
        ),
    }
}
