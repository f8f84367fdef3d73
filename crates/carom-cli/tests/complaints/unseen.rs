//! Which messages of the sources no complaint shows.

use super::*;

const FULL: &str = "of a full disk or a closed pipe: tested in command.rs and kill.rs";

const BACKSTOP: &str = "of files that are whole and yet wrong, which nothing writes";

const GOES_ON: &str = "a warning of a run that goes on: tested in data_of_users.rs";

const NO_MESSAGE: &str = "part of what is written or told when all is well";

const MEMORY: &str = "it depends on how much memory the machine has";

/// Texts that are no messages, or that this test cannot bring about, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    (
        "error: a run of {bodies} bodies takes about {} of memory more, and {} are there\n",
        MEMORY,
    ),
    (
        "error: --x and --y are for sweeps, and `{folder}` has none; a run has the plots that --list shows\n",
        "of sweeps: tested in sweep.rs",
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
            // Writers of formats; what is said of sweeps and for LAMMPS is looked at in sweep.rs and lammps.rs.
            let writer = ["vtk.rs", "extxyz.rs", "npz.rs"].contains(&file.as_str());
            let elsewhere = file.starts_with("lammps") || file.starts_with("sweep");
            if of_data && writer || elsewhere {
                continue;
            }
            for text in literals::literals(&source) {
                let words = text.trim().contains(' ') && text.chars().any(char::is_alphabetic);
                if !words || !(of_data || begins(&text)) {
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
