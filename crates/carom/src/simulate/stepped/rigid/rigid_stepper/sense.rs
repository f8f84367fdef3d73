//! Sensors: which bodies are inside which, at the end of each step.

use super::{ForceStage, RigidStepper};
use crate::impact::Strikable;
use crate::record::SensorCrossing;
use crate::shape::convex::touching;
use crate::simulate::stepped::touch::Incident;
use crate::space::Linear;
use std::collections::BTreeSet;

impl<S: Strikable> RigidStepper<S> {
    /// Which bodies (by slot) are inside which sensors (by place) now: a function of where they are.
    pub(in super::super) fn inside_now(
        &self,
        (stage, cast): ForceStage<'_, S>,
    ) -> BTreeSet<(u32, u32)> {
        let mut inside = BTreeSet::new();
        for (index, sensor) in stage.sensors.iter().enumerate() {
            let (form, pose) = (&cast.sensors[index], sensor.state_at(self.time).pose);
            for (slot, grain) in stage.grains.iter().enumerate() {
                let (own, mut at) = (&cast.free[slot].form, self.frame.pose[slot]);
                at.position -= self.frame.boxes[slot];
                let apart = (at.position - pose.position).length();
                if grain.groups.collides_with(sensor.body.groups)
                    && apart < form.reach() + own.reach()
                    && touching(own, &at, form, &pose)
                {
                    inside.insert((slot as u32, index as u32));
                }
            }
        }
        inside
    }

    /// Tells of those that have come into a sensor in the step, and of those that have left one.
    pub(super) fn sense(&mut self, ground: ForceStage<'_, S>) {
        let stage = ground.0;
        if stage.sensors.is_empty() {
            return;
        }
        let inside = self.inside_now(ground);
        for &(slot, index) in inside.symmetric_difference(&self.inside) {
            let crossing = SensorCrossing {
                time: self.time,
                ball: stage.grains[slot as usize].id,
                sensor: stage.sensors[index as usize].id,
            };
            self.incidents.push(if inside.contains(&(slot, index)) {
                Incident::Entered(crossing)
            } else {
                Incident::Left(crossing)
            });
        }
        self.inside = inside;
    }
}
