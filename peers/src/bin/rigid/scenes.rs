//! The scenes, as plain numbers that every engine is set up from.

/// A box by its half extents, a capsule along x, or a ball; m.
#[derive(Clone, Copy)]
pub enum Form {
    Block([f64; 3]),
    Capsule { half: f64, radius: f64 },
    Ball(f64),
}

/// A round container about the origin that turns, in the plane.
#[derive(Clone, Copy)]
pub struct Drum {
    /// m.
    pub radius: f64,
    /// rad/s.
    pub rate: f64,
}

pub struct Start {
    pub form: Form,
    pub place: [f64; 3],
    /// A rotation vector; in the plane along z.
    pub turned: [f64; 3],
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
}

pub struct Scene {
    pub name: String,
    pub dimension: usize,
    pub gravity: [f64; 3],
    /// Points and normals of walls without end.
    pub walls: Vec<([f64; 3], [f64; 3])>,
    pub drum: Option<Drum>,
    pub bodies: Vec<Start>,
    /// kg, of each.
    pub mass: f64,
    pub restitution: f64,
    pub friction: f64,
    /// s.
    pub until: f64,
}

/// Numbers that look random, the same in every run (Knuth's multiplier).
struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.signed(), self.signed(), self.signed()]
    }
}

const ZERO: [f64; 3] = [0.0; 3];

pub fn scene(name: &str) -> Scene {
    match name {
        "pyramid" => pyramid(),
        "tumbling" => tumbling(),
        "poured" => poured(),
        "capsules" => capsules(),
        "discs" => discs(2000),
        "drum" => drum(),
        "666" => heap_666(),
        other => {
            let number = other.strip_prefix("discs-").and_then(|it| it.parse().ok());
            discs(number.unwrap_or(100))
        }
    }
}

/// Box2D's pyramid of base 20: boxes of 1 m, 0.1 m apart sideways, each row 5 cm above the one below.
fn pyramid() -> Scene {
    let base = 20;
    let mut bodies = Vec::new();
    for row in 0..base {
        for k in 0..base - row {
            let (row, k) = (f64::from(row), f64::from(k));
            bodies.push(Start {
                form: Form::Block([0.5; 3]),
                place: [1.1 * (k + 0.5 * row), 0.55 + 1.05 * row, 0.0],
                turned: ZERO,
                velocity: ZERO,
                spin: ZERO,
            });
        }
    }
    Scene {
        name: "pyramid of base 20".to_owned(),
        drum: None,
        dimension: 2,
        gravity: [0.0, -9.81, 0.0],
        walls: vec![(ZERO, [0.0, 1.0, 0.0])],
        bodies,
        mass: 1.0,
        restitution: 0.0,
        friction: 0.6,
        until: 10.0,
    }
}

/// 2,000 elastic boxes in a room without gravity.
fn tumbling() -> Scene {
    let (number, along, pitch) = (2000, 13, 1.2);
    let side = pitch * f64::from(along);
    let mut numbers = Numbers(7);
    let mut walls = Vec::new();
    for axis in 0..3 {
        let (mut normal, mut far) = (ZERO, ZERO);
        normal[axis] = 1.0;
        far[axis] = side;
        walls.push((ZERO, normal));
        walls.push((far, normal.map(|x: f64| -x)));
    }
    let bodies = (0..number)
        .map(|k| Start {
            form: Form::Block([0.3, 0.2, 0.12]),
            place: [k % along, k / along % along, k / along / along]
                .map(|cell| (f64::from(cell) + 0.5) * pitch),
            turned: numbers.vector().map(|x| 3.0 * x),
            velocity: numbers.vector(),
            spin: numbers.vector().map(|x| 3.0 * x),
        })
        .collect();
    Scene {
        name: "2,000 boxes tumbling".to_owned(),
        drum: None,
        dimension: 3,
        gravity: ZERO,
        walls,
        bodies,
        mass: 1.0,
        restitution: 1.0,
        friction: 0.0,
        until: 5.0,
    }
}

/// 300 boxes poured into a room of 2 m by 2 m.
fn poured() -> Scene {
    let mut numbers = Numbers(3);
    let mut walls = vec![(ZERO, [0.0, 0.0, 1.0])];
    for axis in 0..2 {
        for sign in [-1.0, 1.0] {
            let mut normal = ZERO;
            normal[axis] = sign;
            walls.push((normal.map(|x| -x), normal));
        }
    }
    let bodies = (0..300_i32)
        .map(|k| {
            let cell = [k / 5 % 5 - 2, k % 5 - 2, k / 25].map(f64::from);
            let noise = numbers.vector();
            let place = [0.38 * cell[0], 0.38 * cell[1], 0.3 + 0.3 * cell[2]];
            Start {
                form: Form::Block([0.1, 0.075, 0.05]),
                place: [0, 1, 2].map(|axis: usize| place[axis] + 0.02 * noise[axis]),
                turned: numbers.vector().map(|x| 3.0 * x),
                velocity: ZERO,
                spin: ZERO,
            }
        })
        .collect();
    Scene {
        name: "300 boxes poured".to_owned(),
        drum: None,
        dimension: 3,
        gravity: [0.0, 0.0, -9.81],
        walls,
        bodies,
        mass: 2.4,
        restitution: 0.2,
        friction: 0.5,
        until: 5.0,
    }
}

