//! Bytes, and what can be made of them: little-endian, field by field, in the order of the fields.
//!
//! Written by hand because there is little of it, every bit of a number counts, and every length has to be looked at
//! before it is believed: a serialisation library would add a dependency and save a hundred lines.

use glam::{DQuat, DVec2, DVec3};
use std::collections::VecDeque;
use thiserror::Error;

/// The version that is written.
pub const VERSION: u32 = 17;

/// Why bytes are no snapshot to go on from.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It does not begin as snapshots do.
    #[error("this is not a snapshot of carom")]
    Foreign,
    /// Another version wrote it.
    #[error("the snapshot has version {found}, but this carom reads version {VERSION} alone")]
    Version {
        /// As it says.
        found: u32,
    },
    /// It is of the other space.
    #[error("the snapshot is of a run in {found}-D, not in {wanted}-D")]
    Dimension {
        /// As it says.
        found: u8,
        /// As asked for.
        wanted: u8,
    },
    /// It is shorter than it says.
    #[error("the snapshot is cut off: {found} bytes of {wanted}")]
    CutOff {
        /// How long it is.
        found: u64,
        /// How long it says it is, as far as that is known.
        wanted: u64,
    },
    /// Its checksum is another than that of its bytes.
    #[error("the snapshot is damaged: its checksum does not fit")]
    Damaged,
    /// What it says cannot be.
    #[error("the snapshot makes no sense: {what}")]
    Invalid {
        /// What is wrong.
        what: String,
    },
}

/// Something that a snapshot holds.
pub trait Stored: Sized {
    /// Appends it.
    fn store(&self, out: &mut Vec<u8>);

    /// Reads it back.
    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError>;
}

/// What has not been read yet.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

/// Nothing is believed that does not make sense.
pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T, SnapshotError> {
    Err(SnapshotError::Invalid { what: what.into() })
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        match self.bytes.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.bytes = rest;
                Ok(*head)
            }
            None => invalid("it ends too early"),
        }
    }

    /// A number that there is at least one byte for each of: no length is longer than what is left.
    pub(crate) fn length(&mut self) -> Result<usize, SnapshotError> {
        let length = u64::load(self)?;
        match usize::try_from(length) {
            Ok(length) if length <= self.bytes.len() => Ok(length),
            _ => invalid(format!(
                "a list of {length} with {} bytes left",
                self.bytes.len()
            )),
        }
    }

    /// A finite number.
    pub(crate) fn finite(&mut self, what: &str) -> Result<f64, SnapshotError> {
        let number = f64::load(self)?;
        if number.is_finite() {
            Ok(number)
        } else {
            invalid(format!("{what} is {number}"))
        }
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Stored for $number {
            fn store(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                Ok(<$number>::from_le_bytes(input.take()?))
            }
        }
    )*};
}

numbers!(u8, u32, u64, i32, i64, f64);

impl Stored for bool {
    fn store(&self, out: &mut Vec<u8>) {
        u8::from(*self).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        match u8::load(input)? {
            0 => Ok(false),
            1 => Ok(true),
            other => invalid(format!("{other} in place of yes or no")),
        }
    }
}

impl Stored for String {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let length = input.length()?;
        let (text, rest) = input.bytes.split_at(length);
        input.bytes = rest;
        match std::str::from_utf8(text) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => invalid("a name is not text"),
        }
    }
}

impl Stored for Box<str> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(String::load(input)?.into_boxed_str())
    }
}

impl<T: Stored> Stored for Box<T> {
    fn store(&self, out: &mut Vec<u8>) {
        (**self).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Box::new(T::load(input)?))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, out: &mut Vec<u8>) {
        self.is_some().store(out);
        if let Some(value) = self {
            value.store(out);
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        bool::load(input)?.then(|| T::load(input)).transpose()
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        self.iter().for_each(|value| value.store(out));
    }

    // It grows as its members are read, so that a length alone costs nothing.
    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        (0..input.length()?).map(|_| T::load(input)).collect()
    }
}

/// As a list.
impl<T: Stored> Stored for VecDeque<T> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        self.iter().for_each(|value| value.store(out));
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Vec::load(input)?.into())
    }
}

impl<T: Stored + Copy + Default, const N: usize> Stored for [T; N] {
    fn store(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.store(out));
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut all = [T::default(); N];
        for value in &mut all {
            *value = T::load(input)?;
        }
        Ok(all)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn store(&self, out: &mut Vec<u8>) {
        self.0.store(out);
        self.1.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok((A::load(input)?, B::load(input)?))
    }
}

impl Stored for DVec2 {
    fn store(&self, out: &mut Vec<u8>) {
        self.to_array().store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(DVec2::from_array(Stored::load(input)?))
    }
}

impl Stored for DVec3 {
    fn store(&self, out: &mut Vec<u8>) {
        self.to_array().store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(DVec3::from_array(Stored::load(input)?))
    }
}

impl Stored for DQuat {
    fn store(&self, out: &mut Vec<u8>) {
        self.to_array().store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(DQuat::from_array(Stored::load(input)?))
    }
}

/// A structure is the row of its fields.
macro_rules! stored_fields {
    ($type:ty { $($field:ident),* $(,)? } $(where $space:ident: $bound:ident)?) => {
        impl $(<$space: $bound>)? $crate::codec::Stored for $type {
            fn store(&self, out: &mut Vec<u8>) {
                $($crate::codec::Stored::store(&self.$field, out);)*
            }

            fn load(
                input: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::SnapshotError> {
                Ok(Self { $($field: $crate::codec::Stored::load(input)?),* })
            }
        }
    };
}

pub(crate) use stored_fields;
