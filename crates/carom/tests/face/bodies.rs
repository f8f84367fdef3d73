//! Shapes in one call, bodies with named steps, and what is said of bad ones.

use carom::body::BodyError;
use carom::body::{Free, Kind};
use carom::prelude::*;
use carom::shape::{Arc, Block, Cylinder, HalfSpace, Hollow, Segment, Triangle, Tube};
use carom::shape::{Ball, Shape2, Shape3};
use carom::shape::{Compound, Convex};

#[test]
fn shapes_by_name_are_the_nested_ones() -> Result<(), SimulationError> {
    assert_eq!(Shape::<Space2>::ball(0.5)?, Shape::Ball(Ball::new(0.5)?));
    let half = DVec2::new(0.5, 0.2);
    assert_eq!(
        Shape::block(half)?,
        Shape::<Space2>::Block(Block::new(half)?)
    );
    let slope = DVec2::new(3.0, 4.0);
    let wall = HalfSpace::<Space2>::solid(slope)?;
    assert_eq!(Shape::half_space(slope)?, Shape::HalfSpace(wall));
    let thin = HalfSpace::<Space2>::two_sided(slope)?;
    assert_eq!(Shape::thin_wall(slope)?, Shape::HalfSpace(thin));
    assert_eq!(Shape::<Space2>::floor(), Shape::half_space(DVec2::Y)?);
    assert_eq!(Shape::<Space3>::floor(), Shape::half_space(DVec3::Z)?);
    assert_eq!(
        Shape::<Space3>::hollow(2.0)?,
        Shape::Hollow(Hollow::new(2.0)?)
    );
    let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
    let own = |shape| Shape::<Space2>::own(shape);
    assert_eq!(
        Shape::segment(DVec2::ZERO, DVec2::X)?,
        own(Shape2::Segment(Segment::new(DVec2::ZERO, DVec2::X)?))
    );
    assert_eq!(
        Shape::arc(DVec2::X, 1.0, 0.0, 2.0)?,
        own(Shape2::Arc(Arc::new(DVec2::X, 1.0, 0.0, 2.0)?))
    );
    let own = |shape| Shape::<Space3>::own(shape);
    assert_eq!(
        Shape::triangle(a, b, c)?,
        own(Shape3::Triangle(Triangle::new([a, b, c])?))
    );
    assert_eq!(
        Shape::cylinder(c, 1.0, 0.5)?,
        own(Shape3::Cylinder(Cylinder::new(c, 1.0, 0.5)?))
    );
    assert_eq!(Shape::tube(c, 0.5)?, own(Shape3::Tube(Tube::new(c, 0.5)?)));
    let rod = Compound::fixed(vec![Convex::<Space3>::capsule(a, b, 0.1)?])?;
    assert_eq!(Shape::capsule(a, b, 0.1)?, Shape::from(rod));
    Ok(())
}

#[test]
fn shapes_that_cannot_be_say_what_is_allowed() {
    let message = |result: Result<Shape<Space2>, SimulationError>| result.unwrap_err().to_string();
    let positive = "a positive, finite number of metres";
    assert_eq!(
        message(Shape::ball(0.0).map_err(SimulationError::from)),
        format!("radius is 0, but must be {positive}")
    );
    assert_eq!(
        message(Shape::hollow(f64::NAN).map_err(SimulationError::from)),
        format!("radius is NaN, but must be {positive}")
    );
    assert!(Shape::<Space2>::block(DVec2::new(1.0, -1.0)).is_err());
    assert!(Shape::<Space2>::half_space(DVec2::ZERO).is_err());
    assert!(Shape::<Space2>::thin_wall(DVec2::NAN).is_err());
    assert!(Shape::segment(DVec2::X, DVec2::X).is_err());
    assert!(Shape::arc(DVec2::ZERO, 1.0, 0.0, 7.0).is_err());
    assert!(Shape::polygon(&[DVec2::ZERO, DVec2::X]).is_err());
    assert!(Shape::<Space3>::capsule(DVec3::ZERO, DVec3::X, -0.1).is_err());
    assert!(Shape::<Space3>::compound(Vec::new()).is_err());
    assert!(Shape::triangle(DVec3::ZERO, DVec3::X, DVec3::X * 2.0).is_err());
    assert!(Shape::cylinder(DVec3::ZERO, 1.0, 1.0).is_err());
    assert!(Shape::tube(DVec3::X, 0.0).is_err());
    assert!(Shape::polyhedron(&[DVec3::ZERO, DVec3::X, DVec3::Y]).is_err());
    assert!(Shape::hull(&[DVec3::NAN; 4]).is_err());
}

fn free(body: &Body<Space2>) -> Free<Space2> {
    match body.kind {
        Kind::Free(free) => free,
        _ => panic!("not free"),
    }
}

/// The steps give what the short forms give, to the bit.
#[test]
fn steps_give_the_bodies_of_the_short_forms() -> Result<(), SimulationError> {
    let (place, velocity) = (DVec2::new(1.0, 2.0), DVec2::new(3.0, 4.0));
    let ball = Body::<Space2>::free(Shape::ball(0.3)?)
        .mass(0.7)
        .at(place)
        .velocity(velocity);
    assert_eq!(ball.build()?, Body::ball(0.3, 0.7, place, velocity)?);
    let block = Shape::block(DVec2::new(0.3, 0.1))?;
    let pose = Pose {
        position: place,
        rotation: Turn::by(0.3),
    };
    let body = Body::free(block.clone())
        .mass(2.0)
        .pose(pose)
        .velocity(velocity);
    assert_eq!(
        body.angular_velocity(-2.0).build()?,
        Body::solid(block, 2.0, pose, velocity, -2.0)?
    );
    let body = Body::<Space2>::fixed(Shape::floor())
        .rotated(Turn::by(0.3))
        .at(place);
    assert_eq!(body.pose, pose);
    Ok(())
}

