//! The constants of contacts, in the words of `pair_style granular`.

use super::Atom;
use crate::space::DataSpace;
use carom::body::{Body, Kind};
use carom::kernels::force::{Couple, Damping, Ending, Spring, Stiffness};
use carom::material::{Constants, MaterialId};
use carom::shape::Shape;
use carom::simulate::{Forces, Simulation};
use carom::world::{BodyId, World};
use std::collections::BTreeMap;

/// As many kinds of balls as have a type each, with constants of their own for every pair. Of more, all balls of a
/// material are one type, whose constants must not depend on the size.
const MOST_TYPES: usize = 32;

/// What balls have in common that are of one type: material, whether they are frozen, and, unless there are too many,
/// the bits of mass and radius.
type Key = (MaterialId, bool, [u64; 2]);

/// Which atom is of which type, from 1.
pub struct Types {
    of: Vec<usize>,
    /// An atom of each type, and another one, where there is one.
    examples: Vec<(usize, Option<usize>)>,
    pub frozen: Vec<bool>,
    /// Whether balls of different sizes share a type.
    pub shared: bool,
}

impl Types {
    pub fn new<S: DataSpace>(atoms: &[Atom<'_, S>]) -> Self {
        let exact = |atom: &Atom<'_, S>| -> Key {
            let mass = if atom.frozen { 0.0 } else { atom.mass };
            let sizes = [mass.to_bits(), atom.radius.to_bits()];
            (atom.body.material, atom.frozen, sizes)
        };
        let broad = |atom: &Atom<'_, S>| -> Key { (atom.body.material, atom.frozen, [0; 2]) };
        let mut found = Types::by(atoms, exact);
        if found.examples.len() > MOST_TYPES {
            found = Types::by(atoms, broad);
            found.shared = true;
        }
        found
    }

    fn by<S: DataSpace>(atoms: &[Atom<'_, S>], key: impl Fn(&Atom<'_, S>) -> Key) -> Self {
        let mut known: BTreeMap<Key, usize> = BTreeMap::new();
        let mut types = Types {
            of: Vec::with_capacity(atoms.len()),
            examples: Vec::new(),
            frozen: Vec::new(),
            shared: false,
        };
        for (place, atom) in atoms.iter().enumerate() {
            let number = *known.entry(key(atom)).or_insert_with(|| {
                types.examples.push((place, None));
                types.frozen.push(atom.frozen);
                types.examples.len()
            });
            let example = &mut types.examples[number - 1];
            if example.0 != place {
                example.1.get_or_insert(place);
            }
            types.of.push(number);
        }
        types
    }

    /// The type of an atom, by its place.
    pub fn of(&self, atom: usize) -> usize {
        self.of[atom]
    }

    pub fn len(&self) -> usize {
        self.examples.len()
    }
}

/// What acts where: the words that follow `pair_coeff I J` and `fix … wall/gran/region`.
pub struct Contacts {
    /// By types.
    pub pairs: Vec<(usize, usize, String)>,
    /// A region (its words), and what acts there on each type that moves.
    pub walls: Vec<(String, Vec<(usize, String)>)>,
}

/// What contacts have in common: LAMMPS wants the same parts for all.
#[derive(Clone, Copy, Default)]
struct Parts {
    friction: bool,
    rolling: bool,
    spinning: bool,
    cut_off: bool,
}

/// A contact whose constants are known.
struct Known {
    couple: Couple,
    damping: Rule,
    /// Of the ball or wall: for messages.
    names: [String; 2],
    /// Whether one of the two is a hollow, whose curvature LAMMPS counts in.
    hollow: bool,
}

/// How the damping depends on the sizes of two balls.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Constant,
    PerMass,
    /// As the square root of stiffness and mass.
    Ratio,
    /// In another way.
    Other,
}

