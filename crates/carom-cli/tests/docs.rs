//! The pages say what is so: their commands run and print what is quoted, their scenes can be read, their links lead
//! somewhere.
#![cfg(unix)] // Commands run in `sh`.

mod common;
#[path = "docs/pages.rs"]
mod pages;
#[path = "docs/words.rs"]
mod words;

use common::folder::Folder;
use common::root;
use pages::{Block, Page, anchor, pages};
use std::collections::BTreeSet;
use std::process::Command;

/// What is not run here: it builds or measures for minutes, or asks for what a test has not got. Everything else in a
/// block of commands is.
const NOT_RUN: [&str; 6] = [
    "cargo install",
    "cargo run --release -p ",
    "cargo test",
    "cd ",
    "mdbook ",
    "./",
];

/// Every command of a block, and what is quoted below it. In a block of `sh` each line is a command.
fn commands(block: &Block) -> Vec<(String, Vec<&str>)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), block.language()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, "sh") if !line.trim().is_empty() => found.push((line.to_owned(), Vec::new())),
            (None, _) => match found.last_mut() {
                Some((_, output)) => output.push(line),
                None => panic!("{}: output before any command: {line}", block.place),
            },
        }
    }
    found
}

/// The command as `sh` is to have it; `None` where it is not run.
fn runnable(command: &str) -> Option<String> {
    if NOT_RUN.iter().any(|start| command.starts_with(start)) {
        return None;
    }
    match command.strip_prefix("cargo run --release -- ") {
        Some(rest) => Some(format!("carom {rest}")),
        None => Some(command.to_owned()),
    }
}

/// Whether a line is what was quoted: `…` stands for anything.
fn line_fits(quoted: &str, line: &str) -> bool {
    let (quoted, line) = (quoted.trim_end(), line.trim_end());
    let parts: Vec<&str> = quoted.split('…').collect();
    let Some((first, rest)) = parts.split_first() else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return quoted == line;
    };
    let Some(mut left) = line.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = left.find(part) else {
            return false;
        };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// Whether the output is what was quoted: a line of `…` alone stands for any number of lines.
fn fits(quoted: &[&str], output: &[&str]) -> bool {
    match quoted.split_first() {
        None => output.iter().all(|line| line.trim().is_empty()),
        Some((&"…", rest)) => (0..=output.len()).any(|skip| fits(rest, &output[skip..])),
        Some((first, rest)) => match output.split_first() {
            Some((line, left)) => line_fits(first, line) && fits(rest, left),
            None => first.trim().is_empty() && fits(rest, output),
        },
    }
}

/// A folder with the scenes in it and the command on the path, as a reader has it who is at the root of the repository.
fn desk(page: &Page) -> Folder {
    let folder = Folder::new(&format!("docs-{}", page.name.replace(['/', '.'], "-")));
    std::os::unix::fs::symlink(root().join("scenes"), folder.0.join("scenes")).unwrap();
    let own = std::fs::read_to_string(root().join("scenes/two_discs.toml")).unwrap();
    folder.write("my_scene.toml", &own);
    if page.name == "docs/run_folder.md" {
        // The page speaks of one that is there.
        let scene = folder.path("my_scene.toml");
        let done = common::run(&["run", &scene, "--out", &folder.path("runs/one"), "--quiet"]);
        assert!(done.status.success());
    }
    folder
}

