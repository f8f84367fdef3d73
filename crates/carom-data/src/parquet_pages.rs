//! The pages of a column chunk, each with its CRC-32 in the header, as Parquet has it: other programs can check them
//! too (`pq.read_table(path, page_checksum_verification=True)`).
//!
//! The Parquet crate checks these sums, but writes none, so that headers are written here. They are structures of
//! Thrift's compact protocol.

use parquet::basic::Encoding;
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::errors::{ParquetError, Result};

/// Takes pages into memory.
pub struct Pages<'b>(pub &'b mut Vec<u8>);

/// Types of fields in Thrift's compact protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I32: u8 = 5;
const STRUCT: u8 = 12;
const STOP: u8 = 0;

/// A structure that is being written: each field is known by how far its number is from the one before.
struct Fields<'b> {
    out: &'b mut Vec<u8>,
    last: u8,
}

impl Fields<'_> {
    fn head(&mut self, number: u8, kind: u8) {
        self.out.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn integer(&mut self, number: u8, value: i32) {
        self.head(number, I32);
        // Signs alternate, so that small numbers are short; seven bits a byte.
        let mut rest = ((value << 1) ^ (value >> 31)) as u32;
        while rest > 0x7f {
            self.out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.out.push(rest as u8);
    }

    fn inside(&mut self, number: u8, fill: impl FnOnce(&mut Fields<'_>)) {
        self.head(number, STRUCT);
        let mut fields = Fields {
            out: self.out,
            last: 0,
        };
        fill(&mut fields);
        self.out.push(STOP);
    }
}

/// The number of an encoding in Parquet's format.
fn encoding_number(encoding: Encoding) -> Result<i32> {
    Ok(match encoding {
        Encoding::PLAIN => 0,
        Encoding::PLAIN_DICTIONARY => 2,
        Encoding::RLE => 3,
        Encoding::DELTA_BINARY_PACKED => 5,
        Encoding::RLE_DICTIONARY => 8,
        other => {
            return Err(ParquetError::NYI(format!("pages of {other}")));
        }
    })
}

fn size(bytes: usize) -> Result<i32> {
    i32::try_from(bytes).map_err(|_| ParquetError::General(format!("a page of {bytes} bytes")))
}

fn header(page: &CompressedPage) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(32);
    let mut fields = Fields {
        out: &mut out,
        last: 0,
    };
    let encoding = encoding_number(page.encoding())?;
    let values = size(page.num_values() as usize)?;
    fields.integer(1, page.page_type() as i32);
    fields.integer(2, size(page.uncompressed_size())?);
    fields.integer(3, size(page.compressed_size())?);
    fields.integer(4, crc32fast::hash(page.data()) as i32);
    match page.compressed_page() {
        Page::DataPage {
            def_level_encoding,
            rep_level_encoding,
            ..
        } => {
            let levels = [
                encoding_number(*def_level_encoding)?,
                encoding_number(*rep_level_encoding)?,
            ];
            fields.inside(5, |fields| {
                fields.integer(1, values);
                fields.integer(2, encoding);
                fields.integer(3, levels[0]);
                fields.integer(4, levels[1]);
            });
        }
        Page::DictionaryPage { is_sorted, .. } => fields.inside(7, |fields| {
            fields.integer(1, values);
            fields.integer(2, encoding);
            fields.head(3, if *is_sorted { TRUE } else { FALSE });
        }),
        Page::DataPageV2 { .. } => {
            return Err(ParquetError::NYI("pages of the second version".to_owned()));
        }
    }
    out.push(STOP);
    Ok(out)
}

impl PageWriter for Pages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let header = header(&page)?;
        let offset = self.0.len() as u64;
        self.0.extend_from_slice(&header);
        self.0.extend_from_slice(page.data());
        let mut written = PageWriteSpec::new();
        written.page_type = page.page_type();
        written.uncompressed_size = page.uncompressed_size() + header.len();
        written.compressed_size = page.compressed_size() + header.len();
        written.offset = offset;
        written.bytes_written = self.0.len() as u64 - offset;
        written.num_values = page.num_values();
        Ok(written)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
