//! What a body that is put in, or put elsewhere, would overlap.

use crate::body::{Body, Kind};
use crate::broad::home;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::{Ball, Shape};
use crate::simulate::exact::Exact;
use crate::simulate::fixture::state_of;
use crate::space::Linear;
use crate::world::{BodyId, Fault, WorldError};

impl<S: Strikable> Exact<S> {
    /// Which bodies a body, of that number, would overlap now.
    pub(super) fn overlaps_of(&self, id: usize, body: &Body<S>) -> Vec<WorldError> {
        let now = self.clock.max(self.local_time());
        if self.has_rigids() {
            return self.overlaps_of_rigid(BodyId(id as u32), body);
        }
        match (&body.kind, &body.shape) {
            (Kind::Free(_), Shape::Ball(ball)) => self.overlaps_of_ball(id, body, *ball, now),
            _ => self.overlaps_of_fixture(id, body, now),
        }
    }

    fn overlaps_of_ball(&self, id: usize, body: &Body<S>, ball: Ball, now: f64) -> Vec<WorldError> {
        let balls = &self.stage.balls;
        let place = match self.shear() {
            Some(shear) => shear.home::<S>(body.pose.position, self.periods()).0,
            None => home::<S>(body.pose.position, self.periods()),
        };
        let mut found = Vec::new();
        self.balls_within(place, ball.radius, |slot| {
            let other = balls.ids[slot];
            if other.0 as usize == id || !balls.meets(slot, body.groups) {
                return;
            }
            let there = balls.position_at(slot, now);
            let apart = place - there;
            let apart = apart + balls.seen(apart, now).shift;
            let reach = ball.radius + balls.hot[slot].radius;
            let size = place.length().max(there.length()) + reach;
            let fault = Fault::overlap(reach - apart.length(), size);
            found.extend(fault.map(|fault| (other, fault)));
        });
        for fixture in &self.stage.fixtures {
            let other = &fixture.body;
            if !other.sensor && other.groups.collides_with(body.groups) {
                let pose = fixture.state_at(self.stage.epoch + now).pose;
                let fault = Fault::with_fixtures(place, ball.radius, other, &pose);
                found.extend(fault.map(|fault| (fixture.id, fault)));
            }
        }
        found.order_by_key(|&(other, _)| other);
        let named = found.into_iter().map(|(other, fault)| {
            let name = self.name(other);
            fault.named((id, &body.name), (other.0 as usize, name))
        });
        named.collect()
    }

    fn overlaps_of_fixture(&self, id: usize, body: &Body<S>, now: f64) -> Vec<WorldError> {
        if body.sensor {
            return Vec::new();
        }
        let state = state_of(body, self.stage.epoch + now);
        let images = crate::world::image_boxes(body, self.periods(), self.largest_radius());
        let mut found = Vec::new();
        for (other, slot, _) in self.free_balls() {
            let balls = &self.stage.balls;
            if !balls.meets(slot, body.groups) {
                continue;
            }
            let (place, radius) = (balls.position_at(slot, now), balls.hot[slot].radius);
            for &image in &images {
                let shift = crate::world::shift_of::<S>(image, self.periods());
                let pose = Pose {
                    position: state.pose.position + shift,
                    ..state.pose
                };
                let fault = Fault::with_fixtures(place, radius, body, &pose);
                found.extend(fault.map(|fault| {
                    fault.named((other.0 as usize, self.name(other)), (id, &body.name))
                }));
            }
        }
        found
    }
}
