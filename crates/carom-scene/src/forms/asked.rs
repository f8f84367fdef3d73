//! What the reader asked for, compared with what is written down.

use super::*;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

thread_local! {
    pub static KEYS: RefCell<BTreeSet<(&'static str, &'static str)>> = RefCell::default();
    pub static FAULTS: RefCell<BTreeSet<String>> = RefCell::default();
}

/// A key was asked for.
pub fn note(form: Option<&'static Form>, key: &'static str) {
    let fault = match form {
        None => Some(format!("`{key}` is asked of a table without a form")),
        Some(form) if form.key(key).is_none() => {
            Some(format!("`{key}` is not among the keys of `{}`", form.name))
        }
        Some(_) => None,
    };
    FAULTS.with_borrow_mut(|faults| faults.extend(fault));
    KEYS.with_borrow_mut(|keys| keys.insert((form.map_or("", |form| form.name), key)));
}

/// A number was asked for.
pub fn compare(what: Option<&'static What>, quantity: Quantity, title: &str) {
    if let Some(What::Number(written)) = what
        && *written != quantity
    {
        FAULTS.with_borrow_mut(|faults| {
            faults.insert(format!("{title} is read as {quantity:?}, not {written:?}"))
        });
    }
}

fn forms_within(what: &'static What, found: &mut Vec<&'static Form>) {
    match what {
        What::Table(form) | What::Tables(form) => forms_below(form, found),
        What::OneOf(forms) | What::Template(forms) | What::AllOneOf(forms) => {
            forms.iter().for_each(|form| forms_below(form, found));
        }
        What::Named(what) | What::List { of: what, .. } => forms_within(what, found),
        What::Either(kinds) => kinds.iter().for_each(|kind| forms_within(kind, found)),
        _ => {}
    }
}

pub fn forms_below(form: &'static Form, found: &mut Vec<&'static Form>) {
    if !found.iter().any(|other| std::ptr::eq(*other, form)) {
        found.push(form);
        for key in form.all_keys() {
            forms_within(&key.what, found);
        }
    }
}

/// Reads every good scene there is; afterwards what was asked for is what is written here, no more and no less.
#[test]
fn the_reader_asks_for_the_keys_that_the_schema_has() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !here.join("tests").exists() {
        return; // a package from the registry, without the scenes that are read here
    }
    let mut read = 0;
    for folder in ["tests/good", "../../scenes"] {
        for entry in std::fs::read_dir(here.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let scene = path
                .extension()
                .is_some_and(|end| end == "toml" || end == "json");
            if scene {
                crate::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
                read += 1;
            }
        }
    }
    assert!(read > 15);
    let faults = FAULTS.with_borrow(Clone::clone);
    assert!(faults.is_empty(), "{faults:#?}");
    let asked = KEYS.with_borrow(Clone::clone);
    let mut all = Vec::new();
    forms_below(&SCENE, &mut all);
    let tag = |form: &Form, key: &Key| form.tag.is_some_and(|(tag, _)| tag == key.name);
    // A body's shape and a rule's kind are asked before it is known which of them it is.
    let early = [
        "name",
        "shape",
        "kind",
        "material",
        "groups",
        "collides_with",
        "present",
        "mount",
        "color",
        "label",
        "sensor",
    ];
    let known: BTreeSet<(&str, &str)> = all
        .iter()
        .flat_map(|form| form.all_keys().into_iter().map(move |key| (*form, key)))
        .filter(|(form, key)| !tag(form, key) && !early.contains(&key.name))
        .map(|(form, key)| (form.name, key.name))
        .collect();
    let of_generators = |key: &str| GENERATE.keys.iter().any(|own| own.name == key);
    let missing: Vec<_> = known
        .iter()
        .filter(|(form, key)| {
            let generator = GENERATORS.iter().any(|own| own.name == *form) && of_generators(key);
            let place = if generator {
                ("generated", *key)
            } else {
                (*form, *key)
            };
            !asked.contains(&place)
        })
        .collect();
    assert!(missing.is_empty(), "never asked for: {missing:?}");
    for key in early {
        assert!(asked.iter().any(|(_, other)| *other == key), "{key}");
    }
}