/// 1,000 capsules poured into a channel of 8 m.
fn capsules() -> Scene {
    let mut numbers = Numbers(5);
    let walls = vec![
        (ZERO, [0.0, 1.0, 0.0]),
        ([-4.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([4.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
    ];
    let bodies = (0..1000)
        .map(|k| {
            let cell = [f64::from(k % 20), f64::from(k / 20)];
            let noise = numbers.vector();
            Start {
                form: Form::Capsule {
                    half: 0.1,
                    radius: 0.05,
                },
                place: [
                    0.39 * (cell[0] - 9.5) + 0.03 * noise[0],
                    0.2 + 0.37 * cell[1] + 0.03 * noise[1],
                    0.0,
                ],
                turned: [0.0, 0.0, 3.0 * noise[2]],
                velocity: ZERO,
                spin: ZERO,
            }
        })
        .collect();
    Scene {
        name: "1,000 capsules poured".to_owned(),
        drum: None,
        dimension: 2,
        gravity: [0.0, -9.81, 0.0],
        walls,
        bodies,
        mass: 1.0,
        restitution: 0.3,
        friction: 0.3,
        until: 5.0,
    }
}

/// Discs of 15 to 20 mm poured into a channel, until all sleep (at most 10 s): 2,000 of them into one of 2 m, others
/// into one as much wider as gives heaps as high for their width.
fn discs(number: u32) -> Scene {
    let mut numbers = Numbers(11);
    let width = 2.0 * (f64::from(number) / 2000.0).sqrt();
    let along = ((width - 0.02) / 0.0425).floor();
    let pitch = (width - 0.01) / along;
    let walls = vec![
        (ZERO, [0.0, 1.0, 0.0]),
        (ZERO, [1.0, 0.0, 0.0]),
        ([width, 0.0, 0.0], [-1.0, 0.0, 0.0]),
    ];
    let bodies = (0..number)
        .map(|k| {
            let cell = [f64::from(k) % along, (f64::from(k) / along).floor()];
            let (noise, speed) = (numbers.vector(), numbers.vector());
            Start {
                form: Form::Ball(0.0175 + 0.0025 * noise[2]),
                place: [
                    0.005 + (cell[0] + 0.5) * pitch + 5e-4 * noise[0],
                    0.045 + 0.1 * cell[1] + 0.02 * noise[1],
                    0.0,
                ],
                turned: ZERO,
                velocity: [0.5 * speed[0], 0.5 * speed[1], 0.0],
                spin: ZERO,
            }
        })
        .collect();
    Scene {
        name: format!("{number} discs poured"),
        dimension: 2,
        gravity: [0.0, -9.81, 0.0],
        walls,
        drum: None,
        bodies,
        mass: 1.0,
        restitution: 0.3,
        friction: 0.3,
        until: 10.0,
    }
}

/// 500 balls in a drum of 1 m that turns at 2 rad/s.
fn drum() -> Scene {
    let mut numbers = Numbers(13);
    let drum = Drum {
        radius: 0.5,
        rate: 2.0,
    };
    let mut bodies = Vec::new();
    let mut row = 0.0;
    while bodies.len() < 500 {
        let y = -0.45 + 0.031 * row;
        let half = (0.47_f64 * 0.47 - y * y).max(0.0).sqrt();
        let along = (2.0 * half / 0.031).floor();
        let mut k = 0.0;
        while k < along && bodies.len() < 500 {
            let noise = numbers.vector();
            bodies.push(Start {
                form: Form::Ball(0.0135 + 0.0015 * noise[2]),
                place: [0.031 * (k - 0.5 * (along - 1.0)), y, 0.0],
                turned: ZERO,
                velocity: [0.1 * noise[0], 0.1 * noise[1], 0.0],
                spin: ZERO,
            });
            k += 1.0;
        }
        row += 1.0;
    }
    Scene {
        name: "drum, 500 balls".to_owned(),
        dimension: 2,
        gravity: [0.0, -9.81, 0.0],
        walls: Vec::new(),
        drum: Some(drum),
        bodies,
        mass: 1.0,
        restitution: 0.3,
        friction: 0.3,
        until: 3.0,
    }
}

/// SimBenchmark's 666: 6×6×6 balls of 10 kg, 0.21 m apart, shifted by up to 1 mm, smooth, on a floor.
fn heap_666() -> Scene {
    let mut numbers = Numbers(17);
    let bodies = (0..216_i32)
        .map(|k| {
            let cell = [k % 6, k / 6 % 6, k / 36].map(f64::from);
            let noise = numbers.vector();
            Start {
                form: Form::Ball(0.1),
                place: [
                    0.21 * cell[0] + 1e-3 * noise[0],
                    0.21 * cell[1] + 1e-3 * noise[1],
                    0.101 + 0.21 * cell[2],
                ],
                turned: ZERO,
                velocity: ZERO,
                spin: ZERO,
            }
        })
        .collect();
    Scene {
        name: "SimBenchmark 666".to_owned(),
        dimension: 3,
        gravity: [0.0, 0.0, -9.81],
        walls: vec![(ZERO, [0.0, 0.0, 1.0])],
        drum: None,
        bodies,
        mass: 10.0,
        restitution: 0.0,
        friction: 0.0,
        until: 5.0,
    }
}
