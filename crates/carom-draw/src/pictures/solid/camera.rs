//! From where space is looked at.

use crate::canvas::Area;
use crate::outlines::{Bounds, Place, cross, dot, scaled, sum, unit};

/// From where, about the middle of what is seen. Up is against gravity, or along z where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// To the right of the front (from which x points to the right and y away), degrees.
    pub azimuth: f64,
    /// Above the horizon, degrees.
    pub elevation: f64,
    /// 1: everything is just seen; larger: from nearer.
    pub zoom: f64,
}

impl Default for Viewpoint {
    fn default() -> Self {
        Viewpoint {
            azimuth: 28.0,
            elevation: 20.0,
            zoom: 1.0,
        }
    }
}

/// An eye: its frame has x to the right, y down and z away from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    eye: Place,
    axes: [Place; 3],
    /// Pixels for each unit of x / z.
    pub focal: f64,
    /// Where z points to, pixels.
    pub centre: [f64; 2],
    /// The least and the largest z of what is seen, m.
    pub depths: [f64; 2],
}

/// Half of the angle across the shorter side of the picture, as its tangent: as through a lens of 70 mm.
const NARROW: f64 = 0.25;
/// The share of the picture that is filled.
const FILLED: f64 = 0.95;

/// How far away the eye has to be for corners to be within a room, and by how much their middle is off that of the
/// picture.
fn fitted(corners: &[Place], room: [f64; 2]) -> (f64, [f64; 2]) {
    // The middle of what is seen is not in the middle of the picture, as near things are larger: it is moved there,
    // which changes how far the eye has to be.
    let (mut distance, mut shift) = (0.0_f64, [0.0; 2]);
    for _ in 0..8 {
        distance = 0.0;
        for &[x, y, z] in corners {
            for (across, (room, shift)) in [x, y].into_iter().zip(room.into_iter().zip(shift)) {
                // |across / (distance + z) − shift| ≤ room
                distance = distance
                    .max(across / (room + shift) - z)
                    .max(-across / (room - shift) - z);
            }
        }
        let seen = |i: usize| {
            corners
                .iter()
                .map(move |corner| corner[i] / (distance + corner[2]))
        };
        for (i, shift) in shift.iter_mut().enumerate() {
            let low = seen(i).fold(f64::INFINITY, f64::min);
            let high = seen(i).fold(f64::NEG_INFINITY, f64::max);
            *shift = (0.5 * (low + high)).clamp(-0.5 * room[i], 0.5 * room[i]);
        }
    }
    (distance, shift)
}

