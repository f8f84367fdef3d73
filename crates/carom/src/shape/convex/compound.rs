use super::error::{ConvexError, positive};
use super::mass::{Moments, principal_axes};
use super::part::{Convex, Core};
use super::touch::{Meeting, meeting_of_parts};
use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::motion::Pose;
use crate::shape::{Bounds, Mesh, Shape, Shaped};
use crate::space::{Linear, Space, Space3, Tree};
use glam::{DMat3, DVec3};

/// The form of a body: one convex part or several, with what they weigh. Its frame has the centre of mass as its
/// origin.
///
/// A concave body is made of convex parts, which may touch but not overlap.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::{Convex, Compound};
///
/// // A hammer: an iron head on a handle, of one density. Its centre of mass is near the head.
/// let head = Convex::<Space3>::block(DVec3::new(0.05, 0.02, 0.02))?;
/// let handle = Convex::block(DVec3::new(0.01, 0.01, 0.1))?
///     .placed(&Pose::at(DVec3::new(0.0, 0.0, -0.12)));
/// let hammer = Compound::new(vec![head, handle], 7000.0)?;
/// let volume = 0.1 * 0.04 * 0.04 + 0.02 * 0.02 * 0.2;
/// assert!((hammer.mass() - 7000.0 * volume).abs() < 1e-14);
/// // The head's own centre, in the frame of the hammer.
/// assert!((hammer.origin().z - 0.12 * 8e-5 / 2.4e-4).abs() < 1e-15);
/// # Ok::<(), carom::shape::ConvexError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Compound<S: Space> {
    parts: Vec<Convex<S>>,
    bounds: Bounds<S>,
    /// The origin of the frame that the parts were given in, in the form's own frame.
    origin: DVec3,
    weight: Option<FormMass>,
    /// Where there are many parts.
    tree: Option<Tree>,
}

/// What only a form with a mass has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FormMass {
    pub mass: f64,
    pub inertia: DMat3,
    /// Columns; right-handed.
    pub axes: DMat3,
    /// About those axes, kg·m².
    pub moments: DVec3,
}

/// Parts may overlap by this much of their size, as rounding of where they are placed makes them.
const OVERLAP: f64 = 1e-9;

impl<S: Space> Compound<S> {
    /// A body of a uniform density, in kg/m³ (in 2-D kg/m²). The parts are moved so that the centre of mass becomes the
    /// origin.
    pub fn new(parts: Vec<Convex<S>>, density: f64) -> Result<Self, ConvexError> {
        positive("density", density, "kg/m³ (kg/m² in 2-D)")?;
        Self::weighed(parts, |_| density)
    }

    /// A body of a mass, in kg, spread uniformly over its parts.
    pub fn with_mass(parts: Vec<Convex<S>>, mass: f64) -> Result<Self, ConvexError> {
        positive("mass", mass, "kilograms")?;
        Self::weighed(parts, |volume| mass / volume)
    }

    /// A static or kinematic body: its parts stay where they are in their frame, may overlap, and weigh
    /// nothing.
    pub fn fixed(parts: Vec<Convex<S>>) -> Result<Self, ConvexError> {
        if parts.is_empty() {
            return Err(ConvexError::NoParts);
        }
        Ok(Compound {
            bounds: bounds_of(&parts),
            tree: tree_of(&parts),
            parts,
            origin: DVec3::ZERO,
            weight: None,
        })
    }

    /// Its parts where they are in another frame, in which the form has a pose: what weighs nothing, to be met.
    pub(crate) fn moved(&self, pose: &Pose<S>) -> Self {
        let parts: Vec<Convex<S>> = self.parts.iter().map(|part| part.placed(pose)).collect();
        Compound {
            bounds: bounds_of(&parts),
            tree: tree_of(&parts),
            parts,
            origin: DVec3::ZERO,
            weight: None,
        }
    }

