//! What beds, heaps and single grains do by forces.

use super::RULE;
use super::bits::{settings, spheres, walls};
use carom::kernels::granular::{
    Granular, GranularBall, GranularFixture, Partner, Rule, Rules, Settings,
};
use carom::material::Constants;
use carom::material::Materials;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::Compiled;
use carom::simulate::Ending;

fn sphere(radius: f64, place: DVec3) -> GranularBall<Space3> {
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    GranularBall::at_rest(radius, mass, place)
}

fn wall<S: Compiled>(normal: S::Vector, at: S::Vector) -> GranularFixture<S> {
    GranularFixture::fixed(
        Shape::HalfSpace(HalfSpace::solid(normal).unwrap()),
        Pose::at(at),
    )
}

/// Floor first, then the four sides of a shaft.
fn shaft(side: f64) -> Vec<GranularFixture<Space3>> {
    let far = DVec3::new(side, side, 0.0);
    vec![
        wall(DVec3::Z, DVec3::ZERO),
        wall(DVec3::X, DVec3::ZERO),
        wall(DVec3::NEG_X, far),
        wall(DVec3::Y, DVec3::ZERO),
        wall(DVec3::NEG_Y, far),
    ]
}

/// 250 spheres of different sizes, close above each other.
fn column() -> (f64, Vec<GranularBall<Space3>>) {
    let place = |index: usize| {
        let (x, y, z) = (index % 5, index / 5 % 5, index / 25);
        let jitter = 0.05e-3 * ((index * 7 % 11) as f64 - 5.0) / 5.0;
        DVec3::new(
            1.15e-3 + 2.25e-3 * x as f64 + jitter,
            1.15e-3 + 2.25e-3 * y as f64 - jitter,
            1.15e-3 + 2.25e-3 * z as f64,
        )
    };
    let radius = |index: usize| 0.9e-3 + 0.2e-3 * (index * 37 % 97) as f64 / 97.0;
    let grains = (0..250)
        .map(|index| sphere(radius(index), place(index)))
        .collect();
    (5.0 * 2.25e-3 + 0.1e-3, grains)
}

fn falling(dt: f64) -> Settings<Space3> {
    Settings {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        books: true,
        ..Settings::stepping(dt)
    }
}

/// One sphere that strikes the floor askew, as LAMMPS (`gran/hooke/history`, the same scheme) has it, in all digits
/// that are known from there.
#[test]
fn an_oblique_impact_is_that_of_lammps() {
    let grain = GranularBall {
        velocity: DVec3::new(0.05, 0.0, -0.1),
        ..sphere(1e-3, DVec3::new(0.005, 0.005, 0.001001))
    };
    let floor = vec![wall(DVec3::Z, DVec3::ZERO)];
    let settings = Settings {
        watched: true,
        ..Settings::stepping(1e-6)
    };
    let mut crowd = Granular::new([grain], floor, Rules::uniform(RULE), settings).unwrap();
    crowd.step(1000).unwrap();
    let after = crowd.balls()[0];
    assert!((after.velocity.x - 0.0310544).abs() < 0.5e-7, "{after:?}");
    assert!((after.velocity.z - 0.0482659).abs() < 0.5e-7, "{after:?}");
    assert!(
        (after.angular_velocity.y - 47.3639).abs() < 0.5e-4,
        "{after:?}"
    );
    // It begins at the end of the step in which the gap of 1 µm closes at 0.1 m/s, and ends.
    let touches = crowd.take_touches();
    assert_eq!(touches.len(), 2);
    assert!(
        touches
            .iter()
            .all(|touch| touch.with == Partner::Fixture(0))
    );
    assert!(touches[0].began && (touches[0].time - 1.05e-5).abs() < 1e-6);
    assert!(!touches[1].began && touches[1].time < 1e-3);
    assert!(crowd.take_touches().is_empty());
}

