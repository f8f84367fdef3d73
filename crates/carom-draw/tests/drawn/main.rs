//! Drawn runs, one program: plots, pictures and reports.

mod figures;
mod pictures;
mod report;
mod runs;
