//! What the feature `serde` needs everywhere: the bound that makes a space's vectors storable, values that are checked
//! after they were read, and numbers that may be infinite.

/// What can be stored, where the feature `serde` is on; everything, where it is off.
#[cfg(feature = "serde")]
pub trait Storable: serde::Serialize + serde::de::DeserializeOwned {}

#[cfg(feature = "serde")]
impl<T: serde::Serialize + serde::de::DeserializeOwned> Storable for T {}

/// What can be stored, where the feature `serde` is on; everything, where it is off.
#[cfg(not(feature = "serde"))]
pub trait Storable {}

#[cfg(not(feature = "serde"))]
impl<T> Storable for T {}

/// A type that is read as its derived code does (`serde(remote = "Self")`), and then refused where a check says so.
#[cfg(feature = "serde")]
macro_rules! checked {
    ([$($generics:tt)*] $type:ty, $check:expr) => {
        impl<$($generics)*> serde::Serialize for $type {
            fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
                <$type>::serialize(self, out)
            }
        }

        impl<'de, $($generics)*> serde::Deserialize<'de> for $type {
            fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
                let value = <$type>::deserialize(input)?;
                match $check(&value) {
                    Ok(_) => Ok(value),
                    Err(error) => Err(serde::de::Error::custom(error)),
                }
            }
        }
    };
}

#[cfg(feature = "serde")]
pub(crate) use checked;

/// A number that may be infinite, as a number or as the word `infinity`: JSON has no other way to say so.
#[cfg(feature = "serde")]
pub(crate) mod number {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    const WORD: &str = "infinity";

    pub fn serialize<Out: Serializer>(number: &f64, out: Out) -> Result<Out::Ok, Out::Error> {
        if *number == f64::INFINITY {
            out.serialize_str(WORD)
        } else {
            out.serialize_f64(*number)
        }
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(input: In) -> Result<f64, In::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = f64;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "a number, or \"{WORD}\"")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
                Ok(number)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
                Ok(number as f64)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
                Ok(number as f64)
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<f64, E> {
                match word {
                    WORD => Ok(f64::INFINITY),
                    other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
                }
            }
        }

        input.deserialize_any(Number)
    }
}
