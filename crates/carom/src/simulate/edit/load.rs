//! External forces and torques that come, change and go.

use crate::impact::Strikable;
use crate::motion::Load;
use crate::record::Change;
use crate::simulate::exact::Exact;
use crate::simulate::refuse::{EditError, is_turned, loaded_by_euler};
use crate::simulate::rigid::NO_LOADS;
use crate::world::{BodyId, WorldError, check_body};

impl<S: Strikable> Exact<S> {
    /// Sets the external force and torque on a ball; `None` for none.
    pub fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError> {
        let (slot, mut body) = self.free_ball(id, "force")?;
        if self.has_rigids() {
            let what = NO_LOADS.to_owned();
            let wrong = WorldError::Solids { what };
            return load.map_or(Ok(()), |_| Err(EditError::Refused(vec![wrong])));
        }
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
        self.stage.balls.restart(slot, self.clock);
        match body.load {
            Some(load) => {
                self.use_segments();
                self.stage.loads.insert(id, load);
            }
            None => {
                self.stage.loads.remove(&id);
            }
        }
        self.stage.balls.fly(slot);
        self.changed(&[slot as u32]);
        Ok(())
    }
}
