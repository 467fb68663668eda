//! `autotune doctor`: tests all that a proof needs, by a small proof.

use std::fmt::Write;

use super::failure::Failure;
use super::tune::wanted;
use super::{Status, output};
use crate::gpu;
use crate::scratch::Scratch;
use crate::spec::Spec;
use crate::spin::process::Limits;
use crate::spin::{Settings, Tool, ToolError, Toolchain};
use crate::tuning::{self, Finding, Question, Workplace};

/// A kernel that is proved in a moment.
const PROBE: &str = "
kernel: probe
problem: { size: 8 }
parameters: { WG: { values: [2, 4] } }
launch: { work_items: size, work_group: WG }
body: [ { load: { array: input } }, barrier, { store: { array: output } } ]
";

pub(super) fn run() -> Result<Status, Failure> {
    let wanted = wanted();
    let (spin, compiler) = (Toolchain::find_spin(&wanted), Toolchain::find_compiler(&wanted));
    let mut text = format!("{}{}", line("SPIN", &spin), line("C compiler", &compiler));
    let ready = match (spin, compiler) {
        (Ok(spin), Ok(compiler)) => {
            let proof = prove(Toolchain { spin, compiler, quick_compiler: None });
            let _ = match &proof {
                Ok(()) => writeln!(text, "ok       a small proof from spec to counterexample"),
                Err(failure) => writeln!(text, "FAILED   a small proof: {failure}"),
            };
            proof.is_ok()
        }
        _ => false,
    };
    output::text(&text)?;
    if ready { Ok(Status::Success) } else { Err(Failure::NotReady) }
}

fn line(what: &str, tool: &Result<Tool, ToolError>) -> String {
    match tool {
        Ok(tool) => format!("ok       {what}: {}, {}\n", tool.path.display(), tool.version),
        Err(error) => format!("MISSING  {error}\n         {}\n", error.help()),
    }
}

fn prove(toolchain: Toolchain) -> Result<(), Failure> {
    let spec = Spec::parse(PROBE, "probe").map_err(Failure::Request)?;
    let gpu = gpu::find("abstract-tiny").map_err(|why| Failure::Gpu { name: "abstract-tiny".to_owned(), why })?;
    let question = Question::new(&spec, &gpu.profile, gpu.profile.name());
    let folder = Scratch::new()?;
    let settings = Settings { toolchain, limits: Limits::default(), memory_mib: 512, cache: None, record: None };
    let workplace = Workplace { settings, folder: folder.path().to_owned() };
    match tuning::tune(&question, &workplace, &mut |_| {})?.finding {
        Finding::Proved { .. } => Ok(()),
        _ => Err(Failure::NotReady),
    }
}
