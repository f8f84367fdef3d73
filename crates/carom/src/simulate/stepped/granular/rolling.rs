//! What resists rolling and spinning at four contacts.

use super::forces::ForceScene;
use super::lanes::{Four, Lanes, get, put};
use super::law::{FourContacts, LaneForces, LaneTally, RuleLanes, carried};
use super::slots::{RollingSprings, Slot};
use crate::vectors::{Floats as _, Vectors};

impl ForceScene<'_> {
    /// A spring with a slider against rolling, and one against spinning about the normal: displacements and forces at
    /// the arm of the reduced radius R.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn resist_rolling<V: Vectors>(
        &self,
        vectors: V,
        slot: &mut Slot,
        rules: &RuleLanes<V>,
        meet: &FourContacts<V>,
        answer: &LaneForces<V>,
        angular_velocity: Lanes<V>,
        tally: &mut LaneTally<V>,
    ) -> Four<V> {
        let n = meet.normal;
        let (zero, minus) = (vectors.all_four(0.0), vectors.all_four(-1.0));
        let dt = vectors.all_four(self.dt);
        let turning = slot
            .turning
            .get_or_insert_with(|| Box::new(RollingSprings::NONE));
        let (old_rolled, old_spun) = (turning.rolled.with(vectors), get(vectors, &turning.spun));
        let (stiffness, damping) = answer.tangential;
        let about = angular_velocity.dot(n);
        let roll = (angular_velocity - n.times(about)).times(meet.radius);
        let twirl = about * meet.radius;

        let moved = if self.forms.logs {
            carried(vectors, old_rolled, n) + roll.times(dt)
        } else {
            let moved = old_rolled + roll.times(dt);
            moved - n.times(moved.dot(n))
        };
        let trial = (moved.times(stiffness) + roll.times(damping)).times(minus);
        let limit = rules.rolling * answer.pressing;
        let size = trial.dot(trial).sqrt();
        let slides = size.greater(limit);
        let force = trial.times(limit / size).or_else(slides, trial);
        let springs = stiffness.greater(zero);
        let back = minus / stiffness;
        let rolls = springs & rules.rolling.greater(zero);
        let let_go = (force + roll.times(damping)).times(back).masked(rolls);
        let rolled = let_go.or_else(slides, moved).masked(answer.acting);

        let wound = old_spun + twirl * dt;
        let trial = (wound * stiffness + twirl * damping) * minus;
        let limit = rules.spinning * answer.pressing;
        let slides = trial.abs().greater(limit);
        let held = (zero - limit).or_else(trial.less(zero), limit);
        let drill = held.or_else(slides, trial);
        let spins = springs & rules.spinning.greater(zero);
        let let_go = ((drill + twirl * damping) * back).only(spins);
        let spun = let_go.or_else(slides, wound).only(answer.acting);

        let (mut rolled, mut spun) = (rolled, spun);
        if self.forms.still {
            (rolled, spun) = (old_rolled, old_spun);
        }
        turning.rolled.put(rolled);
        put::<V>(&mut turning.spun, spun);
        let moment = (force + n.times(drill))
            .times(meet.radius)
            .masked(answer.acting);
        let moments = vectors.transpose_four([moment.x, moment.y, moment.z, zero]);
        for (place, moment) in turning.moments.iter_mut().zip(moments) {
            put::<V>(place, moment);
        }
        let mut taken = zero;
        if self.forms.books {
            let half = vectors.all_four(0.5) * stiffness;
            tally.stretched[1] += (half * rolled.dot(rolled)).only(answer.acting);
            tally.stretched[2] += (half * spun * spun).only(answer.acting);
            let by_rolling = (force.dot(roll) * minus).only(answer.acting);
            let by_spinning = (drill * twirl * minus).only(answer.acting);
            tally.worked[1] += by_rolling;
            tally.worked[2] += by_spinning;
            taken = by_rolling + by_spinning;
        }
        taken
    }
}
