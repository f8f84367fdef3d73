//! Convex parts and forms are stored by what they are made of, and made anew by the constructors when they are read:
//! corners keep their bits, what follows from them is right to rounding.

use super::error::{ConvexError, positive};
use super::hull::Hull;
use super::part::{Convex, Core, Round};
use super::{Compound, part};
use crate::space::{Linear, Space, Space2, Space3};
use glam::DVec3;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A part by what it is; lengths in m. In 2-D the third coordinates are zero.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Ball {
        centre: DVec3,
        radius: f64,
    },
    /// A thin one has the radius zero.
    Capsule {
        ends: [DVec3; 2],
        radius: f64,
    },
    /// Its corners have been rounded each time that it was moved; they are those of the centre and the half sides but
    /// for that.
    Block {
        centre: DVec3,
        half: DVec3,
        corners: Vec<DVec3>,
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
    Triangle([DVec3; 3]),
    /// In 2-D in order around it.
    Hull {
        corners: Vec<DVec3>,
    },
}

impl<S: Space> Convex<S> {
    fn to_stored(&self) -> Stored {
        match &self.core {
            Core::Hull(hull) => match (&hull.corners[..], hull.block) {
                ([centre], _) => Stored::Ball {
                    centre: *centre,
                    radius: self.rounding,
                },
                ([from, to], _) => Stored::Capsule {
                    ends: [*from, *to],
                    radius: self.rounding,
                },
                (corners, Some((centre, half))) => Stored::Block {
                    centre,
                    half,
                    corners: corners.to_vec(),
                },
                ([a, b, c], _) if S::DIMENSION == 3 => Stored::Triangle([*a, *b, *c]),
                (corners, _) => Stored::Hull {
                    corners: corners.to_vec(),
                },
            },
            Core::Cylinder(round) => Stored::Cylinder {
                centre: round.centre,
                axis: round.axis,
                half_length: round.half_length,
                radius: round.radius,
            },
            Core::HalfSpace { normal, offset } => Stored::HalfSpace {
                normal: *normal,
                offset: *offset,
            },
        }
    }

    /// Longer than most: one arm for each kind of part.
    fn of_stored(stored: Stored) -> Result<Self, ConvexError> {
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
            Stored::Ball { centre, radius } => {
                finite(&[centre])?;
                part_of(Hull::point(centre), positive("radius", radius, "metres")?)
            }
            Stored::Capsule { ends, radius } => {
                finite(&ends)?;
                let [from, to] = ends.map(vector);
                match radius == 0.0 {
                    true => Convex::segment(from, to)?,
                    false => Convex::capsule(from, to, radius)?,
                }
            }
            Stored::Block {
                centre,
                half,
                corners,
            } => {
                finite(&[centre])?;
                finite(&corners)?;
                let mut block = Convex::<S>::block(vector(half))?.shifted(centre);
                let rounding = 1e-12 * (Linear::length(centre) + Linear::length(half));
                if let Core::Hull(hull) = &mut block.core {
                    let apart = |(a, b): (&DVec3, &DVec3)| Linear::length(*a - *b) > rounding;
                    let made = &hull.corners;
                    if made.len() != corners.len() || made.iter().zip(&corners).any(apart) {
                        return Err(ConvexError::Flat {
                            what: "not those of the block that they are stored with",
                        });
                    }
                    hull.corners = corners;
                }
                Convex::of_core(block.core, 0.0)
            }
            Stored::Cylinder {
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
            Stored::HalfSpace { normal, offset } => {
                finite(&[normal, DVec3::new(offset, 0.0, 0.0)])?;
                if (Linear::length(normal) - 1.0).abs() > 1e-12 {
                    return Err(ConvexError::NoDirection {
                        field: "normal",
                        value: normal,
                    });
                }
                Convex::of_core(Core::HalfSpace { normal, offset }, 0.0)
            }
            Stored::Triangle(corners) => {
                let [a, b, c] = corners;
                Convex::<Space3>::triangle(a, b, c)?;
                if S::DIMENSION == 2 {
                    return Err(ConvexError::Flat {
                        what: "a triangle of 3-D, in 2-D",
                    });
                }
                part_of(Hull::triangle(corners), 0.0)
            }
            Stored::Hull { corners } => {
                finite(&corners)?;
                let core = if S::DIMENSION == 2 {
                    let flat: Vec<_> = corners.iter().map(|c| c.truncate()).collect();
                    Convex::<Space2>::polygon(&flat)?.core
                } else {
                    Convex::<Space3>::polyhedron(&corners)?.core
                };
                Convex::of_core(core, 0.0)
            }
        })
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
        Convex::of_stored(Stored::deserialize(input)?).map_err(In::Error::custom)
    }
}

#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct StoredForm<S: Space> {
    parts: Vec<Convex<S>>,
    /// kg; none for what stands fixed.
    mass: Option<f64>,
    /// m.
    origin: DVec3,
}

impl<S: Space> Serialize for Compound<S> {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let stored = StoredForm {
            parts: self.parts().to_vec(),
            mass: self.has_mass().then(|| self.mass()),
            origin: DVec3::from_array(S::components(self.origin())),
        };
        stored.serialize(out)
    }
}

impl<'de, S: Space> Deserialize<'de> for Compound<S> {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let StoredForm {
            parts,
            mass,
            origin,
        } = Deserialize::deserialize(input)?;
        let Some(mass) = mass else {
            return Compound::fixed(parts).map_err(In::Error::custom);
        };
        let made = Compound::with_mass(parts.clone(), mass).map_err(In::Error::custom)?;
        // They were stored in the frame of their centre of mass: where that is the origin but for rounding, they stay
        // where they are.
        let reach = made.reach();
        let astray = Linear::length(made.origin());
        match astray <= 1e-9 * reach && origin.is_finite() {
            true => Ok(made.with_parts(parts, origin)),
            false => Ok(made),
        }
    }
}
