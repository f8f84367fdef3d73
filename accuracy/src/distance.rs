//! The distance of a point from a shape, and how fast it changes: closest points, in any arithmetic.
//!
//! The shape's numbers are taken as exact. Where they overdetermine it (a unit normal whose length is not quite one,
//! the end points of an arc that are not quite on its circle) the definition is the one stated at the variant.

use crate::case::{Form, Triple};
use crate::real::{Real, Vector, add, cross, dot, length, scale, sub, vector};

/// A distance and its rate of change.
#[derive(Clone, Debug)]
pub struct Gap<R> {
    /// m.
    pub distance: R,
    /// m/s.
    pub rate: R,
}

impl<R: Real> Gap<R> {
    fn negated(&self) -> Self {
        Gap {
            distance: self.distance.negated(),
            rate: self.rate.negated(),
        }
    }

    fn less(&self, length: &R) -> Self {
        Gap {
            distance: self.distance.minus(length),
            rate: self.rate.clone(),
        }
    }
}

/// A straight edge with the numbers that its distances need.
#[derive(Clone, Debug)]
pub struct Edge<R> {
    from: Vector<R>,
    to: Vector<R>,
    along: Vector<R>,
    square: R,
}

impl<R: Real> Edge<R> {
    fn new(from: Triple, to: Triple) -> Self {
        let (from, to) = (vector::<R>(from), vector::<R>(to));
        let along = sub(&to, &from);
        let square = dot(&along, &along);
        Edge {
            from,
            to,
            along,
            square,
        }
    }

    /// From the nearest place on the edge to the point, and how that arrow changes when the point moves.
    fn away(&self, point: &Vector<R>, velocity: &Vector<R>) -> (Vector<R>, Vector<R>) {
        let arrow = sub(point, &self.from);
        let advance = dot(&arrow, &self.along);
        if advance.sign() <= 0 {
            return (arrow, velocity.clone());
        }
        if !advance.below(&self.square) {
            return (sub(point, &self.to), velocity.clone());
        }
        let across =
            |a: &Vector<R>, advance: &R| sub(a, &scale(&self.along, &advance.over(&self.square)));
        (
            across(&arrow, &advance),
            across(velocity, &dot(velocity, &self.along)),
        )
    }
}

/// A [`Form`] prepared for one arithmetic.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Solid<R> {
    /// `|p| − radius`.
    Ball { radius: R },
    /// `n·p`, with the normal as stored, or its absolute value where two-sided.
    HalfSpace { normal: Vector<R>, two_sided: bool },
    /// `radius − |p|`.
    Hollow { radius: R },
    /// Distance from a box; inside, the largest of the face distances (negative).
    Block { half: Vec<R> },
    /// Distance from a segment.
    Segment { edge: Edge<R> },
    /// Distance from the part of the circle that lies where `(p − centre)·middle ≥ cos_half |p − centre|`, elsewhere
    /// from the nearer of the two stored ends.
    Arc {
        centre: Vector<R>,
        radius: R,
        middle: Vector<R>,
        cos_half: R,
        ends: [Vector<R>; 2],
    },
    /// Distance from a flat triangle.
    Triangle {
        edges: [Edge<R>; 3],
        face: Vector<R>,
        face_length: R,
        inward: [Vector<R>; 3],
    },
    /// Distance from a solid cylinder, with height `a·p` and radial part `p − a (a·p)` for the axis as stored.
    Cylinder {
        axis: Vector<R>,
        half_length: R,
        radius: R,
    },
}

/// `|arrow|` and its rate.
fn from_arrow<R: Real>(arrow: &Vector<R>, velocity: &Vector<R>) -> Gap<R> {
    let distance = length(arrow);
    let rate = dot(arrow, velocity).over(&distance);
    Gap { distance, rate }
}

/// `|height|` and its rate.
fn unsigned<R: Real>(height: R, rate: R) -> Gap<R> {
    let gap = Gap {
        distance: height,
        rate,
    };
    if gap.distance.sign() < 0 {
        gap.negated()
    } else {
        gap
    }
}

