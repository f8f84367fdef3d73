use super::mesh::{check_closed, check_finite, content_of, fan};
use super::{Content, EdgeFault, Mesh};
use crate::space::{Linear, UNIT_ROUNDOFF};
use glam::DVec3;
use thiserror::Error;

/// A convex solid with flat faces, in its body's frame.
///
/// Convex and flat hold to within the rounding of the corners' coordinates, no more is asked of them.
///
/// ```
/// use carom::kernels::broad::{Bounds, SphereTest, sphere_test};
/// use carom::shape::Polyhedron;
/// use glam::DVec3;
///
/// // A tetrahedron: corners, and faces counter-clockwise seen from outside.
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]];
/// let solid = Polyhedron::new(corners, faces).expect("convex and closed");
/// let bounds = Bounds::of_polyhedron(&solid);
/// let far = DVec3::new(5.0, 0.0, 0.0);
/// let centre = bounds.centre_of_mass;
/// assert_eq!(sphere_test(&bounds, centre, &bounds, centre + far), SphereTest::Apart);
/// assert_eq!(sphere_test(&bounds, centre, &bounds, centre), SphereTest::Touching);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    corners: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    normals: Vec<DVec3>,
    content: Content,
}

/// Why a convex polyhedron cannot be. Faces and corners are counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PolyhedronError {
    /// A coordinate is infinite or NaN.
    #[error("corner {corner} is {value}, but must be finite")]
    CornerNotFinite {
        /// Which.
        corner: usize,
        /// As given.
        value: DVec3,
    },
    /// A face names a corner that is not there.
    #[error("face {face} names corner {corner}, but there are {corners} corners")]
    NoSuchCorner {
        /// Which face.
        face: usize,
        /// The corner it names.
        corner: u32,
        /// How many there are.
        corners: usize,
    },
    /// A face names a corner twice, has fewer than three, or has them on one line.
    #[error("face {face} has no area, or names a corner twice")]
    DegenerateFace {
        /// Which.
        face: usize,
    },
    /// No face has this corner.
    #[error("corner {corner} belongs to no face")]
    UnusedCorner {
        /// Which.
        corner: usize,
    },
    /// The faces leave an opening, or disagree which side is outside.
    #[error(transparent)]
    NotClosed(#[from] EdgeFault),
    /// The faces run clockwise seen from outside.
    #[error("the polyhedron is inside out (volume {volume} m³): reverse all faces")]
    InsideOut {
        /// m³.
        volume: f64,
    },
    /// Too flat for the sign of its volume to be certain, empty, or too large for its volume to be a number.
    #[error("the polyhedron is flat (volume {volume} m³)")]
    Flat {
        /// m³.
        volume: f64,
    },
    /// The corners of a face are not in one plane.
    #[error("face {face} is not flat: its corner {corner} is {height} m off its plane")]
    FaceNotFlat {
        /// The face.
        face: usize,
        /// The corner.
        corner: usize,
        /// How far outside the plane of the face, m; negative inside.
        height: f64,
    },
    /// A corner is outside a face.
    #[error("not convex: corner {corner} is {height} m outside the plane of face {face}")]
    NotConvex {
        /// The face.
        face: usize,
        /// The corner.
        corner: usize,
        /// How far outside, m.
        height: f64,
    },
    /// Corners − edges + faces is not 2: more than one solid, or a surface that covers itself.
    #[error("the faces do not bound one solid: corners - edges + faces is {euler}, not 2")]
    NotOneSolid {
        /// Corners − edges + faces.
        euler: i64,
    },
}

impl Polyhedron {
    /// A convex polyhedron from its corners (m) and its faces, each of which names its corners counter-clockwise as
    /// seen from outside.
    pub fn new(corners: Vec<DVec3>, faces: Vec<Vec<u32>>) -> Result<Self, PolyhedronError> {
        check_finite(&corners)
            .map_err(|(corner, value)| PolyhedronError::CornerNotFinite { corner, value })?;
        check_indices(corners.len(), &faces)?;
        let planes = faces
            .iter()
            .enumerate()
            .map(|(face, indices)| {
                let polygon: Vec<DVec3> = indices.iter().map(|&i| corners[i as usize]).collect();
                FacePlane::of(&polygon).ok_or(PolyhedronError::DegenerateFace { face })
            })
            .collect::<Result<Vec<FacePlane>, _>>()?;
        check_closed(faces.iter().map(Vec::as_slice))?;
        let content = check_volume(&corners, &faces)?;
        check_convex(&corners, &faces, &planes)?;
        check_one_solid(corners.len(), &faces)?;
        Ok(Polyhedron {
            normals: planes.iter().map(|plane| plane.normal).collect(),
            corners,
            faces,
            content,
        })
    }

    /// The solid inside a mesh, if it is convex. Its triangles become the faces.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, PolyhedronError> {
        let faces = mesh.triangles().iter().map(|t| t.to_vec()).collect();
        Self::new(mesh.corners().to_vec(), faces)
    }

    /// The corners, m.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// The corners of each face, counter-clockwise seen from outside, counted from 0.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// The outward unit normal of each face.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// m³.
    pub fn volume(&self) -> f64 {
        self.content.volume
    }

    /// Of the solid with uniform density, m.
    pub fn centre_of_mass(&self) -> DVec3 {
        self.content.centre_of_mass
    }

    /// Its faces cut into triangles, m. One may have no area, where three corners of a face are on one line.
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        triangles_of(&self.corners, &self.faces)
    }
}

