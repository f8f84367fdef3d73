//! Convex parts and forms are stored by what they are made of, and made anew by the constructors when they are read.
//! What follows from that by rounding (planes of faces, centre, inertia) is stored as well, and taken where it fits: so
//! everything comes back to the bit. Without it what the constructors make is taken.

use super::error::{ConvexError, positive};
use super::hull::{Hull, StoredFaces};
use super::part::{Convex, Core, Round};
use super::{Compound, FormMass, part};
use crate::space::{Linear, Space, Space2, Space3};
use glam::{DMat3, DVec3};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A part by what it is; lengths in m. In 2-D the third coordinates are zero.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum StoredConvex {
    Ball {
        centre: DVec3,
        radius: f64,
    },
    /// A thin one has the radius zero.
    Capsule {
        ends: [DVec3; 2],
        radius: f64,
        #[serde(default)]
        faces: Option<StoredFaces>,
    },
    /// Its corners have been rounded each time that it was moved; they are those of the centre and the half sides but
    /// for that.
    Block {
        centre: DVec3,
        half: DVec3,
        corners: Vec<DVec3>,
        #[serde(default)]
        faces: Option<StoredFaces>,
    },
    Cylinder {
        centre: DVec3,
        axis: DVec3,
        half_length: f64,
        radius: f64,
    },
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
    Triangle {
        corners: [DVec3; 3],
        #[serde(default)]
        faces: Option<StoredFaces>,
    },
    /// In 2-D in order around it.
    Hull {
        corners: Vec<DVec3>,
        #[serde(default)]
        faces: Option<StoredFaces>,
    },
}

impl<S: Space> Convex<S> {
    fn to_stored(&self) -> StoredConvex {
        match &self.core {
            Core::Hull(hull) => match (&hull.corners[..], hull.block) {
                ([centre], _) => StoredConvex::Ball {
                    centre: *centre,
                    radius: self.rounding,
                },
                ([from, to], _) => StoredConvex::Capsule {
                    ends: [*from, *to],
                    radius: self.rounding,
                    faces: Some(hull.to_stored_faces()),
                },
                (corners, Some((centre, half))) => StoredConvex::Block {
                    centre,
                    half,
                    corners: corners.to_vec(),
                    faces: Some(hull.to_stored_faces()),
                },
                ([a, b, c], _) if S::DIMENSION == 3 => StoredConvex::Triangle {
                    corners: [*a, *b, *c],
                    faces: Some(hull.to_stored_faces()),
                },
                (corners, _) => StoredConvex::Hull {
                    corners: corners.to_vec(),
                    faces: Some(hull.to_stored_faces()),
                },
            },
            Core::Cylinder(round) => StoredConvex::Cylinder {
                centre: round.centre,
                axis: round.axis,
                half_length: round.half_length,
                radius: round.radius,
            },
            Core::HalfSpace { normal, offset } => StoredConvex::HalfSpace {
                normal: *normal,
                offset: *offset,
            },
            // Fixtures alone have it, which are stored as what they are; as a part it cannot be read.
            Core::Inside(_) | Core::Arch(_) => StoredConvex::HalfSpace {
                normal: DVec3::ZERO,
                offset: 0.0,
            },
        }
    }

