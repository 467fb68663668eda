//! A kernel's source in a folder, compiled again by the user's clang: the folder's outputs, registers and errors are held
//! against what comes out. Without a clang they are believed, and the verification says so.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use fs_err as fs;
use rayon::prelude::*;

use super::compiled::{Compilation, KeptCompilations, KeptCompiler, LIST, asked, in_space};
use super::deviation::{Deviation, first};
use super::error::CertificateError;
use super::kept::Kept;
use super::recompile_error::RecompileError;
use crate::result::{CompilationsReport, ConfirmedParts};
use autotune_base::files::scratch::Scratch;
use autotune_base::text::words;
use autotune_engine::proof::{Event, Observer, Question};
use autotune_kernel::source::{
    AnalysisError, ClangLanguage, Compile, CompileError, CompilerFacts, KernelSource, Macros, NamedFolder, Output,
    RegisterSource, Registers, SourcePlaces, SourceReader, Tools, compiler_of_copy,
};
use autotune_lowering::lowering::{Feasibility, Infeasible, Lowered, Lowering, LoweringError, processor};
use autotune_lowering::space::{Progress, Share};
use autotune_lowering::spec::Configuration;

/// The configurations that are compiled between two looks at the request to stop.
const AT_ONCE: usize = 32;

/// The user's tools, for a folder's source.
struct Found {
    compiler: Arc<dyn Compile>,
    /// The line that the compiler prints about its version.
    compiler_says: String,
    /// True if clang and the assembler are those that made the folder.
    is_same: bool,
    /// True if the folder's assembler is not here: what it says is believed.
    believes_ptxas: bool,
}

/// Compares the compilations of a folder with those of the user's tools; without tools, they are believed. `None` if the
/// spec has a body.
///
/// # Errors
/// If anything differs, or it is not known what the tools make of the source.
pub(super) fn check(
    folder: &Path,
    kept: &Kept,
    tools: Option<&Tools>,
    observe: Observer,
) -> Result<Option<CompilationsReport>, CertificateError> {
    let Some(compilations) = &kept.compilations else { return Ok(None) };
    let question = kept.question();
    let asked = asked(&question).map_err(autotune_engine::proof::TuningError::from)?;
    let differs = |differences| CertificateError::Differs { folder: folder.to_owned(), differences };
    let differences = check_list(&question, compilations, &asked);
    if !differences.is_empty() {
        return Err(differs(differences));
    }
    let report = report(compilations);
    let Some(tools) = tools else { return Ok(Some(report)) };
    let scratch = Scratch::new()?;
    let Some(found) = find(folder, &question, compilations, tools, scratch.path())? else { return Ok(Some(report)) };
    let comparison = Comparison { question: &question, kept: compilations, found: &found };
    let differences = comparison.differences(&asked, tools, observe)?;
    if !differences.is_empty() && found.is_same {
        return Err(differs(differences));
    }
    if !differences.is_empty() {
        let (folder, made_by) = (folder.to_owned(), compilations.list.clang.clone());
        return Err(CertificateError::OtherPrograms { folder, made_by, here: found.compiler_says, differences });
    }
    Ok(Some(compared(report, compilations, found)))
}

/// The differences between the configurations of a list and those that its question compiles.
fn check_list(question: &Question, kept: &KeptCompilations, asked: &[(Configuration, Macros)]) -> Vec<Deviation> {
    let missing = asked.iter().filter(|(_, macros)| kept.compilation(macros).is_none());
    let missing = missing.map(|(configuration, _)| {
        Deviation::new(
            LIST,
            format!("{}: the folder keeps no compilation of it", words::named(&question.spec.label(configuration))),
        )
    });
    let known: BTreeSet<String> = asked.iter().map(|(_, macros)| macros.text()).collect();
    let others = kept.compilations().filter(|(macros, _)| !known.contains(*macros));
    let others = others.map(|(macros, _)| Deviation::new(LIST, format!("`{macros}` is not compiled for the question")));
    first(missing.chain(others))
}

