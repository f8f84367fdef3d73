//! Numbers and words out of requests, with errors that say what is expected.

use crate::space::WebSpace;
use serde_json::Value;

/// A finite number.
pub fn number(of: &Value, key: &str) -> Result<f64, String> {
    let found = of.get(key).and_then(Value::as_f64);
    found
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("`{key}` must be a finite number"))
}

/// A finite number, or a default where it is left out.
pub fn number_or(of: &Value, key: &str, default: f64) -> Result<f64, String> {
    match of.get(key) {
        None | Some(Value::Null) => Ok(default),
        Some(_) => number(of, key),
    }
}

/// A whole number.
pub fn whole(of: &Value, key: &str) -> Result<u64, String> {
    let found = of.get(key).and_then(Value::as_u64);
    found.ok_or_else(|| format!("`{key}` must be a whole number"))
}

/// A word.
pub fn text<'v>(of: &'v Value, key: &str) -> Result<&'v str, String> {
    let found = of.get(key).and_then(Value::as_str);
    found.ok_or_else(|| format!("`{key}` must be a text"))
}

fn numbers(of: &Value, key: &str, count: usize) -> Result<[f64; 3], String> {
    let wrong = || format!("`{key}` must be {count} finite numbers");
    let items = of.get(key).and_then(Value::as_array).ok_or_else(wrong)?;
    if items.len() != count {
        return Err(wrong());
    }
    let mut all = [0.0; 3];
    for (number, item) in all.iter_mut().zip(items) {
        *number = item.as_f64().filter(|x| x.is_finite()).ok_or_else(wrong)?;
    }
    Ok(all)
}

/// A vector: two or three numbers.
pub fn vector<S: WebSpace>(of: &Value, key: &str) -> Result<S::Vector, String> {
    Ok(S::vector(numbers(of, key, S::DIMENSION)?))
}

/// An angular velocity: one number in a list, or three.
pub fn angular<S: WebSpace>(of: &Value, key: &str) -> Result<S::Angular, String> {
    Ok(S::angular(numbers(of, key, S::TURNS)?))
}
