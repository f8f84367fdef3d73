//! The table: cloth, cushions with rounded jaws, pockets.
//!
//! A cushion is seen from above as a straight face that ends, at each pocket, in a round jaw, from which a straight
//! facing leads into the pocket. With `w` the width of a mouth between the points where face and facing would meet
//! without the rounding, `α` the angle by which the facings open (from the line through the pocket), and ρ the radius
//! of the jaw, the round begins at `ρ / tan(β/2)` from that point on both lines, β being the angle between them.

use super::{Balls, ShotError, within};
use carom::body::Body;
use carom::material::{Law, Material, MaterialId, PairOverride};
use carom::motion::Pose;
use carom::shape::{Block, Cylinder, HalfSpace, Shape, Shape3, ShapeError};
use carom::space::Space3;
use carom::world::{BodyId, World3};
use glam::{DQuat, DVec2, DVec3};

/// How high cushions and pockets are, m: no ball jumps over.
const HEIGHT: f64 = 1.0;

/// How thick cushions are behind their faces, m; no ball gets there.
const THICKNESS: f64 = 0.01;

/// A billiard table. The playing surface lies between the noses of the cushions; its middle is the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// Of the playing surface along y, m.
    pub length: f64,
    /// Of the playing surface along x, m.
    pub width: f64,
    /// What the balls move on.
    pub cloth: Cloth,
    /// What they bounce off.
    pub cushions: Cushions,
    /// What they fall into; `None` on a carom table.
    pub pockets: Option<Pockets>,
    /// m/s².
    pub gravity: f64,
}

/// What the balls move on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// Friction of a sliding ball.
    pub sliding: f64,
    /// Deceleration of a rolling ball, in units of gravity.
    pub rolling: f64,
    /// Torque against a ball that spins about the vertical, in units of its radius times its weight.
    pub spinning: f64,
    /// Of what falls onto it. At 0 hops land dead; above, each ends in a series of ever lower bounces, all of which are
    /// events.
    pub restitution: f64,
}

/// What the balls bounce off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cushions {
    /// Of the nose above the cloth, m. At the height of a ball's centre or below it, cushions are upright faces.
    pub nose_height: f64,
    /// Along the line from the nose to the ball's centre.
    pub restitution: f64,
    /// Of the rubber.
    pub friction: f64,
    /// Behind the nose, across the facings of the pockets, m.
    pub depth: f64,
}

/// What the balls fall into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pockets {
    /// In the corners.
    pub corner: Mouth,
    /// In the middle of the long sides.
    pub side: Mouth,
}

/// A pocket and its mouth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mouth {
    /// Between the points of the cushions, m.
    pub width: f64,
    /// By which each facing opens towards the table, rad.
    pub angle: f64,
    /// Of the rounding of the jaws, m.
    pub jaw_radius: f64,
    /// Of the hole, m.
    pub radius: f64,
    /// Of the hole's centre beyond the corner of the playing surface, or its side, m.
    pub depth: f64,
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;

impl Table {
    /// A pool table of 100 by 50 inches.
    pub fn nine_foot() -> Self {
        Table {
            length: 2.54,
            width: 1.27,
            cloth: Cloth {
                sliding: 0.2,
                rolling: 0.01,
                // 4/9 of the radius of a pool ball in metres.
                spinning: 0.0127,
                restitution: 0.0,
            },
            cushions: Cushions {
                nose_height: 0.64 * 0.057_15,
                restitution: 0.85,
                friction: 0.2,
                depth: 0.0508,
            },
            pockets: Some(Pockets {
                corner: Mouth {
                    width: 0.118,
                    angle: 5.3 * DEGREE,
                    jaw_radius: 0.020_95,
                    radius: 0.062,
                    depth: 0.0417,
                },
                side: Mouth {
                    width: 0.137,
                    angle: 7.14 * DEGREE,
                    jaw_radius: 0.007_95,
                    radius: 0.0645,
                    depth: 0.0685,
                },
            }),
            gravity: 9.81,
        }
    }

    /// A pool table of 78 by 39 inches: pooltool's default.
    pub fn seven_foot() -> Self {
        Table {
            length: 1.9812,
            width: 0.9906,
            ..Self::nine_foot()
        }
    }

