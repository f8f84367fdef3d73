//! Forces that jump, in time and in space.

use super::{TOLERANCES, errors, fly};
use carom::motion::{
    Departure, Drag, Field, Fields, Flight, FlightError, Named, Region, Situation, Tolerance,
    TrajectorySegment, Wind, segment,
};
use carom::space::{Linear, Space, Space2, Space3};
use glam::{DVec2, DVec3};

const GAMMA: f64 = 0.5;

fn drag<S: Space>() -> Field<S> {
    Field::Drag(Drag::Given {
        linear: GAMMA,
        quadratic: 0.0,
    })
}

/// After `t` seconds of linear drag towards the velocity `last`.
fn dragged(position: DVec2, velocity: DVec2, last: DVec2, t: f64) -> (DVec2, DVec2) {
    let fade = libm::exp(-GAMMA * t);
    let excess = velocity - last;
    (
        position + last * t + excess * ((1.0 - fade) / GAMMA),
        last + excess * fade,
    )
}

#[test]
fn a_gust() {
    let gust = DVec2::new(20.0, 5.0);
    let fields = Fields::<Space2>::default()
        .with(drag())
        .with(Field::Wind(Wind::Gust {
            start: 1.0,
            end: 1.5,
            velocity: gust,
        }));
    assert_eq!(fields.next_jump(0.0), 1.0);
    assert_eq!(fields.next_jump(1.0), 1.5);
    assert_eq!(fields.next_jump(1.5), f64::INFINITY);
    let start = Departure {
        velocity: DVec2::new(1.0, -2.0),
        ..Departure::default()
    };
    let truth = |t: f64| {
        let (x, v) = dragged(DVec2::ZERO, start.velocity, DVec2::ZERO, t.min(1.0));
        let (x, v) = dragged(x, v, gust, (t - 1.0).clamp(0.0, 0.5));
        dragged(x, v, DVec2::ZERO, (t - 1.5).max(0.0))
    };
    for size in TOLERANCES {
        let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
        let (legs, _) = fly(&ball, start, &Tolerance::of(size), 4.0).expect("a flight");
        let (place, _) = errors(&legs, truth);
        // 7 m/s at most, T = 4 s.
        let allowed = legs.len() as f64 * size * 8.0 * 5.0 + 1e-12;
        assert!(place < allowed, "{size:e}: {place:e}");
        for jump in [1.0, 1.5] {
            let there =
                |(from, _): &&(Departure<Space2>, TrajectorySegment<Space2>)| from.time == jump;
            assert_eq!(
                legs.iter().filter(there).count(),
                1,
                "one piece starts at {jump}"
            );
        }
        // Not a swarm of short steps about the jumps: at 1e-11 a smooth flight of this kind takes 12 pieces.
        assert!(legs.len() < 40, "{} pieces", legs.len());
    }
}

/// The same without saying so: slower, and still right.
#[test]
fn a_jump_that_was_not_declared() {
    let blow = |time: f64| {
        if time >= 1.0 {
            DVec2::new(20.0, 5.0)
        } else {
            DVec2::ZERO
        }
    };
    let fields = Fields::<Space2>::default()
        .with(drag())
        .with(Field::Wind(Wind::Function(Named::wind(
            "door",
            move |_: DVec2, time| blow(time),
        ))));
    let start = Departure {
        velocity: DVec2::new(1.0, -2.0),
        ..Departure::default()
    };
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let size = 1e-8;
    let (legs, end) = fly(&ball, start, &Tolerance::of(size), 2.0).expect("a flight");
    let (x, v) = dragged(DVec2::ZERO, start.velocity, DVec2::ZERO, 1.0);
    let (x, _) = dragged(x, v, DVec2::new(20.0, 5.0), 1.0);
    // 9 m/s at most, T = 2 s.
    let off = (end.position - x).length();
    assert!(off < legs.len() as f64 * size * 10.0 * 3.0, "{off:e}");
}

