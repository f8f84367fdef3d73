//! Hard cases, stored with their truth and made by this file.
//!
//! One line a case: the family, the case as [`crate::text`] writes it, and the truth: `never`, `touch TIME` for a
//! tangency that no number of bits decides, or `crossing`, `start`, `turning` and the time with 42 digits. Lines that
//! begin with `#` are comments. `found.txt` keeps the cases that once showed a mistake in a kernel; the other files are
//! the hardest of many random cases and can be written anew.

use crate::big::{Big, digits, parse};
use crate::case::Case;
use crate::generate::{self, Draw, FAMILIES, Family};
use crate::kernels::{KERNELS, Kernel};
use crate::oracle::{Onset, Oracle, Truth};
use crate::text;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Significant digits of a stored time.
pub const DIGITS: usize = 42;
/// Random cases of a family from which the hardest are taken.
const CANDIDATES: usize = 2_000;
/// Bytes that the cases of one kernel may take, so that all of them stay below 1 MB.
const BUDGET: usize = 23_000;

/// A stored case.
#[derive(Clone, Debug)]
pub struct Stored {
    /// What makes it hard.
    pub family: Family,
    /// The numbers.
    pub case: Case,
    /// What is true.
    pub truth: StoredTruth,
}

/// A truth as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum StoredTruth {
    Never,
    Touch(Big),
    Contact(Onset, Big),
}

/// Where the files are.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hard_cases")
}

/// All stored cases of all files, in the order of their names.
pub fn read_all() -> Result<Vec<Stored>, String> {
    let directory = directory();
    let entries = fs::read_dir(&directory)
        .map_err(|error| format!("{} cannot be read: {error}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let content = fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        for (index, line) in content.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let stored = read_line(line)
                .map_err(|error| format!("{}, line {}: {error}", path.display(), index + 1))?;
            all.push(stored);
        }
    }
    Ok(all)
}

fn read_line(line: &str) -> Result<Stored, String> {
    let (name, rest) = line.split_once(' ').ok_or("there is only one word")?;
    let (family, ..) = FAMILIES
        .into_iter()
        .find(|(_, known, _)| *known == name)
        .ok_or_else(|| format!("{name:?} is not a family"))?;
    let (case, words) = text::read(rest)?;
    let time = |word: &str| parse(word).ok_or_else(|| format!("{word:?} is not a time"));
    let truth = match words[..] {
        ["never"] => StoredTruth::Never,
        ["touch", at] => StoredTruth::Touch(time(at)?),
        ["crossing", at] => StoredTruth::Contact(Onset::Crossing, time(at)?),
        ["start", at] => StoredTruth::Contact(Onset::Start, time(at)?),
        ["turning", at] => StoredTruth::Contact(Onset::Turning, time(at)?),
        _ => return Err(format!("{words:?} is not a truth")),
    };
    Ok(Stored {
        family,
        case,
        truth,
    })
}

/// The line of a case; `None` where the truth is not known.
pub fn line(family: Family, case: &Case, truth: &Truth) -> Option<String> {
    let (_, name, _) = FAMILIES.into_iter().find(|(known, ..)| *known == family)?;
    let truth = match truth {
        Truth::Undecided => return None,
        Truth::Never => "never".into(),
        Truth::Touch(time) => format!("touch {}", digits(time, DIGITS)),
        Truth::Contact(contact) => {
            let onset = match contact.onset {
                Onset::Crossing => "crossing",
                Onset::Start => "start",
                Onset::Turning => "turning",
            };
            format!("{onset} {}", digits(&contact.time, DIGITS))
        }
    };
    Some(format!("{name} {} {truth}", text::write(case)))
}

/// How hard a case is: the wide evaluations that its truth took, and the digits that its time loses.
fn hardness(case: &Case, truth: &Truth, evaluations: usize) -> f64 {
    let lost = match truth {
        Truth::Contact(contact) if contact.time.sign() > 0 => {
            let time = contact.time.near();
            let condition = case.magnitude(time) / (contact.approach_speed.abs() * time);
            libm::log10(condition.clamp(1.0, 1e30))
        }
        _ => 0.0,
    };
    evaluations as f64 + lost
}

/// The hardest cases of a kernel, the families by turns, within the budget of bytes.
pub fn hardest(kernel: &Kernel) -> Vec<String> {
    let mut ranked: Vec<Vec<(f64, String)>> = FAMILIES
        .into_iter()
        .filter(|(family, ..)| !matches!(family, Family::Generic | Family::Unaimed))
        .enumerate()
        .map(|(index, (family, ..))| {
            let mut draw = Draw::new(0x4AAD ^ index as u64);
            let mut found: Vec<(f64, String)> = (0..CANDIDATES)
                .filter_map(|_| {
                    let case = generate::case(kernel, family, &mut draw);
                    let mut oracle = Oracle::new(&case, 0.0);
                    let truth = oracle.first_contact();
                    let score = hardness(&case, &truth, oracle.evaluations());
                    Some((score, line(family, &case, &truth)?))
                })
                .collect();
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            found
        })
        .collect();
    let mut lines = Vec::new();
    let mut left = BUDGET;
    for rank in 0.. {
        for family in &mut ranked {
            let Some((_, line)) = family.get_mut(rank) else {
                continue;
            };
            if line.len() + 1 > left {
                lines.sort();
                return lines;
            }
            left -= line.len() + 1;
            lines.push(std::mem::take(line));
        }
    }
    lines
}

/// Writes the files anew, all but `found.txt`.
pub fn write_all() -> io::Result<()> {
    fs::create_dir_all(directory())?;
    for kernel in &KERNELS {
        let lines = hardest(kernel);
        let head =
            "# Made by `cargo run --release -p accuracy -- --write-hard-cases`: do not edit.";
        let path = directory().join(format!("{}.txt", kernel.name()));
        fs::write(path, format!("{head}\n{}\n", lines.join("\n")))?;
    }
    Ok(())
}
