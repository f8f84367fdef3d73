//! Drawn runs, one program: plots and reports.

mod figures;
mod report;
mod runs;
