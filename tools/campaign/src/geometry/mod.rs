//! Plain geometry in space; the plane is embedded at z = 0.

pub mod convex;
pub mod form;
pub mod mass;

/// A vector.
pub type V = [f64; 3];

/// a + b.
pub fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
pub fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a times a number.
pub fn times(a: V, by: f64) -> V {
    a.map(|x| x * by)
}

/// The scalar product.
pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
pub fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// How long it is.
pub fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// Of length one, unless it has next to none.
pub fn unit(a: V) -> Option<V> {
    let size = length(a);
    (size > 1e-9).then(|| times(a, 1.0 / size))
}

/// A rigid motion, `x ↦ turn x + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The rows of a rotation.
    pub turn: [V; 3],
    /// What is added after it.
    pub shift: V,
}

impl Pose {
    /// Nothing moves.
    pub const REST: Pose = Pose {
        turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        shift: [0.0; 3],
    };

    /// A shift alone.
    pub fn by(shift: V) -> Pose {
        Pose {
            shift,
            ..Pose::REST
        }
    }

    /// A turn by an angle about an axis through the origin.
    pub fn about(axis: V, angle: f64) -> Pose {
        let half = 0.5 * angle;
        let axis = times(unit(axis).unwrap_or([0.0, 0.0, 1.0]), libm::sin(half));
        Pose::quaternion([libm::cos(half), axis[0], axis[1], axis[2]])
    }

    /// The turn of a quaternion w, x, y, z.
    pub fn quaternion([w, x, y, z]: [f64; 4]) -> Pose {
        Pose {
            turn: [
                [
                    1.0 - 2.0 * (y * y + z * z),
                    2.0 * (x * y - w * z),
                    2.0 * (x * z + w * y),
                ],
                [
                    2.0 * (x * y + w * z),
                    1.0 - 2.0 * (x * x + z * z),
                    2.0 * (y * z - w * x),
                ],
                [
                    2.0 * (x * z - w * y),
                    2.0 * (y * z + w * x),
                    1.0 - 2.0 * (x * x + y * y),
                ],
            ],
            shift: [0.0; 3],
        }
    }

    /// A direction, turned.
    pub fn turned(&self, v: V) -> V {
        self.turn.map(|row| dot(row, v))
    }

    /// A point, moved.
    pub fn at(&self, v: V) -> V {
        add(self.turned(v), self.shift)
    }

    /// This one after another.
    pub fn after(&self, first: &Pose) -> Pose {
        let column = |k: usize| self.turned([first.turn[0][k], first.turn[1][k], first.turn[2][k]]);
        let [x, y, z] = [column(0), column(1), column(2)];
        Pose {
            turn: [0, 1, 2].map(|row| [x[row], y[row], z[row]]),
            shift: self.at(first.shift),
        }
    }

    /// The way back.
    pub fn inverse(&self) -> Pose {
        let turn = [0, 1, 2].map(|k| [self.turn[0][k], self.turn[1][k], self.turn[2][k]]);
        let back = Pose {
            turn,
            shift: [0.0; 3],
        };
        Pose {
            turn,
            shift: times(back.turned(self.shift), -1.0),
        }
    }
}