impl<R: Real> Solid<R> {
    /// The same shape in this arithmetic.
    pub fn new(form: &Form, dimension: usize) -> Self {
        match *form {
            Form::Ball { radius } => Solid::Ball {
                radius: R::of(radius),
            },
            Form::Hollow { radius } => Solid::Hollow {
                radius: R::of(radius),
            },
            Form::HalfSpace { normal, two_sided } => Solid::HalfSpace {
                normal: vector(normal),
                two_sided,
            },
            Form::Block { half } => Solid::Block {
                half: half[..dimension].iter().map(|&h| R::of(h)).collect(),
            },
            Form::Segment { ends: [from, to] } => Solid::Segment {
                edge: Edge::new(from, to),
            },
            Form::Arc {
                centre,
                radius,
                middle,
                cos_half,
                ends,
            } => Solid::Arc {
                centre: vector(centre),
                radius: R::of(radius),
                middle: vector(middle),
                cos_half: R::of(cos_half),
                ends: ends.map(vector),
            },
            Form::Triangle { corners: [a, b, c] } => {
                let edges = [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)];
                let face = cross::<R>(&edges[0].along, &edges[1].along);
                let inward = [0, 1, 2].map(|i| cross(&face, &edges[i].along));
                let face_length = length(&face);
                Solid::Triangle {
                    edges,
                    face,
                    face_length,
                    inward,
                }
            }
            Form::Cylinder {
                axis,
                half_length,
                radius,
            } => Solid::Cylinder {
                axis: vector(axis),
                half_length: R::of(half_length),
                radius: R::of(radius),
            },
        }
    }

    /// The signed distance of a moving point of the shape's frame.
    ///
    /// Longer than most: one arm for each solid.
    pub fn gap(&self, p: &Vector<R>, v: &Vector<R>) -> Gap<R> {
        match self {
            Solid::Ball { radius } => from_arrow(p, v).less(radius),
            Solid::Hollow { radius } => from_arrow(p, v).less(radius).negated(),
            Solid::HalfSpace { normal, two_sided } => {
                let (distance, rate) = (dot(normal, p), dot(normal, v));
                if *two_sided {
                    unsigned(distance, rate)
                } else {
                    Gap { distance, rate }
                }
            }
            Solid::Block { half } => block(half, p, v),
            Solid::Segment { edge } => {
                let (arrow, velocity) = edge.away(p, v);
                from_arrow(&arrow, &velocity)
            }
            Solid::Arc {
                centre,
                radius,
                ends,
                ..
            } => {
                let arrow = sub(p, centre);
                if self.faces(&arrow) {
                    let height = from_arrow(&arrow, v).less(radius);
                    unsigned(height.distance, height.rate)
                } else {
                    let [a, b] = ends.each_ref().map(|end| sub(p, end));
                    let nearer = if dot(&b, &b).below(&dot(&a, &a)) {
                        b
                    } else {
                        a
                    };
                    from_arrow(&nearer, v)
                }
            }
            Solid::Triangle {
                edges,
                face,
                face_length,
                inward,
            } => {
                let over_face = edges
                    .iter()
                    .zip(inward)
                    .all(|(edge, inward)| dot(inward, &sub(p, &edge.from)).sign() >= 0);
                if over_face {
                    let height = dot(face, &sub(p, &edges[0].from)).over(face_length);
                    return unsigned(height, dot(face, v).over(face_length));
                }
                let (arrow, velocity, _) = edges
                    .iter()
                    .map(|edge| {
                        let (arrow, velocity) = edge.away(p, v);
                        let square = dot(&arrow, &arrow);
                        (arrow, velocity, square)
                    })
                    .reduce(|best, other| if other.2.below(&best.2) { other } else { best })
                    .expect("three edges");
                from_arrow(&arrow, &velocity)
            }
            Solid::Cylinder {
                axis,
                half_length,
                radius,
            } => {
                let height = dot(axis, p);
                let climb = dot(axis, v);
                let radial = sub(p, &scale(axis, &height));
                let side = from_arrow(&radial, &sub(v, &scale(axis, &climb))).less(radius);
                let end = unsigned(height, climb).less(half_length);
                if side.distance.sign() > 0 && end.distance.sign() > 0 {
                    let zero = R::zero();
                    from_arrow(
                        &[side.distance, end.distance, zero.clone()],
                        &[side.rate, end.rate, zero],
                    )
                } else if side.distance.below(&end.distance) {
                    end
                } else {
                    side
                }
            }
        }
    }

    /// For an arc: whether the direction of this arrow from its centre meets the arc.
    pub fn faces(&self, arrow: &Vector<R>) -> bool {
        match self {
            Solid::Arc {
                middle, cos_half, ..
            } => !dot(arrow, middle).below(&cos_half.times(&length(arrow))),
            _ => true,
        }
    }
}

fn block<R: Real>(half: &[R], p: &Vector<R>, v: &Vector<R>) -> Gap<R> {
    let mut arrow = vector::<R>([0.0; 3]);
    let mut velocity = arrow.clone();
    let mut deepest: Option<Gap<R>> = None;
    let mut outside = false;
    for (axis, half) in half.iter().enumerate() {
        let beyond = unsigned(p[axis].clone(), v[axis].clone()).less(half);
        if beyond.distance.sign() > 0 {
            outside = true;
            arrow[axis] = beyond.distance;
            velocity[axis] = beyond.rate;
        } else if deepest
            .as_ref()
            .is_none_or(|deepest| deepest.distance.below(&beyond.distance))
        {
            deepest = Some(beyond);
        }
    }
    match deepest {
        Some(face) if !outside => face,
        _ => from_arrow(&arrow, &velocity),
    }
}

/// `a + b t + c t²` and its rate.
pub fn polynomial<R: Real>(coefficients: &[Vector<R>; 3], t: &R) -> (Vector<R>, Vector<R>) {
    let [a, b, c] = coefficients;
    let bent = scale(c, t);
    let slope = add(b, &bent);
    (add(a, &scale(&slope, t)), add(&slope, &bent))
}