/// The report of compilations that are believed.
fn report(kept: &KeptCompilations) -> CompilationsReport {
    CompilationsReport {
        configurations: kept.compilations().count(),
        errors: kept.compilations().filter(|(_, compilation)| compilation.error.is_some()).count(),
        made_by: kept.list.clang.clone(),
        compiled_by: None,
        compared: ConfirmedParts::Nothing,
        believed_assemblies: 0,
        believed_assembly_errors: 0,
    }
}

fn compared(report: CompilationsReport, kept: &KeptCompilations, found: Found) -> CompilationsReport {
    let compared = if found.is_same { ConfirmedParts::Outputs } else { ConfirmedParts::Programs };
    let report = CompilationsReport { compared, compiled_by: Some(found.compiler_says), ..report };
    if !found.believes_ptxas {
        return report;
    }
    let errors = kept.compilations().filter(|(_, compilation)| compilation.is_refused_by_ptxas()).count();
    let registers = kept.compilations().filter(|(_, compilation)| compilation.registers.is_some()).count();
    CompilationsReport { believed_assemblies: registers + errors, believed_assembly_errors: errors, ..report }
}

/// Finds the tools, and copies the folder's source for them; `None` if there is no clang and the user names none.
fn find(
    folder: &Path,
    question: &Question,
    kept: &Arc<KeptCompilations>,
    tools: &Tools,
    scratch: &Path,
) -> Result<Option<Found>, CertificateError> {
    let Some(stated) = &question.spec.kernel_source else { return Ok(None) };
    let (list, processor) = (&kept.list, processor(question.profile));
    let in_list = |why: std::io::Error| CertificateError::Differs {
        folder: folder.to_owned(),
        differences: vec![Deviation::new(LIST, format!("the source cannot be compiled again: {why}"))],
    };
    let (source, places) = list.source.copy(folder, &scratch.join("source"), &stated.source).map_err(in_list)?;
    let asked =
        Tools { no_cache: true, no_ptxas: list.ptxas.is_none(), registers: Some(list.registers), ..tools.clone() };
    let compiler = |tools: &Tools| compiler_of_copy(&source, places.clone(), &processor, tools);
    let compiler = match compiler(&asked) {
        // Its registers are believed, and nothing else.
        Err(AnalysisError::NoPtxas { wanted: None, is_nvidia: true }) => {
            compiler(&Tools { registers: Some(RegisterSource::Estimate), ..asked.clone() })
        }
        compiler => compiler,
    };
    let compiler = match compiler {
        Err(AnalysisError::Compile(why)) if is_without_clang(&why) && tools.clang.is_none() => return Ok(None),
        compiler => compiler.map_err(RecompileError::Tools)?,
    };
    let Some(here) = compiler.provenance() else { return Ok(None) };
    check_target(&source, &here.compiler, scratch, |source, places| {
        compiler_of_copy(source, places, &processor, &Tools { no_ptxas: true, registers: None, ..asked.clone() })
    })?;
    let believes_ptxas = list.ptxas.is_some() && here.ptxas.is_none();
    let is_same = here.compiler == list.clang && (believes_ptxas || here.ptxas == list.ptxas);
    let compiler = if believes_ptxas {
        Arc::new(WithoutAssembler { clang: compiler, kept: KeptCompiler(Arc::clone(kept)) })
    } else {
        compiler
    };
    Ok(Some(Found { compiler, compiler_says: here.compiler, is_same, believes_ptxas }))
}

fn is_without_clang(why: &CompileError) -> bool {
    matches!(why, CompileError::NoClang { .. })
}

/// Checks that clang compiles a kernel without any feature for the GPU, with the options of a source: otherwise each of its
/// errors would be one of the source's configurations.
fn check_target(
    source: &KernelSource,
    clang: &str,
    scratch: &Path,
    compiler: impl Fn(&KernelSource, SourcePlaces) -> Result<Arc<dyn Compile>, AnalysisError>,
) -> Result<(), CertificateError> {
    // Triton says of itself which targets it knows.
    let Some(language) = source.language.for_clang() else { return Ok(()) };
    let (name, text) = match language {
        ClangLanguage::OpenCl => ("probe.cl", "kernel void probe(global int *data) { data[get_global_id(0)] = 1; }\n"),
        ClangLanguage::Cuda => ("probe.cu", "__global__ void probe(int *data) { data[threadIdx.x] = 1; }\n"),
    };
    let folder = scratch.join("probe");
    fs::create_dir(&folder)?;
    fs::write(folder.join(name), text)?;
    let beside = vec![NamedFolder { path: folder.canonicalize()?, name: String::new() }];
    let places = SourcePlaces { files: vec![folder.join(name)], beside, include: Vec::new() };
    let probe = KernelSource { files: vec![name.into()], include: Vec::new(), kernel: None, ..source.clone() };
    let made = compiler(&probe, places).and_then(|compiler| compiler.compile(&Macros::default()));
    match made {
        Ok(_) => Ok(()),
        Err(why) if why.is_stopped() => Err(CertificateError::Stopped(why.to_string())),
        Err(why) => Err(RecompileError::NoTarget { clang: clang.to_owned(), says: why.line() }.into()),
    }
}