#[test]
fn masses_densities_and_inertias() -> Result<(), SimulationError> {
    let disc = |radius| Shape::<Space2>::ball(radius);
    let heavy = Body::free(disc(0.5)?).density(4.0).build()?;
    // ρ π r², and ½ m r².
    let mass = 4.0 * (std::f64::consts::PI * 0.5 * 0.5);
    assert_eq!(
        (free(&heavy).mass, free(&heavy).inertia),
        (mass, 0.125 * mass)
    );
    let sphere = Body::free(Shape::<Space3>::ball(3.0)?)
        .density(2.0)
        .build()?;
    let volume = 36.0 * std::f64::consts::PI; // ⁴⁄₃ π r³
    assert!(matches!(sphere.kind, Kind::Free(free) if (free.mass / volume - 2.0).abs() < 1e-15));
    let hoop = Body::free(disc(0.5)?).mass(2.0).inertia(0.5).build()?; // m r²
    assert_eq!(free(&hoop).inertia, 0.5);
    let stiff = Body::free(disc(0.5)?)
        .mass(2.0)
        .inertia(f64::INFINITY)
        .build()?;
    assert_eq!(free(&stiff).inertia, f64::INFINITY);
    let plate = Body::free(Shape::<Space2>::block(DVec2::new(0.5, 0.25))?).density(3.0);
    assert_eq!(free(&plate.build()?).mass, 1.5); // 3 kg/m² of 1 m × ½ m
    // A polygon weighs nothing until a body is made of it; then its frame is at its centre of mass.
    let corners = [DVec2::ZERO, DVec2::new(3.0, 0.0), DVec2::new(0.0, 3.0)];
    let wedge = Body::free(Shape::polygon(&corners)?).mass(9.0).build()?;
    let Shape::Compound(form) = &wedge.shape else {
        panic!("a polygon has parts");
    };
    assert!((form.mass() - 9.0).abs() < 1e-14);
    assert!((form.origin() + DVec2::ONE).length() < 1e-15); // the mean of its corners
    // A form that knows its mass need not be told.
    let known = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE)?], 2.0)?;
    assert_eq!(free(&Body::free(Shape::from(known)).build()?).mass, 8.0);
    Ok(())
}

/// Which body, which field, its value, and what is allowed.
#[test]
fn bad_bodies_are_refused_by_name_and_field() -> Result<(), SimulationError> {
    let disc = || Shape::<Space2>::ball(0.5);
    let field = |result: Result<Body<Space2>, BodyError>| result.unwrap_err().field;
    assert_eq!(field(Body::free(disc()?).build()), "mass");
    assert_eq!(field(Body::free(disc()?).mass(-1.0).build()), "mass");
    assert_eq!(
        field(Body::free(disc()?).density(f64::NAN).build()),
        "density"
    );
    assert_eq!(
        field(Body::free(disc()?).mass(1.0).inertia(0.0).build()),
        "inertia"
    );
    let block = Shape::block(DVec2::ONE)?;
    assert_eq!(
        field(Body::free(block).mass(1.0).inertia(2.0).build()),
        "inertia"
    );
    assert_eq!(field(Body::free(Shape::floor()).mass(1.0).build()), "shape");
    assert_eq!(
        field(Body::free(Shape::floor()).density(1.0).build()),
        "shape"
    );
    let line = Shape::segment(DVec2::ZERO, DVec2::X)?;
    assert_eq!(field(Body::free(line).mass(1.0).build()), "shape");
    let good = || Ok::<_, SimulationError>(Body::free(disc()?).mass(1.0));
    assert_eq!(field(good()?.at(DVec2::NAN).build()), "position");
    assert_eq!(field(good()?.velocity(DVec2::INFINITY).build()), "velocity");
    assert_eq!(
        field(good()?.angular_velocity(f64::NAN).build()),
        "angular_velocity"
    );
    let error = good()?.mass(-2.0).named("cue").build().unwrap_err();
    let says = "mass is -2, but must be a positive, finite number of kilograms";
    assert_eq!(error.to_string(), format!("body cue: {says}"));
    let error = good()?.mass(-2.0).build().unwrap_err();
    assert_eq!(error.to_string(), format!("a body without a name: {says}"));

    let mut world = World2::new();
    world.add(good()?)?;
    let error = world.add(good()?.mass(-2.0).named("cue")).unwrap_err();
    assert_eq!(error.to_string(), format!("body 1 (cue): {says}"));
    let overlapping = vec![
        Convex::<Space2>::block(DVec2::ONE)?,
        Convex::block(DVec2::ONE)?,
    ];
    let error = world.add(Body::free(Shape::compound(overlapping)?).mass(1.0));
    assert!(error.unwrap_err().to_string().contains("would count twice"));
    let sensor = Body {
        sensor: true,
        ..good()?.build()?
    };
    assert!(
        world
            .add(sensor)
            .unwrap_err()
            .to_string()
            .contains("sensor")
    );
    assert_eq!(world.bodies().len(), 1);

    let mut run = Simulation::new(world)?;
    let error = run.insert(good()?.mass(-2.0).named("late")).unwrap_err();
    assert_eq!(error.to_string(), format!("body late: {says}"));
    assert_eq!(run.bodies().len(), 1);
    run.insert(good()?.at(DVec2::new(3.0, 0.0)))?;
    Ok(())
}
