//! One picture as PNG.

use crate::error::DrawError;
use crate::pictures::Picture;
use png::{BitDepth, ColorType, Compression, Encoder};

/// The file, quickly made: for the many pictures of a film.
pub fn png(picture: &Picture) -> Result<Vec<u8>, DrawError> {
    let size = [picture.width, picture.height];
    encoded(&picture.pixels, size, ColorType::Rgb, Compression::Fast)
}

/// The file, as small as may be: for stills.
pub fn small_png(picture: &Picture) -> Result<Vec<u8>, DrawError> {
    let size = [picture.width, picture.height];
    encoded(&picture.pixels, size, ColorType::Rgb, Compression::High)
}

pub(super) fn encoded(
    pixels: &[u8],
    [width, height]: [u32; 2],
    colour: ColorType,
    effort: Compression,
) -> Result<Vec<u8>, DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(effort);
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(pixels)?;
            writer.finish()
        })
        .map_err(|error| DrawError::Png(error.to_string()))?;
    Ok(bytes)
}
