//! The schema, and whether every scene is what it says: by a small validator of the part of JSON Schema that is used.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

fn schema() -> Value {
    serde_json::from_str(&carom_scene::schema()).expect("the schema is JSON")
}

/// What is wrong with a value, as far as the keywords go that the schema has; an unknown keyword is wrong as well.
///
/// Longer than most: one arm for each keyword.
fn faults(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let object = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in object {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "examples" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                let target = &root["$defs"][name];
                assert!(target.is_object(), "no definition {name}");
                found.extend(faults(root, target, value, path));
            }
            "type" if !has_type(rule.as_str().unwrap(), value) => {
                found.push(format!("{path}: {value} is not of type {rule}"));
            }
            "const" if rule != value => found.push(format!("{path}: {value} is not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                found.push(format!("{path}: {value} is not among {rule}"));
            }
            "minimum" | "maximum" | "exclusiveMinimum" => {
                if let (Some(number), Some(bound)) = (value.as_f64(), rule.as_f64()) {
                    let good = match keyword.as_str() {
                        "minimum" => number >= bound,
                        "maximum" => number <= bound,
                        _ => number > bound,
                    };
                    if !good {
                        found.push(format!("{path}: {number} against {keyword} {bound}"));
                    }
                }
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" => {
                let length = match (value, keyword.ends_with("Length")) {
                    (Value::String(text), true) => text.chars().count() as u64,
                    (Value::Array(items), false) => items.len() as u64,
                    _ => continue,
                };
                let bound = rule.as_u64().unwrap();
                if (keyword.starts_with("min") && length < bound)
                    || (keyword.starts_with("max") && length > bound)
                {
                    found.push(format!("{path}: {length} against {keyword} {bound}"));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults(root, rule, item, &format!("{path}/{index}")));
                }
            }
            "required" => {
                for key in rule.as_array().unwrap() {
                    let missing = |table: &Map<_, _>| !table.contains_key(key.as_str().unwrap());
                    if value.as_object().is_some_and(missing) {
                        found.push(format!("{path}: {key} is missing"));
                    }
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(key) {
                        found.extend(faults(root, rule, inner, &format!("{path}/{key}")));
                    }
                }
            }
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let known = object
                        .get("properties")
                        .is_some_and(|all| all.get(key).is_some());
                    match rule {
                        _ if known => {}
                        Value::Bool(false) => found.push(format!("{path}: unknown key {key}")),
                        rule => found.extend(faults(root, rule, inner, &format!("{path}/{key}"))),
                    }
                }
            }
            "anyOf" | "oneOf" => {
                let kinds = rule.as_array().unwrap();
                let each: Vec<_> = kinds
                    .iter()
                    .map(|kind| faults(root, kind, value, path))
                    .collect();
                let fits = each.iter().filter(|faults| faults.is_empty()).count();
                if fits == 0 || (keyword == "oneOf" && fits > 1) {
                    found.push(format!("{path}: fits {fits} of {keyword}: {each:?}"));
                }
            }
            "type" | "const" | "enum" => {}
            other => found.push(format!("{path}: a keyword {other} that is not tested")),
        }
    }
    found
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("a type {other}"),
    }
}

/// TOML as JSON; `inf`, which JSON does not have, as text.
fn to_json(value: &toml::de::DeValue<'_>) -> Value {
    use toml::de::DeValue;
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(whole) => {
            json!(i64::from_str_radix(whole.as_str(), whole.radix()).unwrap())
        }
        DeValue::Float(float) => match float.as_str().parse::<f64>().unwrap() {
            number if number.is_finite() => json!(number),
            _ => json!("inf"),
        },
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(_) => json!(null),
        DeValue::Array(items) => items.iter().map(|item| to_json(item.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, item)| (key.get_ref().to_string(), to_json(item.get_ref())));
            Value::Object(entries.collect())
        }
    }
}

fn read(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    match path.extension()?.to_str()? {
        "json" => serde_json::from_str(&text).ok(),
        "toml" => {
            let table = toml::de::DeTable::parse(&text).ok()?.into_inner();
            Some(to_json(&toml::de::DeValue::Table(table)))
        }
        _ => None,
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_good_scene_is_what_the_schema_says() {
    let schema = schema();
    let mut checked = 0;
    for path in files("../../scenes").into_iter().chain(files("tests/good")) {
        let Some(scene) = read(&path) else { continue };
        let faults = faults(&schema, &schema, &scene, "");
        assert!(faults.is_empty(), "{}: {faults:#?}", path.display());
        checked += 1;
    }
    assert!(checked >= 16, "{checked}");
}

/// Those bad scenes whose fault lies in one value or key. What depends on several, only the reader knows.
#[test]
fn bad_values_and_keys_are_not_what_the_schema_says() {
    let schema = schema();
    for name in [
        "bad_dimension.toml",
        "bad_mass.toml",
        "bodies_not_tables.toml",
        "contact_time.toml",
        "fields.toml",
        "fields_unknown_method.toml",
        "future_version.toml",
        "json_values.json",
        "misspelt_keys.toml",
        "missing_keys.toml",
        "negative_until.toml",
        "resistances.toml",
        "unknown_shape.toml",
        "wrong_types.toml",
        "zero_radius.toml",
        "generators.toml",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/bad")
            .join(name);
        let scene = read(&path).unwrap_or_else(|| panic!("{name} cannot be read"));
        assert!(!faults(&schema, &schema, &scene, "").is_empty(), "{name}");
    }
}

/// Every key says what it is and in which unit, and every definition is used.
#[test]
fn the_schema_explains_itself() {
    let text = carom_scene::schema();
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    let definitions = schema["$defs"].as_object().unwrap();
    assert!(definitions.len() > 20);
    for (name, definition) in definitions {
        assert!(
            text.contains(&format!("\"#/$defs/{name}\"")),
            "{name} is not used"
        );
        for (key, property) in definition["properties"].as_object().into_iter().flatten() {
            let explained = property["description"].is_string() || property["const"].is_string();
            assert!(explained, "{key} of {name}");
        }
    }
    let radius = &definitions["ball"]["properties"]["radius"];
    assert_eq!(radius["description"], "Its radius. Unit: metres.");
    assert_eq!(radius["anyOf"][0]["exclusiveMinimum"], 0.0);
    assert_eq!(schema["properties"]["seed"]["default"], 1);
}

/// `UPDATE_MESSAGES=1 cargo test -p carom-scene` makes the page anew, as `carom schema --markdown` does.
#[test]
fn the_page_is_what_the_list_of_keys_makes() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scene_reference.md");
    let made = carom_scene::reference();
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        std::fs::write(page, &made).unwrap();
    }
    let written = std::fs::read_to_string(page).unwrap();
    let differs = written.lines().zip(made.lines()).find(|(a, b)| a != b);
    assert!(
        written == made,
        "docs/scene_reference.md is not what `carom schema --markdown` prints; first line that differs: {differs:#?}"
    );
}
