//! The options that describe a kernel's source in place of a spec, and the tools that read it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use humantime::Duration;

use super::called::{self, Python};
use super::values::{definition, sizes, time};
use crate::cli::failure::Failure;
use crate::session::{SessionError, is_commented, kernel_of_file, spec_of_source};
use autotune_base::text::Source;
use autotune_kernel::source::{Language, RegisterSource, Tools, UnreadLanguage};
use autotune_lowering::inference::host_with_line;
use autotune_lowering::spec::{SourceOptions, SpecError};

/// The options of a source file: the spec that they stand for is printed by `--print-spec`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "A source file in place of a spec")]
pub(in crate::cli) struct KernelOptions {
    /// The kernel in a source file (.cl, .cu) that is given in place of a spec: a name, or a template with its arguments
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// A file with host code that launches the kernel, a Makefile or a script that starts it, or `FILE:LINE` for one launch or
    /// command; may be repeated
    #[arg(long, value_name = "FILE")]
    host: Vec<PathBuf>,
    /// A problem size, such as n=1024, or several values as `--set` has them; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = sizes)]
    problem: Vec<(String, Vec<i64>)>,
    /// A parameter and its values, such as WG=32..2^8:pow2, TS=8,16,32, U=1..9:2 or C=1..4096:log32; may be repeated
    #[arg(long, value_name = "NAME=VALUES", value_parser = definition)]
    parameter: Vec<(String, String)>,
    /// Take the configurations of the kernel's own decorator `triton.autotune`, and no others
    #[arg(long, conflicts_with = "parameter")]
    configs: bool,
    /// Take the launch of a kernel in Triton from a call, which is executed without a GPU: an expression of Python, such as `swiglu(torch.empty(8192, 4096, device='meta'))`, or a function of the file
    #[arg(long, value_name = "EXPRESSION")]
    call: Option<String>,
    /// A condition on the configurations; may be repeated
    #[arg(long, value_name = "CONDITION")]
    constraint: Vec<String>,
    /// Work items of a launch along x, y and z: expressions between commas
    #[arg(long, value_name = "X[,Y,Z]")]
    work_items: Option<String>,
    /// Work items of a group along x, y and z
    #[arg(long, value_name = "X[,Y,Z]")]
    work_group: Option<String>,
    /// Programs of a kernel in Triton along x, y and z, in place of work items
    #[arg(long, value_name = "X[,Y,Z]")]
    programs: Option<String>,
    /// Bytes of local memory of a group that are given at launch: the third value of CUDA's `<<<…>>>`
    #[arg(long, value_name = "BYTES")]
    shared: Option<String>,
    /// The value of an argument of the kernel: a number, `true` or `false`, of a structure's field as `info.dims[0]=4`, `local BYTES` of local memory, or `global BYTES`, the size of an array; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = definition)]
    argument: Vec<(String, String)>,
    /// A macro; parameters and problem sizes are macros too; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = definition)]
    define: Vec<(String, String)>,
    /// A folder of included files, beside that of the source; may be repeated
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// What is assumed of data in a line: trip@LINE=COUNT or trip@LINE=COUNT:PROBABILITY,…, taken@LINE=SHARE, address@LINE=random, value@LINE=0 or asm@LINE=KIND:COUNT; may be repeated
    #[arg(long, value_name = "WHAT@LINE=VALUE", value_parser = definition)]
    assume: Vec<(String, String)>,
    /// The language [default: by the file's ending]
    #[arg(long, value_name = "LANGUAGE", value_parser = ["opencl", "cuda", "hip", "triton"])]
    language: Option<String>,
    /// An option of the compiler: a standard, fast mathematics or contraction; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// The type of an argument of a kernel in Triton, such as `a_ptr=*fp16`; may be repeated
    #[arg(long = "type", value_name = "NAME=TYPE", value_parser = definition)]
    types: Vec<(String, String)>,
    /// A pointer of a kernel in Triton that is not aligned to 16 bytes; may be repeated
    #[arg(long, value_name = "NAME")]
    unaligned: Vec<String>,
    /// The assumed contents of an array of integers, by its argument: `identity` (element i holds i), a number, or an expression of i; may be repeated
    #[arg(long, value_name = "NAME=WHAT", value_parser = definition)]
    contents: Vec<(String, String)>,
}

