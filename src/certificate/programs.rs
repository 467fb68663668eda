//! The programs of all configurations, so that other tools can compute times and bounds.

use std::collections::BTreeMap;
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::result::{Values, values};
use autotune_base::index::{EntryId, ProgramId};
use autotune_lowering::space::Survey;
use autotune_lowering::spec::Spec;
use autotune_machine::machine::Program;

/// The file: JSON lines, compressed by gzip.
pub(super) const FILE: &str = "programs.jsonl.gz";

/// A line: a program and all configurations that have it, in the space's order.
#[derive(Serialize)]
struct Line<'a> {
    configurations: Vec<Values>,
    program: &'a Program,
}

/// The compressed lines of a survey's programs, in the order of their first configurations. Equal surveys have equal
/// bytes.
pub(super) fn packed(spec: &Spec, survey: &Survey) -> io::Result<Vec<u8>> {
    let mut configurations: BTreeMap<ProgramId, Vec<EntryId>> = BTreeMap::new();
    for (entry, program) in survey.runnable() {
        configurations.entry(program).or_default().push(entry);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    for (program, entries) in configurations {
        let configurations =
            entries.iter().map(|&entry| values(spec, &survey.entries.get(entry).configuration)).collect();
        let line = Line { configurations, program: &survey.programs.get(program).program };
        serde_json::to_writer(&mut packer, &line)?;
        packer.write_all(b"\n")?;
    }
    packer.finish()
}
