//! The oracle against closed forms, cases worked out by hand, and a dense sampling of the gap.

use accuracy::big::Big;
use accuracy::case::{Case, Form, Motion, Track, Triple, no_rotation};
use accuracy::distance::Solid;
use accuracy::generate::{self, Draw, Family};
use accuracy::kernels::{Course, KERNELS, Kind};
use accuracy::oracle::{Contact, Onset, Oracle, Truth};
use accuracy::path::Path;
use accuracy::real::{Real, dot, sub, vector};

fn track(position: Triple, velocity: Triple, acceleration: Triple) -> Track {
    Track {
        position,
        velocity,
        acceleration,
    }
}

/// A ball on a track against a target at rest at the origin.
fn against(dimension: usize, form: Form, radius: f64, ball: Track) -> Case {
    Case {
        dimension,
        ball,
        radius,
        form,
        rotation: no_rotation(dimension),
        motion: Motion::Flight(Track::default()),
        horizon: 1e6,
    }
}

fn contact(case: &Case) -> Contact {
    match Oracle::new(case, 0.0).first_contact() {
        Truth::Contact(contact) => contact,
        other => panic!("no contact but {other:?} in {case:?}"),
    }
}

fn is_never(case: &Case) -> bool {
    matches!(Oracle::new(case, 0.0).first_contact(), Truth::Never)
}

/// The time of a contact agrees with an exact number to 40 digits.
#[track_caller]
fn assert_time(case: &Case, expected: Big) {
    let time = contact(case).time;
    let error = time.minus(&expected).near().abs();
    assert!(
        error <= 1e-40 * expected.near().abs(),
        "{} is not {}: {case:?}",
        time.near(),
        expected.near()
    );
}

const STILL: Triple = [0.0; 3];

#[test]
fn by_hand_balls_and_walls() {
    let ball = Form::Ball { radius: 2.0 };
    // Head-on: 10 − 3 = 7 at 2 m/s.
    let case = against(
        2,
        ball,
        1.0,
        track([10.0, 0.0, 0.0], [-2.0, 0.0, 0.0], STILL),
    );
    assert_time(&case, Big::of(3.5));
    // Off by 2.4 of the sum of radii 3: they touch 1.8 before the closest approach.
    let case = against(
        3,
        ball,
        1.0,
        track([10.0, 0.0, 2.4], [-1.0, 0.0, 0.0], STILL),
    );
    let expected = Big::of(10.0).minus(
        &Big::of(9.0)
            .minus(&Big::of(2.4).times(&Big::of(2.4)))
            .root(),
    );
    assert_time(&case, expected);
    let wall = |two_sided| Form::HalfSpace {
        normal: [0.0, 1.0, 0.0],
        two_sided,
    };
    // Dropped from a height of 6 over the surface with g = 3: 6 = 3 t²/2.
    let drop = track([0.0, 7.0, 0.0], STILL, [0.0, -3.0, 0.0]);
    assert_time(&against(2, wall(false), 1.0, drop), Big::of(2.0));
    // From behind a two-sided wall, upwards.
    let rise = track([0.0, -7.0, 0.0], [0.0, 2.0, 0.0], STILL);
    assert_time(&against(3, wall(true), 1.0, rise), Big::of(3.0));
    // Inside a room of radius 10, from the centre.
    let room = Form::Hollow { radius: 10.0 };
    let case = against(
        3,
        room,
        1.0,
        track([0.0, 1.0, 0.0], [0.0, -4.0, 0.0], STILL),
    );
    assert_time(&case, Big::of(2.5));
}