/// 4,320 spheres that are thrown about fall into a box. The figures are those of LAMMPS (Debian's of 2022,
/// gran/hooke/history and wall/gran, as in `peers/lammps/in.bed`, from the same start to all digits): t, kinetic energy
/// of the centres, mean height; and how well they are met.
#[test]
fn a_falling_bed_is_that_of_lammps() {
    let told = [
        (0.01, 1.181_189_2e-3, 0.032_075_870, 1e-7),
        (0.02, 1.906_138_1e-3, 0.029_751_559, 1e-4),
        (0.03, 2.382_053_2e-3, 0.027_133_391, 1e-2),
    ];
    let (start, box_walls) = (spheres(12, 30), walls(27.2e-3));
    let mut crowd = Granular::new(start, box_walls, Rules::uniform(RULE), settings(2)).unwrap();
    for (time, energy, height, within) in told {
        crowd.step(2000).unwrap();
        assert!((crowd.time() - time).abs() < 1e-12);
        let (mut translational, mut heights) = (0.0, 0.0);
        for grain in crowd.balls() {
            translational += 0.5 * grain.mass * grain.velocity.length_squared();
            heights += grain.position.z;
        }
        let mean = heights / crowd.len() as f64;
        // The figures have eight digits. What the two codes add up in another order then grows from collision to
        // collision, a thousandfold in 2,000 steps.
        assert!(
            (translational / energy - 1.0).abs() < within,
            "{time}: {translational}"
        );
        assert!((mean / height - 1.0).abs() < within, "{time}: {mean}");
    }
}