/// A folder's compilations beside those of the user's tools.
struct Comparison<'a> {
    question: &'a Question<'a>,
    kept: &'a KeptCompilations,
    found: &'a Found,
}

impl Comparison<'_> {
    /// The differences, by configuration.
    fn differences(
        &self,
        asked: &[(Configuration, Macros)],
        tools: &Tools,
        observe: Observer,
    ) -> Result<Vec<Deviation>, CertificateError> {
        let differences = self.all(asked, tools, observe)?;
        // A back end that crashed gives no registers from then on: the first ones are computed again.
        let again = self.found.compiler.has_crashed() && !differences.is_empty();
        if again { self.all(asked, tools, observe) } else { Ok(differences) }
    }

    fn all(
        &self,
        asked: &[(Configuration, Macros)],
        tools: &Tools,
        observe: Observer,
    ) -> Result<Vec<Deviation>, CertificateError> {
        let Question { spec, profile, reader, .. } = self.question;
        let compiled_here = SourceReader::with_compiler(Arc::clone(&self.found.compiler));
        let compiled_here = compiled_here.interrupted_by(tools.interrupt.clone());
        let again = Lowering::new(spec, profile, &compiled_here);
        let kept = Lowering::new(spec, profile, reader);
        let mut differences: Vec<Deviation> = self.other_headers().into_iter().collect();
        for (number, some) in asked.chunks(AT_ONCE).enumerate() {
            let share = Share { done: (number * AT_ONCE) as u128, of: asked.len() as u128 };
            observe(Event::Space(Progress::Compiling(share)));
            if tools.interrupt.is_raised() {
                return Err(CertificateError::Stopped("it was interrupted while the source was compiled".to_owned()));
            }
            let compare = |(configuration, macros): &(Configuration, Macros)| {
                let what = self.difference(&kept, &again, configuration, macros)?;
                let label = spec.label(configuration);
                Ok(what.map(|what| Deviation::new(LIST, format!("{}: {what}", words::named(&label)))))
            };
            // The first error in the space's order, whichever compilation ends first.
            let found = some.par_iter().map(compare).collect::<Vec<Result<_, CertificateError>>>();
            differences.extend(found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
        }
        Ok(first(differences.into_iter()))
    }

    /// The difference between a folder's compilation of a configuration and that of the tools; `None` if they agree.
    fn difference(
        &self,
        kept: &Lowering,
        again: &Lowering,
        configuration: &Configuration,
        macros: &Macros,
    ) -> Result<Option<String>, CertificateError> {
        let Some(outcome) = again.compiled(macros) else { return Ok(None) };
        let Some(compilation) = Compilation::new(&outcome) else {
            return Err(unknown(self.question.spec.label(configuration), outcome));
        };
        if self.found.is_same {
            let in_folder = self.kept.compilation(macros);
            return Ok(in_folder.and_then(|in_folder| self.other_output(in_folder, &compilation, &outcome)));
        }
        let lower = |lowering: &Lowering| {
            let failed = |why| in_space(self.question.spec, configuration, why);
            lowering
                .lower(configuration)
                .map_err(|why: LoweringError| autotune_engine::proof::TuningError::from(failed(why)))
        };
        Ok(other_program(&lower(kept)?, &lower(again)?))
    }

    /// The difference between the headers that are nowhere for a folder and for equal tools; `None` if they agree.
    fn other_headers(&self) -> Option<Deviation> {
        let here = self.found.compiler.facts().map_or_else(Vec::new, |facts| facts.absent);
        let there = &self.kept.list.absent;
        let shown = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let what = || format!("the headers that are nowhere are {}, but clang lacks {}", shown(there), shown(&here));
        (self.found.is_same && *there != here).then(|| Deviation::new(LIST, what()))
    }

    /// The difference between two compilations by equal tools.
    fn other_output(
        &self,
        kept: &Compilation,
        again: &Compilation,
        outcome: &Result<Output, AnalysisError>,
    ) -> Option<String> {
        match (&kept.error, &again.error) {
            (Some(kept), Some(again)) if kept != again => {
                return Some(format!("its error is `{kept}`, but clang's is `{again}`"));
            }
            (Some(kept), None) => return Some(format!("its error is `{kept}`, but clang compiles it")),
            (None, Some(again)) => return Some(format!("it has an output, but clang refuses it: `{again}`")),
            _ => {}
        }
        if kept.output != again.output {
            let texts = (self.kept.text(kept).unwrap_or_default(), outcome.as_ref().map_or("", |one| &one.text));
            return Some(format!("its output is not clang's, from line {} on", other_line(&texts.0, texts.1)));
        }
        let shown = |registers: &Option<Registers>| {
            registers.map_or_else(|| "no registers of a back end".to_owned(), |registers| registers.to_string())
        };
        let (registers, here) = (&kept.registers, &again.registers);
        (registers != here).then(|| format!("it has {}, but the tools give {}", shown(registers), shown(here)))
    }
}

