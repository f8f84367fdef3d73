//! Run folders, read.

use crate::error;
use carom_data::{Kind, Rows, RunFolder, Table, Values};
use carom_draw::Recording;
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A run folder that is read.
#[pyclass(module = "carom._carom", frozen)]
pub struct Folder {
    path: PathBuf,
}

/// The values of a column, gathered.
enum Gathered {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    /// Each by the number of its word.
    Words(Vec<i32>, BTreeMap<String, i32>),
}

impl Gathered {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Integer => Gathered::Integers(Vec::new()),
            Kind::Number => Gathered::Numbers(Vec::new()),
            Kind::Text => Gathered::Words(Vec::new(), BTreeMap::new()),
        }
    }

    fn add(&mut self, values: &Values) {
        match (self, values) {
            (Gathered::Integers(all), Values::Integers(more)) => all.extend_from_slice(more),
            (Gathered::Numbers(all), Values::Numbers(more)) => all.extend_from_slice(more),
            (Gathered::Words(all, words), Values::Texts(more)) => {
                for text in more {
                    let next = words.len() as i32;
                    let code = match words.get(text.as_ref()) {
                        Some(code) => *code,
                        None => *words.entry(text.to_string()).or_insert(next),
                    };
                    all.push(code);
                }
            }
            _ => {}
        }
    }
}

/// A table in full: name, values, words (of texts), unit of each column.
fn whole<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyList>> {
    let columns = table.columns().to_vec();
    let read = py.detach(|| {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_ref()).collect();
        let mut all: Vec<Gathered> = columns.iter().map(|c| Gathered::new(c.kind)).collect();
        let gathered = table.each(&names, |rows: &Rows| {
            for (column, values) in all.iter_mut().zip(&rows.values) {
                column.add(values);
            }
            Ok(())
        });
        gathered.map(|()| all)
    });
    let all = read.map_err(|error| error::data(&error))?;
    let list = PyList::empty(py);
    for (column, values) in columns.iter().zip(all) {
        let (values, words) = match values {
            Gathered::Integers(values) => (PyArray1::from_vec(py, values).into_any(), None),
            Gathered::Numbers(values) => (PyArray1::from_vec(py, values).into_any(), None),
            Gathered::Words(values, words) => {
                let mut names = vec![String::new(); words.len()];
                for (word, code) in words {
                    names[code as usize] = word;
                }
                (PyArray1::from_vec(py, values).into_any(), Some(names))
            }
        };
        list.append((column.name.as_ref(), values, words, column.unit))?;
    }
    Ok(list)
}

impl Folder {
    fn open(&self) -> PyResult<RunFolder> {
        RunFolder::open(&self.path).map_err(|error| error::data(&error))
    }
}

#[pymethods]
impl Folder {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let folder = Folder { path };
        folder.open()?;
        Ok(folder)
    }

    /// `events`, `frames`, `audit` or `bodies`: name, values, words (of texts) and unit of each column.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let folder = self.open()?;
        let table = match name {
            "events" => folder.events(),
            "frames" => folder.frames(),
            "audit" => folder.audit(),
            "bodies" => Ok(folder.body_table()),
            _ => {
                let text = format!(
                    "there is no table `{name}`; there are events, frames, audit and bodies"
                );
                return Err(PyKeyError::new_err(text));
            }
        };
        whole(py, &table.map_err(|error| error::data(&error))?)
    }

    /// A file that was written once, such as `summary.json`.
    fn file(&self, name: &str) -> PyResult<String> {
        let bytes = self.open()?.read_file(name);
        let bytes = bytes.map_err(|error| error::data(&error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// 2 or 3.
    #[getter]
    fn dimension(&self) -> PyResult<usize> {
        Ok(self.open()?.manifest().dimension)
    }

    /// Everything about the run in one HTML page.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            let recording = Recording::open(&self.path).map_err(|error| error::draw(&error))?;
            let page = carom_draw::report(&recording).map_err(|error| error::draw(&error))?;
            Ok(page.html)
        })
    }
}
