//! Convex solids that turn: shapes and what they weigh, where they touch, when they meet, how they turn freely.

mod common;
mod ends;
mod first_contact;
mod meeting;
mod meshes;
mod points;
mod shapes;
mod special_contacts;
mod turning;