/// The programs that read a kernel's source.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tools that read a kernel's source")]
pub(in crate::cli) struct SourceTools {
    /// The clang that compiles sources, 14 or newer [default: `AUTOTUNE_CLANG`, or the newest on the search path]
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,
    /// The Python that has Triton, for kernels in Triton [default: `AUTOTUNE_PYTHON`, that of the virtual environment, or `python3`]
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// NVIDIA's assembler, which checks that a configuration compiles [default: the one on the search path, if there is one]
    #[arg(long, value_name = "PATH")]
    ptxas: Option<PathBuf>,
    /// The origin of the registers of a source's kernel [default: amd on GPUs of AMD, else estimate]
    #[arg(long, value_enum, value_name = "WHENCE")]
    registers: Option<Whence>,
    /// Limit of processor time for each configuration's compilation, and again for its symbolic execution and each other step of its analysis, such as 60s; a configuration that takes longer is not known, and nothing is proved [default: 20s to compile, 10s for each other step]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    source_limit: Option<Duration>,
}

/// The origin of a number of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whence {
    /// An estimate from what is live
    Estimate,
    /// NVIDIA's assembler
    Ptxas,
    /// Clang's back end for AMD
    Amd,
}

impl KernelOptions {
    /// The spec that the options stand for; `None` if the file is a spec. A program that asks about its GPU finds the
    /// one that is named. A problem size that the text leaves open is one of `sizes`, which `--set` gives.
    ///
    /// # Errors
    /// The first option that describes a source, if the file is a spec; or the reason why the kernel's own list of
    /// configurations, or a call, cannot be used; or all that a launch in Triton lacks.
    pub(in crate::cli) fn spec(
        &self,
        file: &Path,
        gpu: Option<&str>,
        sizes: &[(String, i64)],
        tools: &Tools,
    ) -> Result<Option<Source>, Failure> {
        self.stated(file, gpu, tools).or_else(|why| {
            let answers = why.answers();
            let is_open = |name: &str| answers.windows(2).any(|two| two[0] == "--problem" && size_of(&two[1]) == name);
            let open = sizes.iter().filter(|(name, _)| is_open(name)).map(|(name, value)| (name.clone(), vec![*value]));
            let problem: Vec<_> = self.problem.iter().cloned().chain(open).collect();
            if problem.len() > self.problem.len() {
                Self { problem, ..self.clone() }.stated(file, gpu, tools)
            } else {
                Err(why)
            }
        })
    }

    fn stated(&self, file: &Path, gpu: Option<&str>, tools: &Tools) -> Result<Option<Source>, Failure> {
        if let Some((file, kernel)) = kernel_of_file(file) {
            let kernel = self.kernel.clone().or(Some(kernel));
            return Self { kernel, ..self.clone() }.stated(&file, gpu, tools);
        }
        if let Some(language) = UnreadLanguage::from_file(file).filter(|_| self.language.is_none()) {
            return Err(SessionError::Spec { path: file.to_owned(), why: SpecError::Unread(language) }.into());
        }
        let described = self.described(file).map_err(|option| Failure::NotOfSpec { option, path: file.to_owned() })?;
        let Some(mut options) = described else { return Ok(None) };
        let language = self.language(file);
        let python = Python { configs: self.configs, call: self.call.as_deref() };
        // A comment says it all, unless a call or the kernel's own list is asked for.
        let is_stated = language == Language::Triton && is_commented(&options, language);
        called::complete(&mut options, python, gpu, tools, is_stated)?;
        let has_options = self.language.is_some() || Self { kernel: None, ..self.clone() }.first().is_some();
        Ok(Some(spec_of_source(options, &self.host, language, has_options)?))
    }

    /// True if the options describe a file, which is a source then.
    pub(in crate::cli) fn describes(&self, file: &Path) -> bool {
        Language::from_file(file).is_some() || self.language.is_some()
    }

    /// The files with host code, and the folders of included files.
    pub(in crate::cli) fn files(&self) -> (&[PathBuf], &[PathBuf]) {
        (&self.host, &self.include)
    }

    /// The options about an older text of a kernel, whose files with host code and folders these are. `kernel` is the name
    /// that the new text has beside its path. `line` is the old line that stands for a line of the new source, or of the
    /// file with host code at a position.
    pub(in crate::cli) fn of_old(
        &self,
        kernel: Option<String>,
        hosts: &[PathBuf],
        include: &[PathBuf],
        line: &dyn Fn(Option<usize>, u32) -> Option<u32>,
    ) -> Self {
        let host = |(at, (new, old)): (usize, (&PathBuf, &PathBuf))| {
            let (_, launch) = host_with_line(new);
            let launch = launch.and_then(|launch| line(Some(at), launch));
            launch.map_or_else(|| old.clone(), |launch| PathBuf::from(format!("{}:{launch}", old.display())))
        };
        let assumed = |(what, value): &(String, String)| {
            let Some((kind, Ok(at))) = what.split_once('@').map(|(kind, at)| (kind, at.parse())) else {
                // The reader of the spec says what is wrong.
                return Some((what.clone(), value.clone()));
            };
            Some((format!("{kind}@{}", line(None, at)?), value.clone()))
        };
        Self {
            kernel: self.kernel.clone().or(kernel),
            host: self.host.iter().zip(hosts).enumerate().map(host).collect(),
            include: include.to_vec(),
            assume: self.assume.iter().filter_map(assumed).collect(),
            ..self.clone()
        }
    }

