//! Every bad scene in `tests/bad` is refused with the message that stands beside it.
//!
//! `UPDATE_MESSAGES=1 cargo test -p carom-scene` writes the messages anew; then read the difference.

use std::path::{Path, PathBuf};

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let ending = path.extension().unwrap_or_default();
            ending == "toml" || ending == "json"
        })
        .collect();
    paths.sort();
    paths
}

/// The message, with the file called by its name alone so that it is the same on every machine.
fn message(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    match carom_scene::load(path) {
        Ok(_) => panic!("{name} was accepted"),
        Err(errors) => errors
            .to_string()
            .replace(path.to_str().unwrap(), name)
            .replace("\r", "\\r"),
    }
}

#[test]
fn each_is_refused_with_its_message() {
    let update = std::env::var_os("UPDATE_MESSAGES").is_some();
    let paths = scenes();
    assert!(paths.len() > 45, "the bad scenes are gone");
    let mut different = Vec::new();
    for path in paths {
        let beside = path.with_extension("txt");
        let message = message(&path) + "\n";
        if update {
            std::fs::write(&beside, &message).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if message != expected {
            different.push(format!(
                "{}: expected\n{expected}\nbut got\n{message}",
                beside.display()
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Line and column are those of the value: the text there is what the message shows.
#[test]
fn positions_are_those_of_the_value() {
    let text = "version = 1\ndimension = 2\nrun.until = 1.0\n[[bodies]]\nshape = \"ball\"\nradius = -3.5\nmass = 1\nposition = [0, 0]\n";
    let errors = carom_scene::parse("a.toml", text).unwrap_err();
    let [problem] = errors.problems() else {
        panic!("{errors}")
    };
    assert_eq!(errors.position(problem), Some((6, 10)));
    assert_eq!(&text[problem.span.clone().unwrap()], "-3.5");
}
