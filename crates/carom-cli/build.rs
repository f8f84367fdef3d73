//! Puts the sample scenes into the command, as templates for `carom new`.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("the sample scenes are there");
    let mut scenes: Vec<_> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    // The system lists files in no order.
    scenes.sort();
    let mut list =
        "/// All templates, by name.\npub const TEMPLATES: &[Template] = &[\n".to_owned();
    for scene in scenes {
        let name = scene
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy();
        let path = scene.canonicalize().expect("the scene is there");
        writeln!(
            list,
            "    ({name:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .expect("writing to a string does not fail");
    }
    list += "];\n";
    let out = std::env::var_os("OUT_DIR").expect("cargo says where");
    std::fs::write(Path::new(&out).join("templates.rs"), list).expect("cargo lets us write there");
}
