//! Parquet files: one table, required columns, row groups that can be copied from file to file without being decoded.
//!
//! Floats are stored as they are and passed through snappy, which makes nothing of columns that do not change and does
//! not spend time on those that do; whole numbers by their differences; words and repeated values by number.

use crate::error::DataError;
use crate::files::{Filler, Over, io_error, write_whole};
use crate::parquet_pages::Pages;
use crate::parquet_seal::{self, Sealed};
use crate::sum::{Crc, Sum};
use crate::table::{Column, Kind, Rows, Values};
use crate::tables;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Outcome<T> = Result<T, ParquetError>;

fn schema(columns: &[Column]) -> Outcome<TypePtr> {
    let fields = columns.iter().map(|column| {
        let physical = match column.kind {
            Kind::Integer => Physical::INT64,
            Kind::Number => Physical::DOUBLE,
            Kind::Text => Physical::BYTE_ARRAY,
        };
        let logical = (column.kind == Kind::Text).then_some(LogicalType::String);
        Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    });
    let fields = fields.collect::<Outcome<Vec<TypePtr>>>()?;
    let root = Type::group_type_builder("carom").with_fields(fields);
    Ok(Arc::new(root.build()?))
}

fn properties(columns: &[Column]) -> WriterPropertiesPtr {
    // A program that was built on another day writes the same bytes.
    let units: Vec<String> = columns
        .iter()
        .filter(|column| !column.unit.is_empty())
        .map(|column| format!("{} {}", column.name, column.unit))
        .collect();
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("carom {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![KeyValue::new(
            "units".to_owned(),
            units.join("; "),
        )]))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_data_page_row_count_limit(1 << 17);
    for column in columns {
        let path = ColumnPath::from(column.name.as_ref());
        builder = match column.kind {
            _ if column.repeats => builder.set_column_dictionary_enabled(path, true),
            Kind::Integer => builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            _ => builder,
        };
    }
    Arc::new(builder.build())
}

/// Holds back the footer, so that its sum can be put into it.
struct Sealing<'w> {
    file: &'w mut Filler,
    footer: Option<Vec<u8>>,
}

impl Write for Sealing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.footer {
            Some(footer) => {
                footer.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

type Writer<'w> = SerializedFileWriter<Sealing<'w>>;

fn begin<'w>(file: &'w mut Filler, columns: &[Column]) -> Outcome<Writer<'w>> {
    let sink = Sealing { file, footer: None };
    Writer::new(sink, schema(columns)?, properties(columns))
}

/// Writes the footer, with the sums of all chunks.
fn end(mut writer: Writer<'_>, chunks: &[Crc]) -> Outcome<()> {
    let sums = KeyValue::new(parquet_seal::KEY.to_owned(), parquet_seal::draft(chunks));
    writer.append_key_value_metadata(sums);
    writer.flush()?;
    writer.inner_mut().footer = Some(Vec::new());
    writer.finish()?;
    let Sealing { file, footer } = writer.inner_mut();
    let mut footer = footer.take().unwrap_or_default();
    parquet_seal::seal(&mut footer)
        .ok_or_else(|| ParquetError::General("the footer has no place for its sum".to_owned()))?;
    Ok(file.write_all(&footer)?)
}

/// A column as a chunk of a file: its bytes, and what the footer says of them.
fn chunk(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    values: &Values,
) -> Outcome<(Vec<u8>, ColumnCloseResult)> {
    let mut bytes = Vec::new();
    let pages = Box::new(Pages(&mut bytes));
    let unfit = || ParquetError::General("a column of another kind".to_owned());
    let close = match (
        get_column_writer(descriptor, Arc::clone(properties), pages),
        values,
    ) {
        (ColumnWriter::Int64ColumnWriter(mut column), Values::Integers(values)) => {
            column.write_batch(values, None, None)?;
            column.close()?
        }
        (ColumnWriter::DoubleColumnWriter(mut column), Values::Numbers(values)) => {
            column.write_batch(values, None, None)?;
            column.close()?
        }
        (ColumnWriter::ByteArrayColumnWriter(mut column), Values::Texts(values)) => {
            let texts: Vec<ByteArray> =
                values.iter().map(|text| ByteArray::from(&**text)).collect();
            column.write_batch(&texts, None, None)?;
            column.close()?
        }
        _ => return Err(unfit()),
    };
    Ok((bytes, close))
}