    /// The same form, with its parts and what they weigh to the bit as they were.
    #[cfg(feature = "serde")]
    pub(super) fn with_parts(self, parts: Vec<Convex<S>>, origin: DVec3, weight: FormMass) -> Self {
        Compound {
            bounds: bounds_of(&parts),
            tree: tree_of(&parts),
            parts,
            origin,
            weight: Some(weight),
        }
    }

    fn weighed(parts: Vec<Convex<S>>, density: impl Fn(f64) -> f64) -> Result<Self, ConvexError> {
        if parts.is_empty() {
            return Err(ConvexError::NoParts);
        }
        let moments = parts
            .iter()
            .enumerate()
            .map(|(part, convex)| Moments::of(convex).ok_or(ConvexError::NoMass { part }))
            .collect::<Result<Vec<_>, _>>()?;
        refuse_overlaps(&parts)?;
        let all = Moments::sum(&moments);
        let density = density(all.volume);
        let mass = positive("mass", density * all.volume, "kilograms")?;
        let inertia = all.inertia() * density;
        let (axes, moments) = principal_axes(inertia);
        let parts: Vec<Convex<S>> = parts.iter().map(|p| p.shifted(-all.centre)).collect();
        Ok(Compound {
            bounds: bounds_of(&parts),
            tree: tree_of(&parts),
            parts,
            origin: -all.centre,
            weight: Some(FormMass {
                mass,
                inertia,
                axes,
                moments,
            }),
        })
    }

    /// Its parts, in its frame.
    pub fn parts(&self) -> &[Convex<S>] {
        &self.parts
    }

    /// kg; infinite for what stands fixed.
    pub fn mass(&self) -> f64 {
        self.weight.map_or(f64::INFINITY, |w| w.mass)
    }

    /// Whether it has a mass, so that it can move freely.
    pub fn has_mass(&self) -> bool {
        self.weight.is_some()
    }

    /// Where the origin of the frame in which the parts were given is in the form's frame, m: minus the centre of mass
    /// as given.
    pub fn origin(&self) -> S::Vector {
        S::vector(self.origin.to_array())
    }

    /// Moments of inertia about the principal axes, kg·m²; in 2-D only the third counts. Infinite for what stands
    /// fixed.
    pub fn principal_moments(&self) -> [f64; 3] {
        self.weight
            .map_or([f64::INFINITY; 3], |w| w.moments.to_array())
    }

    /// The principal axes in the body's frame (columns, right-handed), and the moments about them, kg·m²; infinite for
    /// what stands fixed.
    pub(crate) fn principal_axes(&self) -> (DMat3, DVec3) {
        let none = (DMat3::IDENTITY, DVec3::INFINITY);
        self.weight.map_or(none, |w| (w.axes, w.moments))
    }

    /// The inertia about the centre of mass, in world axes, when the body is turned so, kg·m²; zero for what stands
    /// fixed, which has none to speak of.
    pub fn inertia_at(&self, rotation: S::Rotation) -> S::Inertia {
        self.weight.map_or(S::isotropic_inertia(0.0), |w| {
            let axes = DMat3::from_cols_array_2d(&S::axes(rotation));
            S::inertia_of_tensor(axes * w.inertia * axes.transpose())
        })
    }

    /// Its inverse, 1/(kg·m²); zero for what stands fixed.
    pub fn inverse_inertia_at(&self, rotation: S::Rotation) -> S::Inertia {
        self.weight.map_or(S::isotropic_inertia(0.0), |w| {
            let axes = DMat3::from_cols_array_2d(&S::axes(rotation)) * w.axes;
            let inverse = DVec3::ONE / w.moments;
            let scaled = DMat3::from_cols(
                axes.x_axis * inverse.x,
                axes.y_axis * inverse.y,
                axes.z_axis * inverse.z,
            );
            S::inertia_of_tensor(scaled * axes.transpose())
        })
    }

    /// 1/kg; zero for what stands fixed.
    pub fn inverse_mass(&self) -> f64 {
        self.weight.map_or(0.0, |w| 1.0 / w.mass)
    }