/// The number of the first line that differs between two texts, from 1.
fn other_line(one: &str, other: &str) -> usize {
    1 + one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count()
}

/// The error of a compilation with an unknown outcome.
fn unknown(configuration: String, outcome: Result<Output, AnalysisError>) -> CertificateError {
    match outcome {
        Err(why) if why.is_stopped() => CertificateError::Stopped(why.to_string()),
        Err(why) => RecompileError::Unknown { configuration, why }.into(),
        Ok(_) => CertificateError::Stopped("a compilation has no outcome".to_owned()),
    }
}

/// The difference between what two compilers' outputs are lowered to. Two compilers word an error differently, and give an
/// instruction another column.
fn other_program(kept: &Feasibility<Lowered>, again: &Feasibility<Lowered>) -> Option<String> {
    let refusal = |lowered: &Feasibility<Lowered>| match lowered {
        Feasibility::Infeasible(Infeasible::Refused { rule, .. }) => Some(*rule),
        _ => None,
    };
    match (kept, again) {
        (kept, again) if kept == again || refusal(kept).is_some() && refusal(kept) == refusal(again) => None,
        (Feasibility::Feasible(_), Feasibility::Feasible(_)) => {
            Some("its output is lowered to another program".to_owned())
        }
        (Feasibility::Infeasible(kept), Feasibility::Feasible(_)) => {
            Some(format!("it is infeasible in the folder (`{kept}`), but not here"))
        }
        (Feasibility::Feasible(_), Feasibility::Infeasible(again)) => {
            Some(format!("it is feasible in the folder, but not here (`{again}`)"))
        }
        (Feasibility::Infeasible(kept), Feasibility::Infeasible(again)) => {
            Some(format!("it is infeasible because of `{kept}` in the folder, and of `{again}` here"))
        }
    }
}

/// The user's clang, where the assembler that a folder names is not here: registers and errors of the assembler are the
/// folder's.
#[derive(Debug)]
struct WithoutAssembler {
    clang: Arc<dyn Compile>,
    kept: KeptCompiler,
}

impl Compile for WithoutAssembler {
    fn key(&self, macros: &Macros) -> String {
        format!("{} {}", self.clang.key(macros), self.kept.key(macros))
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let (_, text) = self.clang.compile(macros)?;
        match self.kept.ptxas_refusal(macros) {
            Some(refusal) => Err(refusal),
            None => Ok((self.key(macros), text)),
        }
    }

    fn registers(&self, macros: &Macros, kernel: &str) -> Result<Option<Registers>, AnalysisError> {
        self.kept.registers(macros, kernel)
    }

    fn facts(&self) -> Option<CompilerFacts> {
        self.clang.facts()
    }
}
