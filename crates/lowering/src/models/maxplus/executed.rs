//! The parts of a kernel on a lockstep GPU: what a warp executes of its source, in the order of the text.

use super::parts::{Operation, Part, Read, Write};
use crate::gpu::Lockstep;
use crate::lowering::{ExecutedPart, GlobalAccess};

/// The parts of what a warp executes.
pub(super) fn parts(executed: &[ExecutedPart], gpu: &Lockstep) -> Vec<Part> {
    executed.iter().map(|part| self::part(part, gpu)).collect()
}

fn part(part: &ExecutedPart, gpu: &Lockstep) -> Part {
    match part {
        ExecutedPart::Loads { accesses, .. } => Part::Reads(accesses.iter().map(|load| read(load, gpu)).collect()),
        ExecutedPart::Store(GlobalAccess { name, accesses, ticks }) => Part::Write(Write {
            name: name.clone(),
            line: None,
            accesses: (*accesses).into(),
            ticks: *ticks,
            delay: gpu.store_delay(),
            wait: 0,
            uses: Vec::new(),
        }),
        ExecutedPart::Operation { name, ticks } => Part::Operation(operation(name, *ticks)),
        ExecutedPart::Barrier => Part::Barrier(operation("barrier", 0)),
        ExecutedPart::Loop { count, body } => Part::Loop { count: *count, body: parts(body, gpu) },
    }
}

fn read(GlobalAccess { name, accesses, ticks }: &GlobalAccess, gpu: &Lockstep) -> Read {
    Read {
        name: name.clone(),
        line: None,
        accesses: (*accesses).into(),
        ticks: *ticks,
        delay: gpu.load_delay(),
        wait: 0,
        uses: Vec::new(),
    }
}

fn operation(name: &str, ticks: u64) -> Operation {
    Operation { name: name.to_owned(), line: None, ticks: ticks.into(), uses: Vec::new() }
}
