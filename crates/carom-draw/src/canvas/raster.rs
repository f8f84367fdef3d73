//! Drawings as pixels, and as PNG.

use super::colour::{Ink, Theme};
use super::font::{outlines, text_width};
use super::{Anchor, Area, Drawing, Mark, Pen, Step};
use crate::error::DrawError;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

/// Pixels along either side at most.
pub(crate) const LARGEST: f64 = 16_384.0;

impl Drawing {
    /// As pixels, so many for each unit along either axis.
    pub fn to_pixels(&self, theme: Theme, scale: f64) -> Result<Pixmap, DrawError> {
        let side = |length: f64| (length * scale).ceil();
        let (width, height) = (side(self.width), side(self.height));
        let fits = |side: f64| (1.0..=LARGEST).contains(&side);
        let pixmap = (fits(width) && fits(height))
            .then(|| Pixmap::new(width as u32, height as u32))
            .flatten();
        let Some(mut pixmap) = pixmap else {
            return Err(DrawError::Size {
                width,
                height,
                most: LARGEST,
            });
        };
        let [r, g, b] = theme.colour(Ink::Paper);
        pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        let mut painter = Painter {
            pixmap,
            theme,
            transform: Transform::from_scale(scale as f32, scale as f32),
        };
        painter.marks(&self.marks, None);
        Ok(painter.pixmap)
    }

    /// As a PNG file.
    pub fn to_png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, DrawError> {
        let pixmap = self.to_pixels(theme, scale)?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Dots per metre of paper at 96 units an inch, so that it prints at the size of the SVG.
        let density = (scale * 96.0 / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions {
            xppu: density,
            yppu: density,
            unit: png::Unit::Meter,
        }));
        // The paper is opaque, and so is every pixel.
        let colours: Vec<u8> = pixmap
            .data()
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(&colours)?;
                writer.finish()
            })
            .map_err(|error| DrawError::Png(error.to_string()))?;
        Ok(bytes)
    }
}

struct Painter {
    pixmap: Pixmap,
    theme: Theme,
    transform: Transform,
}

/// Steps as the rasteriser has them.
pub(crate) fn path_of(steps: &[Step]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move([x, y]) => builder.move_to(x as f32, y as f32),
            Step::Line([x, y]) => builder.line_to(x as f32, y as f32),
            Step::Curve(a, b, to) => {
                let [a, b, to] = [a, b, to].map(|p| p.map(|c| c as f32));
                builder.cubic_to(a[0], a[1], b[0], b[1], to[0], to[1]);
            }
            Step::Close => builder.close(),
        }
    }
    builder.finish()
}

impl Painter {
    fn paint(&self, ink: Ink, opacity: f64) -> Paint<'static> {
        let [r, g, b] = self.theme.colour(ink);
        let mut paint = Paint {
            anti_alias: true,
            ..Paint::default()
        };
        paint.set_color_rgba8(r, g, b, (255.0 * opacity.clamp(0.0, 1.0)).round() as u8);
        paint
    }

    fn marks(&mut self, marks: &[Mark], mask: Option<&Mask>) {
        for mark in marks {
            match mark {
                Mark::Path { steps, pen, fill } => {
                    if let Some(path) = path_of(steps) {
                        if let Some((ink, opacity)) = fill {
                            self.fill(&path, *ink, *opacity, self.transform, mask);
                        }
                        if let Some(pen) = pen {
                            self.line(&path, pen, mask);
                        }
                    }
                }
                Mark::Text {
                    at,
                    size,
                    anchor,
                    upwards,
                    ink,
                    text,
                } => {
                    let width = text_width(text, *size);
                    let begin = match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => -0.5 * width,
                        Anchor::End => -width,
                    };
                    let turn = if *upwards { -90.0 } else { 0.0 };
                    let place = self
                        .transform
                        .pre_translate(at[0] as f32, at[1] as f32)
                        .pre_rotate(turn)
                        .pre_translate(begin as f32, 0.0);
                    if let Some(path) = path_of(&outlines(text, *size)) {
                        self.fill(&path, *ink, 1.0, place, mask);
                    }
                }
                // A clipped part of a clipped part is not drawn by anyone: the inner area alone counts.
                Mark::Clipped { area, marks } => {
                    let mask = self.mask(area);
                    self.marks(marks, mask.as_ref());
                }
            }
        }
    }

    fn fill(
        &mut self,
        path: &Path,
        ink: Ink,
        opacity: f64,
        transform: Transform,
        mask: Option<&Mask>,
    ) {
        let paint = self.paint(ink, opacity);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, transform, mask);
    }

    fn line(&mut self, path: &Path, pen: &Pen, mask: Option<&Mask>) {
        let pattern = pen.dash.pattern().iter().map(|l| (l * pen.width) as f32);
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(pattern.collect(), 0.0),
            ..Stroke::default()
        };
        let paint = self.paint(pen.ink, pen.opacity);
        self.pixmap
            .stroke_path(path, &paint, &stroke, self.transform, mask);
    }

    fn mask(&self, area: &Area) -> Option<Mask> {
        let mut mask = Mask::new(self.pixmap.width(), self.pixmap.height())?;
        let rectangle = tiny_skia::Rect::from_xywh(
            area.x as f32,
            area.y as f32,
            area.width as f32,
            area.height as f32,
        )?;
        let path = PathBuilder::from_rect(rectangle);
        mask.fill_path(&path, FillRule::Winding, true, self.transform);
        Some(mask)
    }
}