/// Declared, a function's jumps are met exactly.
#[test]
fn a_function_that_declares_its_jumps() {
    let push = |at: &Situation<Space2>| {
        let x = if at.time < 0.3 { 1.0 } else { -1.0 };
        DVec2::new(x, 0.0)
    };
    let fields = Fields::<Space2>::default()
        .with(Field::Force(Named::force("kick", push).with_jumps(&[0.3])));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let (legs, end) =
        fly(&ball, Departure::default(), &Tolerance::of(1e-9), 0.6).expect("a flight");
    // Constant forces are exact, so two pieces do.
    assert_eq!(legs.len(), 2);
    assert!(end.velocity.length() < 1e-15);
    assert!((end.position.x - 0.09).abs() < 1e-15);
}

/// Through a medium with linear drag the speed falls by γ for every metre: after a chord of length L it is v − γL.
fn through<S: Space>(region: Region<S>, start: Departure<S>, chord: f64) {
    let fields = Fields::<S>::default().within(region, drag());
    fields.check().expect("good fields");
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    for size in TOLERANCES {
        let (legs, end) = fly(&ball, start, &Tolerance::of(size), 4.0).expect("a flight");
        let speed = start.velocity.length();
        let off = end.velocity.length() - (speed - GAMMA * chord);
        // The local errors; where the border is met it is met to rounding, but the ball may be there off by the place's
        // error, which costs γ of that.
        let allowed = legs.len() as f64 * size * (1.0 + speed) * (2.0 + GAMMA) + 1e-13;
        assert!(
            off.abs() < allowed,
            "{region:?}, {size:e}: speed off by {off:e}"
        );
        assert!(legs.len() < 40, "{} pieces", legs.len());
    }
}

#[test]
fn regions_are_entered_and_left() {
    let across = Departure {
        position: DVec2::new(-3.0, 0.3),
        velocity: DVec2::new(4.0, 0.0),
        ..Departure::default()
    };
    let chord = 2.0 * (1.0_f64 - 0.09).sqrt();
    let disc = Region::<Space2>::Ball {
        centre: DVec2::new(0.5, 0.0),
        radius: 1.0,
    };
    through(disc, across, chord);
    let tilted = DVec2::new(0.8, 0.6);
    let start = Departure {
        position: tilted * -2.0,
        velocity: tilted * 4.0,
        ..Departure::default()
    };
    // From x = −1 to 0.5 along a way of slope 3/4: 1.5/0.8 m, before y gets from −0.75 to 0.375.
    let frame = Region::<Space2>::Box {
        low: DVec2::new(-1.0, -2.0),
        high: DVec2::new(0.5, 2.0),
    };
    through(frame, start, 1.5 / 0.8);
    let along = DVec3::new(2.0, 1.0, 2.0) / 3.0;
    let deep = Departure {
        position: along * -2.0,
        velocity: along * 4.0,
        ..Departure::default()
    };
    let sphere = Region::<Space3>::Ball {
        centre: DVec3::ZERO,
        radius: 1.25,
    };
    through(sphere, deep, 2.5);
    // A slab of x from 0 to 0.6: 0.9 m of this way.
    let slab = Region::<Space3>::Box {
        low: DVec3::new(0.0, -9.0, -9.0),
        high: DVec3::new(0.6, 9.0, 9.0),
    };
    through(slab, deep, 0.9);
}

/// Where drag acts outside only: from within a hole, and then for the rest of the time.
#[test]
fn outside_of_a_ball_and_behind_a_plane() {
    let size = 1e-10;
    for region in [
        Region::<Space2>::OutsideBall {
            centre: DVec2::ZERO,
            radius: 2.0,
        },
        Region::HalfSpace {
            point: DVec2::new(2.0, 7.0),
            normal: DVec2::new(-1.0, 0.0),
        },
    ] {
        let fields = Fields::<Space2>::default().within(region, drag());
        let start = Departure {
            velocity: DVec2::new(4.0, 0.0),
            ..Departure::default()
        };
        let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
        let (legs, end) = fly(&ball, start, &Tolerance::of(size), 2.0).expect("a flight");
        // Half a second to the border, then 1.5 s of drag.
        let (x, v) = dragged(DVec2::new(2.0, 0.0), start.velocity, DVec2::ZERO, 1.5);
        let allowed = legs.len() as f64 * size * 5.0 * 3.0;
        assert!((end.position - x).length() < allowed);
        assert!((end.velocity - v).length() < allowed);
        // The first piece is straight and ends across the border, by no more than rounding.
        let cut = legs
            .iter()
            .map(|(from, segment)| from.time + segment.end)
            .find(|&t| t >= 0.5)
            .expect("a cut");
        assert!(cut - 0.5 < 1e-14, "cut at {cut}");
    }
}

