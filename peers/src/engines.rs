//! The three engines behind one face.
//!
//! Those that step are set up for elastic collisions as well as they can be: no friction, restitution 1 at any speed,
//! no sleep, no limit on speeds, no reuse of old contacts, 4 solver iterations (Rapier) or sub-steps (Box2D) of each
//! step. Nothing is fast enough here to tunnel, so that their continuous detection for single bodies stays off, which
//! is faster.

use crate::start::{RADIUS, Start, mean_square};

/// Of the engines that step, s.
pub const STEP: f64 = 1.0 / 60.0;

pub trait Engine {
    /// Sets up the discs and the walls. Engines that count collisions by events do so only where asked to, since it
    /// takes time.
    fn new(start: &Start, count: bool) -> Self;

    /// Goes on for a number of steps.
    fn advance(&mut self, steps: u64);

    /// Collisions so far; 0 where they were not to be counted.
    fn collisions(&self) -> u64;

    /// Mean square of the velocities, m²/s².
    fn mean_square(&mut self) -> f64;
}

pub mod exact {
    use super::*;
    use carom::prelude::*;
    use carom::shape::HalfSpace;

    pub struct Carom {
        run: Simulation2,
        discs: Vec<BodyId>,
        steps: u64,
    }

    impl Engine for Carom {
        fn new(start: &Start, _: bool) -> Self {
            let mut world = World2::new();
            let far = DVec2::splat(start.side);
            for (point, normal) in [
                (DVec2::ZERO, DVec2::X),
                (DVec2::ZERO, DVec2::Y),
                (far, -DVec2::X),
                (far, -DVec2::Y),
            ] {
                let wall = HalfSpace::solid(normal).expect("a direction");
                let wall = Body::fixed(Shape::HalfSpace(wall)).at(point);
                world.add(wall).expect("finite numbers");
            }
            let discs = start
                .places
                .iter()
                .zip(&start.velocities)
                .map(|(&place, &velocity)| {
                    let disc = Body::ball(
                        RADIUS,
                        1.0,
                        DVec2::from_array(place),
                        DVec2::from_array(velocity),
                    );
                    world
                        .add(disc.expect("a positive radius"))
                        .expect("finite numbers")
                })
                .collect();
            Carom {
                run: Simulation::new(world).expect("nothing overlaps"),
                discs,
                steps: 0,
            }
        }

        fn advance(&mut self, steps: u64) {
            self.steps += steps;
            self.run
                .run_until(self.steps as f64 * STEP)
                .expect("a gas goes on for ever");
        }

        fn collisions(&self) -> u64 {
            self.run.collisions()
        }

        fn mean_square(&mut self) -> f64 {
            let velocity = |&disc| self.run.state(disc).velocity.to_array();
            mean_square(self.discs.iter().map(velocity))
        }
    }
}

pub mod rapier {
    use super::*;
    use rapier2d_f64::geometry::ContactPair;
    use rapier2d_f64::prelude::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Default)]
    struct Begun(AtomicU64);

    impl EventHandler for Begun {
        fn handle_collision_event(
            &self,
            _: &RigidBodySet,
            _: &ColliderSet,
            event: CollisionEvent,
            _: Option<&ContactPair>,
        ) {
            if event.started() {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }

        fn handle_contact_force_event(
            &self,
            _: Real,
            _: &RigidBodySet,
            _: &ColliderSet,
            _: &ContactPair,
            _: Real,
        ) {
        }

        fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
    }

    pub struct Rapier {
        world: PhysicsWorld,
        discs: Vec<RigidBodyHandle>,
        begun: Option<Begun>,
    }

    impl Engine for Rapier {
        fn new(start: &Start, count: bool) -> Self {
            let mut world = PhysicsWorld::new();
            world.gravity = Vector::new(0.0, 0.0);
            let settings = &mut world.integration_parameters;
            settings.dt = STEP;
            settings.num_solver_iterations = 4;
            settings.normalized_max_linear_velocity = Real::MAX;
            settings.contact_recycling = false;
            let smooth = |collider: ColliderBuilder| {
                let events = if count {
                    ActiveEvents::COLLISION_EVENTS
                } else {
                    ActiveEvents::empty()
                };
                collider
                    .restitution(1.0)
                    .friction(0.0)
                    .active_events(events)
            };
            for ([x, y], [half_width, half_height]) in walls(start.side) {
                world.insert(
                    RigidBodyBuilder::fixed().translation(Vector::new(x, y)),
                    smooth(ColliderBuilder::cuboid(half_width, half_height)),
                );
            }
            let discs = start
                .places
                .iter()
                .zip(&start.velocities)
                .map(|(place, velocity)| {
                    let body = RigidBodyBuilder::dynamic()
                        .translation(Vector::new(place[0], place[1]))
                        .linvel(Vector::new(velocity[0], velocity[1]))
                        .can_sleep(false);
                    let disc = smooth(ColliderBuilder::ball(RADIUS).mass(1.0));
                    world.insert(body, disc).0
                })
                .collect();
            Rapier {
                world,
                discs,
                begun: count.then(Begun::default),
            }
        }

        fn advance(&mut self, steps: u64) {
            for _ in 0..steps {
                match &self.begun {
                    Some(begun) => self.world.step_with_events(&(), begun),
                    None => self.world.step(),
                }
            }
        }

        fn collisions(&self) -> u64 {
            self.begun
                .as_ref()
                .map_or(0, |begun| begun.0.load(Ordering::Relaxed))
        }

        fn mean_square(&mut self) -> f64 {
            mean_square(self.discs.iter().map(|&disc| {
                let velocity = self.world.bodies[disc].linvel();
                [velocity.x, velocity.y]
            }))
        }
    }
}

