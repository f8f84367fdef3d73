//! Changes of what concerns all bodies: materials, gravity, fields. All are planned anew.

use crate::impact::Strikable;
use crate::material::Materials;
use crate::motion::Fields;
use crate::record::Change;
use crate::simulate::bodies::Surfaces;
use crate::simulate::exact::Exact;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::WorldError;

impl<S: Strikable> Exact<S> {
    /// Changes the table of materials: adds some, gives others new numbers, lays down what holds between two. Hands
    /// back what `change` returns. It takes a time that grows with the number of materials.
    pub fn change_materials<R>(&mut self, change: impl FnOnce(&mut Materials) -> R) -> R {
        let mut materials = self.materials().clone();
        let result = change(&mut materials);
        self.enter_edit(Change::Materials);
        for (a, b) in materials
            .ids()
            .flat_map(|a| materials.ids().map(move |b| (a, b)))
        {
            let surface = materials.surface(a, b);
            self.digest.number(surface.restitution);
            self.digest.number(surface.static_friction);
            self.digest.number(surface.kinetic_friction);
            self.digest.word(surface.law as u64);
            self.digest.number(surface.rolling_resistance);
            self.digest.number(surface.spinning_resistance);
            if surface.contact_duration > 0.0 {
                self.digest.number(surface.contact_duration);
            }
            if surface.varies() {
                // Table or law: what it gives at some speeds tells it from others.
                for speed in [0.001, 0.01, 0.1, 1.0, 10.0] {
                    self.digest.number(materials.restitution_at(a, b, speed));
                }
            }
        }
        if materials.any_turns() {
            self.let_turn();
        }
        self.stage.surfaces = Surfaces::new(&materials);
        self.piles = self.may_pile();
        if let Some(rigids) = self.stage.balls.rigids_mut() {
            rigids.world.materials = materials;
            if self.stage.fit_radii() {
                self.plan_anew();
            }
        }
        result
    }

    /// Sets the uniform gravity, m/s². All flights begin anew, and everything is planned anew.
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError> {
        self.check_unjointed()?;
        if !gravity.is_finite() {
            let value = format!("{gravity:?}");
            return Err(EditError::Refused(vec![WorldError::Gravity { value }]));
        }
        self.check_in_shear(gravity == S::Vector::ZERO, "gravity")?;
        self.enter_edit(Change::Gravity);
        self.digest.vector::<S>(gravity);
        self.weigh();
        let before = self.holdings();
        let slots: Vec<usize> = self.stage.balls.slots().collect();
        self.begin_flights(&slots);
        self.stage.balls.gravity = gravity;
        self.stage.renew_pulls();
        self.stage.fields.gravity = gravity;
        self.stage.balls.falling = gravity != S::Vector::ZERO || self.uses_segments();
        self.ledger.give(&before, &self.holdings());
        self.piles = self.may_pile();
        if self.uses_segments() {
            let balls = &mut self.stage.balls;
            for &slot in slots.iter() {
                if !balls.is_member(slot) {
                    balls.fly(slot);
                    balls.rouse(slot);
                }
            }
            self.guide_all();
        }
        self.plan_anew();
        // They have come to fly already, and fall otherwise from now on.
        self.wake_rigids();
        Ok(())
    }

    /// Sets what acts on balls in flight, gravity included: a wind gets up, drag ceases. All flights begin anew, and
    /// everything is planned anew. A run without such fields goes over to ways made segment by segment.
    pub fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError> {
        self.check_unjointed()?;
        fields
            .check()
            .map_err(|error| EditError::Refused(vec![error.into()]))?;
        fields
            .check_in_box(self.periods())
            .map_err(|error| EditError::Refused(vec![error.into()]))?;
        let nothing = fields.is_uniform() && fields.gravity == S::Vector::ZERO;
        self.check_in_shear(nothing, "gravity or another field")?;
        self.enter_edit(Change::Fields);
        self.digest.vector::<S>(fields.gravity);
        self.digest_bytes(format!("{:?}", fields.parts()).as_bytes());
        self.weigh();
        let before = self.holdings();
        let slots: Vec<usize> = self.stage.balls.slots().collect();
        self.begin_flights(&slots);
        self.stage.balls.gravity = fields.gravity;
        if !fields.is_uniform() {
            self.use_segments();
        }
        self.stage.balls.falling = fields.gravity != S::Vector::ZERO || self.uses_segments();
        self.stage.fields = fields;
        self.stage.renew_pulls();
        self.ledger.give(&before, &self.holdings());
        if self.uses_segments() {
            let balls = &mut self.stage.balls;
            for &slot in slots.iter() {
                if !balls.is_member(slot) {
                    balls.fly(slot);
                }
            }
            self.guide_all();
        }
        self.plan_anew();
        self.wake_rigids();
        Ok(())
    }

    /// Lets all balls begin their flights anew. Rigid bodies have done so already.
    fn begin_flights(&mut self, slots: &[usize]) {
        for &slot in slots {
            if self.member(slot).is_none() {
                self.end_flight(slot);
                self.stage.balls.restart(slot, self.clock);
            }
        }
    }
}