    /// The balls about its origin that enclose it and that it encloses.
    pub fn bounds(&self) -> &Bounds<S> {
        &self.bounds
    }

    /// Radius about the origin that contains it, m; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        self.bounds.enclosing
    }

    /// How deep others may get into it before another face is the nearest, m: the radius of a round part, a quarter of
    /// what any other measures across; infinite for what has no inside (segments, triangles), and for a half-space.
    ///
    /// By forces, a spring that is pressed deeper jumps to the other face: it has no potential any more, and does not
    /// give back what it took. A polygon on the corner of a box gained 5 % of its energy where it sank in by two thirds
    /// of half the thickness; at 0.47 of it the budget closes to 1e-7.
    pub(crate) fn depth(&self) -> f64 {
        let parts = self.parts.iter().map(|part| {
            if let Some((_, _, half_length, radius)) = part.as_cylinder() {
                return 0.5 * half_length.min(radius);
            }
            let across = part.faces().map(|(normal, _)| {
                let opposite = S::vector(S::components(normal).map(|x| -x));
                0.25 * (part.height(normal) + part.height(opposite))
            });
            let across = across.fold(f64::INFINITY, f64::min);
            if across.is_finite() {
                across
            } else {
                part.rounding()
            }
        });
        let depth = parts.fold(f64::INFINITY, f64::min);
        if depth > 1e-9 * self.reach() {
            depth
        } else {
            f64::INFINITY
        }
    }

    /// The numbers of the parts that may have a point within a radius of a place of the form's frame, or all where they
    /// are few.
    pub(crate) fn parts_near(&self, place: DVec3, half: DVec3) -> Vec<u32> {
        match &self.tree {
            Some(tree) => tree.near(place - half, place + half),
            None => (0..self.parts.len() as u32).collect(),
        }
    }

    /// Whether it has so many parts that they are worth looking for.
    pub(crate) fn has_many_parts(&self) -> bool {
        self.tree.is_some()
    }

    pub(crate) fn weight(&self) -> Option<&FormMass> {
        self.weight.as_ref()
    }
}

/// A tree pays from this many parts on.
const MANY: usize = 16;

fn tree_of<S: Space>(parts: &[Convex<S>]) -> Option<Tree> {
    let bounded = parts.iter().all(|part| part.ball.1.is_finite());
    (parts.len() > MANY && bounded).then(|| {
        let boxes: Vec<(DVec3, DVec3)> = parts
            .iter()
            .map(|part| {
                let reach = |direction: DVec3| part.core.height(direction) + part.rounding;
                let high = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
                let low = DVec3::new(reach(-DVec3::X), reach(-DVec3::Y), reach(-DVec3::Z));
                (-low, high)
            })
            .collect();
        Tree::new(&boxes)
    })
}

fn bounds_of<S: Space>(parts: &[Convex<S>]) -> Bounds<S> {
    let enclosing = parts.iter().map(Convex::reach).fold(0.0, f64::max);
    let enclosed = parts.iter().map(enclosed_by).fold(0.0, f64::max);
    Bounds {
        centre_of_mass: S::Vector::ZERO,
        enclosing,
        // Rounded down: heights of faces are off by a few units of the last place of the coordinates.
        enclosed: (enclosed - 8e-16 * enclosing.min(f64::MAX)).max(0.0),
    }
}

