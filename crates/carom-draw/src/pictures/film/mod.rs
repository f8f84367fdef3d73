//! Pictures as files: PNG, and moving ones as GIF, APNG and, through ffmpeg, MP4.

mod apng;
mod gif;
mod mp4;
mod png;
mod quantise;

pub use apng::Apng;
pub use gif::Gif;
pub use mp4::Mp4;
pub use png::{png, small_png};
pub use quantise::Colours;

use super::Picture;
use crate::error::DrawError;

/// Where the pictures of a film go.
pub trait Reel {
    /// Takes the next pictures, in order.
    fn add(&mut self, pictures: Vec<Picture>) -> Result<(), DrawError>;

    /// Writes what is left, after the last one.
    fn finish(&mut self) -> Result<(), DrawError>;
}

/// A part of a picture: left, upper edge, width, height.
type Part = [usize; 4];

/// The smallest part that has everything that changed; where nothing did, one pixel.
fn changed_part(width: usize, changed: impl Iterator<Item = bool>) -> Part {
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for (place, changed) in changed.enumerate() {
        if changed {
            let (x, y) = (place % width, place / width);
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
    }
    if left == usize::MAX {
        return [0, 0, 1, 1];
    }
    [left, top, right - left + 1, bottom - top + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_kept() {
        let changed = |places: &[usize]| {
            let places = places.to_vec();
            changed_part(4, (0..12).map(move |place| places.contains(&place)))
        };
        assert_eq!(changed(&[]), [0, 0, 1, 1]);
        assert_eq!(changed(&[5]), [1, 1, 1, 1]);
        assert_eq!(changed(&[2, 9]), [1, 0, 2, 3]);
    }
}
