//! Every old name, from the one list of keys: scenes with the new names are written with the old ones and read again.

use super::*;
use crate::syntax;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A key or word with an old name, as it stands in a file.
#[derive(Clone)]
struct Use {
    /// "spin of ball", "shape room of body".
    what: String,
    key: &'static Key,
    span: Range<usize>,
    old: String,
    /// Whether it is a word behind the key.
    word: bool,
}

/// Calls back for every key of a tree that is in the list of keys.
fn visit(
    table: &Table,
    forms: &[&'static Form],
    see: &mut dyn FnMut(&Form, &'static Key, &Name, &Node),
) {
    for (name, node) in &table.entries {
        for form in forms {
            if let Some(key) = form.key(name.get_ref()) {
                see(form, key, name, node);
                below(node, &key.what, see);
                break;
            }
        }
    }
}

fn below(node: &Node, what: &'static What, see: &mut dyn FnMut(&Form, &'static Key, &Name, &Node)) {
    let mut items = |items: &[Node], forms: &[&'static Form]| {
        for item in items {
            if let Value::Table(table) = &item.value {
                visit(table, forms, see);
            }
        }
    };
    match (what, &node.value) {
        (What::Table(form), Value::Table(table)) => visit(table, &[form], see),
        (What::OneOf(forms) | What::Template(forms), Value::Table(table)) => {
            visit(table, forms, see)
        }
        (What::Tables(form), Value::Array(tables)) => items(tables, &[form]),
        (What::AllOneOf(forms), Value::Array(tables)) => items(tables, forms),
        (What::Named(what), Value::Table(table)) => {
            (table.entries.iter()).for_each(|(_, node)| below(node, what, see));
        }
        (What::Either(kinds), _) => kinds.iter().for_each(|kind| below(node, kind, see)),
        _ => {}
    }
}

/// Where a text has what once had another name.
fn uses(text: &str) -> Vec<Use> {
    let tree = syntax::parse(text);
    let mut found = Vec::new();
    visit(&tree.table, &[&SCENE], &mut |form, key, name, node| {
        if let Some(old) = key.was {
            found.push(Use {
                what: format!("{old} of {}", form.name),
                key,
                span: name.span(),
                old: old.to_owned(),
                word: false,
            });
        }
        for (old, new) in key.words {
            if matches!(&node.value, Value::Text(text) if &**text == *new) {
                found.push(Use {
                    what: format!("{} {old} of {}", key.name, form.name),
                    key,
                    span: node.span.clone(),
                    old: format!("\"{old}\""),
                    word: true,
                });
            }
        }
    });
    found
}

fn good_scenes() -> Vec<(PathBuf, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut scenes = Vec::new();
    for folder in ["tests/good", "../../scenes"] {
        let Ok(entries) = std::fs::read_dir(here.join(folder)) else {
            continue; // a package from the registry, without the scenes that are read here
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "toml") {
                let text = std::fs::read_to_string(&path).unwrap();
                scenes.push((path, text));
            }
        }
    }
    scenes.sort();
    scenes
}

/// The text with the old name in one place; a table of the top level is named by each of its headers.
fn aged(text: &str, place: &Use) -> String {
    let new = &text[place.span.clone()];
    let mut aged = text.to_owned();
    aged.replace_range(place.span.clone(), &place.old);
    if !place.word && SCENE.keys.iter().any(|key| std::ptr::eq(key, place.key)) {
        let headers = [
            ("[[", "]]"),
            ("[", "]"),
            ("[[", "."),
            ("[", "."),
            ("\n", "."),
        ];
        for (open, close) in headers {
            let [from, to] = [new, &place.old].map(|name| format!("{open}{name}{close}"));
            aged = aged.replace(&from, &to);
        }
    }
    aged
}