/// The radius of a ball about the origin that lies in a part, m; zero where there is none.
fn enclosed_by<S: Space>(part: &Convex<S>) -> f64 {
    let core = match &part.core {
        Core::Hull(hull) if hull.has_inside => hull
            .faces
            .iter()
            .map(|face| face.offset)
            .fold(f64::INFINITY, f64::min),
        Core::Hull(hull) if hull.corners.len() == 1 => -Linear::length(hull.corners[0]),
        Core::Hull(hull) if hull.corners.len() == 2 => {
            let (from, along) = (hull.corners[0], hull.corners[1] - hull.corners[0]);
            let at = -Linear::dot(from, along) / Linear::length_squared(along);
            -Linear::length(from + along * at.clamp(0.0, 1.0))
        }
        Core::Hull(_) => return 0.0,
        Core::Cylinder(round) => {
            let along = Linear::dot(round.axis, round.centre).abs();
            let across = Linear::length(round.across(round.centre));
            (round.half_length - along).min(round.radius - across)
        }
        Core::HalfSpace { offset, .. } => *offset,
        Core::Inside(_) | Core::Arch(_) => return 0.0,
    };
    (core + part.rounding).max(0.0)
}

impl Compound<Space3> {
    /// The triangles of a mesh as fixed fixture: each stops what comes from either side. The mesh need not be closed.
    pub fn of_mesh(mesh: &Mesh) -> Result<Self, ConvexError> {
        let parts = mesh.facets().map(|[a, b, c]| Convex::triangle(a, b, c));
        Self::fixed(parts.collect::<Result<_, _>>()?)
    }
}

/// What two parts share would weigh double.
fn refuse_overlaps<S: Space>(parts: &[Convex<S>]) -> Result<(), ConvexError> {
    let here = Pose::default();
    for (first, a) in parts.iter().enumerate() {
        for (second, b) in parts.iter().enumerate().skip(first + 1) {
            let allowed = OVERLAP * a.ball.1.min(b.ball.1);
            if let Meeting::Touching(manifold) = meeting_of_parts(a, &here, b, &here, 0.0)
                && manifold.depth > allowed
            {
                return Err(ConvexError::PartsOverlap {
                    first,
                    second,
                    depth: manifold.depth,
                });
            }
        }
    }
    Ok(())
}

/// The form of a free body.
pub(crate) fn free_form<S: Shaped>(
    shape: &Shape<S>,
    mass: f64,
) -> Result<Compound<S>, ConvexError> {
    match shape {
        Shape::Compound(form) => Compound::with_mass(form.parts().to_vec(), mass),
        shape => {
            let part = Convex::of_shape(shape).ok_or(ConvexError::NoParts)?;
            Compound::with_mass(vec![part], mass)
        }
    }
}

/// The form of a static or kinematic body; `None` where rigid bodies cannot meet it.
pub(crate) fn fixed_form<S: Shaped>(shape: &Shape<S>) -> Option<Compound<S>> {
    let parts = match shape {
        Shape::Compound(form) => form.parts().to_vec(),
        shape => vec![
            Convex::of_shape(shape)
                .or_else(|| Convex::inside_of(shape))
                .or_else(|| Convex::bare_plane(shape))
                .or_else(|| Convex::arch_of(shape))?,
        ],
    };
    Compound::fixed(parts).ok()
}

impl Stored for FormMass {
    fn store(&self, out: &mut Vec<u8>) {
        self.mass.store(out);
        for columns in [self.inertia, self.axes] {
            [columns.x_axis, columns.y_axis, columns.z_axis].store(out);
        }
        self.moments.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let matrix = |input: &mut Reader<'_>| -> Result<DMat3, SnapshotError> {
            let [x, y, z]: [DVec3; 3] = Stored::load(input)?;
            Ok(DMat3::from_cols(x, y, z))
        };
        Ok(FormMass {
            mass: f64::load(input)?,
            inertia: matrix(input)?,
            axes: matrix(input)?,
            moments: Stored::load(input)?,
        })
    }
}

impl<S: Space> Stored for Compound<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.parts.store(out);
        self.origin.store(out);
        self.weight.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let parts: Vec<Convex<S>> = Stored::load(input)?;
        if parts.is_empty() {
            return invalid("a solid without parts");
        }
        Ok(Compound {
            bounds: bounds_of(&parts),
            tree: tree_of(&parts),
            parts,
            origin: Stored::load(input)?,
            weight: Stored::load(input)?,
        })
    }
}
