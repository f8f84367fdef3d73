//! What is in front, and how it is lit.
//!
//! Each pixel has four samples. A buffer keeps, for each, the nearest thing so far and its depth. When everything is in
//! it, each thing that a pixel shows is shaded once, in the middle of its samples. This is done in bands of rows, so
//! that buffers stay small whatever the picture's size, and bands are done in parallel.
//!
//! **A ball.** Seen from the origin along d = (u, v, 1), a ball with centre c and radius r begins where |t d − c| = r:
//! t = (d·c − √((d·c)² − d·d (c·c − r²))) / d·d, and as d has a z of one, t is the depth. The inside of a hollow one
//! has the other root.
//!
//! **A triangle.** 1 / z is linear in the pixels; weights of the corners for anything else are those in pixels times 1
//! / z.

use super::camera::Camera;
use super::model::{Ball, Model, Tone, Triangle};
use crate::outlines::{Place, dot, scaled, sum, unit};
use rayon::prelude::*;
use tiny_skia::Pixmap;

/// Rows of pixels in a band.
const BAND: usize = 24;
/// Samples along either side of a pixel.
const FINE: usize = 2;
const NOTHING: u32 = u32::MAX;

/// A triangle on pixels.
struct Spread {
    corners: [[f64; 2]; 3],
    nearness: [f64; 3],
    /// 1 / (twice the area), with its sign.
    over_area: f64,
}

impl Spread {
    fn new(corners: [[f64; 2]; 3], nearness: [f64; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        (area.abs() > 1e-9).then(|| Spread {
            corners,
            nearness,
            over_area: 1.0 / area,
        })
    }

    /// Weights of the corners at a pixel.
    fn weights(&self, x: f64, y: f64) -> [f64; 3] {
        let [a, b, c] = self.corners;
        let second = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) * self.over_area;
        let third = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * self.over_area;
        [1.0 - second - third, second, third]
    }

    fn range(&self, axis: usize) -> [f64; 2] {
        let three = self.corners.map(|corner| corner[axis]);
        [
            three.into_iter().fold(f64::INFINITY, f64::min),
            three.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ]
    }

    /// Calls with each sample of some rows that it covers (columns and rows of samples), and its depth.
    fn each(&self, rows: &[usize; 2], columns: usize, mut show: impl FnMut(usize, usize, f64)) {
        let [low, high] = self.range(1);
        let [left, right] = self.range(0);
        let fine = FINE as f64;
        let first = ((low * fine - 0.5).ceil().max(0.0) as usize).max(rows[0]);
        let last = (high * fine + 0.5).floor().clamp(0.0, rows[1] as f64) as usize;
        let from = (left * fine - 0.5).ceil().clamp(0.0, columns as f64) as usize;
        let to = (right * fine + 0.5).floor().clamp(0.0, columns as f64) as usize;
        if from >= to {
            return;
        }
        // Along a row the weights change by the same amount from sample to sample.
        let start =
            |row: usize| self.weights((from as f64 + 0.5) / fine, (row as f64 + 0.5) / fine);
        let step = {
            let (here, next) = (self.weights(0.0, 0.0), self.weights(1.0 / fine, 0.0));
            [0, 1, 2].map(|i| next[i] - here[i])
        };
        for row in first..last.max(first) {
            let begin = start(row);
            for column in from..to {
                let along = (column - from) as f64;
                let weights = [0, 1, 2].map(|i| begin[i] + along * step[i]);
                if weights.iter().all(|&weight| weight >= 0.0) {
                    let nearness = (0..3).map(|i| weights[i] * self.nearness[i]).sum::<f64>();
                    show(column, row, 1.0 / nearness);
                }
            }
        }
    }
}

/// The rows (pixels) that things reach over, so that a band looks at its own alone.
struct Bins(Vec<Vec<u32>>);

impl Bins {
    fn new(height: usize) -> Self {
        Bins(vec![Vec::new(); height.div_ceil(BAND)])
    }

    fn add(&mut self, number: usize, [low, high]: [f64; 2]) {
        let Ok(number) = u32::try_from(number) else {
            return;
        };
        if !(high >= 0.0) || !low.is_finite() {
            return;
        }
        let first = (low.max(0.0) / BAND as f64) as usize;
        let last = (high.min(1e9) / BAND as f64) as usize;
        for bin in self.0.iter_mut().take(last.saturating_add(1)).skip(first) {
            bin.push(number);
        }
    }
}