#[test]
fn every_old_name_reads_as_the_new_one_with_a_note() {
    let scenes = good_scenes();
    if scenes.is_empty() {
        return;
    }
    let mut tried = BTreeSet::new();
    for (path, text) in &scenes {
        let name = path.display().to_string();
        let Ok(new) = crate::parse(&name, text) else {
            panic!("{name}");
        };
        assert_eq!(new.notes, Vec::<String>::new(), "{name}");
        let mut seen = BTreeSet::new();
        for place in uses(text) {
            // One scene is enough for one name, but each of the scenes is tried with each of its own.
            if !seen.insert(place.what.clone())
                || (tried.contains(&place.what) && text.len() > 20_000)
            {
                continue;
            }
            let aged = aged(text, &place);
            assert_ne!(&aged, text);
            let old = crate::parse(&name, &aged)
                .unwrap_or_else(|errors| panic!("{}: {errors}", place.what));
            assert_eq!(
                format!("{:?}", old.world),
                format!("{:?}", new.world),
                "{}",
                place.what
            );
            assert_eq!(
                (old.run, old.observe, old.forces, old.settling),
                (new.run, new.observe, new.forces, new.settling),
                "{}",
                place.what
            );
            let said = |note: &String| {
                let bare = place.old.trim_matches('"');
                note.contains(&format!("`{bare}` is now called `")) && note.contains(", line ")
            };
            assert!(
                old.notes.iter().any(said),
                "{}: {:?}",
                place.what,
                old.notes
            );
            tried.insert(place.what);
        }
    }
    let mut all = BTreeSet::new();
    let mut forms = Vec::new();
    crate::forms::asked::forms_below(&SCENE, &mut forms);
    for key in forms.iter().flat_map(|form| form.all_keys()) {
        all.extend(key.was.map(|old| format!("{old} →  {}", key.name)));
        all.extend(key.words.iter().map(|(old, new)| format!("{old} →  {new}")));
    }
    let count = all.len();
    for what in &tried {
        let words: Vec<&str> = what.split(' ').collect();
        all.retain(|alias| {
            let old = alias.split(' ').next().unwrap_or_default();
            old != words[0] && !(words.len() > 1 && old == words[1])
        });
    }
    assert!(all.is_empty(), "no scene has the new name of: {all:?}");
    assert!(count >= 20, "{count}");
}

#[test]
fn a_key_under_both_names_is_an_error_that_shows_both() {
    let mut tried = BTreeSet::new();
    for (_, text) in good_scenes() {
        for place in uses(&text).into_iter().filter(|place| !place.word) {
            if !tried.insert(place.what.clone()) {
                continue;
            }
            let mut tree = syntax::parse(&text).table;
            let span = double(&mut tree, &place).expect("the key is somewhere");
            let mut found = Found::default();
            found.in_file(&mut tree);
            let [problem] = &found.problems[..] else {
                panic!("{}: {:?}", place.what, found.problems);
            };
            for name in [&place.old, place.key.name] {
                assert!(
                    problem.message.contains(&format!("`{name}`")),
                    "{problem:?}"
                );
            }
            assert_eq!(problem.span, Some(span));
            assert_eq!(
                problem.related.as_ref().map(|(at, _)| at.clone()),
                Some(place.span)
            );
        }
    }
}

/// Puts a key in once more, under its old name; answers where that is said to be.
fn double(table: &mut Table, place: &Use) -> Option<Range<usize>> {
    let own =
        |(name, _): &&(Name, Node)| name.span() == place.span && name.get_ref() == place.key.name;
    if let Some((_, node)) = table.entries.iter().find(own) {
        let (span, node) = (1_000_000..1_000_001, node.clone());
        table
            .entries
            .push((Name::new(place.old.as_str(), span.clone()), node));
        return Some(span);
    }
    table
        .entries
        .iter_mut()
        .find_map(|(_, node)| inside(node, place))
}

fn inside(node: &mut Node, place: &Use) -> Option<Range<usize>> {
    match &mut node.value {
        Value::Table(table) => double(table, place),
        Value::Array(items) => items.iter_mut().find_map(|item| inside(item, place)),
        _ => None,
    }
}