impl Contacts {
    pub fn new<S: DataSpace>(
        world: &World<S>,
        forces: &Forces,
        run: &Simulation<S>,
        atoms: &[Atom<'_, S>],
        types: &Types,
    ) -> Result<Self, Vec<String>> {
        let look = Look {
            world,
            forces,
            run,
            types,
        };
        let mut reasons = Vec::new();
        let mut pairs = Vec::new();
        for (i, one) in types.examples.iter().enumerate() {
            for (j, other) in types.examples.iter().enumerate().skip(i) {
                let other = if i == j { one.1 } else { Some(other.0) };
                let known = other.and_then(|b| look.known(atoms[one.0].id, atoms[b].id));
                pairs.push((i + 1, j + 1, known));
            }
        }
        let mut walls = Vec::new();
        for (id, body) in (0..).map(BodyId).zip(world.bodies()) {
            if body.sensor || !matches!(body.kind, Kind::Static) {
                continue;
            }
            let Some(region) = region(body) else { continue };
            let mobile = (0..types.len()).filter(|&place| !types.frozen[place]);
            let acts: Vec<(usize, Known)> = mobile
                .filter_map(|place| {
                    let known = look.known(atoms[types.examples[place].0].id, id)?;
                    Some((place + 1, known))
                })
                .collect();
            walls.push((region, acts));
        }
        let every = || {
            let between = pairs.iter().filter_map(|(_, _, known)| known.as_ref());
            between.chain(walls.iter().flat_map(|(_, acts)| acts.iter().map(|a| &a.1)))
        };
        let has = |acts: fn(&Couple) -> bool| every().any(|known| acts(&known.couple));
        let parts = Parts {
            friction: has(|couple| couple.sliding.acts()),
            rolling: has(|couple| couple.rolling.acts()),
            spinning: has(|couple| couple.spinning.acts()) && S::DIMENSION == 3,
            cut_off: forces.ending == Ending::CutOff,
        };
        for known in every() {
            reasons.extend(known.refusal(types.shared, parts));
        }
        reasons.sort();
        reasons.dedup();
        if !reasons.is_empty() {
            reasons.truncate(20);
            return Err(reasons);
        }
        let words = |known: &Known| known.words(types.shared, parts);
        // Frozen balls, and the only one of its type, have nothing to touch; LAMMPS wants numbers all the same.
        let any = every().next().map(words);
        let any = any.unwrap_or_else(|| {
            "hooke 1.0 0.0 tangential linear_nohistory 0.0 0.0 damping velocity".to_owned()
        });
        Ok(Contacts {
            pairs: pairs
                .iter()
                .map(|(i, j, known)| (*i, *j, known.as_ref().map_or(any.clone(), words)))
                .collect(),
            walls: walls
                .iter()
                .map(|(region, acts)| {
                    let acts = acts.iter().map(|(kind, known)| (*kind, words(known)));
                    (region.clone(), acts.collect())
                })
                .collect(),
        })
    }
}

/// Where constants are looked up.
struct Look<'l, S: DataSpace> {
    world: &'l World<S>,
    forces: &'l Forces,
    run: &'l Simulation<S>,
    types: &'l Types,
}

impl<S: DataSpace> Look<'_, S> {
    fn known(&self, a: BodyId, b: BodyId) -> Option<Known> {
        let couple = self.run.couple(a, b).ok()??;
        let [one, other] = [a, b].map(|id| self.world.body(id));
        let name = |body: &Body<S>| self.world.materials.name(body.material).to_owned();
        Some(Known {
            couple,
            damping: self.rule(one.material, other.material),
            names: [name(one), name(other)],
            hollow: matches!(other.shape, Shape::Hollow(_)),
        })
    }

    fn rule(&self, a: MaterialId, b: MaterialId) -> Rule {
        if !self.types.shared {
            return Rule::Constant;
        }
        let materials = &self.world.materials;
        let own = |id| materials.constants(id).copied().or(self.forces.fallback);
        let sides: Vec<Constants> = match materials.pair_constants(a, b) {
            Some(pair) => vec![*pair],
            None => [own(a), own(b)].into_iter().flatten().collect(),
        };
        let timed =
            |constants: &Constants| matches!(constants.stiffness, Stiffness::ContactTime(_));
        if sides.iter().any(timed) {
            return Rule::Other;
        }
        let is = |kind: fn(&Damping) -> bool| sides.iter().all(|side| kind(&side.damping));
        match () {
            () if sides
                .iter()
                .any(|side| side.damping == Damping::Restitution) =>
            {
                Rule::Ratio
            }
            () if is(|damping| matches!(damping, Damping::Given(_))) => Rule::Constant,
            () if is(|damping| matches!(damping, Damping::PerMass(_))) => Rule::PerMass,
            () => Rule::Other,
        }
    }
}

/// A fixed body as the words of a region; `None` where it is an atom.
fn region<S: DataSpace>(body: &Body<S>) -> Option<String> {
    let [x, y, z] = super::components::<S>(body.pose.position);
    Some(match &body.shape {
        Shape::HalfSpace(wall) => {
            let [nx, ny, nz] = super::components::<S>(S::rotate(body.pose.rotation, wall.normal));
            format!("plane {x:e} {y:e} {z:e} {nx:e} {ny:e} {nz:e}")
        }
        Shape::Hollow(hollow) if S::DIMENSION == 2 => {
            format!("cylinder z {x:e} {y:e} {:e} INF INF", hollow.radius)
        }
        Shape::Hollow(hollow) => format!("sphere {x:e} {y:e} {z:e} {:e}", hollow.radius),
        Shape::Block(block) => {
            let half = super::components::<S>(block.half);
            let mut sides = String::new();
            for (axis, middle) in [x, y, z].into_iter().enumerate() {
                if axis < S::DIMENSION {
                    let (low, high) = (middle - half[axis], middle + half[axis]);
                    sides.push_str(&format!(" {low:e} {high:e}"));
                } else {
                    sides.push_str(" INF INF");
                }
            }
            format!("block{sides} side out")
        }
        _ => return None,
    })
}

