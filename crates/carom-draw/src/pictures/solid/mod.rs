//! Space: balls with shading and shadows, solids with flat and round faces, walls that are open towards whoever looks.
//!
//! A small rasteriser of our own. Everything is brought into the camera's frame ([`Camera`]), as balls and triangles
//! ([`model`]); a buffer of depths with four samples for each pixel decides what is in front ([`raster`]); what is seen
//! is shaded once for each pixel, with shadows looked up in a map that is drawn from the light ([`shadow`]), and less
//! of the light from everywhere where balls lie close ([`ambient`]). Lines, trails and flashes are laid over it, behind
//! what is in front of them.

mod ambient;
mod camera;
mod coat;
mod model;
mod raster;
mod shadow;

pub(crate) use camera::Camera;
pub use camera::Viewpoint;
pub(crate) use camera::level;
pub(crate) use coat::Coat;

use super::footage::Shot;
use super::studio::Studio;
use tiny_skia::Pixmap;

pub(super) fn paint(studio: &Studio<'_>, camera: &Camera, shot: &Shot, pixmap: &mut Pixmap) {
    let model = model::Model::new(studio, camera, shot);
    raster::draw(&model, camera, pixmap);
}
