//! The billiard table: shots against closed forms, breaks that come to rest, strikes that are refused.
//!
//! Closed forms assume equal balls. With v the speed at impact, φ the angle between the way of the cue ball and the
//! line of centres, e the restitution and μ the friction between balls. A ball that slides with velocity V and spin ω
//! ends up rolling at `5/7 V + 2/7 R ω×n`, whatever the friction.

use carom::prelude::*;
use carom::record::Regime;
use carom_stock::billiards::{
    Balls, CueStrike, Fate, Happening, Outcome, Rack, Shot, ShotError, Table,
};
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::ControlFlow;

const ALONG: f64 = FRAC_PI_2;

/// Ideal balls: elastic and smooth between each other.
fn ideal() -> Balls {
    Balls {
        restitution: 1.0,
        friction: 0.0,
        ..Balls::pool()
    }
}

/// A table whose cloth does not rub.
fn ice() -> Table {
    let mut table = Table::carom();
    table.cloth.sliding = 0.0;
    table.cloth.rolling = 0.0;
    table.cloth.spinning = 0.0;
    table
}

/// A cue ball at the origin, struck along y, and an object ball whose line of centres makes an angle with that, at a
/// clearance from it.
fn two_balls(table: Table, balls: Balls, strike: CueStrike, cut: f64, clearance: f64) -> Shot {
    let (sin, cos) = cut.sin_cos();
    let reach = 2.0 * balls.radius;
    let object = DVec2::new(reach * sin, clearance + reach * cos);
    Shot {
        table,
        balls,
        rack: Rack::of(&[("cue", DVec2::ZERO), ("object", object)]),
        strike,
    }
}

