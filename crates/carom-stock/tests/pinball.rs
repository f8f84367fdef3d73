//! A game of pinball: with the same bits however the run is cut.

use carom::body::Kind;
use carom::prelude::*;
use carom::simulate::Entry;
use carom_stock::{Pinball, PinballError};
use std::ops::ControlFlow;

/// More than a game of three balls takes, s.
const LENGTH: f64 = 600.0;

struct Played {
    digest: u64,
    log: Vec<Entry>,
    collisions: u64,
}

fn play(cuts: &[f64]) -> Played {
    let mut game = Pinball::default().table().unwrap();
    let mut places = Vec::new();
    for &cut in cuts {
        game.run_with(cut, |event| {
            if let Event::Collision(collision) = event {
                places.push(collision.point);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        for id in game.bodies() {
            let body = game.body(id).unwrap();
            if matches!(body.kind, Kind::Free(_)) {
                places.push(body.pose.position);
            }
        }
    }
    for place in places {
        // Within the walls and under the arc, to rounding.
        let (low, high) = (DVec2::new(0.0, 0.0), DVec2::new(0.54, 0.8));
        let from_middle = place - DVec2::new(0.27, 0.8);
        let inside = (place.cmpge(low - 1e-12).all() && place.cmple(high + 1e-12).all())
            || (place.y > 0.8 && from_middle.length() < 0.27 + 1e-12);
        assert!(inside, "{place}");
    }
    let audit = game.audit();
    // About a hundred joules go through the books in thousands of collisions: each rounds by 1e-17 J or so.
    // (A way that a sensor crossing made anew, from where it had begun, left 1e-6 J.)
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
    // A ball that rattles along the arc or on the plunger, within the contact time, keeps touching it: its bounces are
    // no matter for steps, which would lend and take a tenth of a millijoule each.
    let lasting = audit.losses.lasting;
    for account in [lasting.settling, lasting.stepping, lasting.projection] {
        assert!(account.abs() < 1e-13, "{audit:?}");
    }
    assert!(audit.work_by_kinematic > 1.0 && audit.losses.with_fixtures.energy_added > 0.5);
    Played {
        digest: game.digest(),
        log: game.log().to_vec(),
        collisions: game.collisions(),
    }
}

#[test]
fn a_game_of_pinball_is_the_same_in_seven_cuts() {
    let whole = play(&[LENGTH]);
    let has = |text: &str| {
        whole
            .log
            .iter()
            .filter(|entry| entry.what.contains(text))
            .count()
    };
    assert!(has("press") > 5 && has("score points") > 20);
    assert_eq!(has("remove ball"), 3);
    let times: Vec<f64> = whole.log.iter().map(|entry| entry.time).collect();
    let cuts: [Vec<f64>; 7] = [
        vec![30.0, LENGTH],
        vec![0.5, 1.0, LENGTH],
        (1..=600).map(f64::from).collect(),
        (1..=6000).map(|tenth| f64::from(tenth) / 10.0).collect(),
        // At the very times at which something was done, and right after them.
        times.iter().copied().chain([LENGTH]).collect(),
        (times.iter().map(|time| time.next_up()))
            .chain([LENGTH])
            .collect(),
        (1..=97)
            .map(|part| LENGTH * f64::from(part) / 97.0)
            .chain([LENGTH])
            .collect(),
    ];
    for cuts in &cuts {
        let cut = play(cuts);
        assert_eq!(cut.digest, whole.digest, "{} cuts", cuts.len());
        assert_eq!(cut.log, whole.log);
        assert_eq!(cut.collisions, whole.collisions);
    }
}

#[test]
fn without_a_player_the_ball_is_lost_and_keys_are_ones_own() {
    let alone = Pinball {
        player: false,
        balls: 1,
        ..Pinball::default()
    };
    let mut game = alone.table().unwrap();
    assert_eq!(game.run_until(60.0), Ok(End::Condition));
    assert_eq!(game.score("lost"), 1);
    assert!(game.log().iter().all(|entry| !entry.what.contains("press")));

    let mut game = alone.table().unwrap();
    let flipper = game.find("left flipper").unwrap();
    game.press("left").unwrap();
    game.run_until(0.01).unwrap();
    assert!(game.state(flipper).angular_velocity > 0.0);
    game.run_until(0.4).unwrap();
    assert_eq!(game.state(flipper).angular_velocity, 0.0);
    game.release("left").unwrap();
    game.run_until(0.41).unwrap();
    assert!(game.state(flipper).angular_velocity < 0.0);
}

#[test]
fn tables_that_cannot_be_are_refused() {
    let wrong = |pinball: Pinball| pinball.table().unwrap_err();
    for (pinball, name) in [
        (
            Pinball {
                slope: f64::NAN,
                ..Pinball::default()
            },
            "slope",
        ),
        (
            Pinball {
                balls: 0,
                ..Pinball::default()
            },
            "balls",
        ),
        (
            Pinball {
                bumper_restitution: -1.0,
                ..Pinball::default()
            },
            "bumper_restitution",
        ),
        (
            Pinball {
                plunger_speed: 0.0,
                ..Pinball::default()
            },
            "plunger_speed",
        ),
    ] {
        let error = wrong(pinball);
        assert!(
            matches!(error, PinballError::Number { field, .. } if field == name),
            "{error}"
        );
    }
}
