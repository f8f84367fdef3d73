//! A spring with a slider: what resists sliding, and in the same way rolling and spinning.
//!
//! While the contact lasts the spring is stretched by what the surfaces have moved past each other, `ξ′ = v_t`, and
//! turns with the contact's frame ([`carry`]). Its force `−k ξ − c v` sticks up to `μ_s F_n` (Cundall and Strack,
//! 1979). Beyond that the contact slides with `μ_c F_n`, and the spring is let go to what that force would stretch it
//! to; once it slides it does so until the force falls below `μ_c F_n` again.

use crate::space::Linear;

/// The constants of a spring with a slider. All zero: nothing rubs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// k_t, N/m. For a Hertz contact times √δ.
    pub stiffness: f64,
    /// c_t, N·s/m. For a Hertz contact times δ^(1/4).
    pub damping: f64,
    /// μ_s: what sticks, in units of the force along the normal.
    pub static_friction: f64,
    /// μ_c ≤ μ_s: what slides.
    pub kinetic_friction: f64,
}

impl Friction {
    /// Whether it does anything.
    #[inline]
    pub fn acts(&self) -> bool {
        self.static_friction > 0.0
    }
}

/// What a contact remembers of its past.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held<V> {
    /// ξ: how far its spring is stretched, m.
    pub stretch: V,
    /// Whether it slides.
    pub slides: bool,
}

/// What a spring with a slider does at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rubbing<V> {
    /// On *a*, N.
    pub force: V,
    /// What is remembered from then on: where it slides the spring has been let go to what the force stretches it to.
    pub held: Held<V>,
}

/// The force of a spring stretched by what is `held` at a slip velocity (m/s), where the bodies are pressed together by
/// a force (N, its size).
///
/// `scale` is that of the [normal law](super::Normal::tangential_scale) at the overlap.
#[inline]
pub fn rub<V: Linear>(
    friction: &Friction,
    scale: (f64, f64),
    held: &Held<V>,
    slip: V,
    pressing: f64,
) -> Rubbing<V> {
    let (stiffness, damping) = (friction.stiffness * scale.0, friction.damping * scale.1);
    let trial = -(held.stretch * stiffness + slip * damping);
    let translational = friction.kinetic_friction * pressing;
    let limit = if held.slides {
        translational
    } else {
        friction.static_friction * pressing
    };
    let size_squared = trial.length_squared();
    if size_squared <= limit * limit {
        let stretch = held.stretch;
        let slides = false;
        return Rubbing {
            force: trial,
            held: Held { stretch, slides },
        };
    }
    let force = trial * (translational / size_squared.sqrt());
    // −k ξ − c v = force.
    let stretch = if stiffness > 0.0 {
        (force + slip * damping) * (-1.0 / stiffness)
    } else {
        V::ZERO
    };
    Rubbing {
        force,
        held: Held {
            stretch,
            slides: true,
        },
    }
}

/// The stretch turned with the contact's frame: without its part along the new normal (of length one), but as long as
/// before.
#[inline]
pub fn carry<V: Linear>(stretch: V, normal: V) -> V {
    let along = normal.dot(stretch);
    if along == 0.0 {
        return stretch;
    }
    let across = stretch - normal * along;
    let (before, after) = (stretch.length_squared(), across.length_squared());
    if after > 0.0 {
        across * (before / after).sqrt()
    } else {
        V::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    const RUBBER: Friction = Friction {
        stiffness: 1000.0,
        damping: 2.0,
        static_friction: 0.6,
        kinetic_friction: 0.5,
    };

    #[test]
    fn it_sticks_up_to_the_static_limit_and_slides_with_the_kinetic_one() {
        let at = |stretch: f64, slides: bool| {
            let held = Held { stretch, slides };
            rub(&RUBBER, (1.0, 1.0), &held, 0.0, 10.0)
        };
        assert!((at(0.0059, false).force + 5.9).abs() < 1e-14);
        assert!(!at(0.0059, false).held.slides);
        let beyond = at(0.0061, false);
        assert_eq!(beyond.force, -5.0);
        assert!(beyond.held.slides && (beyond.held.stretch - 0.005).abs() < 1e-18);
        // Once it slides, the kinetic limit holds it until the force has fallen below.
        assert_eq!(at(0.0055, true).force, -5.0);
        assert!(!at(0.0049, true).held.slides);
    }

    #[test]
    fn the_spring_that_is_let_go_gives_the_force_that_slid() {
        let held = Held {
            stretch: DVec3::new(0.01, 0.002, 0.0),
            slides: false,
        };
        let slip = DVec3::new(0.3, -0.1, 0.0);
        let rubbing = rub(&RUBBER, (1.0, 1.0), &held, slip, 3.0);
        let again = rub(&RUBBER, (1.0, 1.0), &rubbing.held, slip, 3.0);
        // Kinetic friction: 0.5·3 N, to rounding.
        assert!((rubbing.force.length() - 1.5).abs() < 1e-15);
        assert!((again.force - rubbing.force).length() < 1e-15);
    }

    #[test]
    fn it_turns_with_the_frame_and_keeps_its_length() {
        let stretch = DVec3::new(3e-4, 0.0, 4e-4);
        let normal = DVec3::new(0.6, 0.0, 0.8);
        let carried = carry(stretch, DVec3::Z);
        assert!(carried.z == 0.0 && (carried.x - 5e-4).abs() < 1e-18);
        assert!(carry(stretch, normal).dot(normal).abs() < 1e-19);
        assert_eq!(carry(DVec3::X, DVec3::Z), DVec3::X);
        assert_eq!(carry(DVec3::Z, DVec3::Z), DVec3::ZERO);
    }
}
