//! Reading the file: it must exist, be a plain file, not be huge, and be text.

use crate::problem::{Kind, Problem, SceneErrors};
use crate::render::shortened;
use crate::scene::TableSource;
use crate::suggest::nearest;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Other files that a scene reads.
pub(crate) struct Files {
    /// Where the scene file is: paths go from there.
    pub folder: PathBuf,
    /// Whether others may be read at all.
    pub allowed: bool,
    /// Files that were handed over with the text, by the names that the scene calls them by: they are taken instead of
    /// those in the folder.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What was read, in the order of the file.
    pub read: RefCell<Vec<TableSource>>,
    /// What is worth saying of them, though they are good.
    pub notes: RefCell<Vec<String>>,
}

/// The largest scene file that is read, bytes: enough for 50,000 bodies, one by one. The tree of
/// a file takes up to 150 times its size in memory (measured, an array of many small tables).
pub const LARGEST_FILE: u64 = 4 << 20;

/// The largest table of bodies that is read, bytes.
const LARGEST_TABLE: u64 = 2 << 30;

/// The largest mesh that is read, bytes.
pub(crate) const LARGEST_MESH: u64 = 64 << 20;

impl Files {
    /// What a mesh file holds, or why not; `name` is what the scene calls it.
    pub fn read_mesh(&self, name: &str) -> Result<Vec<u8>, String> {
        if let Some(bytes) = self.given(name, LARGEST_MESH, "a mesh")? {
            return Ok(bytes.to_vec());
        }
        let path = self.folder.join(name);
        let mut bytes = Vec::new();
        open(&path, name, LARGEST_MESH, "a mesh")?
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&path, name, &error).message)?;
        Ok(bytes)
    }

    /// A table of bodies, to be read line by line, or why not; `name` is what the scene calls it.
    pub fn open_table(&self, name: &str) -> Result<Box<dyn BufRead + '_>, String> {
        if let Some(bytes) = self.given(name, LARGEST_TABLE, "a table")? {
            return Ok(Box::new(bytes));
        }
        let table = open(&self.folder.join(name), name, LARGEST_TABLE, "a table")?;
        Ok(Box::new(table))
    }

    /// A file that was handed over with the text, if it is one.
    fn given(&self, name: &str, largest: u64, what: &str) -> Result<Option<&[u8]>, String> {
        let found = self.beside.iter().find(|(given, _)| given == name);
        let Some((_, bytes)) = found else {
            return Ok(None);
        };
        if bytes.len() as u64 > largest {
            let (shown, size) = (shortened(name, 200), bytes.len());
            return Err(format!(
                "`{shown}` has {size} bytes, but {what} may have at most {largest}"
            ));
        }
        Ok(Some(bytes))
    }
}

fn open(path: &Path, name: &str, largest: u64, what: &str) -> Result<impl BufRead + use<>, String> {
    let failed = |error: std::io::Error| {
        let message = unreadable(path, name, &error).message;
        let similar = (error.kind() == ErrorKind::NotFound).then(|| similar_file(path));
        match similar.flatten().as_deref().map(Path::new) {
            Some(similar) => {
                let similar = similar.file_name().unwrap_or_default().to_string_lossy();
                format!("{message}; did you mean `{similar}`?")
            }
            None => message,
        }
    };
    let shown = shortened(name, 200);
    let kind = std::fs::metadata(path).map_err(failed)?;
    if !kind.is_file() {
        return Err(format!("`{shown}` is not a plain file"));
    }
    if kind.len() > largest {
        let size = kind.len();
        return Err(format!(
            "`{shown}` has {size} bytes, but {what} may have at most {largest}"
        ));
    }
    let file = File::open(path).map_err(failed)?;
    Ok(BufReader::new(file.take(largest)))
}

/// About as much memory as a text takes while a tree is made of it and read, in bytes, from how many keys, values,
/// lists and tables begin in it. Measured with 38,000 bodies, one by one: 240 (JSON) and 410 (TOML) bytes for each.
pub(crate) fn bytes_to_read(text: &str) -> u64 {
    let begins = |letter: &u8| matches!(letter, b'=' | b',' | b'[' | b'{');
    240 * text.bytes().filter(|letter| begins(letter)).count() as u64
}

/// The text of a scene file, or why there is none.
pub(crate) fn read(path: &Path) -> Result<String, SceneErrors> {
    let name = path.display().to_string();
    let refuse = |problem: Problem| SceneErrors::new(&name, "", vec![problem], 0);
    let failed = |error: std::io::Error| refuse(unreadable(path, &name, &error));

    // Looked at before it is opened: opening a pipe would wait for a writer, for ever.
    let kind = std::fs::metadata(path).map_err(failed)?;
    let shown = shortened(&name, 200);
    if kind.is_dir() {
        let problem = Problem::of_file(format!("`{shown}` is a directory, not a scene file"));
        return Err(refuse(problem));
    }
    if !kind.is_file() {
        let problem = Problem::of_file(format!("`{shown}` is not a plain file"));
        return Err(refuse(
            problem.help("write the scene into a file and name that"),
        ));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let size = kind.len().max(LARGEST_FILE + 1);
        let problem = Problem::of_file(format!(
            "`{shown}` has {size} bytes, but a scene file may have at most {LARGEST_FILE}"
        ));
        return Err(refuse(problem));
    }
    text(&name, bytes)
}

fn text(name: &str, bytes: Vec<u8>) -> Result<String, SceneErrors> {
    let binary = bytes.contains(&0);
    let error = match String::from_utf8(bytes) {
        Ok(text) if !binary => return Ok(text),
        Ok(text) => {
            let zero = text.find('\0').unwrap_or(0);
            let problem = Problem::new(
                zero..zero + 1,
                format!("`{}` is not text: it has a zero byte", shortened(name, 200)),
                "here",
            );
            return Err(not_text(name, &text, problem));
        }
        Err(error) => error,
    };
    let good = error.utf8_error().valid_up_to();
    let byte = error.as_bytes()[good];
    let text = String::from_utf8_lossy(&error.as_bytes()[..good]);
    let problem = Problem::new(
        good..good,
        format!(
            "`{}` is not UTF-8 text: byte {good} is 0x{byte:02x}",
            shortened(name, 200)
        ),
        "after this",
    );
    Err(not_text(name, &text, problem))
}

fn not_text(name: &str, text: &str, problem: Problem) -> SceneErrors {
    let problem = problem
        .kind(Kind::Syntax)
        .help("a scene is a TOML or JSON file in UTF-8");
    SceneErrors::new(name, text, vec![problem], 0)
}

fn unreadable(path: &Path, name: &str, error: &std::io::Error) -> Problem {
    let shown = shortened(name, 200);
    match error.kind() {
        ErrorKind::NotFound => {
            let problem = Problem::of_file(format!("there is no file `{shown}`"));
            match similar_file(path) {
                Some(similar) => problem.help(format!("did you mean `{similar}`?")),
                None => problem,
            }
        }
        ErrorKind::PermissionDenied => {
            Problem::of_file(format!("`{shown}` may not be read: permission denied"))
        }
        _ => Problem::of_file(format!("`{shown}` cannot be read: {error}")),
    }
}

/// A file in the same folder whose name is nearly the one that was asked for.
fn similar_file(path: &Path) -> Option<String> {
    let folder = match path.parent()? {
        here if here.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .take(1000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    // The system lists files in no order.
    names.sort();
    let similar = nearest(
        path.file_name()?.to_str()?,
        names.iter().map(String::as_str),
    )?;
    Some(shortened(
        &path.with_file_name(similar).display().to_string(),
        200,
    ))
}
