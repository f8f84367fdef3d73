//! Which messages of the sources no complaint shows.

use super::*;

const FULL: &str = "of a full disk or a closed pipe: tested in command.rs and kill.rs";

const BACKSTOP: &str = "of files that are whole and yet wrong, which nothing writes";

const GOES_ON: &str = "a warning of a run that goes on: tested in data_of_users.rs";

const NO_MESSAGE: &str = "part of what is written or told when all is well";

const LIBRARY: &str = "of the library alone: the command looks before, and gives every body a name";

const FOR_LAMMPS: &str = "words of the files that LAMMPS reads: tested in lammps.rs";

const MEMORY: &str = "it depends on how much memory the machine has";

/// Texts that are no messages, or that this test cannot bring about, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    (
        "error: a run of {bodies} bodies takes about {} of memory more, and {} are there\n",
        MEMORY,
    ),
    ("a column has {} of {rows} rows", BACKSTOP),
    ("a column holds neither numbers nor words", BACKSTOP),
    ("it is no whole Parquet file ({})", BACKSTOP),
    ("its footer is of another file", BACKSTOP),
    ("its footer has no checksums", BACKSTOP),
    ("the footer has no place for its sum", BACKSTOP),
    ("a column of another kind", BACKSTOP),
    ("pages of {other}", BACKSTOP),
    ("a page of {bytes} bytes", BACKSTOP),
    ("pages of the second version", BACKSTOP),
    ("`{text}` is no checksum", BACKSTOP),
    (
        "it is of another kind of run than the manifest says",
        BACKSTOP,
    ),
    (
        "{error}; going on from the checkpoint before, at t = {} s (what is damaged has got a name that ends in .damaged)",
        GOES_ON,
    ),
    ("the columns are not the same", BACKSTOP),
    ("the next column holds no whole numbers", BACKSTOP),
    ("the next column holds no floats", BACKSTOP),
    ("the next column holds no words", BACKSTOP),
    (
        "error: the snapshot of the run folder is not that of its events\n",
        BACKSTOP,
    ),
    ("two repetitions are not the same to the bit", BACKSTOP),
    ("error: cannot write the output: {error}", FULL),
    ("it is no sweep folder: it has no `{SWEEP}`", LIBRARY),
    ("a body without a name", LIBRARY),
    ("the scene is not stepped", BACKSTOP),
    ("{}, from carom\n\n", FOR_LAMMPS),
    ("{} atoms", FOR_LAMMPS),
    ("{} atom types\n", FOR_LAMMPS),
    ("{low:e} {high:e} {axis}lo {axis}hi", FOR_LAMMPS),
    ("\nAtoms # sphere\n\n", FOR_LAMMPS),
    (
        "hooke 1.0 0.0 tangential linear_nohistory 0.0 0.0 damping velocity",
        FOR_LAMMPS,
    ),
    ("plane {x:e} {y:e} {z:e} {nx:e} {ny:e} {nz:e}", FOR_LAMMPS),
    ("cylinder z {x:e} {y:e} {:e} INF INF", FOR_LAMMPS),
    ("sphere {x:e} {y:e} {z:e} {:e}", FOR_LAMMPS),
    (" INF INF", FOR_LAMMPS),
    ("block{sides} side out", FOR_LAMMPS),
    (" tangential {history} {:e} {part:e} {:e}", FOR_LAMMPS),
    (" tangential linear_nohistory 0.0 0.0", FOR_LAMMPS),
    (" rolling sds {:e} {:e} {:e}", FOR_LAMMPS),
    (" twisting sds {:e} {:e} {:e}", FOR_LAMMPS),
    ("carom ob", NO_MESSAGE),
    ("slip reversed", NO_MESSAGE),
];

/// A text of the run folders' sources with a blank in it is (part of) a message, and of the command's one that begins
/// like one. A new one needs a case above that shows it.
#[test]
fn no_complaint_goes_unseen() {
    let snapshot = std::fs::read_to_string(here().join("tests/complaints.txt")).unwrap();
    let begins = |text: &str| {
        let beginnings = ["error: ", "must be ", "cannot ", "nothing ", "two "];
        beginnings.iter().any(|begin| text.starts_with(begin))
    };
    let (mut unseen, mut used) = (Vec::new(), Vec::new());
    for of_data in [true, false] {
        let folder = if of_data {
            here().join("../carom-data/src")
        } else {
            here().join("src")
        };
        for (file, source) in sources(&folder) {
            let writer = ["vtk.rs", "extxyz.rs", "npz.rs", "lammps/script.rs"];
            if of_data && writer.contains(&file.as_str()) {
                continue;
            }
            // What is wrong with values is said in texts that clap puts its own words before.
            let all_of_it = of_data || file.starts_with("sweep/");
            for text in literals::literals(&source) {
                let words = text.trim().contains(' ') && text.chars().any(char::is_alphabetic);
                if !words || !(all_of_it || begins(&text)) {
                    continue;
                }
                let lines: Vec<&str> = text.lines().collect();
                if lines.iter().all(|line| is_shown(line, &snapshot)) {
                    continue;
                }
                match UNSEEN.iter().find(|(known, _)| *known == text) {
                    Some((known, _)) => used.push(*known),
                    None => unseen.push(format!("{file}: {text}")),
                }
            }
        }
    }
    assert!(unseen.is_empty(), "shown nowhere:\n{}", unseen.join("\n"));
    let idle = UNSEEN.iter().filter(|(known, _)| !used.contains(known));
    let idle: Vec<_> = idle.collect();
    assert!(idle.is_empty(), "not needed any more: {idle:?}");
}
