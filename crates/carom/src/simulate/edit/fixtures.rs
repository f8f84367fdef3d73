//! Changes of how static and kinematic bodies move.

use crate::body::{Body, Kind};
use crate::codec::Stored;
use crate::impact::Strikable;
use crate::motion::{Drive, Pose};
use crate::record::Change;
use crate::simulate::exact::Exact;
use crate::simulate::fixture::{images_of, state_of};
use crate::simulate::refuse::{EditError, jump, moving_otherwise, refused_drive};
use crate::world::{BodyId, misfits};

impl<S: Strikable> Exact<S> {
    /// Lets a static or kinematic body move as prescribed from now on, from where it is: the pose that the motion is
    /// counted from becomes the one that it has to be. A swing, say, is at the angle that its knots have for now, and a
    /// path at that displacement.
    ///
    /// Times are those of the world's clock, as ever. Balls that kept touching the body are let go, and meet it anew.
    pub fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError> {
        let body = self.fixture_body(id, "drive")?;
        drive
            .check()
            .map_err(|error| refused_drive(id, &body, error))?;
        let here = state_of(&body, self.time).pose;
        self.set_motion(id, drive.start_of(&here, self.time), Some(drive))
    }

    /// Lets a static or kinematic body stand where it is from now on.
    pub fn stand_still(&mut self, id: BodyId) -> Result<(), EditError> {
        self.stop_drive(id, Change::Drive(id))
    }

    /// The same, as a change that is told of as that.
    pub(in crate::simulate) fn stop_drive(
        &mut self,
        id: BodyId,
        change: Change,
    ) -> Result<(), EditError> {
        let body = self.fixture_body(id, "drive")?;
        self.move_otherwise(id, state_of(&body, self.time).pose, None, change)
    }

    /// Lets a static or kinematic body move from now on as if it had been inserted with that pose and that motion
    /// (`None`: it stands). Refused where it is elsewhere now, by more than rounding explains: so it cannot come to
    /// overlap anything that it did not overlap before.
    pub fn set_motion(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
    ) -> Result<(), EditError> {
        self.move_otherwise(id, pose, drive, Change::Drive(id))
    }

    fn move_otherwise(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
        change: Change,
    ) -> Result<(), EditError> {
        self.check_unjointed()?;
        let old = self.fixture_body(id, "drive")?;
        let body = moving_otherwise(id, &old, pose, drive)?;
        let mut wrong = misfits(id.0 as usize, &body, self.periods());
        if self.has_rigids() {
            wrong.extend(self.unfit_among_rigids(id, &body));
        }
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        let (distance, allowed) = jump(&old, &body, self.time);
        if !(distance <= allowed) {
            return Err(EditError::Jump {
                id,
                name: body.name.into(),
                time: self.time,
                distance,
                allowed,
            });
        }
        self.enter_edit(change);
        let mut bytes = Vec::new();
        (body.pose).store(&mut bytes);
        body.kind.store(&mut bytes);
        self.digest_bytes(&bytes);
        self.part_from(id);
        let images = images_of(id, &body, self.clock, (self.periods(), self.stage.largest));
        let images: Vec<_> = images.collect();
        self.let_go_of(id, images.len());
        // Fixture is in the order of the bodies.
        let first = self.stage.fixtures.partition_point(|it| it.id < id);
        self.stage.dismiss_fixture(id);
        self.stage.fixtures.splice(first..first, images);
        if let Some(kept) = self.registry.fixture_mut(id) {
            *kept = body;
        }
        self.fixtures_changed();
        Ok(())
    }

    /// A static or kinematic body, as it was inserted.
    fn fixture_body(&self, id: BodyId, field: &'static str) -> Result<Body<S>, EditError> {
        let body = self.body(id).ok_or(EditError::UnknownBody { id })?;
        match body.kind {
            Kind::Static | Kind::Kinematic(_) => Ok(body),
            Kind::Free(_) => Err(EditError::Free {
                id,
                name: body.name.into(),
                field,
            }),
        }
    }

    /// Lets balls that keep touching a static or kinematic body fly from now on. It is about to be replaced, by so many
    /// images.
    pub(super) fn let_go_of(&mut self, id: BodyId, images: usize) {
        if !self.uses_segments() {
            return;
        }
        let gone: Vec<bool> = self.stage.fixtures.iter().map(|it| it.id == id).collect();
        let before = |index: u32| &gone[..index as usize];
        let left = |index: u32| {
            let others = before(index).iter().filter(|&&gone| !gone).count();
            let new = if before(index).contains(&true) {
                images
            } else {
                0
            };
            (others + new) as u32
        };
        let slots: Vec<usize> = self.stage.balls.slots().collect();
        for slot in slots {
            let support = self.stage.balls.support(slot);
            let walls = support.and_then(|it| Some((it.on?, [it.also, it.third])));
            let Some((index, others)) = walls else {
                continue;
            };
            let is_gone = |other: &Option<u32>| other.is_some_and(|other| gone[other as usize]);
            // Those that are left of several are touched at once.
            if gone[index as usize] || others.iter().any(is_gone) {
                self.end_flight(slot);
                self.stage.balls.restart(slot, self.clock);
                self.stage.balls.lift(slot);
                self.guide(&[slot as u32]);
            } else {
                self.stage
                    .balls
                    .stand_on(slot, left(index), others.map(|other| other.map(left)));
            }
        }
    }
}
