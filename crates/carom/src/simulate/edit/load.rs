//! External forces and torques that come, change and go.

use crate::impact::Strikable;
use crate::motion::Load;
use crate::record::{Change, Velocities};
use crate::simulate::exact::Exact;
use crate::simulate::refuse::{EditError, is_turned, loaded_by_euler};
use crate::world::{BodyId, WorldError, check_body};

impl<S: Strikable> Exact<S> {
    /// Sets the external force and torque on a free body; `None` for none.
    pub fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError> {
        self.check_unjointed()?;
        self.check_in_shear(load.is_none(), "an external force")?;
        let (slot, mut body) = self.free_ball(id, "force")?;
        body.load = load.filter(|load| !load.is_nothing()).map(Box::new);
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, &body).err().into_iter().collect();
        wrong.extend(loaded_by_euler(
            id.0 as usize,
            &body,
            self.stage.is_by_euler(),
        ));
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        if is_turned(&body) {
            self.let_turn();
        }
        self.enter_edit(Change::Load(id));
        self.digest_bytes(format!("{:?}", body.load).as_bytes());
        self.part_from(id);
        self.wake(slot as u32);
        self.end_flight(slot);
        let rigid = self.member(slot).is_some();
        let now = rigid.then(|| self.state_generic(id));
        if !rigid {
            self.stage.balls.restart(slot, self.clock);
        }
        if let Some(inert) = self.stage.rigid_mut(id) {
            inert.load = body.load.clone();
        }
        match body.load {
            Some(load) => {
                self.use_segments();
                self.stage.loads.insert(id, load);
            }
            None => {
                self.stage.loads.remove(&id);
            }
        }
        self.stage.renew_pulls();
        if let Some(now) = now {
            let moves = Velocities {
                velocity: now.velocity,
                angular_velocity: now.angular_velocity,
            };
            self.put_rigid(id, None, &moves);
            return Ok(());
        }
        self.stage.balls.fly(slot);
        self.changed(&[slot as u32]);
        Ok(())
    }
}
