//! Swept boxes: row K1, on cases with known answers.

use carom::kernels::broad::{Aabb, may_touch};
use carom::kernels::impact::MovingBall;
use carom::motion::Flight;
use carom::space::{Space, Space2, Space3, UNIT_ROUNDOFF};
use glam::{DVec2, DVec3};

/// The box must contain the exact one and exceed it by no more than 24u of `size`, which `Aabb::swept` promises.
/// `size` is the sum of the terms' sizes; here the exact values are small dyadic numbers, so they are exact in f64.
fn assert_tight(low: f64, high: f64, exact: [f64; 2], size: f64) {
    let slack = 24.0 * UNIT_ROUNDOFF * size;
    assert!(
        low <= exact[0] && exact[0] - low <= slack,
        "{low} for {exact:?}"
    );
    assert!(
        high >= exact[1] && high - exact[1] <= slack,
        "{high} for {exact:?}"
    );
}

fn moving<S: Space>(flight: Flight<S>, radius: f64) -> MovingBall<S> {
    MovingBall {
        flight,
        radius,
        surface_speed: 0.0,
    }
}

#[test]
fn k1_straight_motion_has_the_box_of_the_source() {
    // min(x + v t0, x + v t1) − r and max(…) + r.
    let flight = Flight::<Space2>::straight(DVec2::new(1.0, 2.0), DVec2::new(3.0, -4.0));
    let swept = Aabb::swept(&flight, 0.25, 0.5, 2.0);
    assert_tight(swept.min.x, swept.max.x, [2.5 - 0.25, 7.0 + 0.25], 7.25);
    assert_tight(swept.min.y, swept.max.y, [-6.0 - 0.25, 0.25], 10.25);
}

#[test]
fn k1_straight_motion_in_space_has_the_box_of_the_source() {
    let flight = Flight::<Space3>::straight(DVec3::new(1.0, 2.0, 0.5), DVec3::new(3.0, -4.0, 0.0));
    let swept = Aabb::swept(&flight, 0.25, 0.5, 2.0);
    assert_tight(swept.min.x, swept.max.x, [2.25, 7.25], 7.25);
    assert_tight(swept.min.y, swept.max.y, [-6.25, 0.25], 10.25);
    assert_tight(swept.min.z, swept.max.z, [0.25, 0.75], 0.75);
}

#[test]
fn k1_the_top_of_a_parabola_counts_only_inside_the_interval() {
    // y = 10 t − 5 t²: up to 5 at t = 1, back at 0 at t = 2.
    let thrown = Flight::<Space2> {
        position: DVec2::ZERO,
        velocity: DVec2::new(0.0, 10.0),
        acceleration: DVec2::new(0.0, -10.0),
    };
    let range = |t0, t1| {
        let swept = Aabb::swept(&thrown, 0.5, t0, t1);
        (swept.min.y, swept.max.y)
    };
    let cases = [
        (0.0, 2.0, [0.0, 5.0]),
        (0.0, 0.5, [0.0, 3.75]),
        (1.5, 2.0, [0.0, 3.75]),
        (0.5, 2.0, [0.0, 5.0]),
        (0.0, 1.0, [0.0, 5.0]),
        (1.0, 2.0, [0.0, 5.0]),
        (-0.5, 0.0, [-6.25, 0.0]),
    ];
    for (t0, t1, [least, greatest]) in cases {
        let (low, high) = range(t0, t1);
        assert_tight(low, high, [least - 0.5, greatest + 0.5], 40.5);
    }
}

#[test]
fn k1_a_parabola_in_space_has_its_lowest_point_in_the_box() {
    let swung = Flight::<Space3> {
        position: DVec3::new(0.0, 0.0, 1.0),
        velocity: DVec3::new(1.0, 0.0, -2.0),
        acceleration: DVec3::new(0.0, 0.0, 4.0),
    };
    // z = 1 − 2t + 2t²: least at t = ½, where it is ½.
    let swept = Aabb::swept(&swung, 0.125, 0.0, 1.0);
    assert_tight(swept.min.z, swept.max.z, [0.375, 1.125], 5.125);
}