#[test]
fn commands_do_what_the_pages_say() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_carom"));
    let binaries = binary.parent().unwrap().display().to_string();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
    let (mut faults, mut run, mut quoted) = (Vec::new(), 0, 0);
    for page in pages() {
        let folder = desk(&page);
        let shells = ["console", "sh"];
        let blocks = page.blocks.iter();
        for block in blocks.filter(|block| shells.contains(&block.language())) {
            for (command, expected) in commands(block) {
                let Some(line) = runnable(&command) else {
                    assert!(
                        expected.is_empty(),
                        "{}: quoted, but not run: {command}",
                        block.place
                    );
                    continue;
                };
                run += 1;
                let mut shell = Command::new("sh");
                shell.current_dir(&folder.0).env("PATH", &path);
                shell.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
                let done = shell
                    .args(["-c", &format!("{{ {line}\n}} 2>&1")])
                    .output()
                    .unwrap();
                let shown = String::from_utf8_lossy(&done.stdout);
                if done.status.success() == block.has("fails") {
                    faults.push(format!(
                        "{}: `{command}` ends with {}:\n{shown}",
                        block.place, done.status
                    ));
                }
                let lines: Vec<&str> = shown.lines().collect();
                quoted += usize::from(!expected.is_empty());
                if !expected.is_empty() && !fits(&expected, &lines) {
                    faults.push(format!(
                        "{}: `{command}` prints\n{shown}\nand not\n{}",
                        block.place,
                        expected.join("\n")
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(
        run >= 30 && quoted >= 8,
        "{run} commands, {quoted} of them quoted"
    );
}

/// What goes before a part of a scene, so that it can be read; what is absent then is no mistake.
const FRAME: &str = "version = 1\ndimension = 2\nrun.until = 100.0\n\
                     materials.phenolic = {}\nmaterials.cushion = {}\n";
/// So that generators have a region. Most fields do not fit a periodic box.
const PERIODIC: &str = "periodic = [100.0, 100.0]\n";

#[test]
fn scenes_can_be_read() {
    let (mut faults, mut whole) = (Vec::new(), 0);
    for page in pages() {
        for block in page.blocks.iter().filter(|b| b.language() == "toml") {
            let part = !block.text.contains("version = 1");
            whole += usize::from(!part);
            let text = if !part {
                block.text.clone()
            } else if block.text.contains("[fields]") {
                format!("{FRAME}\n{}", block.text)
            } else {
                format!("{FRAME}{PERIODIC}\n{}", block.text)
            };
            let errors = match carom_scene::parse(&block.place, &text) {
                Err(errors) => errors,
                // Old names are still read, but no page shows them.
                Ok(scene) => {
                    faults.extend(scene.notes);
                    continue;
                }
            };
            let absent = |message: &str| message.contains(" has no ");
            let bad = errors
                .problems()
                .iter()
                .any(|problem| !part || !absent(&problem.message));
            if bad {
                faults.push(errors.to_string());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(whole >= 2, "{whole} scenes");
}

/// Programs on a page are tested by the crate that includes the page.
#[test]
fn programs_are_compiled() {
    let tested_pages = std::fs::read_to_string(root().join("tools/doc-pages/src/lib.rs")).unwrap();
    for page in pages() {
        let programs = page.blocks.iter();
        let programs = programs.filter(|b| b.language() == "rust" && !b.has("ignore"));
        let included = format!("include_str!(\"../../../{}\")", page.name);
        let tested = tested_pages.contains(&included);
        if let Some(block) = programs.into_iter().find(|_| !tested) {
            panic!(
                "{}: tools/doc-pages does not include {}",
                block.place, page.name
            );
        }
    }
}

/// What is quoted from the sources stands there: line by line, in that order. The first line of such a block names the
/// file.
#[test]
fn excerpts_are_in_the_sources() {
    let mut number = 0;
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.has("ignore")) {
            let mut lines = block.text.lines();
            let file = lines.next().and_then(|line| line.strip_prefix("// "));
            let file = file.unwrap_or_else(|| panic!("{}: of which file?", block.place));
            let text = std::fs::read_to_string(root().join(file))
                .unwrap_or_else(|error| panic!("{}: {file}: {error}", block.place));
            let mut source = text.lines().map(str::trim);
            let quoted = lines.map(str::trim);
            for line in quoted.filter(|line| !line.is_empty() && *line != "// …") {
                let found = source.any(|own| own == line);
                assert!(found, "{}: not in {file}: {line}", block.place);
            }
            number += 1;
        }
    }
    assert!(number >= 8, "{number} excerpts");
}

/// Where a relative link leads, and the place on the page.
fn leads(page: &Page, target: &str) -> Result<(), String> {
    let (file, place) = target.split_once('#').unwrap_or((target, ""));
    let folder = root().join(&page.name);
    let path = match file {
        "" => folder,
        file => folder.parent().unwrap().join(file),
    };
    if !path.exists() {
        return Err(format!("{} is not there", path.display()));
    }
    if place.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let known: BTreeSet<String> = Page::read(&page.name, &text)
        .headings
        .iter()
        .map(|title| anchor(title))
        .collect();
    if known.contains(place) {
        Ok(())
    } else {
        Err(format!("no heading #{place}; there are {known:?}"))
    }
}

#[test]
fn links_lead_somewhere() {
    let (mut faults, mut number) = (Vec::new(), 0);
    for page in pages() {
        for (line, target) in &page.links {
            if target.contains("://") {
                continue;
            }
            number += 1;
            if let Err(fault) = leads(&page, target) {
                faults.push(format!("{}:{line}: {target}: {fault}", page.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(number > 50, "{number} links");
}

#[test]
fn the_book_has_every_page_once() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed = Page::read("docs/SUMMARY.md", &summary).links;
    let mut chapters = BTreeSet::new();
    for (line, target) in listed {
        assert!(
            chapters.insert(target.clone()),
            "{target} twice, in line {line}"
        );
    }
    let there: BTreeSet<String> = pages()
        .into_iter()
        .filter_map(|page| page.name.strip_prefix("docs/").map(str::to_owned))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    assert_eq!(chapters, there, "chapters of the summary, pages in docs/");
}

/// The tests that a page names: between backquotes, with a link to their file.
fn named_tests(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("[`") {
        let rest = &text[at + 2..];
        let Some(end) = rest.find("`](../crates/") else {
            continue;
        };
        let name = &rest[..end];
        let file = rest[end + 3..].split(')').next().unwrap_or("");
        if !name.contains(['`', '\n']) && file.ends_with(".rs") {
            found.push((name, file));
        }
    }
    found
}

/// The list of truths names tests that are there, each once, and all that are in the programs made for them.
#[test]
fn every_truth_has_its_test() {
    let text = std::fs::read_to_string(root().join("docs/truths.md")).unwrap();
    let named = named_tests(&text);
    assert!(named.len() > 60, "{}", named.len());
    let mut faults = Vec::new();
    for (name, file) in &named {
        let source = std::fs::read_to_string(root().join("docs").join(file)).unwrap_or_default();
        let test = format!("#[test]\nfn {name}(");
        if !source.contains(&test) {
            faults.push(format!("{file} has no test {name}"));
        }
    }
    for program in ["truths", "rigid"] {
        let folder = root().join("crates/carom/tests").join(program);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            if program == "rigid" && file != "samples.rs" {
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            for piece in source.split("#[test]\nfn ").skip(1) {
                let name = piece.split('(').next().unwrap();
                let there = |(other, link): &(&str, &str)| *other == name && link.ends_with(&file);
                if !named.iter().any(there) {
                    faults.push(format!("{program}/{file}: {name} is not listed"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every row of the physics has its section, and no other.
#[test]
fn every_row_is_explained() {
    let text = std::fs::read_to_string(root().join("docs/rows.md")).unwrap();
    let page = Page::read("docs/rows.md", &text);
    let is_row = |word: &str| {
        let (letter, number) = word.split_at(1);
        "KMFCP".contains(letter) && number.parse::<u32>().is_ok()
    };
    let firsts = page
        .headings
        .iter()
        .filter_map(|title| title.split(' ').next());
    let explained: Vec<String> = firsts
        .filter(|word| is_row(word))
        .map(str::to_owned)
        .collect();
    let asked = [('K', 9), ('M', 2), ('F', 1), ('C', 15), ('P', 8)];
    let asked = asked.map(|(letter, last)| (1..=last).map(move |row| format!("{letter}{row}")));
    assert_eq!(explained, asked.into_iter().flatten().collect::<Vec<_>>());
}

/// Every row has a picture, or leads to a row that has one; but for those that are not built yet.
#[test]
fn every_row_has_a_picture() {
    let text = std::fs::read_to_string(root().join("docs/rows.md")).unwrap();
    let sections: Vec<(&str, &str)> = text
        .split("\n### ")
        .skip(1)
        .filter_map(|section| section.split_once('\n'))
        .collect();
    assert!(sections.len() >= 35);
    let shows = |body: &str| body.contains("![");
    for (title, body) in &sections {
        let led = sections.iter().any(|(other, body_of_other)| {
            body.contains(&format!("(#{})", anchor(other))) && shows(body_of_other)
        });
        let missing = body.contains("Not built yet");
        assert!(shows(body) || led || missing, "{title}");
    }
}

#[test]
fn the_command_prints_the_scene_reference() {
    let printed = common::run(&["schema", "--markdown"]);
    let page = std::fs::read_to_string(root().join("docs/scene_reference.md")).unwrap();
    assert!(
        common::text(&printed.stdout) == page,
        "`carom schema --markdown > docs/scene_reference.md` makes it anew"
    );
}

/// Every picture of the folder is on a page, and is a picture.
#[test]
fn pictures_are_shown() {
    let shown: BTreeSet<String> = pages()
        .iter()
        .flat_map(|page| &page.links)
        .filter_map(|(_, target)| target.rsplit_once("pictures/"))
        .map(|(_, file)| file.to_owned())
        .collect();
    let files = |folder: &str| -> Vec<_> {
        let entries = std::fs::read_dir(root().join("docs/pictures").join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        files.filter(|path| path.is_file()).collect()
    };
    for path in [files(""), files("gallery")].concat() {
        let inside = path.strip_prefix(root().join("docs/pictures")).unwrap();
        let name = inside.to_str().unwrap().to_owned();
        assert!(shown.contains(&name), "nobody shows {name}");
        let (head, most): (&[u8], u64) = match name.rsplit_once('.').map(|(_, end)| end) {
            Some("png") => (b"\x89PNG\r\n", 400_000),
            Some("gif") => (b"GIF89a", 1_500_000),
            _ => (b"<svg ", 1_000_000),
        };
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(head), "{name}");
        assert!(bytes.len() as u64 <= most, "{name}: {} bytes", bytes.len());
        if name.ends_with(".svg") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                text.starts_with("<svg ") && text.contains("<title>"),
                "{name}"
            );
        }
    }
}

#[test]
fn what_is_quoted_is_compared() {
    let output = ["one 1 s", "two", "three 3.5"];
    for quoted in [
        &["one 1 s", "two", "three 3.5"][..],
        &["one … s", "…"],
        &["…", "three …"],
        &["…"],
        &["o… 1 …", "…", "three…5", ""],
    ] {
        assert!(fits(quoted, &output), "{quoted:?}");
    }
    for quoted in [
        &["one 1 s", "two"][..],
        &["one 1 s", "two", "three 3.6"],
        &["…", "two"],
        &["one 2…", "…"],
        &["one 1 s", "two", "three 3.5", "four"],
    ] {
        assert!(!fits(quoted, &output), "{quoted:?}");
    }
}
