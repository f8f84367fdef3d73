//! Puts the sample scenes into the command, as templates for `carom new`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    // In the repository `scenes` is a link to the folder that all crates share, in a package it is a copy of that
    // folder. Where links are checked out as text, the shared folder is taken itself.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = here.join("scenes");
    let folder = if own.is_dir() {
        own
    } else {
        here.join("../../scenes")
    };
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rustc-env=CAROM_SCENES={}", folder.display());
    let mut list =
        "/// All templates, by name.\npub const TEMPLATES: &[Template] = &[\n".to_owned();
    for scene in files(&folder, "toml") {
        let name = scene
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy();
        list_file(&mut list, &name, &scene);
    }
    list += "];\n\n/// The meshes that they read, by the names of their files.\npub const MESHES: &[Template] = &[\n";
    for mesh in files(&folder, "obj") {
        let name = mesh.file_name().expect("a file has a name");
        list_file(&mut list, &name.to_string_lossy(), &mesh);
    }
    list += "];\n";
    let out = std::env::var_os("OUT_DIR").expect("cargo says where");
    std::fs::write(Path::new(&out).join("templates.rs"), list).expect("cargo lets us write there");
}

/// The files of a folder whose names end so, in order: the system lists them in none.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the sample scenes are there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|its| its == ending))
        .collect();
    files.sort();
    files
}

fn list_file(list: &mut String, name: &str, path: &Path) {
    let path = path.canonicalize().expect("the file is there");
    writeln!(
        list,
        "    ({name:?}, include_str!({:?})),",
        path.display().to_string()
    )
    .expect("writing to a string does not fail");
}