#[test]
fn by_hand_faces_edges_corners_rims() {
    // Towards a corner at (1, 1) along (3, 4): from 50 away to 5 away at speed 5.
    let block = Form::Block {
        half: [1.0, 1.0, 0.0],
    };
    let toward = track([31.0, 41.0, 0.0], [-3.0, -4.0, 0.0], STILL);
    assert_time(&against(2, block, 5.0, toward), Big::of(9.0));
    // Against a face.
    let toward = track([0.5, -7.0, 0.0], [0.0, 4.0, 0.0], STILL);
    assert_time(&against(2, block, 4.0, toward), Big::of(0.5));
    // The same towards an edge in space.
    let block = Form::Block {
        half: [1.0, 1.0, 1.0],
    };
    let toward = track([31.0, 0.25, 41.0], [-3.0, 0.0, -4.0], STILL);
    assert_time(&against(3, block, 5.0, toward), Big::of(9.0));
    let segment = Form::Segment {
        ends: [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0]],
    };
    let toward = track([4.0, -7.0, 0.0], [0.0, 2.0, 0.0], STILL);
    assert_time(&against(2, segment, 1.0, toward), Big::of(3.0));
    let toward = track([8.0 + 30.0, 40.0, 0.0], [-3.0, -4.0, 0.0], STILL);
    assert_time(&against(2, segment, 5.0, toward), Big::of(9.0));
    // The upper half of a circle of radius 5: from inside, from outside, and through the gap below past its ends.
    let arc = Form::Arc {
        centre: STILL,
        radius: 5.0,
        middle: [0.0, 1.0, 0.0],
        cos_half: 0.0,
        ends: [[5.0, 0.0, 0.0], [-5.0, 0.0, 0.0]],
    };
    let up = |x: f64, y: f64| track([x, y, 0.0], [0.0, 2.0, 0.0], STILL);
    assert_time(&against(2, arc, 1.0, up(0.0, 0.5)), Big::of(1.75));
    assert_time(&against(2, arc, 1.0, up(0.0, -8.0)), Big::of(6.0));
    let down = track([0.0, 9.0, 0.0], [0.0, -2.0, 0.0], STILL);
    assert_time(&against(2, arc, 1.0, down), Big::of(1.5));
    // 0.6 beside the end with radius 1: touches 0.8 below it.
    let beside = Big::of(1.0).minus(&Big::of(0.5625)).root();
    let expected = Big::of(8.0).minus(&beside).shifted(-1);
    assert_time(&against(2, arc, 1.0, up(5.75, -8.0)), expected);
    let triangle = Form::Triangle {
        corners: [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]],
    };
    let fall = |x: f64, y: f64| track([x, y, 9.0], [0.0, 0.0, -2.0], STILL);
    assert_time(&against(3, triangle, 1.0, fall(2.0, 2.0)), Big::of(4.0));
    let edge = track([4.0, -30.0, 40.0], [0.0, 3.0, -4.0], STILL);
    assert_time(&against(3, triangle, 5.0, edge), Big::of(9.0));
    let corner = track([38.0, 0.0, 40.0], [-3.0, 0.0, -4.0], STILL);
    assert_time(&against(3, triangle, 5.0, corner), Big::of(9.0));
    let cylinder = Form::Cylinder {
        axis: [0.0, 0.0, 1.0],
        half_length: 2.0,
        radius: 3.0,
    };
    let side = track([0.0, 10.0, 1.0], [0.0, -3.0, 0.0], STILL);
    assert_time(&against(3, cylinder, 1.0, side), Big::of(2.0));
    let cap = track([1.0, 1.0, -9.0], [0.0, 0.0, 3.0], STILL);
    assert_time(&against(3, cylinder, 1.0, cap), Big::of(2.0));
    let rim = track([33.0, 0.0, 42.0], [-3.0, 0.0, -4.0], STILL);
    assert_time(&against(3, cylinder, 5.0, rim), Big::of(9.0));
}

#[test]
fn by_hand_driven() {
    // A wall through the pivot turns towards a ball at rest at distance 2: sin θ = 1/2 after a turn by 60°.
    let mut case = against(
        2,
        Form::HalfSpace {
            normal: [0.0, 1.0, 0.0],
            two_sided: false,
        },
        1.0,
        track([0.0, 2.0, 0.0], STILL, STILL),
    );
    case.motion = Motion::Rotation {
        start: STILL,
        pivot: STILL,
        angular_velocity: [0.0, 0.0, 4.0],
        now: 0.0,
    };
    let expected = Big::pi().over(&Big::of(12.0));
    assert_time(&case, expected);
    // The same in space, about any axis along the wall, and a quarter of a turn later on the world's clock.
    case.dimension = 3;
    case.rotation = no_rotation(3);
    case.motion = Motion::Rotation {
        start: STILL,
        pivot: STILL,
        angular_velocity: [-4.0, 0.0, 0.0],
        now: 0.0,
    };
    assert_time(&case, expected);
    // A floor that rises by 2 sin(2πft) reaches 1 at an angle of 30°.
    case.motion = Motion::Oscillation {
        start: STILL,
        amplitude: [0.0, 2.0, 0.0],
        frequency: 0.5,
        phase: 0.0,
        now: 0.0,
    };
    assert_time(&case, Big::of(1.0).over(&Big::of(6.0)));
    // One period later on the world's clock.
    case.motion = Motion::Oscillation {
        start: STILL,
        amplitude: [0.0, 2.0, 0.0],
        frequency: 0.5,
        phase: 0.0,
        now: 2.0,
    };
    assert_time(&case, Big::of(1.0).over(&Big::of(6.0)));
}

#[test]
fn the_rule_at_the_start() {
    let wall = Form::HalfSpace {
        normal: [0.0, 1.0, 0.0],
        two_sided: false,
    };
    let touching = |v: f64, a: f64| {
        against(
            2,
            wall,
            1.0,
            track([0.0, 1.0, 0.0], [3.0, v, 0.0], [0.0, a, 0.0]),
        )
    };
    assert_eq!(contact(&touching(-1.0, 0.0)).onset, Onset::Start);
    assert!(is_never(&touching(1.0, 0.0)), "parting");
    assert!(is_never(&touching(0.0, 0.0)), "along the wall");
    assert!(is_never(&touching(0.0, 2.0)), "lifted");
    assert_eq!(contact(&touching(0.0, -2.0)).onset, Onset::Start, "pressed");
    // Thrown up, it comes back after 2 v/g.
    assert_time(&touching(3.0, -2.0), Big::of(3.0));
    // Inside by 1 and too slow to get out: it turns at v/g.
    let mut inside = touching(1.0, -2.0);
    inside.ball.position[1] = 0.0;
    let turning = contact(&inside);
    assert_eq!(turning.onset, Onset::Turning);
    assert!((turning.time.near() - 0.5).abs() < 1e-15);
    // Inside by 1 and fast enough: out and back, −1 + 3t − t² = 0 at the later root.
    let mut through = touching(3.0, -2.0);
    through.ball.position[1] = 0.0;
    let expected = Big::of(3.0).plus(&Big::of(5.0).root()).shifted(-1);
    assert_time(&through, expected);
    // The horizon is excluded.
    let mut short = touching(3.0, -2.0);
    short.horizon = 3.0;
    assert!(is_never(&short));
}