fn write_group(writer: &mut Writer<'_>, rows: &Rows) -> Outcome<Vec<Crc>> {
    let properties = Arc::clone(writer.properties());
    let descriptors = writer.schema_descr().columns().to_vec();
    let mut group = writer.next_row_group()?;
    let mut sums = Vec::with_capacity(descriptors.len());
    for (descriptor, values) in descriptors.into_iter().zip(&rows.values) {
        let (bytes, close) = chunk(descriptor, &properties, values)?;
        sums.push(Crc::of(&bytes));
        group.append_column(&Bytes::from(bytes), close)?;
    }
    group.close()?;
    Ok(sums)
}

/// A file that was written, as it is known to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Of the whole file.
    pub sum: Sum,
    /// Of its footer.
    pub footer: Crc,
}

fn written(path: &Path, sum: Sum) -> Result<Written, DataError> {
    let file = File::open(path).map_err(DataError::read(path))?;
    let footer = parquet_seal::open(path, &file)?.footer;
    Ok(Written { sum, footer })
}

/// Writes a file of one row group (of none where there are no rows).
pub fn write(
    path: &Path,
    over: &Over,
    columns: &[Column],
    rows: &Rows,
) -> Result<Written, DataError> {
    let sum = write_whole(path, over, |file| {
        let mut writer = begin(file, columns)?;
        let sums = if rows.is_empty() {
            Vec::new()
        } else {
            write_group(&mut writer, rows)?
        };
        end(writer, &sums)
    })?;
    written(path, sum)
}

/// Joins files of one table into one, row group by row group, without decoding them: memory does not grow with their
/// size. What is damaged is not joined.
pub fn join(
    path: &Path,
    over: &Over,
    columns: &[Column],
    parts: &[PathBuf],
) -> Result<Written, DataError> {
    let sum = write_whole(path, over, |file| {
        let filled = |error| DataError::write(path)(io_error(error));
        let mut writer = begin(file, columns).map_err(filled)?;
        let mut sums = Vec::new();
        for part in parts {
            let source = Source::open(part, columns, true)?;
            source.check()?;
            for (number, group) in source.metadata().row_groups().iter().enumerate() {
                let mut target = writer.next_row_group().map_err(filled)?;
                for (place, column) in group.columns().iter().enumerate() {
                    let close = ColumnCloseResult {
                        bytes_written: column.compressed_size() as u64,
                        rows_written: group.num_rows() as u64,
                        metadata: column.clone(),
                        bloom_filter: None,
                        column_index: None,
                        offset_index: None,
                    };
                    target.append_column(&source.file, close).map_err(filled)?;
                    sums.extend(source.chunk_sum(number, place));
                }
                target.close().map_err(filled)?;
            }
        }
        end(writer, &sums).map_err(filled)
    })?;
    written(path, sum)
}

/// A Parquet file that is being read.
pub struct Source {
    path: PathBuf,
    file: File,
    reader: SerializedFileReader<File>,
    /// The sums in its footer; `None` for one that an earlier version wrote without.
    sealed: Option<Sealed>,
}

impl Source {
    /// Opens a file, which must be whole and have these columns. One that is sealed has sums for everything, and they
    /// must fit.
    pub fn open(path: &Path, columns: &[Column], sealed: bool) -> Result<Self, DataError> {
        let file = File::open(path).map_err(DataError::read(path))?;
        // Before anything is made of what may be damaged.
        let sealed = if sealed {
            Some(parquet_seal::open(path, &file)?)
        } else {
            None
        };
        let copy = file.try_clone().map_err(DataError::read(path))?;
        let reader = SerializedFileReader::new(copy).map_err(|error| {
            DataError::damaged(
                path,
                format!("it is no whole Parquet file ({})", plain(&error)),
            )
        })?;
        let source = Source {
            path: path.to_owned(),
            file,
            reader,
            sealed,
        };
        let found = source.column_names();
        let expected: Vec<&str> = columns.iter().map(|column| column.name.as_ref()).collect();
        let were = || columns.iter().map(|column| tables::old_name(&column.name));
        if found != expected && !found.iter().copied().eq(were()) {
            let reason = format!(
                "its columns are `{}`, not `{}`",
                found.join(", "),
                expected.join(", ")
            );
            return Err(DataError::damaged(path, reason));
        }
        source.check_layout()?;
        Ok(source)
    }

    /// Its chunks lie one behind the other, from the first magic word to the footer: there is no byte without a sum.
    fn check_layout(&self) -> Result<(), DataError> {
        let Some(sealed) = &self.sealed else {
            return Ok(());
        };
        let mut at = 4;
        let mut count = 0;
        for column in self.chunks() {
            let (start, bytes) = extent(column);
            if start != Some(at) {
                break;
            }
            at += bytes;
            count += 1;
        }
        if at == sealed.begins && count == sealed.chunks.len() {
            Ok(())
        } else {
            Err(DataError::damaged(
                &self.path,
                "its footer is of another file",
            ))
        }
    }