/// On the level, towards an eye at an azimuth in degrees.
pub(crate) fn level(zenith: Place, azimuth: f64) -> Place {
    let sideways = if zenith[0].abs() > 0.9 {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let right = unit(sum(sideways, scaled(zenith, -dot(sideways, zenith))));
    let ahead = cross(zenith, right);
    let azimuth = azimuth.to_radians();
    sum(
        scaled(right, libm::sin(azimuth)),
        scaled(ahead, -libm::cos(azimuth)),
    )
}

impl Camera {
    /// Such that all points are seen.
    pub fn new(points: &[Place], area: &Area, viewpoint: Viewpoint, gravity: Place) -> Self {
        let zenith = match dot(gravity, gravity) {
            0.0 => [0.0, 0.0, 1.0],
            _ => unit(scaled(gravity, -1.0)),
        };
        // Straight from above there would be no telling where up is.
        let elevation = viewpoint.elevation.clamp(-89.9, 89.9).to_radians();
        let level = level(zenith, viewpoint.azimuth);
        let towards_eye = sum(
            scaled(level, libm::cos(elevation)),
            scaled(zenith, libm::sin(elevation)),
        );
        let away = scaled(towards_eye, -1.0);
        let x = unit(cross(away, zenith));
        let axes = [x, cross(away, x), away];
        let mut bounds = Bounds::NOTHING;
        for &point in points {
            bounds.add(point, 0.0);
        }
        let target = bounds.middle();
        let corners: Vec<Place> = points
            .iter()
            .map(|&corner| {
                let from = sum(corner, scaled(target, -1.0));
                axes.map(|axis| dot(from, axis))
            })
            .collect();
        let focal = 0.5 * area.width.min(area.height) / NARROW;
        let room = [area.width, area.height].map(|side| FILLED * 0.5 * side / focal);
        let mut camera = Camera {
            eye: target,
            axes,
            focal,
            centre: [area.x + 0.5 * area.width, area.y + 0.5 * area.height],
            depths: [0.0, 1.0],
        };
        let (distance, shift) = fitted(&corners, room);
        let distance = distance / viewpoint.zoom;
        camera.eye = sum(target, scaled(towards_eye, distance));
        for (centre, shift) in camera.centre.iter_mut().zip(shift) {
            *centre -= focal * shift;
        }
        let depths = corners.iter().map(|corner| corner[2] + distance);
        camera.depths = [
            depths.clone().fold(f64::INFINITY, f64::min),
            depths.fold(f64::NEG_INFINITY, f64::max),
        ];
        camera
    }

    /// The same, from elsewhere.
    pub fn moved(&self, by: Place) -> Camera {
        Camera {
            eye: sum(self.eye, by),
            ..*self
        }
    }

    /// Nearer things are not seen, m.
    pub fn near(&self) -> f64 {
        1e-3 * self.depths[1].max(f64::MIN_POSITIVE)
    }

    pub fn eye(&self) -> Place {
        self.eye
    }

    /// A place in the camera's frame.
    pub fn place(&self, place: Place) -> Place {
        self.direction(sum(place, scaled(self.eye, -1.0)))
    }

    /// A direction in the camera's frame.
    pub fn direction(&self, direction: Place) -> Place {
        self.axes.map(|axis| dot(direction, axis))
    }

    /// Pixels of a place of the camera's frame.
    pub fn pixels(&self, [x, y, z]: Place) -> [f64; 2] {
        [
            self.centre[0] + self.focal * x / z,
            self.centre[1] + self.focal * y / z,
        ]
    }

    /// Pixels of a place of the world, and how far away it is; `None` behind the eye.
    pub fn project(&self, place: Place) -> Option<[f64; 3]> {
        let place = self.place(place);
        let [x, y] = self.pixels(place);
        (place[2] > self.near()).then_some([x, y, place[2]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area() -> Area {
        Area {
            x: 0.0,
            y: 0.0,
            width: 640.0,
            height: 360.0,
        }
    }

    #[test]
    fn everything_is_seen_and_fills_the_picture() {
        let bounds = Bounds {
            low: [-1.0, 0.0, 2.0],
            high: [3.0, 2.0, 2.5],
        };
        for (azimuth, elevation) in [(0.0, 0.0), (28.0, 20.0), (-130.0, 70.0), (0.0, 90.0)] {
            for gravity in [[0.0; 3], [0.0, -9.81, 0.0], [-1.0, 0.0, 0.0]] {
                let viewpoint = Viewpoint {
                    azimuth,
                    elevation,
                    zoom: 1.0,
                };
                let corners: Vec<Place> = bounds.corners().collect();
                let camera = Camera::new(&corners, &area(), viewpoint, gravity);
                let seen: Vec<[f64; 3]> = bounds
                    .corners()
                    .map(|c| camera.project(c).unwrap())
                    .collect();
                let mut fill = [0.0_f64; 2];
                for [x, y, _] in seen {
                    assert!((0.0..=640.0).contains(&x) && (0.0..=360.0).contains(&y));
                    fill[0] = fill[0].max((x - 320.0).abs() / 320.0);
                    fill[1] = fill[1].max((y - 180.0).abs() / 180.0);
                }
                assert!(fill[0].max(fill[1]) > 0.85, "{fill:?}");
            }
        }
    }

    #[test]
    fn up_is_up_and_right_is_right() {
        let bounds = Bounds {
            low: [-1.0; 3],
            high: [1.0; 3],
        };
        let front = Viewpoint {
            azimuth: 0.0,
            elevation: 0.0,
            zoom: 1.0,
        };
        let corners: Vec<Place> = bounds.corners().collect();
        let camera = Camera::new(&corners, &area(), front, [0.0; 3]);
        let [x, y, z] = camera.project([0.5, 0.0, 0.5]).unwrap();
        assert!(x > 320.0 && y < 180.0, "{x} {y}");
        assert!(camera.project([0.5, 0.5, 0.5]).unwrap()[2] > z);
        assert_eq!(camera.project(scaled(camera.eye(), 2.0)), None);
    }
}