    /// The language of a source.
    fn language(&self, file: &Path) -> Language {
        let named = self.language.as_deref().and_then(Language::from_name);
        named.or_else(|| Language::from_file(file)).unwrap_or(Language::Cuda)
    }

    /// The problem sizes that have several values.
    pub(in crate::cli) fn several_sizes(&self) -> impl Iterator<Item = &(String, Vec<i64>)> {
        self.problem.iter().filter(|(_, values)| values.len() > 1)
    }

    /// The source that the options describe; `None` if the file is a spec.
    ///
    /// # Errors
    /// The first option that describes a source, if the file is a spec.
    fn described(&self, file: &Path) -> Result<Option<SourceOptions>, &'static str> {
        if !self.describes(file) {
            return self.first().map_or(Ok(None), Err);
        }
        let options = SourceOptions {
            file: file.to_owned(),
            kernel: self.kernel.clone(),
            problem: self.problem.iter().map(|(name, values)| (name.clone(), values[0])).collect(),
            parameters: self.parameter.clone(),
            configurations: Vec::new(),
            constraints: self.constraint.clone(),
            work_items: self.work_items.clone(),
            work_group: self.work_group.clone(),
            programs: self.programs.clone(),
            shared: self.shared.clone(),
            arguments: self.argument.clone(),
            define: self.define.clone(),
            include: self.include.clone(),
            assume: self.assume.clone(),
            language: self.language.clone(),
            options: self.option.clone(),
            types: self.types.clone(),
            unaligned: self.unaligned.clone(),
            contents: self.contents.clone(),
        };
        Ok(Some(options))
    }

    /// The first option that is given.
    fn first(&self) -> Option<&'static str> {
        let given = [
            ("--kernel", self.kernel.is_some()),
            ("--host", !self.host.is_empty()),
            ("--problem", !self.problem.is_empty()),
            ("--parameter", !self.parameter.is_empty()),
            ("--configs", self.configs),
            ("--call", self.call.is_some()),
            ("--constraint", !self.constraint.is_empty()),
            ("--work-items", self.work_items.is_some()),
            ("--work-group", self.work_group.is_some()),
            ("--programs", self.programs.is_some()),
            ("--shared", self.shared.is_some()),
            ("--argument", !self.argument.is_empty()),
            ("--define", !self.define.is_empty()),
            ("--include", !self.include.is_empty()),
            ("--assume", !self.assume.is_empty()),
            ("--option", !self.option.is_empty()),
            ("--type", !self.types.is_empty()),
            ("--unaligned", !self.unaligned.is_empty()),
            ("--contents", !self.contents.is_empty()),
        ];
        given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// The name in `NAME=VALUE`.
fn size_of(answer: &str) -> &str {
    answer.split('=').next().unwrap_or_default()
}

impl SourceTools {
    /// The tools, and others for those that are not named.
    pub(in crate::cli) fn or(self, others: &Self) -> Self {
        Self {
            clang: self.clang.or_else(|| others.clang.clone()),
            python: self.python.or_else(|| others.python.clone()),
            ptxas: self.ptxas.or_else(|| others.ptxas.clone()),
            registers: self.registers.or(others.registers),
            source_limit: self.source_limit.or(others.source_limit),
        }
    }
}

impl From<&SourceTools> for Tools {
    fn from(tools: &SourceTools) -> Self {
        let registers = tools.registers.map(|whence| match whence {
            Whence::Estimate => RegisterSource::Estimate,
            Whence::Ptxas => RegisterSource::Ptxas,
            Whence::Amd => RegisterSource::Amd,
        });
        Self {
            clang: tools.clang.clone(),
            python: tools.python.clone(),
            trusts_python: true,
            ptxas: tools.ptxas.clone(),
            registers,
            limit: tools.source_limit.map(Into::into),
            ..Self::default()
        }
    }
}