#[test]
fn k1_boxes_that_touch_overlap() {
    let unit = |x: f64| Aabb::<Space2> {
        min: DVec2::new(x, 0.0),
        max: DVec2::new(x + 1.0, 1.0),
    };
    assert!(unit(0.0).overlaps(&unit(1.0)));
    assert!(unit(1.0).overlaps(&unit(0.0)));
    assert!(!unit(0.0).overlaps(&unit(1.0_f64.next_up())));
    let above = Aabb::<Space2> {
        min: DVec2::new(0.0, 1.0_f64.next_up()),
        max: DVec2::new(1.0, 2.0),
    };
    assert!(!unit(0.0).overlaps(&above), "y alone separates");
}

#[test]
fn k1_the_third_axis_separates_in_space() {
    let ball = |z: f64| moving(Flight::<Space3>::rest(DVec3::new(0.0, 0.0, z)), 1.0);
    assert!(may_touch(&ball(0.0), &ball(2.0), 0.0, 1.0));
    assert!(!may_touch(&ball(0.0), &ball(2.001), 0.0, 1.0));
}

#[test]
fn k1_a_reject_is_cheap_not_complete() {
    // Two balls that cross the same place at different times: boxes cannot know.
    let right = moving(
        Flight::<Space2>::straight(DVec2::new(-5.0, 0.0), DVec2::X),
        0.5,
    );
    let up = moving(
        Flight::<Space2>::straight(DVec2::new(0.0, -9.0), DVec2::Y),
        0.5,
    );
    assert!(may_touch(&right, &up, 0.0, 10.0));
    // Before either has come near the other's path the boxes do know.
    assert!(!may_touch(&right, &up, 0.0, 3.0));
}

#[test]
fn k1_an_interval_turned_over_is_the_same_interval() {
    let thrown = Flight::<Space2> {
        position: DVec2::new(0.1, 0.2),
        velocity: DVec2::new(0.3, 4.0),
        acceleration: DVec2::new(0.0, -9.81),
    };
    assert_eq!(
        Aabb::swept(&thrown, 0.5, 0.0, 0.7),
        Aabb::swept(&thrown, 0.5, 0.7, 0.0)
    );
}

#[test]
fn k1_an_instant_is_an_interval() {
    let flight = Flight::<Space2>::straight(DVec2::new(1.0, 2.0), DVec2::new(4.0, 0.0));
    let swept = Aabb::swept(&flight, 0.5, 0.25, 0.25);
    assert_tight(swept.min.x, swept.max.x, [1.5, 2.5], 2.5);
}

#[test]
fn k1_what_is_not_a_number_widens_to_infinity() {
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    let range = |position: f64, velocity: f64, acceleration: f64, radius: f64, t0: f64, t1: f64| {
        let flight = Flight::<Space2> {
            position: DVec2::new(position, 3.0),
            velocity: DVec2::new(velocity, 0.0),
            acceleration: DVec2::new(acceleration, 0.0),
        };
        let swept = Aabb::swept(&flight, radius, t0, t1);
        if radius.is_finite() {
            // Nothing moves along y, so no time, however long, unbounds it.
            assert!(swept.min.y < 3.0 && swept.max.y < 1e9 + radius * 1.1);
        }
        (swept.min.x, swept.max.x)
    };
    // The second flight ends at 1e308, but only after an intermediate 2e308.
    assert_eq!(range(1e308, 1e308, 0.0, 1.0, 0.0, 10.0), everywhere);
    assert_eq!(range(-1e308, 2e307, 0.0, 1.0, 0.0, 10.0), everywhere);
    assert_eq!(range(0.0, 0.0, 1e300, 1.0, 0.0, 1e10), everywhere);
    assert_eq!(range(0.0, 1.0, 0.0, 1.0, 0.0, f64::INFINITY), everywhere);
    assert_eq!(range(0.0, 1.0, 0.0, 1.0, f64::NAN, 1.0), everywhere);
    assert_eq!(range(0.0, 1.0, 0.0, 1.0, 0.0, f64::NAN), everywhere);
    assert_eq!(range(f64::NAN, 0.0, 0.0, 1.0, 0.0, 1.0), everywhere);
    assert_eq!(range(0.0, f64::INFINITY, 0.0, 1.0, 0.0, 1.0), everywhere);
    assert_eq!(range(0.0, 0.0, 0.0, f64::INFINITY, 0.0, 1.0), everywhere);
    // Huge, but representable, stays bounded.
    let (low, high) = range(1e300, 1e299, 0.0, 1e290, 0.0, 1.0);
    assert!(low <= 1e300 - 1e290 && low > 0.999e300);
    assert!((1.1e300..1.101e300).contains(&high));
}

// C10
