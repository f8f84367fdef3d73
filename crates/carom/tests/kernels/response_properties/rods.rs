//! Rods, with which Newton's restitution can gain energy.

use super::*;

/// A small generator, so that the figures below are the same in every run.
struct Random(u64);

impl Random {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 * f64::EPSILON * 0.5;
        low + (high - low) * unit
    }
}

/// A thin rod of length 1 and mass 1 that strikes a floor with its lower end, at any angle, velocity and spin.
fn rod(random: &mut Random) -> Option<Contact<Space2>> {
    let (sin, cos) = libm::sincos(random.within(0.0, std::f64::consts::PI));
    let contact = Contact::<Space2> {
        point: DVec2::ZERO,
        normal: DVec2::Y,
        a: Side {
            inverse_mass: 1.0,
            inverse_inertia: 12.0,
            velocity: DVec2::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0)),
            angular_velocity: random.within(-2.0, 2.0),
            arm: DVec2::new(-0.5 * cos, -0.5 * sin),
        },
        b: Side::fixed(),
    };
    contact.is_approaching().then_some(contact)
}

#[test]
fn newton_adds_energy_to_some_rods_and_stronge_to_none() {
    let mut random = Random(7);
    let (mut struck, mut gained, mut substituted, mut most) = (0, 0, 0, 0.0_f64);
    while struck < 100_000 {
        let friction = random.within(0.0, 1.0);
        let mut surface = Surface {
            restitution: random.within(0.0, 1.0),
            static_friction: friction,
            kinetic_friction: friction,
            law: Law::Newton,
            ..Surface::default()
        };
        let Some(contact) = rod(&mut random) else {
            continue;
        };
        struck += 1;
        let energy = 0.5 * contact.a.velocity.length_squared()
            + contact.a.angular_velocity * contact.a.angular_velocity / 24.0;
        let newton = respond(&contact, &surface);
        substituted += usize::from(newton.substituted);
        let gain = -contact.energy_lost(&newton) / energy;
        // The cut is far above rounding and far below the gains.
        if gain > 1e-9 {
            assert!(!newton.substituted);
            gained += 1;
            most = most.max(gain);
        }
        surface.law = Law::Coulomb;
        let stronge = respond(&contact, &surface);
        assert!(contact.energy_lost(&stronge) >= -ROUNDING * energy);
    }
    let share = 100.0 * f64::from(gained) / f64::from(struck);
    println!(
        "Newton: {share:.2} % of rods gain energy, at most {:.0} %; no answer for {:.2} %",
        100.0 * most,
        100.0 * substituted as f64 / f64::from(struck)
    );
    assert!(share > 0.1 && share < 10.0, "{share} %");
    assert!(most > 0.05, "{most}");
}