    /// A snooker table of 3569 by 1778 mm.
    pub fn snooker() -> Self {
        let nine = Self::nine_foot();
        Table {
            length: 3.569,
            width: 1.778,
            cloth: Cloth {
                sliding: 0.5,
                spinning: 0.0116,
                ..nine.cloth
            },
            cushions: Cushions {
                nose_height: 0.039,
                friction: 0.5,
                depth: 0.047_63,
                ..nine.cushions
            },
            pockets: Some(Pockets {
                corner: Mouth {
                    width: 0.080_14,
                    angle: 0.0,
                    jaw_radius: 0.088_9,
                    radius: 0.088_9,
                    depth: 0.067_35,
                },
                side: Mouth {
                    width: 0.084_57,
                    angle: 0.0,
                    jaw_radius: 0.066_9,
                    radius: 0.053_19,
                    depth: 0.051_59,
                },
            }),
            ..nine
        }
    }

    /// A carom table of 2.84 by 1.42 m, without pockets.
    pub fn carom() -> Self {
        let nine = Self::nine_foot();
        Table {
            length: 2.84,
            width: 1.42,
            cloth: Cloth {
                spinning: 0.0137,
                ..nine.cloth
            },
            cushions: Cushions {
                nose_height: 0.037,
                friction: 0.15,
                ..nine.cushions
            },
            pockets: None,
            ..nine
        }
    }

    /// A world with the table, and the material of the balls. Refused where a number is not allowed.
    pub(super) fn world(&self, balls: &Balls) -> Result<(World3, Furniture), ShotError> {
        self.check(balls)?;
        let mut world = World3::new();
        world.set_gravity(DVec3::new(0.0, 0.0, -self.gravity))?;
        let materials = self.materials(&mut world, balls);
        let cloth = HalfSpace::solid(DVec3::Z).map_err(number)?;
        let cloth = Body::fixed(Shape::HalfSpace(cloth));
        let cloth = world.add(cloth.named("cloth").made_of(materials.cloth))?;
        let mut pockets = Vec::new();
        self.add_cushions(&mut world, balls, materials.cushion)?;
        if let Some(holes) = &self.pockets {
            for (name, place, mouth) in self.holes(holes) {
                // Where the surfaces touch, the ball's centre is at the edge of the hole.
                let shape =
                    Cylinder::new(DVec3::Z, HEIGHT, mouth.radius - balls.radius).map_err(number)?;
                let body = Body::fixed(Shape::own(Shape3::Cylinder(shape))).at(place.extend(0.0));
                pockets.push(world.add(body.named(name).sensing())?);
            }
        }
        let furniture = Furniture {
            cloth,
            pockets,
            ball: materials.ball,
        };
        Ok((world, furniture))
    }

    fn check(&self, balls: &Balls) -> Result<(), ShotError> {
        const UNIT: std::ops::RangeInclusive<f64> = 0.0..=1.0;
        const FRICTION: std::ops::RangeInclusive<f64> = 0.0..=10.0;
        within("radius", balls.radius, 1e-6..=1e3)?;
        within("mass", balls.mass, 1e-9..=1e9)?;
        within("restitution", balls.restitution, UNIT)?;
        within("friction", balls.friction, FRICTION)?;
        within("gravity", self.gravity, 1e-6..=1e6)?;
        within("cloth.sliding", self.cloth.sliding, FRICTION)?;
        within("cloth.rolling", self.cloth.rolling, FRICTION)?;
        within("cloth.spinning", self.cloth.spinning, FRICTION)?;
        within("cloth.restitution", self.cloth.restitution, UNIT)?;
        within("cushions.restitution", self.cushions.restitution, UNIT)?;
        within("cushions.friction", self.cushions.friction, FRICTION)?;
        let top = 2.0 * balls.radius;
        within(
            "cushions.nose_height",
            self.cushions.nose_height,
            0.0..=0.99 * top,
        )?;
        within("width", self.width, 4.0 * top..=1e4)?;
        within("length", self.length, 4.0 * top..=1e4)?;
        if let Some(pockets) = &self.pockets {
            for mouth in [pockets.corner, pockets.side] {
                within(
                    "pocket radius",
                    mouth.radius,
                    1.01 * balls.radius..=self.width,
                )?;
                within("jaw_radius", mouth.jaw_radius, 1e-6..=self.width)?;
                within("pocket angle", mouth.angle, 0.0..=0.7)?;
                within("pocket width", mouth.width, top..=0.5 * self.width)?;
            }
        }
        Ok(())
    }

