//! Many balls by forces: the engine for crowds, against a plain loop and against what is known.

mod bits;
mod truths;

use carom::kernels::granular::Rule;

/// That of the bed of `docs/performance.md`.
const RULE: Rule = Rule {
    stiffness: 1000.0,
    stiffness_per_mass: 0.0,
    damping: 0.0,
    damping_per_mass: 4400.0,
    damping_ratio: 0.0,
    tangential_stiffness: 2.0 / 7.0,
    tangential_damping: 0.5,
    static_friction: 0.5,
    kinetic_friction: 0.5,
    rolling: 0.0,
    spinning: 0.0,
};