    /// Longer than most: one arm for each kind of part.
    fn of_stored(stored: StoredConvex) -> Result<Self, ConvexError> {
        let finite = |corners: &[DVec3]| {
            let fits = |c: &DVec3| c.is_finite() && (S::DIMENSION == 3 || c.z == 0.0);
            match corners.iter().position(|c| !fits(c)) {
                Some(corner) => Err(ConvexError::CornerNotFinite {
                    corner,
                    value: corners[corner],
                }),
                None => Ok(()),
            }
        };
        let vector = |v: DVec3| S::vector(v.to_array());
        Ok(match stored {
            StoredConvex::Ball { centre, radius } => {
                finite(&[centre])?;
                part_of(Hull::point(centre), positive("radius", radius, "metres")?)
            }
            StoredConvex::Capsule {
                ends,
                radius,
                faces,
            } => {
                finite(&ends)?;
                let [from, to] = ends.map(vector);
                let made = if radius == 0.0 {
                    Convex::segment(from, to)?
                } else {
                    Convex::capsule(from, to, radius)?
                };
                made.with_faces(faces)?
            }
            StoredConvex::Block {
                centre,
                half,
                corners,
                faces,
            } => {
                finite(&[centre])?;
                finite(&corners)?;
                let mut block = Convex::<S>::block(vector(half))?.shifted(centre);
                let rounding = 1e-12 * (Linear::length(centre) + Linear::length(half));
                if let Core::Hull(hull) = &mut block.core {
                    let apart = |(a, b): (&DVec3, &DVec3)| Linear::length(*a - *b) > rounding;
                    let made = &hull.corners;
                    if made.len() != corners.len() || made.iter().zip(&corners).any(apart) {
                        return Err(ConvexError::Inconsistent {
                            what: "its corners are not those of its sides",
                        });
                    }
                    hull.corners = corners;
                }
                block.with_faces(faces)?
            }
            StoredConvex::Cylinder {
                centre,
                axis,
                half_length,
                radius,
            } => {
                finite(&[centre])?;
                if S::DIMENSION == 2 || (Linear::length(axis) - 1.0).abs() > 1e-12 {
                    return Err(ConvexError::NoDirection {
                        field: "axis",
                        value: axis,
                    });
                }
                let round = Round {
                    centre,
                    axis,
                    half_length: positive("half length", half_length, "metres")?,
                    radius: positive("radius", radius, "metres")?,
                };
                Convex::of_core(Core::Cylinder(round), 0.0)
            }
            StoredConvex::HalfSpace { normal, offset } => {
                finite(&[normal, DVec3::new(offset, 0.0, 0.0)])?;
                if (Linear::length(normal) - 1.0).abs() > 1e-12 {
                    return Err(ConvexError::NoDirection {
                        field: "normal",
                        value: normal,
                    });
                }
                Convex::of_core(Core::HalfSpace { normal, offset }, 0.0)
            }
            StoredConvex::Triangle { corners, faces } => {
                let [a, b, c] = corners;
                Convex::<Space3>::triangle(a, b, c)?;
                if S::DIMENSION == 2 {
                    return Err(ConvexError::Flat {
                        what: "a triangle of 3-D, in 2-D",
                    });
                }
                part_of(Hull::triangle(corners), 0.0).with_faces(faces)?
            }
            StoredConvex::Hull { corners, faces } => {
                finite(&corners)?;
                let core = if S::DIMENSION == 2 {
                    let flat: Vec<_> = corners.iter().map(|c| c.truncate()).collect();
                    Convex::<Space2>::polygon(&flat)?.core
                } else {
                    Convex::<Space3>::polyhedron(&corners)?.core
                };
                let core = match core {
                    // What was stored begins with its own first corner.
                    Core::Hull(hull)
                        if faces.is_some()
                            && S::DIMENSION == 2
                            && hull.corners.len() == corners.len() =>
                    {
                        Core::Hull(Hull::of_stored_polygon(corners))
                    }
                    core => core,
                };
                Convex::of_core(core, 0.0).with_faces(faces)?
            }
        })
    }

    /// The same part with the faces that it was stored with, where there are any.
    fn with_faces(self, faces: Option<StoredFaces>) -> Result<Self, ConvexError> {
        match (self.core, faces) {
            (Core::Hull(hull), Some(faces)) => {
                let hull = hull.with_stored_faces(&faces)?;
                Ok(part_of(hull, self.rounding))
            }
            (core, _) => Ok(Convex::of_core(core, self.rounding)),
        }
    }
}