#[test]
fn the_books_of_a_settling_bed_balance_to_first_order_of_the_step() {
    let residual = |dt: f64| {
        let (side, grains) = column();
        let rules = Rules::uniform(RULE);
        let mut crowd = Granular::new(grains, shaft(side), rules, falling(dt)).unwrap();
        let before = crowd.budget();
        crowd.step((0.03 / dt).round() as u64).unwrap();
        let after = crowd.budget();
        let lost = after.damped + after.rubbed;
        assert!(
            after.damped > 0.0 && after.rubbed > 0.0 && lost > after.translational,
            "{after:?}"
        );
        (after.total() - before.total()) / lost
    };
    let (coarse, fine) = (residual(4e-6), residual(1e-6));
    // Dampers are booked by the velocity half a step before: in that time the velocity of a contact turns by ω dt/2 of
    // itself, with ω = √(k/μ) = 14,000/s, which is 2.8 % and 0.7 %.
    assert!(
        coarse.abs() < 0.028 && fine.abs() < 0.007,
        "{coarse} {fine}"
    );
    // A quarter of the step, about a quarter of the error: beds are chaotic, so not exactly.
    assert!((2.0..8.0).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn the_floor_and_walls_of_a_settled_bed_carry_its_weight() {
    let (side, grains) = column();
    let weight: f64 = grains.iter().map(|grain| grain.mass * 9.81).sum();
    let rules = Rules::uniform(RULE);
    let mut crowd = Granular::new(grains, shaft(side), rules, falling(5e-6)).unwrap();
    crowd.step(60_000).unwrap();
    let load = |prop: usize| crowd.load_on(prop);
    let carried: f64 = (0..5).map(|prop| -load(prop).z).sum();
    assert!(
        (carried / weight - 1.0).abs() < 1e-3,
        "{}",
        carried / weight
    );
    // Friction on the sides carries some of it (Janssen), and opposite sides push alike.
    let floor = -load(0).z / weight;
    assert!((0.4..0.99).contains(&floor), "{floor}");
    assert!((load(1).x + load(2).x).abs() < 0.02 * load(2).x);
    assert!(
        (3.5..6.0).contains(&crowd.coordination()),
        "{}",
        crowd.coordination()
    );
}

#[test]
fn a_ball_rests_where_the_spring_carries_it() {
    let settings = falling(5e-6);
    let grain = sphere(1e-3, DVec3::new(0.0, 0.0, 1e-3));
    let floor = vec![wall(DVec3::Z, DVec3::ZERO)];
    let mut crowd = Granular::new([grain], floor, Rules::uniform(RULE), settings).unwrap();
    crowd.step(20_000).unwrap();
    let overlap = 1e-3 - crowd.balls()[0].position.z;
    // After 0.1 s the swing has died away by e^(−γt/2) = e^−220: what is left is rounding of the height, 1e-19 m.
    let expected = grain.mass * 9.81 / 1000.0;
    assert!((overlap - expected).abs() < 1e-17, "{overlap} {expected}");
}

/// Restitutions of head-on impacts of two spheres at two speeds, by rules from materials.
fn restitutions(constants: Constants, ending: Ending) -> [f64; 2] {
    let mut materials = Materials::default();
    let rubber = Material {
        restitution: 0.7,
        ..Material::default()
    };
    let id = materials.add("rubber", rubber).unwrap();
    materials.set_constants(id, constants).unwrap();
    let rules = Rules::of_materials(&materials, Some(constants), ending, 0.4).unwrap();
    [0.1, 1.0].map(|speed| {
        let mut pair = [-1.01e-2, 1.01e-2].map(|x| sphere(1e-2, DVec3::X * x));
        pair[0].velocity.x = 0.5 * speed;
        pair[1].velocity.x = -0.5 * speed;
        pair.iter_mut().for_each(|grain| grain.class = 1);
        let settings = Settings::stepping(1e-7);
        let mut crowd = Granular::new(pair, Vec::new(), rules.clone(), settings).unwrap();
        crowd
            .step((2.0 * 2e-4 / speed / 1e-7) as u64 + 40_000)
            .unwrap();
        let after = crowd.balls();
        (after[1].velocity.x - after[0].velocity.x) / speed
    })
}

/// A linear spring of 1e6 N/m, a contact time of 0.3 ms, and Hertz's law: contacts of some tenths of a millisecond, in
/// steps of a tenth of a microsecond, whose dampers are of first order. A part in a thousand, and for Hertz that of the
/// ending: without attraction.
#[test]
fn impacts_have_the_restitution_of_the_materials() {
    for (constants, ending) in [
        (Constants::linear(1e6), Ending::Attracting),
        (Constants::linear(1e6), Ending::CutOff),
        (Constants::lasting(3e-4), Ending::Attracting),
        (Constants::hertz(1e8, 0.3), Ending::Attracting),
    ] {
        for restitution in restitutions(constants, ending) {
            let error = (restitution - 0.7).abs();
            assert!(error < 2e-3, "{constants:?} {ending:?}: {restitution}");
        }
    }
}

/// The slope of a heap of discs that was a column: the same tangent as a triangle with its height of the centre of mass
/// and its mean square half-width.
fn slope(friction: f64, rolling: f64) -> f64 {
    let rule = Rule {
        stiffness: 1e4,
        damping_per_mass: 300.0,
        static_friction: friction,
        kinetic_friction: friction,
        rolling,
        ..RULE
    };
    let radius = |index: usize| 5e-3 * (0.9 + 0.2 * (index * 37 % 97) as f64 / 97.0);
    let disc = |index: usize| {
        let (column, row) = (index % 8, index / 8);
        let x = 1.15e-2 * (column as f64 - 3.5) + 1e-3 * (row % 2) as f64;
        let r = radius(index);
        let mass = 0.01 * r * r / 25e-6;
        GranularBall::<Space2>::at_rest(r, mass, DVec2::new(x, 6e-3 + 1.12e-2 * row as f64))
    };
    let settings = Settings {
        gravity: DVec2::new(0.0, -9.81),
        ..Settings::stepping(5e-5)
    };
    let floor = vec![wall(DVec2::Y, DVec2::ZERO)];
    let rules = Rules::uniform(rule);
    let mut crowd = Granular::new((0..160).map(disc), floor, rules, settings).unwrap();
    crowd.step(30_000).unwrap();
    let grains = crowd.balls();
    let total: f64 = grains.iter().map(|grain| grain.mass).sum();
    let mean = |of: &dyn Fn(&GranularBall<Space2>) -> f64| {
        grains
            .iter()
            .map(|grain| grain.mass * of(grain))
            .sum::<f64>()
            / total
    };
    let height = mean(&|grain| grain.position.y);
    let middle = mean(&|grain| grain.position.x);
    let spread = mean(&|grain| (grain.position.x - middle) * (grain.position.x - middle)).sqrt();
    3.0 * height / (6.0_f64.sqrt() * spread)
}

#[test]
fn the_angle_of_repose_grows_with_friction() {
    let slopes = [(0.0, 0.0), (0.1, 0.0), (0.4, 0.0), (0.4, 0.2)].map(|(mu, roll)| slope(mu, roll));
    // Clear steps, not a hair's breadth: smooth discs flow away, discs that rub pile up, discs that hardly roll more
    // so.
    for pair in slopes.windows(2) {
        assert!(pair[1] > 1.15 * pair[0], "{slopes:?}");
    }
}

#[test]
fn a_box_is_as_good_a_floor_as_a_plane() {
    let run = |floor: GranularFixture<Space3>| {
        let (_, grains) = column();
        let rules = Rules::uniform(RULE);
        let mut crowd = Granular::new(grains, vec![floor], rules, falling(5e-6)).unwrap();
        crowd.step(1500).unwrap();
        crowd.balls()
    };
    let half = DVec3::new(0.1, 0.1, 0.01);
    let block = Shape::Block(Block::new(half).unwrap());
    let on_block = run(GranularFixture::fixed(
        block,
        Pose::at(DVec3::new(0.0, 0.0, -0.01)),
    ));
    let on_plane = run(wall(DVec3::Z, DVec3::ZERO));
    let moved = |grain: &GranularBall<Space3>| grain.velocity.z > -9.81 * 7.5e-3 * 0.9;
    assert!(on_plane.iter().any(moved), "some have touched the floor");
    for (a, b) in on_block.iter().zip(&on_plane) {
        // The height above the box is rounded in its frame, at 0.01 m: 2e-18 m, which contacts of 1500 steps may
        // amplify a thousandfold.
        assert!((a.position - b.position).length() < 1e-13, "{a:?} {b:?}");
    }
}

#[test]
fn a_shaken_floor_lifts_what_lies_on_it() {
    let shaken = GranularFixture {
        drive: Some(Drive::Uniform {
            velocity: DVec3::new(0.0, 0.0, 0.2),
        }),
        ..wall(DVec3::Z, DVec3::ZERO)
    };
    let grain = sphere(1e-3, DVec3::new(0.0, 0.0, 1.1e-3));
    let rules = Rules::uniform(RULE);
    let mut crowd = Granular::new([grain], vec![shaken], rules, falling(5e-6)).unwrap();
    crowd.step(20_000).unwrap();
    let after = crowd.balls()[0];
    let overlap = grain.mass * 9.81 / 1000.0;
    // At rest on the floor again, which has risen by 0.2 m/s for 0.1 s.
    assert!((after.velocity.z - 0.2).abs() < 1e-9, "{after:?}");
    assert!(
        (after.position.z - (0.02 + 1e-3 - overlap)).abs() < 1e-12,
        "{after:?}"
    );
}

#[test]
fn a_step_too_large_names_the_ball_that_blows_up() {
    let (side, grains) = column();
    let rules = Rules::uniform(RULE);
    let mut crowd = Granular::new(grains, shaft(side), rules, falling(2e-3)).unwrap();
    let error = crowd.step(10_000).unwrap_err();
    assert!(error.ball < 250 && error.time < 20.0);
    assert!(error.to_string().contains("step is too large"), "{error}");
}

#[test]
fn wrong_numbers_are_refused_by_name() {
    let refused = |grain: GranularBall<Space3>, settings: Settings<Space3>, rules: Rules| {
        let result = Granular::new([grain], Vec::new(), rules, settings);
        result.unwrap_err().to_string()
    };
    let good = sphere(1e-3, DVec3::ZERO);
    let plain = Settings::stepping(1e-6);
    let rules = || Rules::uniform(RULE);
    let heavy = GranularBall { mass: -1.0, ..good };
    assert_eq!(
        refused(heavy, plain, rules()),
        "ball 0: mass is -1, but must be a positive, finite number"
    );
    let strange = GranularBall { class: 3, ..good };
    assert!(refused(strange, plain, rules()).starts_with("ball 0: class is 3"));
    assert!(refused(good, Settings::stepping(0.0), rules()).contains("dt is 0"));
    let few = Rules {
        classes: 2,
        ..rules()
    };
    assert!(refused(good, plain, few).contains("1 rules for 2 classes"));
    let mill = GranularFixture {
        drive: Some(Drive::Rotation {
            pivot: DVec3::ZERO,
            angular_velocity: DVec3::X,
        }),
        ..wall(DVec3::Z, DVec3::ZERO)
    };
    // About its normal it is a turntable, which stays where it is.
    let turntable = GranularFixture {
        drive: Some(Drive::Rotation {
            pivot: DVec3::X,
            angular_velocity: DVec3::Z,
        }),
        ..mill
    };
    assert!(Granular::new([good], vec![turntable], rules(), plain).is_ok());
}
