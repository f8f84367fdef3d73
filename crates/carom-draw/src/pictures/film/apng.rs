//! Films as animated PNG: all colours, and, as each picture has only what changed, not much larger than a GIF.
//!
//! Pictures are compressed on their own, in parallel, as PNG files; their data are then put into one file behind
//! headers of frames, as the PNG specification (third edition, 2025, section 11.3.6) has it.

use super::png::encoded;
use super::{Part, Reel, changed_part};
use crate::error::DrawError;
use crate::pictures::Picture;
use png::{ColorType, Compression};
use rayon::prelude::*;
use std::io::Write;
use std::sync::Arc;

/// A film that is being written.
#[derive(Debug)]
pub struct Apng<W: Write> {
    to: W,
    size: [u32; 2],
    /// The time of a picture, s: numerator, denominator.
    delay: [u16; 2],
    frames: u32,
    /// Of the next chunk with a number.
    sequence: u32,
    last: Option<Arc<Picture>>,
}

impl<W: Write> Apng<W> {
    /// So many pictures of a size, so many a second, over and over.
    pub fn new(to: W, size: [u32; 2], frames: u32, rate: f64) -> Self {
        Apng {
            to,
            size,
            delay: delay(rate),
            frames,
            sequence: 0,
            last: None,
        }
    }

    fn chunk(&mut self, kind: [u8; 4], data: &[u8]) -> Result<(), DrawError> {
        let length = u32::try_from(data.len())
            .map_err(|_| DrawError::Film("a picture is too large for PNG".to_owned()))?;
        let mut check = Check::new();
        check.add(&kind);
        check.add(data);
        self.to.write_all(&length.to_be_bytes())?;
        self.to.write_all(&kind)?;
        self.to.write_all(data)?;
        self.to.write_all(&check.value().to_be_bytes())?;
        Ok(())
    }

    fn begin(&mut self) -> Result<(), DrawError> {
        self.to.write_all(b"\x89PNG\r\n\x1a\n")?;
        let [width, height] = self.size.map(u32::to_be_bytes);
        // Eight bits of red, green, blue and opacity.
        let header = [&width[..], &height, &[8, 6, 0, 0, 0]].concat();
        self.chunk(*b"IHDR", &header)?;
        let endless = 0_u32;
        let animation = [self.frames.to_be_bytes(), endless.to_be_bytes()].concat();
        self.chunk(*b"acTL", &animation)
    }

    fn frame(&mut self, [left, top, width, height]: Part, png: &[u8]) -> Result<(), DrawError> {
        let first = self.sequence == 0;
        if first {
            self.begin()?;
        }
        let mut control = Vec::with_capacity(26);
        let sides = [width, height, left, top].map(|side| side as u32);
        for number in [self.sequence].into_iter().chain(sides) {
            control.extend(number.to_be_bytes());
        }
        for number in self.delay {
            control.extend(number.to_be_bytes());
        }
        // What is there stays; the first picture takes its place, others are laid over it.
        control.extend([0, u8::from(!first)]);
        self.chunk(*b"fcTL", &control)?;
        self.sequence += 1;
        for data in data_of(png) {
            if first {
                self.chunk(*b"IDAT", data)?;
            } else {
                let numbered = [&self.sequence.to_be_bytes()[..], data].concat();
                self.chunk(*b"fdAT", &numbered)?;
                self.sequence += 1;
            }
        }
        Ok(())
    }
}

impl<W: Write> Reel for Apng<W> {
    fn add(&mut self, pictures: Vec<Picture>) -> Result<(), DrawError> {
        let pictures: Vec<Arc<Picture>> = pictures.into_iter().map(Arc::new).collect();
        let mut before: Vec<Option<Arc<Picture>>> = vec![self.last.take()];
        before.extend(pictures.iter().cloned().map(Some));
        let frames: Vec<Result<(Part, Vec<u8>), DrawError>> = pictures
            .par_iter()
            .zip(&before)
            .map(|(picture, before)| difference(picture, before.as_deref()))
            .collect();
        for frame in frames {
            let (part, png) = frame?;
            self.frame(part, &png)?;
        }
        self.last = before.pop().flatten();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), DrawError> {
        self.chunk(*b"IEND", &[])?;
        self.to.flush()?;
        Ok(())
    }
}

/// What a picture has that the one before had not, as a PNG file; what did not change can be seen through.
fn difference(picture: &Picture, before: Option<&Picture>) -> Result<(Part, Vec<u8>), DrawError> {
    let [width, height] = [picture.width, picture.height].map(|side| side as usize);
    let same = |place: usize| {
        let range = 3 * place..3 * place + 3;
        before.is_some_and(|before| before.pixels[range.clone()] == picture.pixels[range])
    };
    let part = match before {
        Some(_) => changed_part(width, (0..width * height).map(|place| !same(place))),
        None => [0, 0, width, height],
    };
    let [left, top, wide, high] = part;
    let mut pixels = Vec::with_capacity(4 * wide * high);
    for y in top..top + high {
        for x in left..left + wide {
            let place = y * width + x;
            if same(place) {
                pixels.extend([0; 4]);
            } else {
                pixels.extend_from_slice(&picture.pixels[3 * place..3 * place + 3]);
                pixels.push(255);
            }
        }
    }
    let size = [wide as u32, high as u32];
    let png = encoded(&pixels, size, ColorType::Rgba, Compression::Balanced)?;
    Ok((part, png))
}

/// The time of a picture as a fraction of small numbers, s.
fn delay(rate: f64) -> [u16; 2] {
    if rate.fract() == 0.0 && (1.0..=f64::from(u16::MAX)).contains(&rate) {
        return [1, rate as u16];
    }
    let parts = (500.0 * rate).round().clamp(1.0, f64::from(u16::MAX));
    [500, parts as u16]
}

/// The data of a PNG file that was just made.
fn data_of(png: &[u8]) -> Vec<&[u8]> {
    let mut data = Vec::new();
    let mut rest = &png[8..];
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (Some(kind), Some(content)) = (after.get(..4), after.get(4..4 + length)) else {
            break;
        };
        if kind == b"IDAT" {
            data.push(content);
        }
        rest = after.get(8 + length..).unwrap_or_default();
    }
    data
}

/// The check that each chunk ends with: CRC-32, as the specification (annex D) has it.
struct Check(u32);

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 {
                0xEDB8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

impl Check {
    fn new() -> Self {
        Check(u32::MAX)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = TABLE[usize::from(self.0 as u8 ^ byte)] ^ (self.0 >> 8);
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_those_of_the_specification() {
        // The check value of CRC-32, and that of the last chunk of every PNG file.
        for (bytes, expected) in [(&b"123456789"[..], 0xCBF4_3926), (b"IEND", 0xAE42_6082)] {
            let mut check = Check::new();
            check.add(bytes);
            assert_eq!(check.value(), expected);
        }
    }

    #[test]
    fn times_are_fractions() {
        assert_eq!(delay(25.0), [1, 25]);
        assert_eq!(delay(12.5), [500, 6250]);
        assert_eq!(delay(0.1), [500, 50]);
    }
}
