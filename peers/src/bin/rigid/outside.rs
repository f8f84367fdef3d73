//! How deep bodies overlap, from places and orientations alone.

use crate::scenes::{Form, Scene};

type Vector = [f64; 3];

/// Where a body is, and its axes in the world.
pub struct Posed {
    pub place: Vector,
    pub axes: [Vector; 3],
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// How far a form reaches along a direction from its centre, m.
fn along(form: Form, posed: &Posed, direction: Vector) -> f64 {
    match form {
        Form::Block(half) => (0..3)
            .map(|k| half[k] * dot(posed.axes[k], direction).abs())
            .sum(),
        Form::Capsule { half, radius } => {
            half * dot(posed.axes[0], direction).abs() + radius * dot(direction, direction).sqrt()
        }
        Form::Ball(radius) => radius * dot(direction, direction).sqrt(),
    }
}

fn reach(form: Form) -> f64 {
    match form {
        Form::Block(half) => dot(half, half).sqrt(),
        Form::Capsule { half, radius } => half + radius,
        Form::Ball(radius) => radius,
    }
}

/// The distance of two segments of half length `half` along the first axes, m.
fn apart(half: f64, a: &Posed, b: &Posed) -> f64 {
    let (u, v, between) = (a.axes[0], b.axes[0], minus(a.place, b.place));
    let cos = dot(u, v);
    let (p, q) = (dot(u, between), dot(v, between));
    let distance = |s: f64, t: f64| {
        let gap = [0, 1, 2].map(|k: usize| between[k] + s * u[k] - t * v[k]);
        dot(gap, gap).sqrt()
    };
    let clamp = |x: f64| x.clamp(-half, half);
    let mut least = f64::INFINITY;
    let sine = 1.0 - cos * cos;
    if sine > 1e-12 {
        let (s, t) = ((cos * q - p) / sine, (q - cos * p) / sine);
        if s.abs() <= half && t.abs() <= half {
            least = distance(s, t);
        }
    }
    // Otherwise an end of one is the nearest.
    for end in [-half, half] {
        least = least.min(distance(end, clamp(q + cos * end)));
        least = least.min(distance(clamp(cos * end - p), end));
    }
    least
}

/// How deep two blocks overlap, by all directions that can separate them, m; negative where they are apart.
fn blocks(dimension: usize, forms: [Form; 2], a: &Posed, b: &Posed) -> f64 {
    let between = minus(b.place, a.place);
    let mut directions: Vec<Vector> = Vec::new();
    directions.extend(&a.axes[..dimension]);
    directions.extend(&b.axes[..dimension]);
    if dimension == 3 {
        for one in a.axes {
            directions.extend(b.axes.map(|other| cross(one, other)));
        }
    }
    let mut least = f64::INFINITY;
    for direction in directions {
        let length = dot(direction, direction).sqrt();
        if length < 1e-9 {
            continue;
        }
        let unit = direction.map(|x| x / length);
        let depth = along(forms[0], a, unit) + along(forms[1], b, unit) - dot(between, unit).abs();
        least = least.min(depth);
        if least <= 0.0 {
            break;
        }
    }
    least
}

/// The deepest overlap of any two bodies, or of one with a wall, m; 0 where there is none.
pub fn deepest(scene: &Scene, poses: &[Posed]) -> f64 {
    let mut deep: f64 = 0.0;
    for (k, a) in poses.iter().enumerate() {
        let form = scene.bodies[k].form;
        for &(point, normal) in &scene.walls {
            let height = dot(minus(a.place, point), normal);
            deep = deep.max(along(form, a, normal) - height);
        }
        if let Some(drum) = &scene.drum {
            deep = deep.max(dot(a.place, a.place).sqrt() + reach(form) - drum.radius);
        }
    }
    // In the order of their left ends: who begins beyond another's right end, and all after it, are not near.
    let left = |k: usize| poses[k].place[0] - reach(scene.bodies[k].form);
    let mut order: Vec<usize> = (0..poses.len()).collect();
    order.sort_by(|&a, &b| left(a).total_cmp(&left(b)));
    for (at, &k) in order.iter().enumerate() {
        let (form, a) = (scene.bodies[k].form, &poses[k]);
        let right = a.place[0] + reach(form);
        for &other in order[at + 1..]
            .iter()
            .take_while(|&&other| left(other) <= right)
        {
            let (its, b) = (scene.bodies[other].form, &poses[other]);
            let (between, most) = (minus(b.place, a.place), reach(form) + reach(its));
            if dot(between, between) > most * most {
                continue;
            }
            let depth = match (form, its) {
                (Form::Capsule { half, radius }, Form::Capsule { .. }) => {
                    2.0 * radius - apart(half, a, b)
                }
                (Form::Ball(one), Form::Ball(two)) => one + two - dot(between, between).sqrt(),
                _ => blocks(scene.dimension, [form, its], a, b),
            };
            deep = deep.max(depth);
        }
    }
    deep
}
