//! What only a collision needs to know of a ball, shared by balls that are alike.

use crate::material::MaterialId;

/// How a ball resists being moved and turned, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inertial {
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg·m²).
    pub inverse_inertia: f64,
    /// As given, kg: the inverse of the inverse may be another number.
    pub mass: f64,
    /// As given, kg·m²; infinite for a ball that cannot be spun.
    pub inertia: f64,
    pub material: MaterialId,
}

/// One [`Inertial`] for each ball. A gas of equal balls has one of them in all, which then is always at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Inertials {
    table: Vec<Inertial>,
    /// By slot.
    which: Vec<u32>,
}

/// How many of the table's last entries are looked through for one that is the same.
const LOOKED_AT: usize = 64;

impl Inertial {
    pub fn new(mass: f64, inertia: f64, material: MaterialId) -> Self {
        Inertial {
            inverse_mass: 1.0 / mass,
            inverse_inertia: 1.0 / inertia,
            mass,
            inertia,
            material,
        }
    }
}

impl Inertials {
    pub fn with_capacity(balls: usize) -> Self {
        Inertials {
            table: Vec::new(),
            which: Vec::with_capacity(balls),
        }
    }

    /// Of the ball in a slot.
    #[inline(always)]
    pub fn of(&self, slot: usize) -> &Inertial {
        // Where all are alike there is no need to look which is which.
        match &self.table[..] {
            [one] => one,
            table => &table[self.which[slot] as usize],
        }
    }

    /// Adds a slot.
    pub fn push(&mut self, inertial: Inertial) {
        let which = self.find_or_add(inertial);
        self.which.push(which);
    }

    /// Gives the ball in a slot another.
    pub fn set(&mut self, slot: usize, inertial: Inertial) {
        self.which[slot] = self.find_or_add(inertial);
        // Entries that no ball has any more are only found by looking at all balls: not before there are as many as
        // balls.
        if self.table.len() > 2 * (self.which.len() + LOOKED_AT) {
            let table = std::mem::take(&mut self.table);
            for slot in 0..self.which.len() {
                self.which[slot] = self.find_or_add(table[self.which[slot] as usize]);
            }
        }
    }

    /// Puts the balls in another order: `order[new slot]` is the old slot. Slots that are not named go.
    pub fn reorder(&mut self, order: &[u32]) {
        self.which = order.iter().map(|&old| self.which[old as usize]).collect();
    }

    fn find_or_add(&mut self, inertial: Inertial) -> u32 {
        let first = self.table.len().saturating_sub(LOOKED_AT);
        let known = self.table[first..]
            .iter()
            .rposition(|other| *other == inertial);
        match known {
            Some(place) => (first + place) as u32,
            None => {
                self.table.push(inertial);
                (self.table.len() - 1) as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Materials;

    #[test]
    fn the_table_does_not_grow_with_the_number_of_changes() {
        let of_mass = |mass: f64| Inertial::new(mass, 0.4 * mass, Materials::DEFAULT);
        let mut all = Inertials::default();
        (0..10).for_each(|_| all.push(of_mass(1.0)));
        for change in 0..10_000 {
            all.set(change % 7, of_mass(2.0 + change as f64));
            assert_eq!(all.of(change % 7).mass, 2.0 + change as f64);
            assert_eq!(all.of(9).mass, 1.0);
        }
        assert!(all.table.len() <= 2 * (10 + LOOKED_AT));
    }

    #[test]
    fn equal_balls_share_and_others_do_not() {
        let of_mass = |mass: f64| Inertial::new(mass, 0.4 * mass, Materials::DEFAULT);
        let mut all = Inertials::with_capacity(1000);
        for slot in 0..1000 {
            all.push(of_mass(f64::from(1 + slot % 3)));
        }
        assert_eq!(all.table.len(), 3);
        for slot in 0..1000 {
            assert_eq!(all.of(slot).mass, (1 + slot % 3) as f64);
        }
        let mut different = Inertials::default();
        for slot in 0..1000 {
            different.push(of_mass(1.0 + f64::from(slot)));
        }
        assert_eq!(different.of(700).mass, 701.0);
    }
}
