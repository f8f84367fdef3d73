//! Checksums: CRC-32 (that of ZIP, PNG and Parquet pages), which finds every change of up to four bytes in a row.

use crate::error::DataError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A piece that is read at once, bytes.
const PIECE: usize = 1 << 18;

/// A CRC-32, written as eight hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Crc(pub u32);

impl Crc {
    /// Of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Crc(crc32fast::hash(bytes))
    }

    /// By its digits, which are lower case: one sum is written in one way.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
        let is_sum = text.len() == 8 && text.bytes().all(plain);
        let sum = u32::from_str_radix(text, 16).ok()?;
        is_sum.then_some(Crc(sum))
    }
}

impl std::fmt::Display for Crc {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{:08x}", self.0)
    }
}

impl std::fmt::Debug for Crc {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{self}")
    }
}

impl Serialize for Crc {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Crc {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Crc::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no checksum")))
    }
}

/// What a file is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// How long it is.
    pub bytes: u64,
    /// Its checksum.
    pub crc32: Crc,
}

impl Sum {
    /// Of the bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        Sum {
            bytes: bytes.len() as u64,
            crc32: Crc::of(bytes),
        }
    }

    /// Of a file, read piece by piece.
    pub fn of_file(path: &Path) -> Result<Self, DataError> {
        let mut file = File::open(path).map_err(DataError::read(path))?;
        let mut piece = vec![0; PIECE];
        let (mut bytes, mut sum) = (0, crc32fast::Hasher::new());
        loop {
            match file.read(&mut piece).map_err(DataError::read(path))? {
                0 => break,
                count => {
                    sum.update(&piece[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Sum {
            bytes,
            crc32: Crc(sum.finalize()),
        })
    }

    /// Why a file is not the one that is meant, where it is not.
    pub fn complaint(&self, found: &Sum) -> Option<String> {
        if found.bytes != self.bytes {
            Some(format!(
                "it has {} bytes instead of {}",
                found.bytes, self.bytes
            ))
        } else if found.crc32 != self.crc32 {
            Some(format!(
                "its checksum is {} instead of {}",
                found.crc32, self.crc32
            ))
        } else {
            None
        }
    }
}

/// How a JSON text ends that has its own checksum as its last key.
fn seal(key: &str, sum: Crc) -> String {
    format!(",\"{key}\":\"{sum}\"}}\n")
}

/// Puts the checksum of a JSON object into it, as its last key.
pub fn sealed(key: &str, mut text: Vec<u8>) -> Vec<u8> {
    let sum = Crc::of(&text);
    text.pop();
    text.extend(seal(key, sum).into_bytes());
    text
}

/// Whether a JSON text has the checksum that it ends with.
pub fn check_seal(key: &str, bytes: &[u8]) -> Result<(), String> {
    let length = seal(key, Crc(0)).len();
    let none = || "it does not end with its checksum".to_owned();
    let start = bytes.len().checked_sub(length).ok_or_else(none)?;
    let (text, end) = bytes.split_at(start);
    let sum = Crc::of(&[text, b"}"].concat());
    if end == seal(key, sum).as_bytes() {
        return Ok(());
    }
    Err("its checksum does not fit".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_a_sealed_text_counts() {
        let bytes = sealed("crc32", br#"{"a":1,"b":[2,3]}"#.to_vec());
        assert_eq!(
            bytes,
            b"{\"a\":1,\"b\":[2,3],\"crc32\":\"bf10283b\"}\n",
            "{}",
            String::from_utf8_lossy(&bytes)
        );
        assert_eq!(check_seal("crc32", &bytes), Ok(()));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let found = check_seal("crc32", &flipped);
                assert!(found.is_err(), "bit {bit} of byte {at}");
            }
        }
    }
}
