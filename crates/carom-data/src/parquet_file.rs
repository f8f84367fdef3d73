//! Parquet files: one table, required columns, row groups that can be copied from file to file without being decoded.
//!
//! Floats are stored as they are and passed through snappy, which makes nothing of columns that do not change and does not
//! spend time on those that do; whole numbers by their differences; words and repeated values by number.

use crate::error::DataError;
use crate::files::{io_error, write_whole};
use crate::table::{Column, Kind, Rows, Values};
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::fs::File;
use std::io::{BufWriter, Write};
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

type Writer<'w> = SerializedFileWriter<&'w mut BufWriter<File>>;

fn write_group<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &Rows,
) -> Outcome<()> {
    for values in &rows.values {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("too many columns".to_owned()));
        };
        match values {
            Values::Integers(values) => column
                .typed::<Int64Type>()
                .write_batch(values, None, None)?,
            Values::Numbers(values) => column
                .typed::<DoubleType>()
                .write_batch(values, None, None)?,
            Values::Texts(values) => {
                let bytes: Vec<ByteArray> =
                    values.iter().map(|text| ByteArray::from(&**text)).collect();
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&bytes, None, None)?
            }
        };
        column.close()?;
    }
    Ok(())
}

/// Writes a file of one row group (of none where there are no rows).
pub fn write(path: &Path, columns: &[Column], rows: &Rows) -> Result<(), DataError> {
    write_whole(path, |file| {
        let mut writer = Writer::new(file, schema(columns)?, properties(columns))?;
        if !rows.is_empty() {
            let mut group = writer.next_row_group()?;
            write_group(&mut group, rows)?;
            group.close()?;
        }
        writer.close().map(drop)
    })
}

/// Joins files of one table into one, row group by row group, without decoding them: memory does not grow with their size.
pub fn join(path: &Path, columns: &[Column], parts: &[PathBuf]) -> Result<(), DataError> {
    write_whole(path, |file| {
        let filled = |error| DataError::write(path)(io_error(error));
        let schema = schema(columns).map_err(filled)?;
        let mut writer = Writer::new(file, schema, properties(columns)).map_err(filled)?;
        for part in parts {
            let source = Source::open(part, columns)?;
            for group in source.reader.metadata().row_groups() {
                let mut target = writer.next_row_group().map_err(filled)?;
                for column in group.columns() {
                    let close = ColumnCloseResult {
                        bytes_written: column.compressed_size() as u64,
                        rows_written: group.num_rows() as u64,
                        metadata: column.clone(),
                        bloom_filter: None,
                        column_index: None,
                        offset_index: None,
                    };
                    target.append_column(&source.file, close).map_err(filled)?;
                }
                target.close().map_err(filled)?;
            }
        }
        writer.close().map(drop).map_err(filled)
    })
}

/// A Parquet file that is being read.
pub struct Source {
    path: PathBuf,
    file: File,
    reader: SerializedFileReader<File>,
}

impl Source {
    /// Opens a file, which must be whole and have these columns.
    pub fn open(path: &Path, columns: &[Column]) -> Result<Self, DataError> {
        let file = File::open(path).map_err(DataError::read(path))?;
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
        };
        let found = source.column_names();
        let expected: Vec<&str> = columns.iter().map(|column| column.name.as_ref()).collect();
        if found != expected {
            let reason = format!(
                "its columns are `{}`, not `{}`",
                found.join(", "),
                expected.join(", ")
            );
            return Err(DataError::damaged(path, reason));
        }
        Ok(source)
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    fn column_names(&self) -> Vec<&str> {
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
    pub fn read(&self, group: usize, wanted: &[usize]) -> Result<Rows, DataError> {
        let damaged = |error: ParquetError| DataError::damaged(&self.path, plain(&error));
        let group = self.reader.get_row_group(group).map_err(damaged)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let mut values = Vec::with_capacity(wanted.len());
        for &place in wanted {
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
