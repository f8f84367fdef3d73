//! Where two fixtures meet: only the deeper contact counts, so that a floor made of pieces is no stiffer at its seams.

use super::Granular;
use super::slots::Slot;
use crate::broad::home;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::Linear;
use wide::f64x4;

/// What a contact at a seam hands over to the next segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// By place in the sorted order.
    pub ball: u32,
    stretch: [f64; 3],
    slides: bool,
    /// Where something resists rolling.
    turned: Option<([f64; 3], f64)>,
}

impl Passed {
    fn of(slot: &Slot, lane: usize) -> Self {
        Passed {
            ball: slot.a[lane],
            stretch: slot.stretch.lane(lane),
            slides: slot.sliding >> lane & 1 == 1,
            turned: (slot.turning.as_ref())
                .map(|it| (it.rolled.lane(lane), it.spun.to_array()[lane])),
        }
    }

    pub fn give(&self, slot: &mut Slot, lane: usize) {
        slot.stretch.set_lane(lane, self.stretch);
        slot.sliding = (slot.sliding & !(1 << lane)) | u8::from(self.slides) << lane;
        if let (Some(turning), Some((rolled, spun))) = (&mut slot.turning, self.turned) {
            turning.rolled.set_lane(lane, rolled);
            let mut all: f64x4 = turning.spun;
            all.as_mut_array()[lane] = spun;
            turning.spun = all;
        }
    }
}

impl<S: Shaped> Granular<S> {
    /// Whether two fixtures may have a seam. Walls that face different ways have none.
    pub(super) fn may_have_seams(&self) -> bool {
        let normal = |prop: usize| match (&self.props[prop].shape, self.props[prop].is_wall()) {
            (Shape::HalfSpace(wall), true) => {
                Some(S::rotate(self.stands[prop].pose.rotation, wall.normal))
            }
            _ => None,
        };
        (0..self.props.len()).any(|i| {
            (0..i).any(|j| match (normal(i), normal(j)) {
                (Some(one), Some(other)) => one.dot(other) > 1.0 - 1e-9,
                _ => true,
            })
        })
    }

    /// Lists the balls that are near two fixtures or more, with their contacts there, in the order of the fixtures as
    /// given.
    pub(super) fn find_corners(&mut self) {
        self.corners.clear();
        self.shaded.clear();
        if !self.seams {
            return;
        }
        let pairs = self.regions.pairs;
        self.shaded.resize(self.slots.len() - pairs, 0);
        let mut contacts = Vec::new();
        for (index, slot) in self.slots.iter().enumerate().skip(pairs) {
            for lane in (0..4).filter(|&lane| slot.used(lane)) {
                let prop = self.given[slot.b[lane] as usize];
                contacts.push((slot.a[lane], prop, (4 * index + lane) as u32));
            }
        }
        contacts.sort_unstable();
        for near in contacts.chunk_by(|one, other| one.0 == other.0) {
            if near.len() > 1 {
                self.corners.extend_from_slice(near);
            }
        }
    }

    /// Finds out which contacts do not count where everything is now, and what those that did until now hand over.
    pub(super) fn shade(&mut self) {
        self.passed.clear();
        if self.corners.is_empty() {
            return;
        }
        self.shaded.fill(0);
        let corners = std::mem::take(&mut self.corners);
        for near in corners.chunk_by(|one, other| one.0 == other.0) {
            self.shade_ball(near);
        }
        self.corners = corners;
    }

    fn shade_ball(&mut self, near: &[(u32, u32, u32)]) {
        let [x, y, z, radius] = self.movers.list[near[0].0 as usize].place.to_array();
        let centre = home::<S>(S::vector([x, y, z]), self.settings.periods);
        let mut touched = Vec::new();
        for &(ball, _, contact) in near {
            let (slot, lane) = ((contact >> 2) as usize, (contact & 3) as usize);
            let prop = self.slots[slot].b[lane];
            let foot = self.foot(ball, prop);
            if foot.distance < radius {
                let point = centre - S::vector(foot.normal) * foot.distance;
                touched.push((radius - foot.distance, prop, point, slot, lane));
            }
        }
        for (j, &(overlap, _, point, slot, lane)) in touched.iter().enumerate() {
            let shadowed = touched.iter().enumerate().any(|(i, &(deeper, prop, ..))| {
                i != j && (deeper, j) > (overlap, i) && {
                    let pose = &self.stands[prop as usize].pose;
                    let shape = &self.props[prop as usize].shape;
                    let distance = shape.closest(pose.to_local(point)).distance;
                    // Within √u of the radius of the seam rounding decides which of the two is deeper.
                    distance.abs() <= 1e-6 * radius
                }
            });
            if shadowed {
                self.shaded[slot - self.regions.pairs] |= 1 << lane;
                if self.slots[slot].touching >> lane & 1 == 1 {
                    self.passed.push(Passed::of(&self.slots[slot], lane));
                }
            }
        }
    }
}
