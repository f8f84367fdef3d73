//! What makes every byte of a Parquet file count.
//!
//! The pages of a file have checksums, but their headers and the footer have none. So the footer has, among its
//! key–value pairs, one called `carom.crc32`: the sum of the footer itself, and of each column chunk, row group by row
//! group. The sum of the footer is that of its bytes from the first to the closing `PAR1`, with eight zeros in its own
//! place. Whoever reads a file checks the footer and the chunks that it needs, no more.

use crate::error::DataError;
use crate::sum::Crc;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The key of the pair.
pub const KEY: &str = "carom.crc32";
const MAGIC: &[u8; 4] = b"PAR1";
/// What follows the footer: its length, and the magic word.
const TAIL: u64 = 8;
const NO_SUM: &str = "00000000";

/// The value of the pair before the footer's sum is known.
pub fn draft(chunks: &[Crc]) -> String {
    let mut text = NO_SUM.to_owned();
    for chunk in chunks {
        text += &format!(" {chunk}");
    }
    text
}

/// Where the digits of the footer's sum are.
fn place(footer: &[u8]) -> Option<std::ops::Range<usize>> {
    let key = KEY.as_bytes();
    let found = footer.windows(key.len()).rposition(|bytes| bytes == key)?;
    let mut at = found + key.len();
    // The next field, of bytes; then how many, seven bits a byte.
    if *footer.get(at)? != 0x18 {
        return None;
    }
    at += 1;
    while footer.get(at)? & 0x80 != 0 {
        at += 1;
    }
    let start = at + 1;
    footer
        .get(start..start + NO_SUM.len())
        .map(|_| start..start + NO_SUM.len())
}

/// Puts the sum of a footer into it. It comes with what follows it.
pub fn seal(footer: &mut [u8]) -> Option<()> {
    let place = place(footer)?;
    let sum = Crc::of(footer).to_string();
    footer[place].copy_from_slice(sum.as_bytes());
    Some(())
}

/// The sums in the footer of a file.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// That of the footer, by which the file is known.
    pub footer: Crc,
    /// Where the footer begins: there the last chunk ends.
    pub begins: u64,
    /// Of the column chunks, row group by row group.
    pub chunks: Vec<Crc>,
}

/// Checks the footer of a file, before anything is made of it.
pub fn open(path: &Path, mut file: impl Read + Seek) -> Result<Sealed, DataError> {
    let damaged = |reason: &str| DataError::damaged(path, reason);
    let bytes = file.seek(SeekFrom::End(0)).map_err(DataError::read(path))?;
    let mut magic = [0; 4];
    let mut tail = [0; TAIL as usize];
    if bytes < TAIL + 4 {
        return Err(damaged("it is no whole Parquet file"));
    }
    read_at(path, &mut file, 0, &mut magic)?;
    read_at(path, &mut file, bytes - TAIL, &mut tail)?;
    let [a, b, c, d, end @ ..] = tail;
    if magic != *MAGIC || end != *MAGIC {
        return Err(damaged("it is no whole Parquet file"));
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d])) + TAIL;
    let begins = bytes
        .checked_sub(length)
        .filter(|&begins| begins >= 4)
        .ok_or_else(|| damaged("its footer is said to be longer than the file"))?;
    let mut footer = vec![0; length as usize];
    read_at(path, &mut file, begins, &mut footer)?;
    let no_sums = || damaged("its footer has no checksums");
    let place = place(&footer).ok_or_else(no_sums)?;
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(Crc::parse);
    let said = text(&footer[place.clone()]).ok_or_else(no_sums)?;
    let mut after = footer[place.end..].chunks_exact(9);
    let mut chunks = Vec::new();
    // Each after a blank; whatever else comes next is not of the list.
    while let Some(sum) = after
        .next()
        .and_then(|bytes| bytes.strip_prefix(b" "))
        .and_then(text)
    {
        chunks.push(sum);
    }
    footer[place].copy_from_slice(NO_SUM.as_bytes());
    if Crc::of(&footer) != said {
        return Err(damaged("the checksum of its footer does not fit"));
    }
    Ok(Sealed {
        footer: said,
        begins,
        chunks,
    })
}

fn read_at(
    path: &Path,
    mut file: impl Read + Seek,
    at: u64,
    into: &mut [u8],
) -> Result<(), DataError> {
    file.seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(into))
        .map_err(DataError::read(path))
}

/// Checks bytes of a file.
pub fn check(
    path: &Path,
    file: &File,
    at: u64,
    bytes: u64,
    expected: Crc,
    what: impl FnOnce() -> String,
) -> Result<(), DataError> {
    let mut piece = vec![0; bytes.min(1 << 18) as usize];
    let (mut done, mut sum) = (0, crc32fast::Hasher::new());
    while done < bytes {
        let count = piece.len().min((bytes - done) as usize);
        read_at(path, file, at + done, &mut piece[..count])?;
        sum.update(&piece[..count]);
        done += count as u64;
    }
    if sum.finalize() == expected.0 {
        Ok(())
    } else {
        Err(DataError::damaged(
            path,
            format!("the checksum of {} does not fit", what()),
        ))
    }
}
