//! `autotune doctor`: tests the tools that a proof needs, and makes a small proof.

use indexmap::IndexMap;

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::BUILDING_LIBRARY;
use super::{Status, output};
use crate::render::text;
use crate::result::{CheckReport, DoctorReport, TargetReport};
use crate::session::SessionError;
use crate::{gpu, proof};
use autotune_base::files::scratch::Scratch;
use autotune_base::limits::Limits;
use autotune_base::user_error::UserError;
use autotune_engine::proof::{Finding, ProofContext, Question};
use autotune_engine::spin::{Settings, Tool, ToolError, ToolPaths, Toolchain};
use autotune_kernel::source::{
    Clang, CompileError, Compiler, Description, KernelSource, Macros, Maker, Ptxas, SourceKernel, SourceReader,
    StandIn, Target, UserPython, describe,
};
use autotune_lowering::lowering::processor;
use autotune_lowering::spec::Spec;

/// The spec of a kernel whose proof takes a moment.
const PROBE: &str = "
kernel: probe
problem: { size: 8 }
parameters: { WG: { values: [2, 4] } }
launch: { work_items: size, work_group: WG }
body: [ { load: { array: input } }, barrier, { store: { array: output } } ]
";

/// A kernel whose compilation takes a moment.
const SOURCE_PROBE: &str = "kernel void probe(global int *data) { data[get_global_id(0)] += 1; }\n";