/// Otherwise it could not be said which of the two is meant.
#[test]
fn no_key_has_the_old_name_of_another() {
    fn check(forms: &[&'static Form]) {
        let keys: Vec<&Key> = forms.iter().flat_map(|form| form.all_keys()).collect();
        for key in &keys {
            for other in &keys {
                assert_ne!(key.was, Some(other.name), "in {}", forms[0].name);
                let one = key.was.is_none() || key.was != other.was;
                assert!(one || key.name == other.name, "{} {}", key.name, other.name);
            }
        }
    }
    fn unions(what: &'static What) {
        match what {
            What::OneOf(forms) | What::Template(forms) | What::AllOneOf(forms) => check(forms),
            What::Named(what) => unions(what),
            What::Either(kinds) => kinds.iter().for_each(unions),
            _ => {}
        }
    }
    let mut forms = Vec::new();
    crate::forms::asked::forms_below(&SCENE, &mut forms);
    for form in forms {
        check(&[form]);
        form.keys.iter().for_each(|key| unions(&key.what));
    }
}

const BALL: &str = "version = 1\ndimension = 2\nrun.until = 1\n[[bodies]]\nname = \"a\"\nshape = \"ball\"\nradius = 0.1\nmass = 1\nposition = [0, 0]\n";

#[test]
fn both_lines_are_shown() {
    let text = format!("{BALL}spin = 1\nangular_velocity = 2\n");
    let errors = crate::parse("both.toml", &text).unwrap_err().to_string();
    for part in [
        "`spin` and `angular_velocity` are the same key",
        "10 |",
        "11 |",
        "leave one of them out",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
}

#[test]
fn values_from_outside_may_go_by_old_names() {
    let text = format!("{BALL}angular_velocity = 2\n");
    let set = |path: &str, value: &str| {
        let overrides = [(path.to_owned(), value.to_owned())];
        crate::parse_with("set.toml", &text, &overrides).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let scene = set("bodies.a.spin", "3");
    let crate::AnyWorld::Two(world) = &scene.world else {
        panic!();
    };
    let [body] = world.bodies() else {
        panic!();
    };
    assert!(matches!(body.kind, carom::body::Kind::Free(free) if free.angular_velocity == 3.0));
    let note = "--set bodies.a.spin=3: `spin` is now called `angular_velocity`; the old name is still read";
    assert_eq!(scene.notes, [note]);
    assert_eq!(set("run.max_events", "5").run.max_collisions, Some(5));
    let wall = "version = 1\ndimension = 2\nrun.until = 1\n[[bodies]]\nname = \"a\"\nshape = \"wall\"\npoint = [0, 0]\nnormal = [0, 1]\n";
    let turning = (
        "bodies.a.motion".to_owned(),
        "{ pivot = [0, 0], spin = 1 }".to_owned(),
    );
    let scene =
        crate::parse_with("set.toml", wall, &[turning]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scene.notes.len(), 1, "{:?}", scene.notes);
}

#[test]
fn a_column_may_go_by_its_old_name() {
    let folder = std::env::temp_dir().join(format!("carom-old-column-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let read = |header: &str| {
        std::fs::write(folder.join("balls.csv"), format!("{header}\n0,0,3\n")).unwrap();
        let text = "version = 1\ndimension = 2\nrun.until = 1\n[[generate]]\nname = \"g\"\nkind = \"csv\"\nfile = \"balls.csv\"\nradius = 0.1\nmass = 1\n";
        let name = folder.join("scene.toml").display().to_string();
        crate::parse(&name, text)
    };
    let [new, old] = ["x,y,angular_velocity", "x,y,spin"].map(|header| read(header).unwrap());
    assert_eq!(format!("{:?}", new.world), format!("{:?}", old.world));
    assert_eq!(new.notes.len(), 0);
    assert_eq!(
        old.notes,
        [
            "balls.csv, line 1: the column `spin` is now called `angular_velocity`; the old name is still read"
        ]
    );
    let both = read("x,spin,angular_velocity").unwrap_err().to_string();
    assert!(both.contains("comes twice"), "{both}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A material or a variable may be called as a key was.
#[test]
fn names_that_the_file_chooses_are_its_own() {
    let text = format!(
        "{}[variables]\nspin = 2\n[materials.rooms]\nrestitution = 0.5\n",
        BALL.replace("mass = 1", "mass = \"$spin\"\nmaterial = \"rooms\"")
    );
    let scene = crate::parse("chosen.toml", &text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(scene.notes.is_empty(), "{:?}", scene.notes);
}
