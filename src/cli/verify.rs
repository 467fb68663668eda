//! `autotune verify DIR`: a kept proof, repeated.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::Progress;
use super::tune::open;
use super::{Status, output, signals};
use crate::certificate::is_fleet;
use crate::render::text;
use autotune_kernel::source::Tools;

pub(super) fn run(request: &arguments::Verify) -> Result<Status, Failure> {
    let session = open(true, signals::interrupt()?)?;
    session.tools()?;
    let progress = Progress::new();
    let tools = Tools {
        clang: request.clang.clone(),
        python: request.python.clone(),
        ptxas: request.ptxas.clone(),
        trusts_python: request.trust_python,
        ..Tools::default()
    };
    let tools = (!request.no_compile).then_some(tools);
    let memory = request.memory.as_u64() >> 20;
    if is_fleet(&request.folder) {
        let verification = session.verify_fleet(&request.folder, memory, tools, &mut |event| progress.show(&event));
        progress.end();
        let verification = verification?;
        output::text(&match request.format {
            Format::Text => text::fleet::verified_to_text(&verification),
            Format::Json => output::to_json(&verification)?,
        })?;
        return Ok(Status::Success);
    }
    let verification = session.verify(&request.folder, memory, tools, &mut |event| progress.show(&event));
    progress.end();
    let verification = verification?;
    output::text(&match request.format {
        Format::Text => text::verification::to_text(&verification),
        Format::Json => output::to_json(&verification)?,
    })?;
    Ok(Status::Success)
}