    fn chunks(&self) -> impl Iterator<Item = &ColumnChunkMetaData> {
        let groups = self.metadata().row_groups().iter();
        groups.flat_map(|group| group.columns())
    }

    /// The sum of a column chunk, where there is one.
    fn chunk_sum(&self, group: usize, place: usize) -> Option<Crc> {
        let columns = self.metadata().file_metadata().schema_descr().num_columns();
        let sums = &self.sealed.as_ref()?.chunks;
        sums.get(group * columns + place).copied()
    }

    fn check_chunk(&self, group: usize, place: usize) -> Result<(), DataError> {
        let Some(expected) = self.chunk_sum(group, place) else {
            return Ok(());
        };
        let column = self.metadata().row_group(group).column(place);
        let (Some(start), bytes) = extent(column) else {
            return Ok(());
        };
        parquet_seal::check(&self.path, &self.file, start, bytes, expected, || {
            format!(
                "column `{}` in row group {group}",
                column.column_descr().name()
            )
        })
    }

    /// Checks every byte of it.
    pub fn check(&self) -> Result<(), DataError> {
        let columns = self.metadata().file_metadata().schema_descr().num_columns();
        for group in 0..self.groups() {
            for place in 0..columns {
                self.check_chunk(group, place)?;
            }
        }
        Ok(())
    }

    /// The sum of its footer, by which it is known.
    pub fn footer(&self) -> Option<Crc> {
        self.sealed.as_ref().map(|sealed| sealed.footer)
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    pub(crate) fn column_names(&self) -> Vec<&str> {
        let schema = self.metadata().file_metadata().schema_descr();
        schema
            .columns()
            .iter()
            .map(|column| column.name())
            .collect()
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.metadata().file_metadata().num_rows().max(0) as u64
    }

    /// How many row groups it has.
    pub fn groups(&self) -> usize {
        self.metadata().num_row_groups()
    }

    /// Some of the columns of a row group, by their places in the table.
    pub fn read(&self, number: usize, wanted: &[usize]) -> Result<Rows, DataError> {
        let damaged = |error: ParquetError| DataError::damaged(&self.path, plain(&error));
        let group = self.reader.get_row_group(number).map_err(damaged)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let mut values = Vec::with_capacity(wanted.len());
        for &place in wanted {
            self.check_chunk(number, place)?;
            let reader = group.get_column_reader(place).map_err(damaged)?;
            let column = read_column(reader, rows).map_err(damaged)?;
            if column.len() != rows {
                let reason = format!("a column has {} of {rows} rows", column.len());
                return Err(DataError::damaged(&self.path, reason));
            }
            values.push(column);
        }
        Ok(Rows { values })
    }
}

/// Where a chunk begins, and how many bytes it has.
fn extent(column: &ColumnChunkMetaData) -> (Option<u64>, u64) {
    let start = column.dictionary_page_offset();
    let start = start.unwrap_or_else(|| column.data_page_offset());
    (
        u64::try_from(start).ok(),
        column.compressed_size().max(0) as u64,
    )
}

fn read_column(reader: ColumnReader, rows: usize) -> Outcome<Values> {
    Ok(match reader {
        ColumnReader::Int64ColumnReader(mut reader) => {
            let mut values = Vec::with_capacity(rows);
            reader.read_records(rows, None, None, &mut values)?;
            Values::Integers(values)
        }
        ColumnReader::DoubleColumnReader(mut reader) => {
            let mut values = Vec::with_capacity(rows);
            reader.read_records(rows, None, None, &mut values)?;
            Values::Numbers(values)
        }
        ColumnReader::ByteArrayColumnReader(mut reader) => {
            let mut bytes = Vec::with_capacity(rows);
            reader.read_records(rows, None, None, &mut bytes)?;
            let texts = bytes.iter().map(|text| {
                let text = text.as_utf8()?;
                Ok(text.to_owned().into())
            });
            Values::Texts(texts.collect::<Outcome<_>>()?)
        }
        _ => {
            let message = "a column holds neither numbers nor words";
            return Err(ParquetError::General(message.to_owned()));
        }
    })
}

/// What a Parquet error says, without its class.
fn plain(error: &ParquetError) -> String {
    match error {
        ParquetError::General(text) | ParquetError::EOF(text) => text.clone(),
        error => error.to_string(),
    }
}