pub mod box2d {
    use super::*;
    use boxdd::{
        BodyBuilder, BodyId, BodyType, Foundation, Position, ShapeDef, SurfaceMaterial, Vec2,
        WorkerCount, World, WorldBuilder, shapes,
    };

    pub struct Box2d {
        world: World,
        discs: Vec<BodyId>,
        count: bool,
        begun: u64,
    }

    type Outcome<T> = Result<T, boxdd::Error>;

    fn build(start: &Start, count: bool) -> Outcome<Box2d> {
        let foundation = Foundation::initialize_default()?;
        let definition = WorldBuilder::from(foundation.world_def())
            .gravity(Vec2::new(0.0, 0.0))
            .enable_sleep(false)
            .enable_continuous(true)
            .worker_count(WorkerCount::new(1)?)
            .restitution_threshold(0.0)
            .maximum_linear_speed(1e6)
            .build()?;
        let mut world = foundation.create_world(definition)?;
        let material = SurfaceMaterial::default()
            .with_friction(0.0)?
            .with_restitution(1.0)?;
        let area = std::f64::consts::PI * RADIUS * RADIUS;
        let shape = ShapeDef::builder()
            .material(material)
            .density((1.0 / area) as f32)
            .enable_contact_events(count)
            .build()?;
        for ([x, y], [half_width, half_height]) in walls(start.side) {
            let wall = BodyBuilder::from(foundation.body_def())
                .position(Position::new(x as f32, y as f32))
                .build()?;
            let wall = world.create_body(wall)?;
            let rectangle = shapes::box_polygon(half_width as f32, half_height as f32)?;
            world.body(wall)?.create_polygon(&shape, &rectangle)?;
        }
        let mut discs = Vec::with_capacity(start.places.len());
        for (place, velocity) in start.places.iter().zip(&start.velocities) {
            let disc = BodyBuilder::from(foundation.body_def())
                .body_type(BodyType::Dynamic)
                .position(Position::new(place[0] as f32, place[1] as f32))
                .linear_velocity(Vec2::new(velocity[0] as f32, velocity[1] as f32))
                .enable_sleep(false)
                .enable_contact_recycling(false)
                .build()?;
            let disc = world.create_body(disc)?;
            world
                .body(disc)?
                .create_centered_circle(&shape, RADIUS as f32)?;
            discs.push(disc);
        }
        Ok(Box2d {
            world,
            discs,
            count,
            begun: 0,
        })
    }

    impl Engine for Box2d {
        fn new(start: &Start, count: bool) -> Self {
            build(start, count).expect("finite numbers")
        }

        fn advance(&mut self, steps: u64) {
            for _ in 0..steps {
                let completed = self.world.step(STEP as f32, 4).expect("a valid step");
                if self.count {
                    let events = completed.contact_events().expect("events of this step");
                    self.begun += events.begin().len() as u64;
                }
            }
        }

        fn collisions(&self) -> u64 {
            self.begun
        }

        fn mean_square(&mut self) -> f64 {
            mean_square(self.discs.iter().map(|&disc| {
                let body = self.world.body(disc).expect("it is there");
                let velocity = body.linear_velocity().expect("it has one");
                [f64::from(velocity.x), f64::from(velocity.y)]
            }))
        }
    }
}

/// Middles and half extents of four walls around a square from 0 to a side, m.
fn walls(side: f64) -> [([f64; 2], [f64; 2]); 4] {
    let thick = 1.0;
    let (half, long) = (0.5 * side, 0.5 * side + 2.0 * thick);
    [
        ([-thick, half], [thick, long]),
        ([side + thick, half], [thick, long]),
        ([half, -thick], [long, thick]),
        ([half, side + thick], [long, thick]),
    ]
}