/// How much of its own colour a surface shows, from where.
struct Light {
    everywhere: f32,
    /// More where it looks up, less where it looks down.
    above: f32,
    direct: f32,
    shine: f32,
}

impl Light {
    const BALL: Light = Light {
        everywhere: 0.56,
        above: 0.12,
        direct: 0.45,
        shine: 0.35,
    };
    const FACE: Light = Light {
        everywhere: 0.62,
        above: 0.1,
        direct: 0.38,
        shine: 0.0,
    };
    /// Even, so that balls stand out from it and their shadows are seen.
    const WALL: Light = Light {
        everywhere: 0.82,
        above: 0.04,
        direct: 0.2,
        shine: 0.0,
    };
}

struct Scene<'m> {
    model: &'m Model,
    camera: &'m Camera,
    /// Of the model's triangles.
    spreads: Vec<Option<Spread>>,
    veils: Vec<Option<Spread>>,
    balls_in: Bins,
    triangles_in: Bins,
    veils_in: Bins,
    half: Place,
    columns: usize,
}

/// Draws a model over the whole of some pixels.
pub(super) fn draw(model: &Model, camera: &Camera, pixmap: &mut Pixmap) {
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let (mut balls_in, mut triangles_in, mut veils_in) =
        (Bins::new(height), Bins::new(height), Bins::new(height));
    for (number, ball) in model.balls.iter().enumerate() {
        let [low, high] = extent(ball, 1);
        let pixels = |slope: f64| camera.centre[1] + camera.focal * slope;
        balls_in.add(number, [pixels(low) - 1.0, pixels(high) + 1.0]);
    }
    let spread = |triangle: &Triangle| {
        let pixels = triangle.corners.map(|corner| camera.pixels(corner));
        Spread::new(pixels, triangle.corners.map(|corner| 1.0 / corner[2]))
    };
    let spreads: Vec<Option<Spread>> = model.triangles.iter().map(spread).collect();
    let veils: Vec<Option<Spread>> = model
        .veils
        .iter()
        .map(|veil| Spread::new(veil.corners, veil.nearness))
        .collect();
    for (bins, list) in [(&mut triangles_in, &spreads), (&mut veils_in, &veils)] {
        for (number, spread) in list.iter().enumerate() {
            if let Some(spread) = spread {
                bins.add(number, spread.range(1));
            }
        }
    }
    let scene = Scene {
        model,
        camera,
        spreads,
        veils,
        balls_in,
        triangles_in,
        veils_in,
        // Between the light and the eye, far away along z: where highlights are.
        half: unit(sum(model.light, [0.0, 0.0, -1.0])),
        columns: FINE * width,
    };
    pixmap
        .data_mut()
        .par_chunks_mut(4 * width * BAND)
        .enumerate()
        .for_each(|(band, pixels)| scene.band(band, width, pixels));
}

/// From which to which slope, along x or y, a ball is seen: tangents from the origin to a circle.
fn extent(ball: &Ball, axis: usize) -> [f64; 2] {
    let (c, z, r) = (ball.centre[axis], ball.centre[2], ball.radius);
    let below = z * z - r * r;
    if !(z > r) || !(below > 0.0) {
        return [-1e6, 1e6];
    }
    let root = r * (c * c + below).max(0.0).sqrt();
    [(c * z - root) / below, (c * z + root) / below]
}

