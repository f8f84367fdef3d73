//! What a body is made of.

/// What happens at a contact, by name; see [`crate::response`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Law {
    /// Coulomb's friction, followed over the impact where the contact is eccentric.
    #[default]
    Coulomb,
    /// Newton's restitution with Coulomb's friction along the initial slip.
    Newton,
    /// The friction law of the course (C5, C7).
    Course,
    /// One number for rebound and spin (P3).
    Beta,
}

/// The properties of a pair of materials in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Restitution ε: 0 or above; above 1 the contact adds energy, as a bumper does.
    pub restitution: f64,
    /// Coefficient of static friction μ_s.
    pub static_friction: f64,
    /// Coefficient of kinetic friction μ_c, at most μ_s.
    pub kinetic_friction: f64,
    /// What happens at the contact.
    pub law: Law,
}
