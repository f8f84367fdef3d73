//! Films as GIF: 255 colours for the whole film, and of each picture only what changed.

use super::quantise::{COLOURS, Colours};
use super::{Reel, changed_part};
use crate::error::DrawError;
use crate::pictures::Picture;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

/// The colour that leaves what is there.
const UNCHANGED: u8 = COLOURS as u8;

/// A film that is being written.
pub struct Gif<W: Write> {
    /// Until it is finished.
    encoder: Option<Encoder<W>>,
    colours: Colours,
    width: u16,
    /// Pictures a second.
    rate: f64,
    /// How many pictures there are so far.
    count: u32,
    last: Option<Arc<Vec<u8>>>,
}

fn failed(error: gif::EncodingError) -> DrawError {
    match error {
        gif::EncodingError::Io(error) => DrawError::Write(error),
        other => DrawError::Film(other.to_string()),
    }
}

impl<W: Write> Gif<W> {
    /// Pictures of a size, so many a second (from 1 to 50), in colours that were chosen for them, over and over.
    pub fn new(
        to: W,
        [width, height]: [u32; 2],
        rate: f64,
        colours: Colours,
    ) -> Result<Self, DrawError> {
        let side = |side: u32| {
            u16::try_from(side)
                .map_err(|_| DrawError::Film(format!("GIF has no sides of {side} pixels")))
        };
        let (width, height) = (side(width)?, side(height)?);
        let mut encoder = Encoder::new(to, width, height, &colours.table()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Gif {
            encoder: Some(encoder),
            colours,
            width,
            rate,
            count: 0,
            last: None,
        })
    }
}

/// How long a picture is shown, in hundredths of a second: rounded so that errors do not add up.
fn delay(number: u32, rate: f64) -> u16 {
    let begins = |number: u32| (100.0 * f64::from(number) / rate).round();
    (begins(number + 1) - begins(number)).clamp(1.0, f64::from(u16::MAX)) as u16
}

impl<W: Write> Reel for Gif<W> {
    fn add(&mut self, pictures: Vec<Picture>) -> Result<(), DrawError> {
        let (colours, rate) = (&self.colours, self.rate);
        let (count, width) = (self.count, usize::from(self.width));
        let indexed: Vec<Arc<Vec<u8>>> = pictures
            .par_iter()
            .map(|picture| Arc::new(colours.indices(picture)))
            .collect();
        let mut before = vec![self.last.take()];
        before.extend(indexed.iter().cloned().map(Some));
        let frames: Vec<Frame<'static>> = indexed
            .par_iter()
            .zip(&before)
            .zip(0_u32..indexed.len() as u32)
            .map(|((now, before), number)| {
                let mut frame = difference(now, before.as_deref(), width);
                frame.delay = delay(count + number, rate);
                frame.make_lzw_pre_encoded();
                frame
            })
            .collect();
        if let Some(encoder) = &mut self.encoder {
            for frame in &frames {
                encoder.write_lzw_pre_encoded_frame(frame).map_err(failed)?;
            }
        }
        self.count += frames.len() as u32;
        self.last = before.pop().flatten();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), DrawError> {
        if let Some(encoder) = self.encoder.take() {
            encoder.into_inner().map_err(failed)?.flush()?;
        }
        Ok(())
    }
}

fn difference(now: &[u8], before: Option<&Vec<u8>>, width: usize) -> Frame<'static> {
    let height = now.len() / width;
    let same = |place: usize| before.is_some_and(|before| before[place] == now[place]);
    let [left, top, wide, high] = match before {
        Some(_) => changed_part(width, (0..now.len()).map(|place| !same(place))),
        None => [0, 0, width, height],
    };
    let rows = top..top + high;
    let buffer: Vec<u8> = rows
        .flat_map(|y| (left..left + wide).map(move |x| y * width + x))
        .map(|place| if same(place) { UNCHANGED } else { now[place] })
        .collect();
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        left: left as u16,
        top: top as u16,
        width: wide as u16,
        height: high as u16,
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}
