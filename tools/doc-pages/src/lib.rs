//! The programs on the pages for users are compiled and run as tests (`cargo test -p doc-pages --doc`).
//!
//! They stand in a crate that is not published, because a published one must not read anything outside of its folder.
#![forbid(unsafe_code)]

/// A page each.
macro_rules! pages {
    ($($name:ident: $text:expr;)+) => {
        $(
            #[cfg(doctest)]
            #[doc = $text]
            mod $name {}
        )+
    };
}

pages! {
    readme: include_str!("../../../README.md");
    billiards: include_str!("../../../docs/billiards.md");
    changes: include_str!("../../../docs/changes.md");
    flights: include_str!("../../../docs/flights.md");
    forces: include_str!("../../../docs/forces.md");
    joints: include_str!("../../../docs/joints.md");
    library: include_str!("../../../docs/library.md");
    rooms: include_str!("../../../docs/containers.md");
    add_a_field: include_str!("../../../docs/contributing/add_a_field.md");
    readme_of_carom: include_str!("../../../crates/carom/README.md");
    readme_of_data: include_str!("../../../crates/carom-data/README.md");
    readme_of_draw: include_str!("../../../crates/carom-draw/README.md");
    readme_of_mesh: include_str!("../../../crates/carom-mesh/README.md");
    readme_of_scene: include_str!("../../../crates/carom-scene/README.md");
    readme_of_stock: include_str!("../../../crates/carom-stock/README.md");
}