pub(super) fn run(request: &arguments::Doctor) -> Result<Status, Failure> {
    let folder = Scratch::new()?;
    let wanted = ToolPaths::of_environment();
    let (spin, compiler) = (Toolchain::find_spin(&wanted, None), Toolchain::find_compiler(&wanted, None));
    let mut checks = vec![check("SPIN", &spin), check("C compiler", &compiler)];
    if let (Ok(spin), Ok(compiler)) = (spin, compiler) {
        if compiler.builds_a_library() {
            output::note(BUILDING_LIBRARY);
        }
        let problem = prove(Toolchain { spin, compiler, quick_compiler: None }, &folder).err();
        let what = "a small proof from spec to counterexample".to_owned();
        let (passed, problem) = (problem.is_none(), problem.map(|failure| failure.to_string()));
        checks.push(CheckReport { what, passed, problem, ..CheckReport::default() });
    }
    checks.push(clang());
    checks.push(triton());
    let report = DoctorReport::new(checks);
    output::text(&match request.format {
        Format::Text => text::doctor::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    if report.ready { Ok(Status::Success) } else { Err(Failure::NotReady) }
}

/// Clang, which compiles a kernel's source and then its registers; without it, specs with a body work all the same.
fn clang() -> CheckReport {
    let what = "clang, which reads kernels' sources".to_owned();
    let clang = match Clang::find(None, &Limits::default(), None) {
        Ok(clang) => clang,
        Err(error) => {
            let (problem, help) = (Some(error.to_string()), error.help());
            return CheckReport { what, problem, help, optional: true, ..CheckReport::default() };
        }
    };
    let path = Some(clang.path.display().to_string());
    let ptxas = Ptxas::find(None).map_or("no ptxas: registers are estimated".to_owned(), |ptxas| {
        format!("ptxas {} checks what compiles", ptxas.path().display())
    });
    let version = Some(format!("{}; {ptxas}", clang.says));
    let targets = targets(&clang).unwrap_or_default();
    let problem = compiled(clang).err();
    CheckReport { what, passed: problem.is_none(), path, version, targets, problem, optional: true, help: None }
}

/// Triton, which compiles kernels in Triton; without it, all others work all the same.
fn triton() -> CheckReport {
    let report = CheckReport {
        what: "Triton, which reads kernels in Triton".to_owned(),
        optional: true,
        ..CheckReport::default()
    };
    let folder = Scratch::new().map_err(|why| why.to_string());
    let found = folder.and_then(|folder| {
        let file = folder.path().join("probe.py");
        fs_err::write(&file, "").map_err(|why| why.to_string())?;
        let python = UserPython::find(None).map_err(|why| why.to_string())?;
        let description = describe(&python, &file, &Limits::default()).map_err(|why| why.to_string())?;
        Ok((python, description))
    });
    match found {
        Err(problem) => CheckReport { problem: Some(problem), ..report },
        Ok((python, Description { python: version, triton, .. })) => {
            let problem = triton.is_none().then(|| "this Python has no Triton".to_owned());
            let help = problem.as_ref().map(|_| "install it: `pip install triton`".to_owned());
            let version = match triton {
                Some(triton) => format!("Triton {triton}, Python {version}"),
                None => format!("Python {version}"),
            };
            let path = Some(python.path.display().to_string());
            CheckReport { passed: problem.is_none(), path, version: Some(version), problem, help, ..report }
        }
    }
}

/// The targets of the shipped profiles, in the profiles' order.
fn targets(clang: &Clang) -> Result<Vec<TargetReport>, CompileError> {
    let mut targets: IndexMap<Target, Vec<String>> = IndexMap::new();
    for file in gpu::shipped() {
        let target = processor(&file.profile).target;
        if target != Target::Portable {
            targets.entry(target).or_default().push(file.profile.name().to_owned());
        }
    }
    let wanted: Vec<Target> = targets.keys().cloned().collect();
    let stand_ins = StandIn::find_all(clang, &wanted, &Limits::default())?;
    let each = targets.into_iter().zip(stand_ins);
    let each = each.map(|((target, gpus), stand_in)| TargetReport {
        target: target.to_string(),
        taken: stand_in.map(|stand_in| stand_in.taken.to_string()),
        gpus,
    });
    Ok(each.collect())
}

/// Compiles and reads a small kernel.
fn compiled(clang: Clang) -> Result<(), String> {
    let folder = Scratch::new().map_err(|why| why.to_string())?;
    let file = folder.path().join("probe.cl");
    fs_err::write(&file, SOURCE_PROBE).map_err(|why| why.to_string())?;
    let source = KernelSource::of_file(&file).ok_or("its ending is unknown")?;
    let compiler = Compiler::new(clang, source, Target::Portable, None, Limits::default());
    let output = compiler.map_err(|why| why.to_string())?.compile(&Macros::default());
    let text = output.map_err(|why| why.to_string())?.text;
    SourceKernel::read(&text, None, Maker::Other).map(drop).map_err(|why| why.to_string())
}

fn check(what: &str, tool: &Result<Tool, ToolError>) -> CheckReport {
    let report = CheckReport { what: what.to_owned(), passed: tool.is_ok(), ..CheckReport::default() };
    match tool {
        Ok(tool) => {
            CheckReport { path: Some(tool.path.display().to_string()), version: Some(tool.version.clone()), ..report }
        }
        Err(error) => CheckReport { problem: Some(error.to_string()), help: error.help(), ..report },
    }
}

fn prove(toolchain: Toolchain, folder: &Scratch) -> Result<(), Failure> {
    let spec = Spec::parse(PROBE, "probe").map_err(SessionError::Request)?;
    let gpu = gpu::find("abstract-tiny").map_err(|why| SessionError::Gpu { name: "abstract-tiny".to_owned(), why })?;
    let reader = SourceReader::default();
    let question = Question::new(&spec, &gpu.profile, &reader, gpu.profile.name());
    let settings = Settings {
        toolchain,
        limits: Limits::default(),
        memory_mib: 512,
        cache: None,
        record: None,
        replays_all: false,
    };
    let context = ProofContext { settings, folder: folder.path().to_owned() };
    match proof::tune(&question, &context, &mut |_| {})?.finding {
        Finding::Proved { .. } => Ok(()),
        _ => Err(Failure::NotReady),
    }
}