impl Scene<'_> {
    fn band(&self, band: usize, width: usize, pixels: &mut [u8]) {
        let rows = pixels.len() / (4 * width);
        let fine_rows = [FINE * BAND * band, FINE * (BAND * band + rows)];
        let samples = self.columns * (fine_rows[1] - fine_rows[0]);
        let mut depths = vec![f32::INFINITY; samples];
        let mut things = vec![NOTHING; samples];
        let place = |column: usize, row: usize| (row - fine_rows[0]) * self.columns + column;
        for &number in &self.balls_in.0[band] {
            let ball = &self.model.balls[number as usize];
            self.ball(ball, &fine_rows, |column, row, depth| {
                let at = place(column, row);
                if depth < depths[at] {
                    (depths[at], things[at]) = (depth, number);
                }
            });
        }
        let balls = self.model.balls.len() as u32;
        for &number in &self.triangles_in.0[band] {
            let Some(spread) = &self.spreads[number as usize] else {
                continue;
            };
            spread.each(&fine_rows, self.columns, |column, row, depth| {
                let at = place(column, row);
                if (depth as f32) < depths[at] {
                    (depths[at], things[at]) = (depth as f32, balls + number);
                }
            });
        }
        let mut tones: Vec<Tone> = Vec::with_capacity(width * rows);
        for row in 0..rows {
            for column in 0..width {
                let first = FINE * row * self.columns + FINE * column;
                let four = [
                    first,
                    first + 1,
                    first + self.columns,
                    first + self.columns + 1,
                ];
                let corner = [column as f64, (BAND * band + row) as f64];
                tones.push(self.pixel(corner, four.map(|at| things[at])));
            }
        }
        self.veil(band, &fine_rows, &depths, width, &mut tones);
        for (pixel, tone) in pixels.chunks_exact_mut(4).zip(tones) {
            for (byte, value) in pixel.iter_mut().zip(tone) {
                *byte = (value + 0.5).clamp(0.0, 255.0) as u8;
            }
        }
    }

    /// Calls with each sample of some rows that a ball covers, and its depth.
    fn ball(&self, ball: &Ball, rows: &[usize; 2], mut show: impl FnMut(usize, usize, f32)) {
        let fine = FINE as f64;
        let range = |axis: usize, from: usize, to: usize| {
            let [low, high] = extent(ball, axis);
            let sample =
                |slope: f64| (self.camera.centre[axis] + self.camera.focal * slope) * fine - 0.5;
            let low = sample(low).ceil().clamp(from as f64, to as f64) as usize;
            let high = (sample(high).floor() + 1.0).clamp(from as f64, to as f64) as usize;
            low..high
        };
        let [cx, cy, cz] = ball.centre;
        let square = dot(ball.centre, ball.centre) - ball.radius * ball.radius;
        let slope = |sample: usize, axis: usize| {
            ((sample as f64 + 0.5) / fine - self.camera.centre[axis]) / self.camera.focal
        };
        let sign = if ball.hollow { 1.0 } else { -1.0 };
        for row in range(1, rows[0], rows[1]) {
            let v = slope(row, 1);
            let (along_row, square_row) = (v * cy + cz, v * v + 1.0);
            for column in range(0, 0, self.columns) {
                let u = slope(column, 0);
                let (along, d) = (along_row + u * cx, square_row + u * u);
                let under = along * along - d * square;
                if under >= 0.0 {
                    let depth = (along + sign * under.sqrt()) / d;
                    if depth > 0.0 {
                        show(column, row, depth as f32);
                    }
                }
            }
        }
    }

    /// The colour of a pixel with four samples.
    fn pixel(&self, corner: [f64; 2], samples: [u32; 4]) -> Tone {
        const OFFSETS: [[f64; 2]; 4] = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
        if samples.iter().all(|&thing| thing == samples[0]) {
            let middle = [corner[0] + 0.5, corner[1] + 0.5];
            return self.shade(samples[0], middle);
        }
        let mut sum = [0.0_f32; 3];
        for (number, &thing) in samples.iter().enumerate() {
            if samples[..number].contains(&thing) {
                continue;
            }
            let (mut at, mut count) = ([0.0; 2], 0.0);
            for (offset, _) in OFFSETS
                .iter()
                .zip(samples)
                .filter(|(_, other)| *other == thing)
            {
                at = [at[0] + offset[0], at[1] + offset[1]];
                count += 1.0;
            }
            let at = [corner[0] + at[0] / count, corner[1] + at[1] / count];
            let tone = self.shade(thing, at);
            for i in 0..3 {
                sum[i] += 0.25 * count as f32 * tone[i];
            }
        }
        sum
    }

    /// The colour of a thing at a pixel.
    fn shade(&self, thing: u32, [x, y]: [f64; 2]) -> Tone {
        if thing == NOTHING {
            return self.model.paper;
        }
        let [u, v] = [
            (x - self.camera.centre[0]) / self.camera.focal,
            (y - self.camera.centre[1]) / self.camera.focal,
        ];
        let number = thing as usize;
        match self.model.balls.get(number) {
            Some(ball) => {
                let along = u * ball.centre[0] + v * ball.centre[1] + ball.centre[2];
                let square = dot(ball.centre, ball.centre) - ball.radius * ball.radius;
                let d = u * u + v * v + 1.0;
                // At the edge the middle of the samples may be just beside it.
                let under = (along * along - d * square).max(0.0).sqrt();
                let depth = (along + if ball.hollow { under } else { -under }) / d;
                let place = [u * depth, v * depth, depth];
                let out = unit(sum(place, scaled(ball.centre, -1.0)));
                if ball.hollow {
                    return self.lit(place, scaled(out, -1.0), ball.tone, Light::WALL, 0.0);
                }
                let own = |axes: &[Place; 3]| axes.map(|axis| dot(axis, out));
                let tone = match (&ball.axes, &ball.coat) {
                    (Some(axes), Some(coat)) => coat.tone(ball.tone, own(axes)),
                    (Some(axes), None) => marked(ball.tone, own(axes)),
                    (None, _) => ball.tone,
                };
                let cover = self.model.covers[number].of(out);
                self.lit(place, out, tone, Light::BALL, cover)
            }
            None => {
                let number = number - self.model.balls.len();
                let triangle = &self.model.triangles[number];
                let Some(spread) = &self.spreads[number] else {
                    return triangle.tone;
                };
                let weights = spread.weights(x, y);
                let mut normal = [0.0; 3];
                let mut nearness = 0.0;
                for (i, weight) in weights.into_iter().enumerate() {
                    let weight = weight * spread.nearness[i];
                    nearness += weight;
                    normal = sum(normal, scaled(triangle.normals[i], weight));
                }
                let depth = 1.0 / nearness;
                let place = [u * depth, v * depth, depth];
                let light = if triangle.wall {
                    Light::WALL
                } else {
                    Light::FACE
                };
                self.lit(place, unit(normal), triangle.tone, light, 0.0)
            }
        }
    }

    /// A surface in the light: what comes from everywhere, more of it from above, but for what is covered; what comes
    /// from the light; and the highlight.
    fn lit(&self, place: Place, normal: Place, tone: Tone, light: Light, cover: f32) -> Tone {
        let facing = dot(normal, self.model.light) as f32;
        let reached = match &self.model.shadow {
            Some(shadow) if facing > 0.0 => shadow.light_at(place, normal),
            _ => 1.0,
        };
        let ambient = light.everywhere + light.above * dot(normal, self.model.zenith) as f32;
        let ambient = ambient * (1.0 - cover);
        let brightness = ambient + light.direct * facing.max(0.0) * reached;
        let mut highlight = (dot(normal, self.half) as f32).max(0.0);
        for _ in 0..5 {
            highlight *= highlight;
        }
        let white = 255.0 * light.shine * highlight * reached;
        // What is farther away is paler.
        let [near, far] = self.camera.depths;
        let haze = 0.16 * ((place[2] - near) / (far - near)).clamp(0.0, 1.0) as f32;
        [0, 1, 2].map(|i| {
            let own = (tone[i] * brightness + white).min(255.0);
            own + haze * (self.model.paper[i] - own)
        })
    }

    /// Lays lines, trails and flashes over a band.
    fn veil(
        &self,
        band: usize,
        fine_rows: &[usize; 2],
        depths: &[f32],
        width: usize,
        tones: &mut [Tone],
    ) {
        let mut covered = Vec::new();
        for &number in &self.veils_in.0[band] {
            let (veil, Some(spread)) = (
                &self.model.veils[number as usize],
                &self.veils[number as usize],
            ) else {
                continue;
            };
            covered.clear();
            spread.each(fine_rows, self.columns, |column, row, depth| {
                let row = row - fine_rows[0];
                if (depth as f32) < depths[row * self.columns + column] {
                    covered.push((row / FINE) * width + column / FINE);
                }
            });
            // Samples of a pixel blend one after another: alike for any order, and within a quarter of the opacity
            // squared of all at once.
            let share = 0.25 * veil.opacity;
            for &pixel in &covered {
                for (own, over) in tones[pixel].iter_mut().zip(veil.tone) {
                    *own += share * (over - *own);
                }
            }
        }
    }
}

/// A ball whose turning is seen: a band about its axis, and a cap on one end of it, are lighter.
fn marked(tone: Tone, [_, _, z]: Place) -> Tone {
    if z.abs() < 0.26 || z > 0.9 {
        tone.map(|value| value + 0.6 * (255.0 - value))
    } else {
        tone
    }
}
