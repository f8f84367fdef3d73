//! The engines behind one face.

use crate::outside::Posed;
use crate::scenes::{Form, Scene, Start};
use carom::prelude::*;
use carom::shape::Hollow;
use carom::simulate::Compiled;

pub trait Engine {
    /// Goes on to a time, s.
    fn advance(&mut self, time: f64);
    fn poses(&self) -> Vec<Posed>;
    /// Kinetic and potential, J.
    fn energy(&self, scene: &Scene) -> f64;
    fn asleep(&self) -> usize;
    /// Where they are counted.
    fn collisions(&self) -> Option<u64>;
    /// The sum of the velocities, m/s.
    fn drift(&self) -> [f64; 3];
}

fn potential(scene: &Scene, poses: &[Posed]) -> f64 {
    let height = |posed: &Posed| {
        let of = |k: usize| scene.gravity[k] * posed.place[k];
        of(0) + of(1) + of(2)
    };
    -scene.mass * poses.iter().map(height).sum::<f64>()
}

fn sum(each: impl Iterator<Item = [f64; 3]>) -> [f64; 3] {
    each.fold([0.0; 3], |sum, v| [0, 1, 2].map(|k: usize| sum[k] + v[k]))
}

pub struct Carom<S: Compiled> {
    run: Simulation<S>,
    ids: Vec<BodyId>,
}

impl<S: Compiled> Carom<S> {
    pub fn new(scene: &Scene) -> Self {
        let mut world = World::<S>::new();
        let material = Material {
            restitution: scene.restitution,
            static_friction: scene.friction,
            kinetic_friction: scene.friction,
            ..Material::default()
        };
        world.materials.add("default", material).expect("in range");
        let gravity = S::vector(scene.gravity);
        world.set_gravity(gravity).expect("finite");
        for &(point, normal) in &scene.walls {
            let wall = Shape::half_space(S::vector(normal)).expect("a direction");
            let wall = Body::fixed(wall).at(S::vector(point));
            world.add(wall).expect("finite numbers");
        }
        if let Some(drum) = &scene.drum {
            let side = Shape::Hollow(Hollow::new(drum.radius).expect("positive"));
            let turning = Drive::Rotation {
                pivot: S::vector([0.0; 3]),
                angular_velocity: S::angular_velocity([0.0, 0.0, drum.rate]),
            };
            world
                .add(Body::kinematic(side, turning))
                .expect("finite numbers");
        }
        let add = |start: &Start| {
            let shape = match start.form {
                Form::Ball(radius) => Shape::ball(radius).expect("positive"),
                Form::Block(half) => Shape::block(S::vector(half)).expect("positive"),
                Form::Capsule { half, radius } => {
                    let end = S::vector([half, 0.0, 0.0]);
                    Shape::capsule(-end, end, radius).expect("positive")
                }
            };
            let body = Body::free(shape)
                .mass(scene.mass)
                .at(S::vector(start.place))
                .rotated(S::rotation_of(S::angular_velocity(start.turned), 1.0))
                .velocity(S::vector(start.velocity))
                .angular_velocity(S::angular_velocity(start.spin));
            world.add(body).expect("finite numbers")
        };
        let ids = scene.bodies.iter().map(add).collect();
        let run = Simulation::new(world).expect("nothing overlaps");
        Carom { run, ids }
    }
}

impl<S: Compiled> Engine for Carom<S> {
    fn advance(&mut self, time: f64) {
        self.run.run_until(time).expect("it gets on");
    }

    fn poses(&self) -> Vec<Posed> {
        let posed = |&id: &BodyId| {
            let state = self.run.state(id);
            Posed {
                place: S::components(state.position),
                axes: S::axes(state.rotation),
            }
        };
        self.ids.iter().map(posed).collect()
    }

    fn energy(&self, scene: &Scene) -> f64 {
        let now = self.run.audit().now;
        now.translational + now.rotational + potential(scene, &self.poses())
    }

    fn asleep(&self) -> usize {
        self.run.resting()
    }

    fn collisions(&self) -> Option<u64> {
        Some(self.run.collisions())
    }

    fn drift(&self) -> [f64; 3] {
        sum(self
            .ids
            .iter()
            .map(|&id| S::components(self.run.state(id).velocity)))
    }
}