    fn materials(&self, world: &mut World3, balls: &Balls) -> Kinds {
        let rubbing = |restitution: f64, friction: f64| Material {
            restitution,
            static_friction: friction,
            kinetic_friction: friction,
            law: Law::Coulomb,
            ..Material::default()
        };
        let pair = |restitution: f64, friction: f64| PairOverride {
            restitution: Some(restitution),
            static_friction: Some(friction),
            kinetic_friction: Some(friction),
            ..PairOverride::default()
        };
        let materials = &mut world.materials;
        // All of these numbers have been checked.
        let mut add = |name: &str, restitution: f64, friction: f64| {
            let material = rubbing(restitution, friction);
            materials.add(name, material).unwrap_or_default()
        };
        let kinds = Kinds {
            ball: add("ball", balls.restitution, balls.friction),
            cloth: add("cloth", self.cloth.restitution, self.cloth.sliding),
            cushion: add("cushion", self.cushions.restitution, self.cushions.friction),
        };
        let on_cloth = PairOverride {
            rolling_resistance: Some(self.cloth.rolling),
            spinning_resistance: Some(self.cloth.spinning),
            ..pair(self.cloth.restitution, self.cloth.sliding)
        };
        let at_cushion = pair(self.cushions.restitution, self.cushions.friction);
        let _ = materials.override_pair(kinds.ball, kinds.cloth, on_cloth);
        let _ = materials.override_pair(kinds.ball, kinds.cushion, at_cushion);
        kinds
    }

    /// The pockets by name, with their places.
    fn holes(&self, pockets: &Pockets) -> [(&'static str, DVec2, Mouth); 6] {
        let (w, l) = (0.5 * self.width, 0.5 * self.length);
        let c = pockets.corner.depth * 0.5_f64.sqrt();
        let s = pockets.side.depth;
        let (corner, side) = (pockets.corner, pockets.side);
        [
            ("left head", DVec2::new(-w - c, -l - c), corner),
            ("right head", DVec2::new(w + c, -l - c), corner),
            ("left side", DVec2::new(-w - s, 0.0), side),
            ("right side", DVec2::new(w + s, 0.0), side),
            ("left foot", DVec2::new(-w - c, l + c), corner),
            ("right foot", DVec2::new(w + c, l + c), corner),
        ]
    }

    fn add_cushions(
        &self,
        world: &mut World3,
        balls: &Balls,
        material: MaterialId,
    ) -> Result<(), ShotError> {
        let mut builder = Builder {
            world,
            material,
            // A ball touches an upright face at the height of its centre anyway.
            nose: if self.cushions.nose_height <= balls.radius {
                0.5 * balls.radius
            } else {
                self.cushions.nose_height
            },
        };
        let (w, l) = (0.5 * self.width, 0.5 * self.length);
        let (x, y) = (DVec2::X, DVec2::Y);
        let Some(pockets) = &self.pockets else {
            let t = THICKNESS;
            for (side, along, half, name) in [
                (-y * l, x, w + t, "head"),
                (y * l, x, w + t, "foot"),
                (-x * w, y, l + t, "left"),
                (x * w, y, l + t, "right"),
            ] {
                let (from, to) = (side - along * half, side + along * half);
                builder.wall(from, to, -side.normalize(), name)?;
            }
            return Ok(());
        };
        let corner = End::corner(&pockets.corner);
        let side = End::side(&pockets.side);
        let depth = self.cushions.depth;
        // Each in coordinates along the cushion and into it: images of each other to the bit.
        for (name, up) in [("head", -1.0), ("foot", 1.0)] {
            for (hand, right) in [("left", -1.0), ("right", 1.0)] {
                let place = |along: f64, into: f64| DVec2::new(right * (w + into), up * along);
                let name = format!("{hand} {name}");
                builder.cushion(&name, &place, (l, &corner), (0.0, &side), depth)?;
            }
            let place = |along: f64, into: f64| DVec2::new(along, up * (l + into));
            builder.cushion(name, &place, (w, &corner), (-w, &corner), depth)?;
        }
        Ok(())
    }
}

/// How a cushion ends at a pocket.
struct End {
    /// From the middle of the pocket to the point where face and facing would meet, along the face, m.
    point: f64,
    /// From that point to where the round begins, m.
    round: f64,
    /// Of the round, m.
    radius: f64,
    /// How far the facing goes back towards the pocket per metre into the cushion.
    slope: f64,
}

impl End {
    fn corner(mouth: &Mouth) -> Self {
        let point = mouth.width * 0.5_f64.sqrt();
        Self::new(mouth, point, 45.0 * DEGREE + mouth.angle)
    }

    fn side(mouth: &Mouth) -> Self {
        Self::new(mouth, 0.5 * mouth.width, mouth.angle)
    }

