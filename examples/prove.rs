//! Proves the optimum of a spec on a GPU, and prints it: `cargo run --example prove -- SPEC GPU`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;

use autotune::session::{Inputs, Request, Session, SessionError};
use autotune::user_error::{UserError, message};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(spec), Some(gpu)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: prove SPEC GPU");
        return ExitCode::from(2);
    };
    match prove(&spec, &gpu) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", message(&error));
            if let Some(help) = error.help() {
                eprintln!("help: {help}");
            }
            ExitCode::from(error.status() as u8)
        }
    }
}

fn prove(spec: &str, gpu: &str) -> Result<(), SessionError> {
    let session = Session::open()?;
    let inputs = Inputs::read(spec, gpu, &session.reader)?;
    let report = session.prove(&inputs, &Request::default())?.report;
    match &report.optimum {
        Some(optimum) => println!("{}: {:?} takes {} ticks, proved", report.kernel, optimum.parameters, optimum.ticks),
        None => println!("{}: {:?}", report.kernel, report.verdict),
    }
    Ok(())
}
