//! A folder of its own for a test, and a scene that takes a while.

use std::path::{Path, PathBuf};

/// A folder of its own for a test, gone when it is done.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-cli-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A hundred smooth discs in a square room: thousands of collisions for each second of it, and each a different one.
pub fn crowd(until: f64) -> String {
    let mut text = format!(
        "version = 1\ntitle = \"A crowd\"\ndimension = 2\nrun.until = {until}\n\
         materials.rubber = {{ restitution = 1.0, friction = 0.0 }}\n"
    );
    for (name, point, normal) in [
        ("left", "[0.0, 0.0]", "[1.0, 0.0]"),
        ("right", "[11.0, 0.0]", "[-1.0, 0.0]"),
        ("bottom", "[0.0, 0.0]", "[0.0, 1.0]"),
        ("top", "[0.0, 11.0]", "[0.0, -1.0]"),
    ] {
        text += &format!(
            "[[bodies]]\nname = \"{name}\"\nshape = \"wall\"\npoint = {point}\nnormal = {normal}\nmaterial = \"rubber\"\n"
        );
    }
    for number in 0..100 {
        let (x, y) = (number % 10 + 1, number / 10 + 1);
        let (vx, vy) = ((number * 37 % 101) - 50, (number * 53 % 103) - 51);
        text += &format!(
            "[[bodies]]\nname = \"disc {number}\"\nshape = \"ball\"\nradius = 0.3\nmass = {}.5\nposition = [{x}.0, {y}.0]\n\
             velocity = [{:?}, {:?}]\nmaterial = \"rubber\"\n",
            number % 7 + 1,
            f64::from(vx) / 10.0,
            f64::from(vy) / 10.0
        );
    }
    text
}

/// All files in a folder, by name; the lock is none that counts.
pub fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".lock")
        .collect();
    names.sort();
    names
}
