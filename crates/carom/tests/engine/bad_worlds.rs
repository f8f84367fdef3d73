//! Worlds that cannot be are refused with names and numbers, everything at once.

use carom::prelude::*;
use carom::shape::{Ball, HalfSpace, Hollow};
use carom::simulate::Exact;

fn ball(radius: f64, x: f64, y: f64) -> Body<Space2> {
    Body::ball(radius, 1.0, DVec2::new(x, y), DVec2::ZERO).unwrap()
}

fn messages(world: World2) -> Vec<String> {
    let errors = Exact::new(world).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn overlaps_and_bodies_outside_of_their_room() {
    let mut world = World2::new();
    let room = Shape::Hollow(Hollow::new(10.0).unwrap());
    world.add(Body::fixed(room).named("room")).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    world
        .add(Body::fixed(floor).at(DVec2::new(0.0, -5.0)).named("floor"))
        .unwrap();
    world.add(ball(0.5, 0.0, 0.0).named("red")).unwrap();
    world.add(ball(0.5, 0.75, 0.0).named("blue")).unwrap();
    world.add(ball(0.5, 12.0, 0.0).named("lost")).unwrap();
    world.add(ball(0.5, 0.0, -8.0).named("buried")).unwrap();
    world.add(ball(0.5, 9.75, 0.0).named("stuck")).unwrap();
    let allowed = |size: f64| format!("{:e}", 16.0 * f64::EPSILON / 2.0 * size);
    assert_eq!(
        messages(world),
        [
            format!(
                "body 2 (red) and body 3 (blue) overlap by 2.5e-1 m at the start, but may by at most {} m",
                allowed(1.75)
            ),
            "body 4 (lost) is on the wrong side of body 0 (room): its centre is 2e0 m beyond the surface".to_owned(),
            "body 5 (buried) is on the wrong side of body 1 (floor): its centre is 3e0 m beyond the surface".to_owned(),
            format!(
                "body 6 (stuck) and body 0 (room) overlap by 2.5e-1 m at the start, but may by at most {} m",
                allowed(9.75 + 0.5 + 10.0)
            ),
        ]
    );
}

#[test]
fn a_periodic_box_that_is_too_small() {
    let mut world = World2::new();
    world.set_periodic([Some(3.0), Some(100.0), None]).unwrap();
    world.add(ball(1.0, 0.0, 0.0).named("large")).unwrap();
    world.add(ball(0.25, 2.9, 50.0).named("a")).unwrap();
    world.add(ball(0.25, 0.1, 50.0).named("b")).unwrap();
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::X).unwrap());
    world
        .add(Body::fixed(wall).at(DVec2::new(-5.0, 0.0)).named("wall"))
        .unwrap();
    let post = Shape::Ball(Ball::new(0.25).unwrap());
    world
        .add(Body::fixed(post).at(DVec2::new(2.95, 50.4)).named("post"))
        .unwrap();
    let all = messages(world);
    assert_eq!(
        all[0],
        "body 0 (large) does not fit the periodic box of 3 m along x: its diameter is 2 m, but must be below half the box"
    );
    assert_eq!(
        all[1],
        "body 3 (wall) does not fit the periodic box of 3 m along x: it is infinite, so that it must be along the axis"
    );
    // Across the side of the box: a with b, and b with the post's image.
    let starts = [
        "body 1 (a) and body 2 (b) overlap by 2.9",
        "body 1 (a) and body 4 (post) overlap by 9.",
        "body 2 (b) and body 4 (post) overlap by 7.",
    ];
    assert_eq!(all.len(), 5, "{all:#?}");
    for (message, start) in all[2..].iter().zip(starts) {
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn numbers_that_are_none() {
    let mut world = World2::new();
    let add = |body: Body<Space2>, world: &mut World2| world.add(body).unwrap_err().to_string();
    let nan = Body::ball(0.5, 1.0, DVec2::new(f64::NAN, 0.0), DVec2::ZERO).unwrap();
    assert_eq!(
        add(nan.named("cue"), &mut world),
        "body 0 (cue): position is DVec2(NaN, 0.0), but must be made of finite numbers"
    );
    let light = Body::ball(0.5, 0.0, DVec2::ZERO, DVec2::ZERO).unwrap();
    assert_eq!(
        add(light, &mut world),
        "body 0 (): mass is 0, but must be a positive, finite number of kilograms"
    );
    assert_eq!(
        world
            .set_gravity(DVec2::new(0.0, f64::NAN))
            .unwrap_err()
            .to_string(),
        "gravity is DVec2(0.0, NaN), but must be made of finite numbers"
    );
    assert_eq!(
        world
            .set_periodic([Some(-1.0), None, None])
            .unwrap_err()
            .to_string(),
        "the periodic box has length -1 along x, but must have a positive, finite number of metres"
    );
    assert!(Body::<Space2>::ball(f64::NAN, 1.0, DVec2::ZERO, DVec2::ZERO).is_err());
}

#[test]
fn a_material_of_another_world() {
    let mut other = World2::new();
    let rubber = other.materials.add("rubber", Material::default()).unwrap();
    let mut world = World2::new();
    world
        .add(ball(0.5, 0.0, 0.0).made_of(rubber).named("cue"))
        .unwrap();
    assert_eq!(
        messages(world),
        ["body 0 (cue): material is number 1, but must be one of this world's"]
    );
    let mut run = Exact::new(World2::new()).unwrap();
    assert!(run.insert(ball(0.5, 0.0, 0.0).made_of(rubber)).is_err());
    run.change_materials(|materials| materials.add("rubber", Material::default()))
        .unwrap();
    assert!(run.insert(ball(0.5, 0.0, 0.0).made_of(rubber)).is_ok());
}
