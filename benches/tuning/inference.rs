//! The time of reading host code, by its length.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use autotune::inference::infer;
use autotune::source::Language;
use autotune::spec::SourceOptions;

use crate::ask::Result;
use crate::table::{Figures, ratio, seconds};

const HOST: &str = include_str!("../../examples/hosts/transpose.c");
/// The lines of the hosts.
const LINES: [usize; 3] = [500, 5_000, 50_000];
/// The times that a host is read: the shortest counts.
const TRIES: usize = 5;

/// The time until the launch of a kernel is known, for hosts that launch many others.
pub(crate) fn table() -> Result<String> {
    let folder = tempfile::tempdir()?;
    let mut figures = Figures::new("launches from host code", &["lines of the host", "of 5,000 lines", "s"]);
    let times: Vec<f64> = LINES.into_iter().map(|lines| read(folder.path(), lines)).collect::<Result<_>>()?;
    for (lines, time) in LINES.iter().zip(&times) {
        figures.row([lines.to_string(), ratio(*time, times[1]), seconds(*time)]);
    }
    Ok(figures.finish())
}

/// Seconds until the launch in a host of some lines is known.
fn read(folder: &Path, lines: usize) -> Result<f64> {
    let mut text = HOST.to_owned();
    let one = HOST.lines().count();
    for number in 1..lines / one {
        let other =
            HOST.replace("turn(", &format!("turn{number}(")).replace("\"transpose\"", &format!("\"other{number}\""));
        write!(text, "{other}")?;
    }
    let host = folder.join(format!("host{lines}.c"));
    std::fs::write(&host, text)?;
    let given = SourceOptions { file: "examples/kernels/transpose.cl".into(), ..SourceOptions::default() };
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let began = Instant::now();
        infer(given.clone(), std::slice::from_ref(&host), Language::OpenCl)?;
        least = least.min(began.elapsed().as_secs_f64());
    }
    Ok(least)
}