/// Up through a border and back down: a fountain in a lift.
#[test]
fn thrown_up_through_a_border_and_back() {
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -10.0)).within(
        Region::HalfSpace {
            point: DVec2::ZERO,
            normal: DVec2::Y,
        },
        Field::Uniform(DVec2::new(0.0, 4.0)),
    );
    let start = Departure {
        position: DVec2::new(0.0, -1.0),
        velocity: DVec2::new(0.0, 8.0),
        ..Departure::default()
    };
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    // Below, g is 6: at the border the speed is √(64 − 12); above it takes 2v/10 s and comes back with the same speed;
    // all of it parabolas.
    let speed = 52.0_f64.sqrt();
    let there = (8.0 - speed) / 6.0;
    let back = there + speed / 5.0;
    let (legs, end) = fly(&ball, start, &Tolerance::of(1e-9), back + there).expect("a flight");
    assert_eq!(legs.len(), 3);
    assert!((legs[1].0.time - there).abs() < 1e-14 && (legs[2].0.time - back).abs() < 1e-14);
    assert!((end.velocity.y + 8.0).abs() < 1e-13 && (end.position.y + 1.0).abs() < 1e-13);
}

/// A parabola that dips into a region by a little: sampling would step over it.
#[test]
fn a_short_dip_is_not_missed() {
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -2.0)).within(
        Region::HalfSpace {
            point: DVec2::new(0.0, 1.0 - 1e-8),
            normal: DVec2::new(0.0, -1.0),
        },
        Field::Uniform(DVec2::new(5.0, 0.0)),
    );
    // The top, at y = 1, is reached after 1 s; above 1 − 1e-8 it is for 2e-4 s.
    let start = Departure {
        velocity: DVec2::new(0.0, 2.0),
        ..Departure::default()
    };
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let (legs, end) = fly(&ball, start, &Tolerance::of(1e-9), 2.0).expect("a flight");
    assert_eq!(legs.len(), 3);
    // The border is crossed at 2e-4 m/s, so that rounding of y by 2e-16 moves each crossing by 1e-12 s.
    assert!(
        (end.velocity.x - 1e-3).abs() < 5.0 * 4e-12,
        "{:e}",
        end.velocity.x
    );
}

/// Pushed to the border from both sides: said, not looped about.
#[test]
fn caught_on_a_border() {
    let toward = |sign: f64| {
        Field::Force(Named::force(
            "to the middle",
            move |_: &Situation<Space2>| DVec2::new(sign, 0.0),
        ))
    };
    let plane = |sign: f64| Region::<Space2>::HalfSpace {
        point: DVec2::ZERO,
        normal: DVec2::new(sign, 0.0),
    };
    let fields = Fields::default()
        .with(drag())
        .within(plane(1.0), toward(3.0))
        .within(plane(-1.0), toward(-2.0));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let start = Departure {
        velocity: DVec2::new(0.01, 0.0),
        ..Departure::default()
    };
    let error = fly(&ball, start, &Tolerance::of(1e-6), 100.0).expect_err("it is caught");
    let FlightError::Caught {
        inside, outside, ..
    } = error
    else {
        panic!("{error}");
    };
    assert!((inside - 3.0).abs() < 0.01 && (outside + 2.0).abs() < 0.01);
    assert!(error.to_string().contains("caught"));
    // At rest on a border that pushes one way only, it goes that way.
    let one_way = Fields::default().within(plane(1.0), toward(-3.0));
    let ball = one_way.for_ball(1.0, 0.1, f64::INFINITY);
    let (gone, _) = segment(&ball, &Departure::default(), &Tolerance::of(1e-6), 0.0, 1.0)
        .expect("it is pushed off");
    let flight: Option<Flight<Space2>> = gone.as_flight();
    assert_eq!(flight.map(|flight| flight.acceleration.x), Some(-3.0));
}
