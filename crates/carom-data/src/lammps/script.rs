//! The input script.

use super::contacts::{Contacts, Types};
use super::{LammpsScene, one_line};
use crate::space::DataSpace;
use carom::space::Linear;
use std::fmt::Write;

/// The script, with a step of at most so long (s), such that whole steps end with the run.
pub fn script<S: DataSpace>(
    scene: &LammpsScene<'_, S>,
    longest: f64,
    types: &Types,
    contacts: &Contacts,
) -> String {
    let steps = (scene.until / longest * (1.0 - 1e-12)).ceil().max(1.0);
    let step = if scene.until > 0.0 {
        scene.until / steps
    } else {
        longest
    };
    let steps = if scene.until > 0.0 { steps as u64 } else { 0 };
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(&format!(
        "# {}, from carom: lmp -in in.lammps",
        one_line(scene.title)
    ));
    line(
        "# The springs and dampers are carom's. LAMMPS steps by velocity Verlet without locating the ends of contacts, and",
    );
    line(
        "# lets friction act at the full radius, so that results differ by the order of the step and of overlap over radius.",
    );
    line("units si");
    line(&format!("dimension {}", S::DIMENSION));
    line(&format!("boundary {}", boundary(scene)));
    line("atom_style sphere");
    line("newton off");
    line("comm_modify vel yes");
    line("read_data data.lammps");
    line("");
    line("pair_style granular");
    for (one, other, words) in &contacts.pairs {
        line(&format!("pair_coeff {one} {other} {words}"));
    }
    line(&format!("neighbor {:e} bin", skin(scene)));
    line("neigh_modify delay 0 every 1 check yes");
    line("");
    line(&of_bodies(scene, types, contacts));
    let every = (scene.interval / step).round().clamp(1.0, 2e9) as u64;
    line(&format!("timestep {step:e}"));
    line(&format!("thermo {every}"));
    line("thermo_style custom step atoms ke");
    line("thermo_modify lost error");
    line(&format!(
        "dump frames all custom {every} frames.dump id type x y z vx vy vz omegax omegay omegaz radius"
    ));
    line("dump_modify frames sort id format float %.17g");
    line(&format!("run {steps}"));
    line(
        "write_dump all custom final.dump id x y z vx vy vz omegax omegay omegaz modify sort id format float %.17g",
    );
    text
}

/// Periodic where the scene is; elsewhere the box grows with the balls, so that none is lost.
fn boundary<S: DataSpace>(scene: &LammpsScene<'_, S>) -> String {
    let periods = scene.world.periods();
    let axes = (0..3).map(|axis| match axis {
        axis if axis >= S::DIMENSION || periods[axis] > 0.0 => "p",
        _ => "m",
    });
    axes.collect::<Vec<_>>().join(" ")
}

/// How far beyond contact neighbours are looked for, m.
fn skin<S: DataSpace>(scene: &LammpsScene<'_, S>) -> f64 {
    let radii = scene.atoms().into_iter().map(|atom| atom.radius);
    0.2 * radii.fold(0.0, f64::max)
}

/// Groups, walls, gravity, and how everything moves.
fn of_bodies<S: DataSpace>(
    scene: &LammpsScene<'_, S>,
    types: &Types,
    contacts: &Contacts,
) -> String {
    let mut text = String::new();
    let frozen: Vec<String> = (0..types.len())
        .filter(|&place| types.frozen[place])
        .map(|place| (place + 1).to_string())
        .collect();
    if frozen.is_empty() {
        text.push_str("group mobile union all\n");
    } else {
        let _ = writeln!(text, "group frozen type {}", frozen.join(" "));
        text.push_str("group mobile subtract all frozen\n");
        text.push_str("neigh_modify exclude group frozen frozen\n");
    }
    let mobile = (0..types.len()).filter(|&place| !types.frozen[place]);
    for place in mobile {
        let _ = writeln!(text, "group type{0} type {0}", place + 1);
    }
    for (number, (region, acts)) in (1..).zip(&contacts.walls) {
        let _ = writeln!(text, "region wall{number} {region}");
        for (kind, words) in acts {
            let _ = writeln!(
                text,
                "fix wall{number}on{kind} type{kind} wall/gran/region granular {words} region wall{number}"
            );
        }
    }
    let gravity = scene.world.gravity();
    let size = gravity.length();
    if size > 0.0 {
        let [x, y, z] = super::components::<S>(gravity * (1.0 / size));
        let _ = writeln!(
            text,
            "fix gravity all gravity {size:e} vector {x:e} {y:e} {z:e}"
        );
    }
    let disc = if S::DIMENSION == 2 { " disc" } else { "" };
    let _ = writeln!(text, "fix integrate mobile nve/sphere{disc}");
    if !frozen.is_empty() {
        text.push_str("fix freeze frozen freeze\n");
    }
    if S::DIMENSION == 2 {
        text.push_str("fix flat all enforce2d\n");
    }
    text
}