impl Known {
    /// Why LAMMPS cannot have this contact.
    fn refusal(&self, shared: bool, parts: Parts) -> Option<String> {
        let Couple {
            normal,
            sliding,
            rolling,
            spinning,
            ..
        } = &self.couple;
        let [a, b] = &self.names;
        let pair = format!("the materials `{a}` and `{b}`");
        if sliding.static_friction != sliding.kinetic_friction {
            return Some(format!(
                "{pair} have a static friction of {} and a kinetic one of {}, but LAMMPS has one for both",
                sliding.static_friction, sliding.kinetic_friction
            ));
        }
        if normal.spring == Spring::Viscoelastic {
            return Some(format!(
                "{pair} have a restitution that depends on the approach speed, which is not converted"
            ));
        }
        let turns = rolling.acts() || (parts.spinning && spinning.acts());
        if normal.spring == Spring::Hertz {
            if turns {
                return Some(format!(
                    "{pair} resist rolling or spinning by springs that grow with the overlap (Hertz), and those of LAMMPS do not"
                ));
            }
            if normal.damping > 0.0 && self.tsuji().is_none() {
                return Some(format!(
                    "{pair} have a damping that Tsuji's formula, which LAMMPS has for Hertz's law, does not reach"
                ));
            }
        }
        if self.hollow && (normal.spring == Spring::Hertz || turns) {
            return Some(format!(
                "{pair} touch in a hollow, whose curvature LAMMPS counts in where Hertz's law or rolling resistance holds"
            ));
        }
        if !shared {
            return None;
        }
        let many = format!("there are more than {MOST_TYPES} kinds of balls, and {pair}");
        if self.damping == Rule::Other {
            return Some(format!(
                "{many} have springs (spring_time) or dampers whose constants depend on the masses; give a stiffness, and a restitution or one kind of damping"
            ));
        }
        if self.damping == Rule::Ratio && normal.damping > 0.0 && self.tsuji().is_none() {
            return Some(format!(
                "{many} have a damping that LAMMPS cannot make of a restitution"
            ));
        }
        if turns {
            return Some(format!(
                "{many} resist rolling or spinning, with constants that depend on the sizes"
            ));
        }
        None
    }

    /// The coefficient of restitution that LAMMPS' `tsuji` makes this damping of: the root of Tsuji's polynomial.
    fn tsuji(&self) -> Option<f64> {
        let normal = &self.couple.normal;
        let wanted = normal.damping / (normal.stiffness * self.couple.mass).sqrt();
        let made = |e: f64| {
            let coefficients = [4.8218, -18.022, 27.467, -22.348, 11.087, -4.2783, 1.2728];
            coefficients.into_iter().fold(0.0, |sum, c| sum * e + c)
        };
        // It falls from no restitution to full restitution.
        let (mut low, mut high) = (0.0, 1.0);
        if !(wanted <= made(low) && wanted >= made(high)) {
            return None;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if made(middle) > wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(0.5 * (low + high))
    }

    /// In the words of LAMMPS.
    fn words(&self, shared: bool, parts: Parts) -> String {
        let Couple {
            normal,
            sliding,
            rolling,
            spinning,
            mass,
            radius,
        } = &self.couple;
        let hertz = normal.spring == Spring::Hertz;
        // LAMMPS has k √(R δ) δ where carom has k δ^(3/2).
        let (style, scale) = if hertz {
            ("hertz", radius.sqrt())
        } else {
            ("hooke", 1.0)
        };
        let by_ratio = hertz || (shared && self.damping == Rule::Ratio);
        let (damping, rule) = match self.tsuji() {
            _ if normal.damping == 0.0 => (0.0, "velocity"),
            Some(restitution) if by_ratio => (restitution, "tsuji"),
            _ if shared && self.damping == Rule::PerMass => {
                (normal.damping / mass, "mass_velocity")
            }
            _ => (normal.damping, "velocity"),
        };
        let mut words = format!("{style} {:e} {damping:e}", normal.stiffness / scale);
        if parts.friction {
            let history = if hertz { "mindlin" } else { "linear_history" };
            let part = if normal.damping > 0.0 {
                sliding.damping / normal.damping
            } else {
                0.0
            };
            words.push_str(&format!(
                " tangential {history} {:e} {part:e} {:e}",
                sliding.stiffness / scale,
                sliding.kinetic_friction
            ));
        } else {
            words.push_str(" tangential linear_nohistory 0.0 0.0");
        }
        if parts.rolling {
            words.push_str(&format!(
                " rolling sds {:e} {:e} {:e}",
                rolling.stiffness, rolling.damping, rolling.kinetic_friction
            ));
        }
        if parts.spinning {
            // A torque by an angle, where carom has a force at an arm.
            let (arm, square) = (radius, radius * radius);
            words.push_str(&format!(
                " twisting sds {:e} {:e} {:e}",
                spinning.stiffness * square,
                spinning.damping * square,
                spinning.kinetic_friction * arm
            ));
        }
        words.push_str(&format!(" damping {rule}"));
        if parts.cut_off {
            words.push_str(" limit_damping");
        }
        words
    }
}
