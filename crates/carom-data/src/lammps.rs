//! A scene for LAMMPS: a data file and an input script that run it by the same springs and dampers.
//!
//! Balls are atoms of style `sphere`, fixed balls are frozen ones, walls are regions. Contacts are of `pair_style
//! granular` and `fix wall/gran/region`, with the constants that carom itself would use. What LAMMPS cannot do in the
//! same way is refused, all of it at once.

mod contacts;
mod refusals;
mod script;

use crate::space::DataSpace;
use carom::body::{Body, Kind};
use carom::shape::Shape;
use carom::simulate::{Forces, Scheme, Simulation, SimulationError};
use carom::space::{Linear, Space};
use carom::world::{BodyId, World};
use contacts::{Contacts, Types};
use std::fmt::Write;

/// What is to be run.
#[derive(Debug)]
pub struct LammpsScene<'s, S: DataSpace> {
    /// What it is called.
    pub title: &'s str,
    /// The bodies.
    pub world: &'s World<S>,
    /// How it is run by forces.
    pub forces: Forces,
    /// Until when, s.
    pub until: f64,
    /// From one stored state to the next, s.
    pub interval: f64,
}

/// The files that LAMMPS reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LammpsFiles {
    /// The balls: `data.lammps`.
    pub data: String,
    /// What is done with them: `in.lammps`.
    pub script: String,
    /// Which atom is which body: `names.csv`.
    pub names: String,
}

/// Why a scene cannot be handed over.
#[derive(Debug)]
pub enum LammpsError {
    /// It cannot be run by forces at all.
    Simulation(SimulationError),
    /// What LAMMPS cannot do in the same way, a line each.
    Refused(Vec<String>),
}

/// A free or fixed ball, as an atom.
struct Atom<'w, S: DataSpace> {
    id: BodyId,
    body: &'w Body<S>,
    radius: f64,
    /// kg; that of a fixed one does not matter.
    mass: f64,
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    frozen: bool,
}

impl<S: DataSpace> LammpsScene<'_, S> {
    /// Makes the files.
    pub fn files(&self) -> Result<LammpsFiles, LammpsError> {
        let refused = refusals::refusals(self.world);
        if !refused.is_empty() {
            return Err(LammpsError::Refused(refused));
        }
        // LAMMPS steps by velocity Verlet.
        let mut forces = self.forces;
        forces.scheme = Some(Scheme::Verlet);
        forces.locate = None;
        let run = Simulation::with(self.world.clone(), forces).map_err(LammpsError::Simulation)?;
        let Some(stepping) = run.stepping() else {
            let reason = "the scene is not stepped".to_owned();
            return Err(LammpsError::Refused(vec![reason]));
        };
        let atoms = self.atoms();
        let types = Types::new(&atoms);
        let contacts = Contacts::new(self.world, &forces, &run, &atoms, &types)
            .map_err(LammpsError::Refused)?;
        Ok(LammpsFiles {
            data: self.data(&atoms, &types),
            script: script::script(self, stepping.step, &types, &contacts),
            names: names(&atoms),
        })
    }

    /// All balls, free and fixed.
    fn atoms(&self) -> Vec<Atom<'_, S>> {
        let bodies = (0..).map(BodyId).zip(self.world.bodies());
        bodies
            .filter(|(_, body)| !body.sensor)
            .filter_map(|(id, body)| {
                let Shape::Ball(ball) = &body.shape else {
                    return None;
                };
                let radius = ball.radius;
                Some(match &body.kind {
                    Kind::Free(free) => Atom {
                        id,
                        body,
                        radius,
                        mass: free.mass,
                        velocity: S::components(free.velocity),
                        angular_velocity: <S as Space>::angular_velocity_components(
                            free.angular_velocity,
                        ),
                        frozen: false,
                    },
                    _ => Atom {
                        id,
                        body,
                        radius,
                        mass: 1.0,
                        velocity: [0.0; 3],
                        angular_velocity: [0.0; 3],
                        frozen: true,
                    },
                })
            })
            .collect()
    }

    /// The box that the balls are in: from, to along each axis, m.
    fn bounds(&self, atoms: &[Atom<'_, S>]) -> [[f64; 2]; 3] {
        let periods = self.world.periods();
        let widest = atoms
            .iter()
            .fold(0.0_f64, |most, atom| most.max(atom.radius));
        let mut bounds = [[0.0; 2]; 3];
        for axis in 0..3 {
            if axis >= S::DIMENSION {
                bounds[axis] = [-widest, widest];
            } else if periods[axis] > 0.0 {
                bounds[axis] = [0.0, periods[axis]];
            } else {
                let places = atoms
                    .iter()
                    .map(|atom| S::components(atom.body.pose.position)[axis]);
                let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                    (l.min(x), h.max(x))
                });
                // LAMMPS wants a box that is larger than the reach of one ball.
                bounds[axis] = [low - 6.0 * widest, high + 6.0 * widest];
            }
        }
        bounds
    }

    fn data(&self, atoms: &[Atom<'_, S>], types: &Types) -> String {
        let mut text = format!("{}, from carom\n\n", one_line(self.title));
        let _ = writeln!(text, "{} atoms", atoms.len());
        let _ = writeln!(text, "{} atom types\n", types.len());
        for (axis, [low, high]) in ["x", "y", "z"].iter().zip(self.bounds(atoms)) {
            let _ = writeln!(text, "{low:e} {high:e} {axis}lo {axis}hi");
        }
        text.push_str("\nAtoms # sphere\n\n");
        for (number, atom) in (1..).zip(atoms) {
            let [x, y, z] = S::components(atom.body.pose.position);
            // LAMMPS has the mass of a sphere of this density, in 2-D as well.
            let volume = 4.0 / 3.0 * std::f64::consts::PI * atom.radius * atom.radius * atom.radius;
            let _ = writeln!(
                text,
                "{number} {} {:e} {:e} {x:e} {y:e} {z:e}",
                types.of(number - 1),
                2.0 * atom.radius,
                atom.mass / volume
            );
        }
        text.push_str("\nVelocities\n\n");
        for (number, atom) in (1..).zip(atoms) {
            let [vx, vy, vz] = atom.velocity;
            let [wx, wy, wz] = atom.angular_velocity;
            let _ = writeln!(text, "{number} {vx:e} {vy:e} {vz:e} {wx:e} {wy:e} {wz:e}");
        }
        text
    }
}

fn names<S: DataSpace>(atoms: &[Atom<'_, S>]) -> String {
    let mut text = "atom,body,name\n".to_owned();
    for (number, atom) in (1..).zip(atoms) {
        let name = one_line(&atom.body.name).replace('"', "\"\"");
        let _ = writeln!(text, "{number},{},\"{name}\"", atom.id.0 + 1);
    }
    text
}

/// Without line breaks, so that a name cannot become a command.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// The three components of a vector of either space, all finite.
fn components<S: DataSpace>(vector: S::Vector) -> [f64; 3] {
    debug_assert!(vector.is_finite());
    S::components(vector)
}
