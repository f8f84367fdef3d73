//! Puts the sample scenes into the command, as templates for `carom new`, and the page for `carom play`, if it was
//! built.

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
    let page = page(here);
    std::fs::write(Path::new(&out).join("page.rs"), page).expect("cargo lets us write there");
}

/// The files of the page, which `tools/page.sh` builds into `web/dist`; in a package they are in `page`. None where it
/// was not built.
fn page(here: &Path) -> String {
    println!("cargo::rerun-if-env-changed=CAROM_PAGE");
    let web = here.join("../../web");
    // The script touches this file when the page is new. The folder itself cannot be watched: where it is missing,
    // everything would be compiled again each time.
    if web.join("index.html").exists() {
        println!(
            "cargo::rerun-if-changed={}",
            web.join("index.html").display()
        );
    }
    let folder = match std::env::var_os("CAROM_PAGE") {
        Some(folder) => PathBuf::from(folder),
        None if web.exists() => web.join("dist"),
        None => here.join("page"),
    };
    let mut list =
        "/// The files of the page, by their paths.\npub const PAGE: &[(&str, &[u8])] = &[\n"
            .to_owned();
    if folder.join("index.html").exists() {
        for (name, path) in below(&folder, "") {
            let path = path.canonicalize().expect("the file is there");
            writeln!(
                list,
                "    ({name:?}, include_bytes!({:?})),",
                path.display().to_string()
            )
            .expect("writing to a string does not fail");
        }
    } else {
        println!(
            "cargo::warning=the page is left out (`carom play` will say so): tools/page.sh builds it, with Node, into web/dist"
        );
    }
    list + "];\n"
}

/// All files of a folder and those in it, by their paths from there, in order.
fn below(folder: &Path, before: &str) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).expect("the page can be read");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{before}{name}");
        if path.is_dir() {
            found.extend(below(&path, &format!("{name}/")));
        } else {
            found.push((name, path));
        }
    }
    found.sort();
    found
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