fn part_of<S: Space>(hull: Hull, rounding: f64) -> Convex<S> {
    part::Convex::of_core(Core::Hull(hull), rounding)
}

impl<S: Space> Serialize for Convex<S> {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        self.to_stored().serialize(out)
    }
}

impl<'de, S: Space> Deserialize<'de> for Convex<S> {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        Convex::of_stored(StoredConvex::deserialize(input)?).map_err(In::Error::custom)
    }
}

#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct StoredForm<S: Space> {
    parts: Vec<Convex<S>>,
    /// kg; none for what stands fixed.
    mass: Option<f64>,
    /// About the centre of mass; as it follows from the parts where it is not given.
    #[serde(default)]
    inertia: Option<StoredInertia>,
    /// m.
    origin: DVec3,
}

/// Columns.
#[derive(Deserialize, Serialize)]
struct StoredInertia {
    /// kg·m².
    tensor: [DVec3; 3],
    /// Right-handed.
    axes: [DVec3; 3],
    /// About those axes, kg·m².
    moments: DVec3,
}

fn columns(matrix: &DMat3) -> [DVec3; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

impl StoredInertia {
    fn of(weight: &FormMass) -> Self {
        StoredInertia {
            tensor: columns(&weight.inertia),
            axes: columns(&weight.axes),
            moments: weight.moments,
        }
    }

    /// What a solid of a mass weighs, if that is what its parts say but for rounding.
    fn weight(&self, mass: f64, made: &FormMass) -> Result<FormMass, ConvexError> {
        let matrix = |[x, y, z]: [DVec3; 3]| DMat3::from_cols(x, y, z);
        let (inertia, axes) = (matrix(self.tensor), matrix(self.axes));
        let apart = |a: DMat3, b: DMat3| {
            let elements = (a - b).to_cols_array();
            elements.into_iter().map(f64::abs).fold(0.0, f64::max)
        };
        let allowed = 1e-6 * made.moments.max_element();
        // Axes of equal moments may be any: they must only be such, and belong to the moments.
        let moments = axes * DMat3::from_diagonal(self.moments) * axes.transpose();
        let fits = [inertia, axes, moments].iter().all(DMat3::is_finite)
            && apart(inertia, made.inertia) <= allowed
            && apart(moments, inertia) <= allowed
            && apart(axes * axes.transpose(), DMat3::IDENTITY) <= 1e-9
            && axes.determinant() > 0.0
            && self.moments.min_element() > 0.0;
        if !fits {
            let what = "its inertia is not that of its parts";
            return Err(ConvexError::Inconsistent { what });
        }
        Ok(FormMass {
            mass,
            inertia,
            axes,
            moments: self.moments,
        })
    }
}

impl<S: Space> Serialize for Compound<S> {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let stored = StoredForm {
            parts: self.parts().to_vec(),
            mass: self.has_mass().then(|| self.mass()),
            inertia: self.weight().map(StoredInertia::of),
            origin: DVec3::from_array(S::components(self.origin())),
        };
        stored.serialize(out)
    }
}

impl<'de, S: Space> Deserialize<'de> for Compound<S> {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let stored = StoredForm::deserialize(input)?;
        let Some(mass) = stored.mass else {
            return Compound::fixed(stored.parts).map_err(In::Error::custom);
        };
        let made = Compound::with_mass(stored.parts.clone(), mass).map_err(In::Error::custom)?;
        // They were stored in the frame of their centre of mass: where that is the origin but for rounding, they stay
        // where they are.
        let astray = Linear::length(made.origin());
        let (Some(weight), true) = (
            made.weight(),
            astray <= 1e-9 * made.reach() && stored.origin.is_finite(),
        ) else {
            return Ok(made);
        };
        let weight = match &stored.inertia {
            Some(inertia) => inertia.weight(mass, weight).map_err(In::Error::custom)?,
            None => *weight,
        };
        Ok(made.with_parts(stored.parts, stored.origin, weight))
    }
}