macro_rules! rapier {
    ($name:ident, $engine:ident, $vector:expr, $angular:expr, $block:expr, $posed:expr, $components:expr) => {
        pub struct $name {
            world: $engine::prelude::PhysicsWorld,
            bodies: Vec<$engine::prelude::RigidBodyHandle>,
            steps: u64,
        }

        impl $name {
            pub fn new(scene: &Scene) -> Self {
                use $engine::prelude::*;
                let mut world = PhysicsWorld::new();
                world.gravity = $vector(scene.gravity);
                world.integration_parameters.dt = 1.0 / 60.0;
                let surface = |collider: ColliderBuilder| {
                    let collider = collider.restitution(scene.restitution);
                    collider.friction(scene.friction)
                };
                // Thick boxes stand for walls without end.
                for &(point, normal) in &scene.walls {
                    let middle = [0, 1, 2].map(|k: usize| point[k] - 50.0 * normal[k]);
                    let half = normal.map(|x| if x == 0.0 { 200.0 } else { 50.0 });
                    world.insert(
                        RigidBodyBuilder::fixed().translation($vector(middle)),
                        surface($block(half)),
                    );
                }
                if let Some(drum) = &scene.drum {
                    let turning = RigidBodyBuilder::kinematic_velocity_based()
                        .angvel($angular([0.0, 0.0, drum.rate]));
                    // Outside of the circle, and its middles on it: 256 straight boxes.
                    let turning = world.insert_body(turning);
                    for k in 0..256 {
                        let angle = std::f64::consts::TAU * f64::from(k) / 256.0;
                        let (sin, cos) = angle.sin_cos();
                        let far = drum.radius + 0.05;
                        let side = $block([0.05, 0.02 * drum.radius, 0.05]);
                        let side = side
                            .translation($vector([far * cos, far * sin, 0.0]))
                            .rotation($angular([0.0, 0.0, angle]));
                        world.insert_collider(surface(side), Some(turning));
                    }
                }
                let bodies = (scene.bodies.iter())
                    .map(|start| {
                        let body = RigidBodyBuilder::dynamic()
                            .translation($vector(start.place))
                            .rotation($angular(start.turned))
                            .linvel($vector(start.velocity))
                            .angvel($angular(start.spin));
                        let collider = match start.form {
                            Form::Block(half) => $block(half),
                            Form::Capsule { half, radius } => {
                                ColliderBuilder::capsule_x(half, radius)
                            }
                            Form::Ball(radius) => ColliderBuilder::ball(radius),
                        };
                        world.insert(body, surface(collider).mass(scene.mass)).0
                    })
                    .collect();
                $name {
                    world,
                    bodies,
                    steps: 0,
                }
            }
        }

        impl Engine for $name {
            fn advance(&mut self, time: f64) {
                while (self.steps as f64 + 0.5) / 60.0 < time {
                    self.world.step();
                    self.steps += 1;
                }
            }

            fn poses(&self) -> Vec<Posed> {
                let posed = |&handle: &$engine::prelude::RigidBodyHandle| {
                    let body = &self.world.bodies[handle];
                    $posed(body)
                };
                self.bodies.iter().map(posed).collect()
            }

            fn energy(&self, scene: &Scene) -> f64 {
                let each = self.bodies.iter();
                let kinetic = each.map(|&handle| self.world.bodies[handle].kinetic_energy());
                kinetic.sum::<f64>() + potential(scene, &self.poses())
            }

            fn asleep(&self) -> usize {
                let each = self.bodies.iter();
                each.filter(|&&handle| self.world.bodies[handle].is_sleeping())
                    .count()
            }

            fn collisions(&self) -> Option<u64> {
                None
            }

            fn drift(&self) -> [f64; 3] {
                let each = self.bodies.iter();
                sum(each.map(|&handle| $components(self.world.bodies[handle].linvel())))
            }
        }
    };
}

rapier!(
    Rapier2,
    rapier2d_f64,
    |v: [f64; 3]| Vector::new(v[0], v[1]),
    |v: [f64; 3]| v[2],
    |half: [f64; 3]| ColliderBuilder::cuboid(half[0], half[1]),
    |body: &rapier2d_f64::prelude::RigidBody| {
        let (place, rotation) = (body.translation(), body.rotation());
        let x = *rotation * rapier2d_f64::prelude::Vector::new(1.0, 0.0);
        Posed {
            place: [place.x, place.y, 0.0],
            axes: [[x.x, x.y, 0.0], [-x.y, x.x, 0.0], [0.0, 0.0, 1.0]],
        }
    },
    |v: rapier2d_f64::prelude::Vector| [v.x, v.y, 0.0]
);

rapier!(
    Rapier3,
    rapier3d_f64,
    |v: [f64; 3]| Vector::new(v[0], v[1], v[2]),
    |v: [f64; 3]| Vector::new(v[0], v[1], v[2]),
    |half: [f64; 3]| ColliderBuilder::cuboid(half[0], half[1], half[2]),
    |body: &rapier3d_f64::prelude::RigidBody| {
        let (place, rotation) = (body.translation(), body.rotation());
        let axis = |k: usize| {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let turned = *rotation * rapier3d_f64::prelude::Vector::from_array(unit);
            turned.to_array()
        };
        Posed {
            place: [place.x, place.y, place.z],
            axes: [axis(0), axis(1), axis(2)],
        }
    },
    |v: rapier3d_f64::prelude::Vector| [v.x, v.y, v.z]
);