    /// With the angle of the facing from the line across the face.
    fn new(mouth: &Mouth, point: f64, angle: f64) -> Self {
        // The face and the facing enclose a right angle and this one.
        let half = 0.5 * (90.0 * DEGREE + angle);
        End {
            point,
            round: mouth.jaw_radius / libm::tan(half),
            radius: mouth.jaw_radius,
            slope: libm::tan(angle),
        }
    }
}

struct Builder<'a> {
    world: &'a mut World3,
    material: MaterialId,
    /// Height of the nose, m.
    nose: f64,
}

impl Builder<'_> {
    /// A cushion between two pockets, whose middles are where they are along its face: the face, two jaws, two facings.
    fn cushion(
        &mut self,
        name: &str,
        place: &dyn Fn(f64, f64) -> DVec2,
        (from, first): (f64, &End),
        (to, last): (f64, &End),
        depth: f64,
    ) -> Result<(), ShotError> {
        let inward = place(0.0, -1.0) - place(0.0, 0.0);
        let begin = from - first.point - first.round;
        let end = to + last.point + last.round;
        self.wall(place(begin, 0.0), place(end, 0.0), inward, name)?;
        for (end, pocket, towards) in [(first, from, 1.0), (last, to, -1.0)] {
            // From the middle of the pocket along the face.
            let at = |along: f64, into: f64| place(pocket - towards * along, into);
            self.jaw(at(end.point + end.round, end.radius), end.radius, name)?;
            // The facing, from where the round ends to the back of the cushion.
            let back = |into: f64| at(end.point - into * end.slope, into);
            let share = end.round / (1.0 + end.slope * end.slope).sqrt();
            let (near, far) = (back(share), back(depth));
            let along = (far - near).normalize();
            let across = DVec2::new(-along.y, along.x);
            let away = at(0.0, 0.0) - at(1.0, 0.0);
            let facing = if across.dot(away) > 0.0 {
                across
            } else {
                -across
            };
            self.wall(near, far, facing, name)?;
        }
        Ok(())
    }

    /// An upright wall above the nose's height, seen from above as a line; its front is on the side of `front`.
    fn wall(&mut self, from: DVec2, to: DVec2, front: DVec2, name: &str) -> Result<(), ShotError> {
        let along = to - from;
        let (length, thickness) = (0.5 * along.length(), 0.5 * THICKNESS);
        let middle = 0.5 * (from + to) - front * thickness;
        let mut pose = Pose::at(middle.extend(self.nose + 0.5 * HEIGHT));
        let mut half = DVec3::new(length, thickness, 0.5 * HEIGHT);
        if along.x == 0.0 {
            half = DVec3::new(thickness, length, 0.5 * HEIGHT);
        } else if along.y != 0.0 {
            // So that images of each other are turned by opposite angles.
            let along = if along.x < 0.0 { -along } else { along };
            let (sin, cos) = libm::sincos(0.5 * libm::atan2(along.y, along.x));
            pose.rotation = DQuat::from_xyzw(0.0, 0.0, sin, cos);
        }
        self.add(Shape::Block(Block::new(half).map_err(number)?), pose, name)
    }

    fn jaw(&mut self, place: DVec2, radius: f64, name: &str) -> Result<(), ShotError> {
        let shape = Cylinder::new(DVec3::Z, 0.5 * HEIGHT, radius).map_err(number)?;
        let pose = Pose::at(place.extend(self.nose + 0.5 * HEIGHT));
        self.add(Shape::own(Shape3::Cylinder(shape)), pose, name)
    }

    fn add(
        &mut self,
        shape: Shape<Space3>,
        pose: Pose<Space3>,
        name: &str,
    ) -> Result<(), ShotError> {
        let body = Body::fixed(shape)
            .pose(pose)
            .named(name)
            .made_of(self.material);
        self.world.add(body)?;
        Ok(())
    }
}

struct Kinds {
    ball: MaterialId,
    cloth: MaterialId,
    cushion: MaterialId,
}

/// What of the table a shot needs to know.
pub(super) struct Furniture {
    pub cloth: BodyId,
    pub pockets: Vec<BodyId>,
    /// What balls are made of.
    pub ball: MaterialId,
}

pub(super) fn number(error: ShapeError) -> ShotError {
    ShotError::Number {
        field: error.field,
        value: error.value.parse().unwrap_or(f64::NAN),
        allowed: error.allowed.to_owned(),
    }
}
