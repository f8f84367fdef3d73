//! Where fixtures are, and how balls stand to them.

use super::Granular;
use super::fixtures::{Foot, Wall};
use super::setup::angular_velocity_components;
use crate::broad::home;
use crate::motion::KinematicState;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::Linear;
use wide::f64x4;

impl<S: Shaped> Granular<S> {
    /// Where fixtures are now.
    pub(super) fn move_props(&mut self) {
        if !self.moving_props && !self.stands.is_empty() {
            return;
        }
        let time = self.time();
        self.stands = self.props.iter().map(|prop| prop.state_at(time)).collect();
        self.walls.clear();
        for (prop, stand) in self.props.iter().zip(&self.stands) {
            if let (Shape::HalfSpace(wall), true) = (&prop.shape, prop.is_wall()) {
                let normal = S::rotate(stand.pose.rotation, wall.normal);
                let [x, y, z] = S::components(normal);
                let [u, v, w] = S::components(stand.velocity);
                self.walls.push(Wall {
                    plane: f64x4::from([x, y, z, normal.dot(stand.pose.position)]),
                    velocity: f64x4::from([u, v, w, 0.0]),
                });
            }
        }
    }

    /// No prop comes nearer to anything faster than this, m/s.
    pub(super) fn prop_speed(&self) -> f64 {
        if !self.moving_props {
            return 0.0;
        }
        let moving = self.props.iter().zip(&self.stands);
        let moving = moving.filter(|(prop, _)| !prop.stays_in_place());
        let speeds = moving.map(|(prop, stand)| {
            let turning = stand.angular_velocity.length();
            let reach = prop.shape.reach();
            let rim = match turning > 0.0 {
                true if reach.is_finite() => turning * reach,
                // What has no end is as fast as it is where balls are.
                true => turning * self.farthest_from(stand.pose.position),
                false => 0.0,
            };
            stand.velocity.length() + rim
        });
        // What is driven may speed up within a step.
        1.25 * speeds.fold(0.0, f64::max)
    }

    /// How far from a place the surface of any ball is, m.
    fn farthest_from(&self, place: S::Vector) -> f64 {
        let [x, y, z] = S::components(place);
        let place = f64x4::from([x, y, z, 0.0]);
        let far = self.movers.list.iter().map(|ball| {
            let [x, y, z, _] = (ball.place - place).to_array();
            x * x + y * y + z * z
        });
        far.fold(0.0, f64::max).sqrt() + self.reach.largest
    }

    /// How a ball stands to a shape.
    pub(super) fn foot(&self, ball: u32, prop: u32) -> Foot {
        let [x, y, z, _] = self.movers.list[ball as usize].place.to_array();
        let centre = home::<S>(S::vector([x, y, z]), self.settings.periods);
        let KinematicState {
            pose,
            velocity,
            angular_velocity,
        } = &self.stands[prop as usize];
        let shape = &self.props[prop as usize].shape;
        let closest = shape.closest(pose.to_local(centre));
        let arm = S::rotate(pose.rotation, closest.point);
        let curvature = match shape {
            Shape::Ball(ball) => 1.0 / ball.radius,
            Shape::Hollow(room) => -1.0 / room.radius,
            _ => 0.0,
        };
        Foot {
            distance: closest.distance,
            normal: S::components(S::rotate(pose.rotation, closest.normal)),
            velocity: S::components(*velocity + S::surface_velocity(*angular_velocity, arm)),
            angular_velocity: angular_velocity_components::<S>(*angular_velocity),
            curvature,
        }
    }
}