/// The plane of a face.
struct FacePlane {
    point: DVec3,
    normal: DVec3,
    /// `perimeter / area`, 1/m: how far the normal turns for a given shift of the corners.
    tilt: f64,
}

impl FacePlane {
    /// The normal is along the vector area `½ Σ (pᵢ−p₀)×(pᵢ₊₁−p₀)`, which depends on all the corners: three of them
    /// may be on one line, and a face that is flat only to rounding has no better plane.
    fn of(polygon: &[DVec3]) -> Option<Self> {
        let &[point, .., last] = polygon else {
            return None;
        };
        let area = polygon
            .windows(2)
            .map(|edge| (edge[0] - point).cross(edge[1] - point) * 0.5)
            .fold(DVec3::ZERO, |sum, part| sum + part);
        let perimeter = polygon
            .windows(2)
            .map(|edge| Linear::length(edge[1] - edge[0]))
            .sum::<f64>()
            + Linear::length(last - point);
        let size = Linear::length(area);
        // Thinner than this, the direction of the normal has only a few digits left. NaN and infinity are refused too.
        (size > 1e-12 * perimeter * perimeter && size.is_finite()).then_some(())?;
        Some(FacePlane {
            point,
            normal: area.unit()?,
            tilt: perimeter / size,
        })
    }
}

fn triangles_of(corners: &[DVec3], faces: &[Vec<u32>]) -> impl Iterator<Item = [DVec3; 3]> {
    faces
        .iter()
        .flat_map(|face| fan(face))
        .map(|t| t.map(|i| corners[i as usize]))
}

fn check_indices(corners: usize, faces: &[Vec<u32>]) -> Result<(), PolyhedronError> {
    let mut used = vec![false; corners];
    for (face, indices) in faces.iter().enumerate() {
        for (place, &corner) in indices.iter().enumerate() {
            let Some(used) = used.get_mut(corner as usize) else {
                return Err(PolyhedronError::NoSuchCorner {
                    face,
                    corner,
                    corners,
                });
            };
            *used = true;
            if indices[..place].contains(&corner) {
                return Err(PolyhedronError::DegenerateFace { face });
            }
        }
    }
    match used.iter().position(|used| !used) {
        Some(corner) => Err(PolyhedronError::UnusedCorner { corner }),
        None => Ok(()),
    }
}

fn check_volume(corners: &[DVec3], faces: &[Vec<u32>]) -> Result<Content, PolyhedronError> {
    let (content, doubt) = content_of(corners, triangles_of(corners, faces));
    let volume = content.volume;
    if !(volume.abs() > doubt && volume.is_finite()) {
        Err(PolyhedronError::Flat { volume })
    } else if volume < 0.0 {
        Err(PolyhedronError::InsideOut { volume })
    } else {
        Ok(content)
    }
}

/// The corners of a face must be in its plane, all others on its inner side.
///
/// The coordinates are rounded, so corners are off by `δ = u · reach`. That moves the vector area of a face by up to
/// `δ · perimeter`, so it turns the normal by `δ · perimeter / area`, which lifts a corner at the other end of the
/// solid by that times the diameter; the corner's own shift and the plane's add 2δ. Computing the area and the height
/// rounds by a few times as much, hence the 16.
fn check_convex(
    corners: &[DVec3],
    faces: &[Vec<u32>],
    planes: &[FacePlane],
) -> Result<(), PolyhedronError> {
    let farthest_from = |point: DVec3| {
        let distances = corners.iter().map(|c| Linear::length(*c - point));
        distances.fold(0.0, f64::max)
    };
    let reach = farthest_from(DVec3::ZERO);
    let diameter = 2.0 * farthest_from(corners[0]);
    for (face, plane) in planes.iter().enumerate() {
        let tolerance = 16.0 * UNIT_ROUNDOFF * reach * (2.0 + diameter * plane.tilt);
        let height = |corner: usize| Linear::dot(corners[corner] - plane.point, plane.normal);
        let own = || faces[face].iter().map(|&corner| corner as usize);
        if let Some(corner) = own().find(|&corner| height(corner).abs() > tolerance) {
            return Err(PolyhedronError::FaceNotFlat {
                face,
                corner,
                height: height(corner),
            });
        }
        if let Some(corner) = (0..corners.len()).find(|&corner| height(corner) > tolerance) {
            return Err(PolyhedronError::NotConvex {
                face,
                corner,
                height: height(corner),
            });
        }
    }
    Ok(())
}

/// Supporting planes and closed edges still allow two copies of one solid; Euler's formula does not.
fn check_one_solid(corners: usize, faces: &[Vec<u32>]) -> Result<(), PolyhedronError> {
    let sides: usize = faces.iter().map(Vec::len).sum();
    let euler = corners as i64 - (sides / 2) as i64 + faces.len() as i64;
    if euler == 2 {
        Ok(())
    } else {
        Err(PolyhedronError::NotOneSolid { euler })
    }
}