/// Runs until right after the first collision of balls.
fn until_they_meet(shot: &Shot) -> (Simulation3, Vec<BodyId>) {
    let (mut run, ids) = shot.start().unwrap();
    let end = run
        .run_with(100.0, |event| match event {
            Event::Collision(it) if ids.contains(&it.b) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
        .unwrap();
    assert_eq!(end, End::Observer, "they meet");
    (run, ids)
}

/// Runs on until a ball rolls; its velocity then.
fn rolls_at(run: &mut Simulation3, ball: BodyId) -> DVec3 {
    let end = run
        .run_with(100.0, |event| match event {
            Event::Transition(it) if it.ball == ball && it.regime == Some(Regime::Rolling) => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })
        .unwrap();
    assert_eq!(end, End::Observer, "it comes to roll");
    run.state(ball).velocity
}

fn near(a: DVec3, b: DVec3, tolerance: f64) {
    assert!((a - b).length() < tolerance, "{a} is not {b}");
}

#[test]
fn the_cue_gives_speed_and_spin() {
    let balls = Balls::pool();
    let plain = CueStrike::new(3.0, 0.0);
    let speed = 2.0 * 3.0 / (1.0 + balls.mass / 0.567);
    let struck = plain.on(&balls).unwrap();
    near(struck.velocity, DVec3::new(speed, 0.0, 0.0), 1e-14);
    assert_eq!(struck.angular_velocity.length(), 0.0);
    // At 2/5 of the radius above the centre it rolls at once: ω R = v, forward.
    let rolling = CueStrike {
        height: 0.4,
        ..plain
    };
    let struck = rolling.on(&balls).unwrap();
    let speed = struck.velocity.x;
    near(
        struck.angular_velocity,
        DVec3::new(0.0, speed / balls.radius, 0.0),
        1e-11,
    );
    // To the right of the centre, seen along the cue: it turns from x to y, anticlockwise from above.
    let side = CueStrike { side: 0.3, ..plain };
    let struck = side.on(&balls).unwrap();
    let speed = 6.0 / (1.0 + balls.mass / 0.567 + 2.5 * 0.09);
    near(struck.velocity, DVec3::new(speed, 0.0, 0.0), 1e-14);
    let angular_velocity = 2.5 * 0.3 * speed / balls.radius;
    near(
        struck.angular_velocity,
        DVec3::new(0.0, 0.0, angular_velocity),
        1e-11,
    );
    // The energy of an elastic tip is kept: ½MV² = ½mv² + ½Iω² + ½MV′², with the impulse mv = M(V − V′).
    let left = 3.0 - balls.mass * speed / 0.567;
    let inertia = 0.4 * balls.mass * balls.radius * balls.radius;
    let after = 0.567 * left * left
        + balls.mass * speed * speed
        + inertia * angular_velocity * angular_velocity;
    assert!((after - 0.567 * 9.0).abs() < 1e-14 * 0.567 * 9.0 * 8.0);
    // A raised cue drives the ball down.
    let raised = CueStrike {
        elevation: PI / 6.0,
        ..plain
    };
    let struck = raised.on(&balls).unwrap().velocity;
    assert!((struck.z + 0.5 * struck.length()).abs() < 1e-14);
}

/// Longer than most: a list of strikes, and what is said of each.
#[test]
fn bad_strikes_are_refused_with_numbers() {
    let balls = Balls::pool();
    let plain = CueStrike::new(3.0, 0.0);
    let miscue = CueStrike {
        side: 0.4,
        height: -0.4,
        ..plain
    };
    let error = miscue.on(&balls).unwrap_err();
    assert!(matches!(error, ShotError::Miscue { limit, .. } if limit == 0.5));
    let text = error.to_string();
    assert!(
        text.contains("0.565") && text.contains("-0.4") && text.contains("0.5 "),
        "{text}"
    );
    for (field, bad) in [
        (
            "speed",
            CueStrike {
                speed: -1.0,
                ..plain
            },
        ),
        (
            "speed",
            CueStrike {
                speed: f64::NAN,
                ..plain
            },
        ),
        (
            "direction",
            CueStrike {
                direction: f64::INFINITY,
                ..plain
            },
        ),
        (
            "elevation",
            CueStrike {
                elevation: 2.0,
                ..plain
            },
        ),
        (
            "cue_mass",
            CueStrike {
                cue_mass: 0.0,
                ..plain
            },
        ),
    ] {
        let text = bad.on(&balls).unwrap_err().to_string();
        assert!(text.starts_with(field), "{text}");
    }
    assert!(
        CueStrike {
            side: f64::NAN,
            ..plain
        }
        .on(&balls)
        .is_err()
    );
    let (table, balls) = (Table::carom(), Balls::carom());
    let shot = |rack: Rack, ball: usize| Shot {
        table,
        balls,
        rack,
        strike: CueStrike { ball, ..plain },
    };
    let nobody = shot(Rack::carom(&table), 3).play().unwrap_err();
    assert_eq!(
        nobody,
        ShotError::NoCueBall {
            number: 3,
            balls: 3
        }
    );
    let twice = Rack::of(&[("a", DVec2::ZERO), ("b", DVec2::new(0.01, 0.0))]);
    let overlap = shot(twice, 0).play().unwrap_err().to_string();
    assert!(overlap.contains('a') && overlap.contains('b'), "{overlap}");
    let outside = Rack::of(&[("a", DVec2::new(0.71, 0.0))]);
    assert!(matches!(shot(outside, 0).play(), Err(ShotError::World(_))));
    let mut bad = shot(Rack::carom(&table), 0);
    bad.table.cloth.sliding = -0.1;
    let text = bad.play().unwrap_err().to_string();
    assert!(text.starts_with("cloth.sliding is -0.1"), "{text}");
}

#[test]
fn stop_follow_and_draw() {
    let balls = ideal();
    let table = Table::carom();
    let strike = CueStrike::new(1.5, ALONG);
    // Stop: without friction it arrives without spin, and stays where it is.
    let stop = two_balls(ice(), balls, strike, 0.0, 0.1);
    let (run, ids) = until_they_meet(&stop);
    let speed = strike.on(&balls).unwrap().velocity.y;
    near(run.state(ids[0]).velocity, DVec3::ZERO, 1e-14);
    near(run.state(ids[1]).velocity, DVec3::Y * speed, 1e-14);
    // Follow: it rolls when it meets the other, which takes all of the velocity and none of the spin; 2/7 come back
    // from it.
    let rolling = CueStrike {
        height: 0.4,
        ..strike
    };
    let follow = two_balls(table, balls, rolling, 0.0, 0.1);
    let (mut run, ids) = until_they_meet(&follow);
    let speed = run.state(ids[1]).velocity.y;
    assert!(speed > 1.0);
    // The place is known to a few units of its last digit, the velocity to some 10⁻¹⁵.
    near(
        rolls_at(&mut run, ids[0]),
        DVec3::Y * (2.0 / 7.0 * speed),
        1e-13,
    );
    // Draw: back spin that is left when it meets the other brings it back.
    let low = CueStrike {
        height: -0.4,
        ..strike
    };
    let clearance = 0.2;
    let draw = two_balls(table, balls, low, 0.0, clearance);
    let (mut run, ids) = until_they_meet(&draw);
    let (begin, rubs) = (low.on(&balls).unwrap().velocity.y, 0.2 * 9.81);
    // clearance = v t − ½ μ g t², and ω R grows by 5/2 μ g a second from −v on.
    let root = (begin * begin - 2.0 * rubs * clearance).sqrt();
    let time = 2.0 * clearance / (begin + root);
    let angular_velocity = -begin + 2.5 * rubs * time;
    assert!(
        angular_velocity < -0.5,
        "some of it is left: {angular_velocity}"
    );
    assert!((run.time() - time).abs() < 1e-14);
    let back = rolls_at(&mut run, ids[0]);
    near(back, DVec3::Y * (2.0 / 7.0 * angular_velocity), 1e-13);
}

#[test]
fn without_spin_they_part_at_a_right_angle() {
    let balls = ideal();
    for degrees in [10.0_f64, 30.0, 45.0, 70.0] {
        let cut = degrees.to_radians();
        let shot = two_balls(ice(), balls, CueStrike::new(1.0, ALONG), cut, 0.2);
        let (run, ids) = until_they_meet(&shot);
        let speed = shot.strike.on(&balls).unwrap().velocity.y;
        let [cue, object] = [0, 1].map(|ball| run.state(ids[ball]).velocity);
        assert!(cue.dot(object).abs() < 1e-13, "{degrees}");
        assert!((object.length() - speed * cut.cos()).abs() < 1e-13);
        assert!((cue.length() - speed * cut.sin()).abs() < 1e-13);
    }
}

#[test]
fn a_rolling_half_ball_hit_bends_to_34_degrees() {
    // Right after the hit v sin φ along the tangent; the spin is still that of rolling along y.
    let balls = ideal();
    let strike = CueStrike {
        height: 0.4,
        ..CueStrike::new(1.0, ALONG)
    };
    let cut = 30.0_f64.to_radians();
    let shot = two_balls(Table::carom(), balls, strike, cut, 0.05);
    let (mut run, ids) = until_they_meet(&shot);
    let object = run.state(ids[1]).velocity;
    let speed = object.length() / cut.cos();
    let tangent = DVec3::new(-cut.cos(), cut.sin(), 0.0);
    let expected = tangent * (5.0 / 7.0 * speed * cut.sin()) + DVec3::Y * (2.0 / 7.0 * speed);
    let cue = rolls_at(&mut run, ids[0]);
    near(cue, expected, 1e-13);
    let angle = (-cue.x).atan2(cue.y).to_degrees();
    assert!((angle - 33.67).abs() < 0.01, "{angle}");
}

#[test]
fn friction_between_balls_throws_a_cut_ball() {
    // A half-ball hit without spin slips at v sin φ; μ(1+e)/2 cos φ is less than sin φ/7, so that it slips to the end,
    // and the impulse is turned by atan μ, towards where the cue ball goes.
    let balls = Balls::pool();
    let cut = 30.0_f64.to_radians();
    let shot = two_balls(ice(), balls, CueStrike::new(1.0, ALONG), cut, 0.2);
    let (run, ids) = until_they_meet(&shot);
    let object = run.state(ids[1]).velocity;
    let thrown = cut - object.x.atan2(object.y);
    assert!((thrown - balls.friction.atan()).abs() < 1e-13, "{thrown}");
    let speed = shot.strike.on(&balls).unwrap().velocity.y;
    let along = object.x * cut.sin() + object.y * cut.cos();
    assert!((along - 0.975 * speed * cut.cos()).abs() < 1e-13);
}

#[test]
fn a_cushion_pushes_below_its_nose() {
    // The nose touches at an angle θ above the centre, sin θ = (h − R)/R. Along it the ball is thrown back at e; what
    // that drives it into the cloth is lost. So v′ = ((1 + e) cos² θ − 1) v.
    let balls = ideal();
    let mut table = ice();
    table.cushions.friction = 0.0;
    for height in [1.0, 1.1, 1.28] {
        table.cushions.nose_height = height * balls.radius;
        let shot = Shot {
            table,
            balls,
            rack: Rack::of(&[("cue", DVec2::ZERO)]),
            strike: CueStrike::new(1.0, 0.0),
        };
        let (mut run, ids) = shot.start().unwrap();
        let speed = run.state(ids[0]).velocity.x;
        run.run_until(1.0).unwrap();
        let sin = height - 1.0;
        let expected = (1.85 * (1.0 - sin * sin) - 1.0) * speed;
        near(run.state(ids[0]).velocity, DVec3::X * -expected, 1e-13);
        assert!((run.state(ids[0]).position.z - balls.radius).abs() < 1e-15);
    }
}

#[test]
fn a_ball_falls_when_its_centre_passes_the_edge() {
    let (table, balls) = (Table::nine_foot(), Balls::pool());
    let mouth = table.pockets.unwrap().corner;
    let beyond = mouth.depth * 0.5_f64.sqrt();
    let corner = DVec2::new(0.5 * table.width + beyond, 0.5 * table.length + beyond);
    let shot = Shot {
        table,
        balls,
        rack: Rack::of(&[("cue", corner - DVec2::splat(0.4))]),
        strike: CueStrike {
            height: 0.4,
            ..CueStrike::new(1.0, PI / 4.0)
        },
    };
    let (mut run, ids) = shot.start().unwrap();
    let begin = run.state(ids[0]).velocity.length();
    let end = run.run_with(100.0, |event| match event {
        Event::Entered(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(end, Ok(End::Observer));
    let away = run.state(ids[0]).position.truncate() - corner;
    assert!((away.length() - mouth.radius).abs() < 1e-14);
    // It rolls all the way: s = v t − ½ μ_r g t².
    let (way, slows) = (0.4 * 2.0_f64.sqrt() - mouth.radius, 0.01 * 9.81);
    let time = 2.0 * way / (begin + (begin * begin - 2.0 * slows * way).sqrt());
    assert!((run.time() - time).abs() < 1e-13);
    let outcome = shot.play().unwrap();
    assert_eq!(outcome.duration, run.time());
    assert!(matches!(&outcome.fates[0], Fate::Pocketed { pocket, .. } if pocket == "right foot"));
    let last = outcome.events.last().unwrap();
    assert!(matches!(last, Happening::Pocketed { ball: 0, .. }));
}

#[test]
fn without_friction_no_energy_is_lost() {
    let mut table = ice();
    table.cushions.friction = 0.0;
    table.cushions.restitution = 1.0;
    // Upright faces, which do not press balls down.
    table.cushions.nose_height = ideal().radius;
    let balls = ideal();
    let shot = Shot {
        table,
        balls,
        rack: Rack::nine_ball(&table, &balls, 1e-3, 1).unwrap(),
        strike: CueStrike::new(4.0, ALONG + 0.02),
    };
    let (mut run, _) = shot.start().unwrap();
    let before = run.audit().initial;
    run.run_until(30.0).unwrap();
    let audit = run.audit();
    assert!(run.collisions() > 200, "{}", run.collisions());
    // Each collision is good for a few roundings.
    let lost = (audit.now.translational - before.translational).abs() / before.translational;
    assert!(lost < 1e-15 * run.collisions() as f64, "{lost}");
    assert_eq!(audit.losses.lasting.sliding, 0.0);
}

#[test]
fn a_touching_rack_breaks_alike_on_both_sides() {
    // The table and the rack are their own images to the bit. What rounding breaks of the symmetry grows with each
    // collision, by about the ratio of the way between two collisions to the radius: so the first part of the break is
    // looked at.
    let (table, balls) = (Table::nine_foot(), Balls::pool());
    let rack = Rack::nine_ball(&table, &balls, 0.0, 0).unwrap();
    // An exact direction: the cosine of π/2 is not zero in floating point.
    let (mut run, ids) = Shot {
        table,
        balls,
        rack: rack.clone(),
        strike: CueStrike::new(0.0, ALONG),
    }
    .start()
    .unwrap();
    run.run_until(0.001).unwrap();
    run.set_velocity(ids[0], DVec3::Y * 9.0, DVec3::ZERO)
        .unwrap();
    run.run_until(0.3).unwrap();
    let mut moved = 0;
    for (number, place) in rack.places.iter().enumerate() {
        let mirrored = |other: &DVec2| (other.x + place.x).abs() < 1e-12 && other.y == place.y;
        let image = rack.places.iter().position(mirrored).unwrap();
        let [here, there] = [number, image].map(|ball| run.state(ids[ball]).position);
        let reflected = DVec3::new(-there.x, there.y, there.z);
        near(here, reflected, 1e-9);
        moved += usize::from((here.truncate() - *place).length() > 0.01);
    }
    assert!(moved >= 8, "{moved} of ten balls have moved");
}

fn check_rest(shot: &Shot, outcome: &Outcome) {
    let (table, balls) = (&shot.table, &shot.balls);
    let pocketed = (outcome.events.iter()).filter(|it| matches!(it, Happening::Pocketed { .. }));
    let mut fallen = pocketed.count();
    for fate in &outcome.fates {
        let state = match fate {
            Fate::OnTable(state) => state,
            Fate::Pocketed { .. } => {
                fallen -= 1;
                continue;
            }
        };
        assert_eq!(
            (state.velocity, state.angular_velocity),
            (DVec3::ZERO, DVec3::ZERO)
        );
        let [x, y, z] = state.position.to_array();
        // It touches the cloth; beyond the noses it can only be in the mouth of a pocket.
        assert!((z - balls.radius).abs() < 1e-12, "{z}");
        let mouth = 0.07;
        assert!(x.abs() < 0.5 * table.width + mouth && y.abs() < 0.5 * table.length + mouth);
    }
    assert_eq!(fallen, 0, "every ball that fell was told of once");
    let times: Vec<f64> = outcome.events.iter().map(Happening::time).collect();
    assert!(times.is_sorted());
    let audit = &outcome.audit;
    // Some hundreds of events, each good for a few roundings of the energy.
    let residual = audit.energy_residual.abs() / audit.initial.translational;
    assert!(residual < 1e-13, "{residual}");
    assert!(
        audit.momentum_residual.length() < 1e-9,
        "{}",
        audit.momentum_residual
    );
    // Each collision is late by a rounding of the positions. A ball that pushes another along keeps touching it: an
    // island, whose steps leave overlaps of at most 1e-6 of the smaller radius.
    let allowed = 1e-6 * 0.026;
    assert!(audit.deepest_overlap < allowed, "{}", audit.deepest_overlap);
}

#[test]
fn two_hundred_breaks_come_to_rest() {
    // With others near at a collision, balls once lost their way on the cloth and fell through it.
    let balls = Balls::pool();
    let start = std::time::Instant::now();
    let mut pocketed = 0;
    for seed in 0..200_u64 {
        let table = match seed % 2 {
            0 => Table::nine_foot(),
            _ => Table::seven_foot(),
        };
        let number = |share: u64| (seed.wrapping_mul(share) % 101) as f64 / 101.0;
        let strike = CueStrike {
            side: 0.6 * (number(31) - 0.5),
            height: 0.6 * (number(57) - 0.5),
            ..CueStrike::new(2.0 + 9.0 * number(17), ALONG + 0.1 * (number(7) - 0.5))
        };
        let rack = match seed % 3 {
            0 => Rack::eight_ball(&table, &balls, 1e-3, seed),
            _ => Rack::nine_ball(&table, &balls, 1e-3, seed),
        };
        let shot = Shot {
            table,
            balls,
            rack: rack.unwrap(),
            strike,
        };
        let outcome = shot
            .play()
            .unwrap_or_else(|error| panic!("{seed}: {error}"));
        check_rest(&shot, &outcome);
        pocketed += (outcome.fates.iter())
            .filter(|fate| matches!(fate, Fate::Pocketed { .. }))
            .count();
    }
    assert!(pocketed > 20, "{pocketed}");
    // Ten times what it takes, nearly all of it for the few shots in which one ball pushes another along.
    assert!(start.elapsed().as_secs() < 200);
}

#[test]
fn the_same_shot_has_the_same_digest_and_another_has_not() {
    let (table, balls) = (Table::nine_foot(), Balls::pool());
    let play = |gap: f64, seed: u64, speed: f64| {
        let shot = Shot {
            table,
            balls,
            rack: Rack::nine_ball(&table, &balls, gap, seed).unwrap(),
            strike: CueStrike::new(speed, ALONG),
        };
        let outcome = shot.play().unwrap();
        check_rest(&shot, &outcome);
        outcome.digest
    };
    assert_eq!(play(1e-3, 5, 8.0), play(1e-3, 5, 8.0));
    assert_ne!(play(1e-3, 5, 8.0), play(1e-3, 6, 8.0));
    assert_ne!(play(1e-3, 5, 8.0), play(1e-3, 5, 8.1));
    // Frozen, where the seed does not matter.
    assert_eq!(play(0.0, 5, 8.0), play(0.0, 6, 8.0));
}

#[test]
fn other_tables_and_games() {
    let table = Table::carom();
    let carom = Shot {
        table,
        balls: Balls::carom(),
        rack: Rack::carom(&table),
        strike: CueStrike {
            side: 0.3,
            ..CueStrike::new(3.0, 1.6)
        },
    };
    check_rest(&carom, &carom.play().unwrap());
    let table = Table::snooker();
    let snooker = Shot {
        table,
        balls: Balls::snooker(),
        rack: Rack::of(&[
            ("cue", DVec2::new(0.2, -1.0)),
            ("red", DVec2::new(0.25, 0.5)),
            ("black", DVec2::new(0.0, 1.4)),
        ]),
        strike: CueStrike::new(4.0, 1.53),
    };
    check_rest(&snooker, &snooker.play().unwrap());
    // A cloth that throws balls back: hops end in bounces, and still everything comes to rest.
    let mut table = Table::nine_foot();
    table.cloth.restitution = 0.5;
    let balls = Balls::pool();
    let lively = Shot {
        table,
        balls,
        rack: Rack::nine_ball(&table, &balls, 1e-3, 3).unwrap(),
        strike: CueStrike {
            elevation: 0.3,
            ..CueStrike::new(6.0, ALONG)
        },
    };
    let outcome = lively.play().unwrap();
    check_rest(&lively, &outcome);
    let flights = (outcome.events.iter())
        .filter(|it| matches!(it, Happening::Transition { regime: None, .. }));
    assert!(flights.count() > 3);
    // Nothing slows a ball down that rolls on ice: that is said, not waited for.
    let endless = Shot {
        table: ice(),
        ..carom
    };
    assert!(matches!(endless.play(), Err(ShotError::Restless { .. })));
}