#[test]
fn grazing_is_decided_by_the_last_bit() {
    let pass = |height: f64| {
        against(
            2,
            Form::Ball { radius: 2.0 },
            1.0,
            track([-10.0, height, 0.0], [1.0, 0.0, 0.0], STILL),
        )
    };
    let ulp = 3.0 * f64::EPSILON / 2.0;
    assert!(is_never(&pass(3.0 + 2.0 * ulp)));
    let hit = contact(&pass(3.0 - 2.0 * ulp));
    // √(9 − (3 − δ)²) before the closest approach.
    let under = Big::of(3.0 - 2.0 * ulp);
    let expected = Big::of(10.0).minus(&Big::of(9.0).minus(&under.times(&under)).root());
    assert!(hit.time.minus(&expected).near().abs() < 1e-40);
    assert!(
        matches!(
            Oracle::new(&pass(3.0), 0.0).first_contact(),
            Truth::Touch(_) | Truth::Never
        ),
        "a tangency is no contact"
    );
}

/// `c/(−h + √(h² − ac))` in wide arithmetic, from the numbers of the case.
#[test]
fn random_balls_agree_with_the_quadratic_formula() {
    let kernel = KERNELS
        .iter()
        .find(|kernel| (kernel.kind, kernel.dimension) == (Kind::Ball, 3))
        .expect("a row of the table");
    let mut draw = Draw::new(11);
    let mut hits = 0;
    for _ in 0..2000 {
        let family = generate::family(&mut draw);
        let case = generate::case(kernel, family, &mut draw);
        let (Motion::Flight(target), Form::Ball { radius }) = (case.motion, case.form) else {
            continue;
        };
        let Truth::Contact(contact) = Oracle::new(&case, 0.0).first_contact() else {
            continue;
        };
        if contact.onset != Onset::Crossing {
            continue;
        }
        let d = sub::<Big>(&vector(case.ball.position), &vector(target.position));
        let w = sub::<Big>(&vector(case.ball.velocity), &vector(target.velocity));
        let reach = Big::of(case.radius).plus(&Big::of(radius));
        let (a, h) = (dot(&w, &w), dot(&d, &w));
        let c = dot(&d, &d).minus(&reach.times(&reach));
        let root = h.times(&h).minus(&a.times(&c)).root();
        let expected = c.over(&root.minus(&h));
        let error = contact.time.minus(&expected).near() / expected.near();
        assert!(error.abs() < 1e-40, "{error:e} in {case:?}");
        hits += 1;
    }
    assert!(hits > 1000, "{hits}");
}

/// No sampled instant before the answer is inside the target, after the gap has once been open.
#[test]
fn nothing_is_missed_that_sampling_sees() {
    const SAMPLES: usize = 400;
    for kernel in &KERNELS {
        let mut draw = Draw::new(7);
        for round in 0..100 {
            let family = if round % 2 == 0 {
                Family::Generic
            } else {
                generate::family(&mut draw)
            };
            let mut case = generate::case(kernel, family, &mut draw);
            let end = match Oracle::new(&case, 0.0).first_contact() {
                Truth::Contact(contact) => contact.time.near(),
                Truth::Touch(time) => time.near(),
                Truth::Never if case.horizon.is_finite() => case.horizon,
                Truth::Never => 10.0 * case.magnitude(0.0) / case.speeds(0.0),
                Truth::Undecided => continue,
            };
            if kernel.course == Course::Straight {
                case.horizon = end;
            }
            let mut path = Path::<f64>::new(&case);
            let solid = Solid::<f64>::new(&case.form, case.dimension);
            // 1e-12 of the magnitude is far above the rounding of a sample and far below what a miss would show.
            let noise = 1e-12 * case.magnitude(end);
            let mut has_been_open = false;
            for sample in 0..SAMPLES {
                let t = end * (1.0 - 1e-12) * sample as f64 / SAMPLES as f64;
                let (p, v) = path.at(&t);
                let gap = solid.gap(&p, &v).distance - case.radius;
                has_been_open |= gap > noise;
                assert!(
                    !has_been_open || gap > -noise,
                    "{}: gap {gap:e} at {t} before {end}: {case:?}",
                    kernel.name()
                );
            }
        }
    }
}
