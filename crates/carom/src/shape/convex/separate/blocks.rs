//! The axis along which two blocks are farthest apart.

use super::{Axis, AxisKind, PREFERENCE};
use crate::shape::convex::placed::Placed;
use crate::space::Linear;
use glam::{DMat3, DVec3};

/// Two boxes (rectangles): 15 (4) directions, in closed form.
///
/// Longer than most: 15 directions that share the numbers that they are made of, asked in every search.
pub(super) fn blocks(
    a: &Placed,
    (centre_a, half_a): (DVec3, DVec3),
    b: &Placed,
    (centre_b, half_b): (DVec3, DVec3),
    planar: bool,
) -> Axis {
    let own = |v: DVec3| a.own(v);
    // Columns: b's axes in a's frame.
    let c = DMat3::from_cols(own(b.axes.x_axis), own(b.axes.y_axis), own(b.axes.z_axis));
    let t = own(b.place(centre_b) - a.centre) - centre_a;
    let size = half_a.x + half_a.y + half_a.z + half_b.x + half_b.y + half_b.z;
    let dimension = if planar { 2 } else { 3 };
    let abs = DMat3::from_cols(c.x_axis.abs(), c.y_axis.abs(), c.z_axis.abs());
    // How far b reaches along the axes of a, and the other way round.
    let reach_b = abs.x_axis * half_b.x + abs.y_axis * half_b.y + abs.z_axis * half_b.z;
    let reach_a = DVec3::new(
        Linear::dot(abs.x_axis, half_a),
        Linear::dot(abs.y_axis, half_a),
        Linear::dot(abs.z_axis, half_a),
    );
    let t_b = DVec3::new(
        Linear::dot(c.x_axis, t),
        Linear::dot(c.y_axis, t),
        Linear::dot(c.z_axis, t),
    );
    let (mut best, mut which) = (f64::NEG_INFINITY, 0);
    let face_a = t.abs() - half_a - reach_b;
    for i in 0..dimension {
        if face_a[i] > best {
            (best, which) = (face_a[i], i);
        }
    }
    let face_b = t_b.abs() - half_b - reach_a;
    let bias = PREFERENCE * size;
    for j in 0..dimension {
        if face_b[j] > best + bias {
            (best, which) = (face_b[j], 3 + j);
        }
    }
    if !planar {
        // a_i × b_j in a's frame has only components of b_j, so that it is exactly across both.
        let (columns, abs_columns) = (c.to_cols_array_2d(), abs.to_cols_array_2d());
        let (ha, hb, tt) = (half_a.to_array(), half_b.to_array(), t.to_array());
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let (x, y) = (-columns[j][i2], columns[j][i1]);
                let squared = x * x + y * y;
                if squared < 1e-20 {
                    continue;
                }
                let reach = ha[i1] * abs_columns[j][i2]
                    + ha[i2] * abs_columns[j][i1]
                    + hb[j1] * abs_columns[j2][i]
                    + hb[j2] * abs_columns[j1][i];
                let gap = (x * tt[i1] + y * tt[i2]).abs() - reach;
                // Without the root: only where it would be better, and most are not.
                let wanted = best + bias;
                if gap > 0.0 || wanted < 0.0 {
                    let length = squared.sqrt();
                    if gap > wanted * length {
                        (best, which) = (gap / length, 6 + 3 * i + j);
                    }
                }
            }
        }
    }
    let oriented = |own_axis: DVec3| {
        if Linear::dot(own_axis, t) < 0.0 {
            -own_axis
        } else {
            own_axis
        }
    };
    let axis = DMat3::IDENTITY;
    let (normal, kind) = match which {
        0..3 => {
            let normal = oriented(axis.col(which));
            let face = 2 * which as u32 + u32::from(normal[which] > 0.0);
            (normal, AxisKind::FaceA(face))
        }
        3..6 => {
            let normal = oriented(c.col(which - 3));
            let positive = t_b[which - 3] < 0.0;
            let face = 2 * (which as u32 - 3) + u32::from(positive);
            (normal, AxisKind::FaceB(face))
        }
        _ => {
            let (i, j) = ((which - 6) / 3, (which - 6) % 3);
            let cross = axis.col(i).cross(c.col(j));
            let normal = oriented(cross.unit().unwrap_or(DVec3::X));
            (normal, AxisKind::Edges(i as u32, j as u32))
        }
    };
    let face = |hull_face: u32| {
        // Faces of a rectangle are counted around it, those of a box by axis.
        const AROUND: [u32; 4] = [3, 1, 0, 2];
        if planar {
            AROUND[hull_face as usize]
        } else {
            hull_face
        }
    };
    let kind = match kind {
        AxisKind::FaceA(f) => AxisKind::FaceA(face(f)),
        AxisKind::FaceB(f) => AxisKind::FaceB(face(f)),
        AxisKind::Edges(..) => AxisKind::Free,
        AxisKind::Free => AxisKind::Free,
    };
    Axis {
        normal: a.turned(normal),
        separation: best,
        kind,
    }
}
