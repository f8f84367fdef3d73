//! The JSON Schema of scene files, from the list of keys that the reader goes by.

mod reference;

pub use reference::reference;

use crate::expression::FUNCTIONS;
use crate::forms::{Form, Key, SCENE, What};
use crate::quantity::{Bound, FORCE, Quantity, SPIN, TORQUE};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The JSON Schema (draft 2020-12) of scene files, for editors that complete and check, as text.
///
/// It says which keys there are, what they mean, their units and what is allowed. What depends on several keys at once
/// (overlaps, names that must exist, how many numbers a vector has) only the reader knows.
pub fn schema() -> String {
    let mut schema = Schema::default();
    let mut root = schema.form(&SCENE);
    let about = root.remove("description");
    let mut whole = Map::new();
    whole.insert(
        "$schema".into(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    whole.insert("title".into(), json!("carom scene, version 1"));
    whole.extend(about.map(|about| ("description".into(), about)));
    whole.extend(root);
    schema.definitions.insert("formula", Some(formula()));
    let definitions: Map<String, Value> = schema
        .definitions
        .into_iter()
        .filter_map(|(name, definition)| Some((name.replace(' ', "_"), definition?)))
        .collect();
    whole.insert("$defs".into(), Value::Object(definitions));
    let text = serde_json::to_string_pretty(&Value::Object(whole));
    text.unwrap_or_default() + "\n"
}

fn formula() -> Value {
    let functions: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
    let functions = functions.join(", ");
    json!({
        "type": "string",
        "description": format!("A formula: numbers, $variables, + - * / ( ), {functions}, pi, inf."),
        "examples": ["$speed", "2 * pi / 5", "inf"],
    })
}

#[derive(Default)]
struct Schema {
    /// By name; `None` while one is being made.
    definitions: BTreeMap<&'static str, Option<Value>>,
}

impl Schema {
    fn form(&mut self, form: &'static Form) -> Map<String, Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for key in form.all_keys() {
            properties.insert(key.name.to_owned(), self.key(key));
            if key.required {
                required.push(key.name);
            }
        }
        if let Some((key, value)) = form.tag {
            properties.insert(key.to_owned(), json!({ "const": value }));
        }
        let mut object = Map::new();
        object.insert("type".into(), json!("object"));
        object.insert("description".into(), json!(form.about));
        object.insert("properties".into(), Value::Object(properties));
        object.insert("required".into(), json!(required));
        object.insert("additionalProperties".into(), json!(false));
        object
    }

    fn key(&mut self, key: &'static Key) -> Value {
        let mut value = self.what(&key.what);
        let Some(object) = value.as_object_mut() else {
            return value;
        };
        let mut about = key.about.to_owned();
        if let Some(unit) = unit(&key.what) {
            about.push_str(&format!(" Unit: {unit}."));
        }
        match key.default.map(serde_json::from_str::<Value>) {
            Some(Ok(default)) => {
                object.insert("default".into(), default);
            }
            Some(Err(_)) => about.push_str(&format!(" Default: {}.", key.default.unwrap_or(""))),
            None => {}
        }
        object.insert("description".into(), json!(about));
        value
    }

    /// A reference to a form, which is defined once.
    fn reference(&mut self, form: &'static Form) -> Value {
        if !self.definitions.contains_key(form.name) {
            self.definitions.insert(form.name, None);
            let object = Value::Object(self.form(form));
            self.definitions.insert(form.name, Some(object));
        }
        json!({ "$ref": format!("#/$defs/{}", form.name.replace(' ', "_")) })
    }

    fn one_of(&mut self, forms: &'static [&'static Form]) -> Value {
        let forms: Vec<Value> = forms.iter().map(|form| self.reference(form)).collect();
        json!({ "oneOf": forms })
    }

    fn what(&mut self, what: &'static What) -> Value {
        match what {
            What::Number(quantity) => number(*quantity),
            What::Whole { least, most } => {
                let mut whole = json!({ "type": "integer", "minimum": least });
                if *most < u64::MAX {
                    whole["maximum"] = json!(most);
                }
                json!({ "anyOf": [whole, { "$ref": "#/$defs/formula" }] })
            }
            What::Integers(integers) => json!({ "enum": integers }),
            What::Flag => json!({ "type": "boolean" }),
            What::Name => json!({ "type": "string", "minLength": 1, "maxLength": 100 }),
            What::Choice(choices) => json!({ "enum": choices() }),
            What::Vector(quantity) => {
                json!({ "type": "array", "items": number(*quantity), "minItems": 2, "maxItems": 3 })
            }
            What::AngularVelocity => {
                let vector =
                    json!({ "type": "array", "items": number(SPIN), "minItems": 3, "maxItems": 3 });
                json!({ "anyOf": [number(SPIN), vector] })
            }
            What::Force => {
                json!({ "type": "array", "items": number(FORCE), "minItems": 2, "maxItems": 3 })
            }
            What::Torque => {
                let vector = json!({ "type": "array", "items": number(TORQUE), "minItems": 3, "maxItems": 3 });
                json!({ "anyOf": [number(TORQUE), vector] })
            }
            What::List { of, least, most } => {
                json!({ "type": "array", "items": self.what(of), "minItems": least, "maxItems": most })
            }
            What::Table(form) => self.reference(form),
            What::Tables(form) => json!({ "type": "array", "items": self.reference(form) }),
            What::OneOf(forms) => self.one_of(forms),
            What::Template(forms) => {
                let tags = forms.iter().filter_map(|form| form.tag);
                let shapes: Vec<&str> = tags.map(|(_, shape)| shape).collect();
                let shape = json!({ "enum": shapes });
                json!({ "type": "object", "properties": { "shape": shape }, "required": ["shape"] })
            }
            What::AllOneOf(forms) => json!({ "type": "array", "items": self.one_of(forms) }),
            What::Named(what) => {
                json!({ "type": "object", "additionalProperties": self.what(what) })
            }
            What::Either(kinds) => {
                let kinds: Vec<Value> = kinds.iter().map(|kind| self.what(kind)).collect();
                json!({ "anyOf": kinds })
            }
        }
    }
}

fn number(quantity: Quantity) -> Value {
    let mut number = json!({ "type": "number", "maximum": quantity.largest() });
    let (key, least) = match quantity.bound() {
        Some(Bound::Zero) => ("minimum", 0.0),
        Some(Bound::AboveZero) => ("exclusiveMinimum", 0.0),
        None => ("minimum", -quantity.largest()),
    };
    number[key] = json!(least);
    json!({ "anyOf": [number, { "$ref": "#/$defs/formula" }] })
}

fn unit(what: &What) -> Option<&'static str> {
    let unit = match what {
        What::Number(quantity) | What::Vector(quantity) => quantity.unit(),
        What::AngularVelocity => SPIN.unit(),
        What::Force => FORCE.unit(),
        What::Torque => TORQUE.unit(),
        What::List { of, .. } => return unit(of),
        What::Either(kinds) => return kinds.iter().find_map(unit),
        _ => "",
    };
    (!unit.is_empty()).then_some(unit)
}
