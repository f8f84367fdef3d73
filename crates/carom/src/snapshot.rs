//! What is kept of a run that goes on another day: the format of snapshots.
//!
//! ```text
//! 8 bytes   "carom\0\r\n"
//! u32       version: 17
//! u8        dimension: 2 or 3
//! u64       length of what follows, without the checksum
//! …         the run
//! u64       checksum of everything before it
//! ```
//!
//! Numbers are little-endian, floats are their bits. Times of events are functions of the flights alone, so that no
//! plan, cell or list is stored: they are made anew, and the run goes on with the same bits as if it had never stopped.
//! A version reads what it wrote; what is newer is refused, and so is whatever is cut off, damaged or not a snapshot.

mod fields;
mod parts;

pub use crate::codec::{Reader, SnapshotError, Stored, VERSION};
pub(crate) use fields::{load_integrator, store_integrator};

use crate::codec::invalid;
use crate::record::Digest;

const MAGIC: [u8; 8] = *b"carom\0\r\n";
const HEADER: usize = MAGIC.len() + 4 + 1 + 8;
const CHECKSUM: usize = 8;

/// A hash in which every byte counts.
fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        digest.word(u64::from_le_bytes(word));
    }
    digest.word(bytes.len() as u64);
    digest.value()
}

/// Puts a run between header and checksum.
pub(crate) fn wrapped(dimension: usize, store: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    VERSION.store(&mut out);
    (dimension as u8).store(&mut out);
    0_u64.store(&mut out);
    store(&mut out);
    let length = (out.len() - HEADER) as u64;
    out[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
    checksum(&out).store(&mut out);
    out
}

/// The first byte of the run, by which the kinds of runs are told apart.
pub(crate) fn kind(bytes: &[u8]) -> Option<u8> {
    bytes.get(HEADER).copied()
}

/// The run between header and checksum, if both fit.
pub(crate) fn unwrapped(bytes: &[u8], dimension: usize) -> Result<Reader<'_>, SnapshotError> {
    let cut_off = |wanted: u64| SnapshotError::CutOff {
        found: bytes.len() as u64,
        wanted,
    };
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] || bytes.is_empty() {
        return Err(SnapshotError::Foreign);
    }
    let header = bytes.get(MAGIC.len()..HEADER);
    let mut header = Reader::new(header.ok_or(cut_off((HEADER + CHECKSUM) as u64))?);
    let version = u32::load(&mut header)?;
    if version != VERSION {
        return Err(SnapshotError::Version { found: version });
    }
    let found = u8::load(&mut header)?;
    let wanted = dimension as u8;
    if found != wanted {
        return Err(SnapshotError::Dimension { found, wanted });
    }
    let length = u64::load(&mut header)?;
    let whole = length.saturating_add((HEADER + CHECKSUM) as u64);
    if whole > bytes.len() as u64 {
        return Err(cut_off(whole));
    }
    if whole < bytes.len() as u64 {
        return invalid(format!(
            "{} bytes come after its end",
            bytes.len() as u64 - whole
        ));
    }
    let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if checksum(content).to_le_bytes() != sum {
        return Err(SnapshotError::Damaged);
    }
    Ok(Reader::new(&content[HEADER..]))
}
