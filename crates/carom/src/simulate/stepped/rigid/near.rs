//! Which bodies are near each other. The list is made anew when a body has moved far enough, and leaves no trace in the
//! bits.

use super::super::bodies::{ForceBodies, ForceBodyRef};
use super::contact_forces::NearPair;
use super::frame::RigidFrame;
use super::rigid_bodies::RigidBodies;
use crate::broad::{SizedBall, touching_pairs};
use crate::impact::Strikable;
use crate::simulate::refuse::{ForcesError, SteppedError};
use crate::space::{Linear, Space};

/// Everyone whose surrounding balls are within a skin of each other.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Nearby<S: Space> {
    /// In the order of slots and partners, in which forces are added up.
    pub list: Vec<NearPair>,
    /// Where centres were when the list was made, m.
    places: Vec<S::Vector>,
    /// How far a centre may move before the list is made anew, m.
    leeway: f64,
}

impl<S: Strikable> Nearby<S> {
    /// Bodies meet other images of fixtures: the list is to be made anew.
    pub fn forget(&mut self) {
        self.places.clear();
    }

    /// Makes the list anew where a body has moved far enough for it to miss a body within the next step.
    pub fn refresh(
        &mut self,
        (stage, cast): (&ForceBodies<S>, &RigidBodies<S>),
        frame: &RigidFrame<S>,
    ) -> Result<(), SteppedError> {
        let step = stage.step;
        let moving = frame.pose.iter().zip(&frame.velocity);
        let stays = self.places.len() == frame.pose.len()
            && (self.places.iter().zip(moving)).all(|(&then, (pose, &velocity))| {
                // Twice the way at the velocity now: forces change it in between.
                let ahead = 2.0 * step * velocity.length();
                (pose.position - then).length() + ahead <= self.leeway
            });
        if stays {
            return Ok(());
        }
        self.make((stage, cast), frame)
            .map_err(|error| SteppedError::Pair(Box::new(error)))
    }

    fn make(
        &mut self,
        (stage, cast): (&ForceBodies<S>, &RigidBodies<S>),
        frame: &RigidFrame<S>,
    ) -> Result<(), ForcesError> {
        let fastest = (frame.velocity.iter())
            .map(|v| v.length())
            .fold(0.0, f64::max);
        let smallest = (cast.free.iter().map(|it| it.reach)).fold(f64::MAX, f64::min);
        let way = stage.step * fastest;
        let skin = (40.0 * way)
            .min(stage.largest)
            .max(8.0 * way)
            .max(0.2 * smallest);
        self.leeway = 0.5 * skin;
        self.places = frame.pose.iter().map(|pose| pose.position).collect();
        let balls: Vec<SizedBall<S>> = (cast.free.iter().zip(&self.places).zip(0..))
            .map(|((player, &place), id)| SizedBall {
                id,
                place: place - frame.boxes[id as usize],
                radius: player.reach + 0.5 * skin,
            })
            .collect();
        let groups = |slot: u32| stage.grains[slot as usize].groups;
        let mut pairs = Vec::new();
        touching_pairs(&balls, stage.periods, |a, b, _| {
            if groups(a.id).collides_with(groups(b.id))
                && !cast.are_jointed(a.id, ForceBodyRef::Ball(b.id))
            {
                pairs.push((a.id.min(b.id), ForceBodyRef::Ball(a.id.max(b.id))));
            }
        });
        for (index, fixture) in stage.fixtures.iter().enumerate() {
            let form = &cast.fixtures[index];
            // What moves as prescribed may come from anywhere.
            let kinematic = fixture.is_kinematic();
            let pose = &fixture.body.pose;
            for ball in &balls {
                let near = kinematic || {
                    let far = |reach: f64| {
                        (ball.place - pose.position).length() > reach + ball.radius + skin
                    };
                    // Walls without end are near where the ball comes over their plane.
                    let over = || {
                        form.parts().iter().any(|part| match part.as_half_space() {
                            Some((normal, offset)) => {
                                normal.dot(pose.to_local(ball.place)) - offset <= ball.radius + skin
                            }
                            None => true,
                        })
                    };
                    !far(form.reach()) && over()
                };
                let other = ForceBodyRef::Fixture(index as u32);
                if near
                    && groups(ball.id).collides_with(fixture.body.groups)
                    && !cast.are_jointed(ball.id, other)
                {
                    pairs.push((ball.id, other));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let known = std::mem::take(&mut self.list);
        for (a, other) in pairs {
            let found = known.binary_search_by_key(&(a, other), NearPair::key);
            self.list.push(match found {
                Ok(index) => known[index],
                Err(_) => stage.near(a, other)?,
            });
        }
        Ok(())
    }
}
