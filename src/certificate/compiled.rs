//! `inputs/compiled.json` and `inputs/compiled/`: what the compiler made of a kernel's source, so that a proof can be
//! repeated without the compiler, and held against it where there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use bytesize::ByteSize;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::deviation::Deviation;
use super::hashes;
use super::source_copy::KeptSource;
use autotune_base::files::checksum::sha256;
use autotune_base::files::{self, MIB};
use autotune_base::text::json::to_json;
use autotune_engine::proof::Question;
use autotune_kernel::source::{
    AnalysisError, CLANG, Compile, CompileError, CompilerFacts, Macros, Message, Output, RegisterSource, Registers,
    SourceReader, TRITON,
};
use autotune_lowering::lowering::{Lowering, LoweringError};
use autotune_lowering::space::{SpaceError, allowed};
use autotune_lowering::spec::{Configuration, Spec};

/// The list of the compilations.
pub(super) const LIST: &str = "inputs/compiled.json";
/// The folder of the outputs.
const OUTPUTS: &str = "inputs/compiled";
/// The greatest size of the list and of an output, in bytes.
const MOST: u64 = 64 * MIB;
/// The greatest size of all outputs together, unpacked, in bytes.
const MOST_UNPACKED: u64 = 4096 * MIB;
/// The beginning of what NVIDIA's assembler says.
const OF_PTXAS: &str = "ptxas ";

/// The compilations of a question's configurations, and the tools and files that made them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compilations {
    /// The line that the compiler prints about its version.
    pub(super) clang: String,
    /// The version of NVIDIA's assembler; `None` if it was not asked.
    pub(super) ptxas: Option<String>,
    /// The requested origin of the numbers of registers.
    pub(super) registers: RegisterSource,
    /// The headers that the source includes and that are nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) absent: Vec<String>,
    /// The files.
    pub(super) source: KeptSource,
    /// The compilations by their macros.
    configurations: BTreeMap<String, Compilation>,
}

/// A compilation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compilation {
    /// The SHA-256 of the output, which is its name; `None` if the source does not compile.
    pub(super) output: Option<String>,
    /// The registers that a back end assigns; `None` if they are estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) registers: Option<Registers>,
    /// The compiler's first error; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl Compilation {
    /// The compilation of an outcome; `None` if it is not known what the tools make of the source, because a limit or
    /// the user stopped them.
    pub(super) fn new(outcome: &Result<Output, AnalysisError>) -> Option<Self> {
        match outcome {
            Ok(Output { text, registers }) => {
                Some(Self { output: Some(sha256([text.as_bytes()])), registers: *registers, error: None })
            }
            Err(why) if why.is_refusal() => Some(Self { output: None, registers: None, error: Some(why.line()) }),
            Err(_) => None,
        }
    }

    /// Its error, as the compiler's; `None` if there is none.
    fn refusal(&self, by: &'static str, macros: &Macros) -> Option<AnalysisError> {
        let messages = vec![Message { place: None, text: self.error.clone()? }];
        Some(
            CompileError::Refused {
                by,
                messages,
                macros: macros.shown(),
                absent: Vec::new(),
                undeclared: Box::default(),
                in_all: false,
            }
            .into(),
        )
    }

    /// True if it is an error of NVIDIA's assembler.
    pub(super) fn is_refused_by_ptxas(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.starts_with(OF_PTXAS))
    }
}

/// The configurations of a question that are compiled, with their macros.
pub(super) fn asked(question: &Question) -> Result<Vec<(Configuration, Macros)>, SpaceError> {
    let lowering = Lowering::new(question.spec, question.profile, question.reader);
    let configurations = match question.only {
        Some(only) => vec![only.clone()],
        None => allowed(question.spec, question.profile)?,
    };
    let with_macros = |configuration: Configuration| match lowering.macros(&configuration) {
        Ok(macros) => Ok(macros.map(|macros| (configuration, macros))),
        Err(why) => Err(in_space(question.spec, &configuration, why)),
    };
    configurations.into_iter().filter_map(|configuration| with_macros(configuration).transpose()).collect()
}

/// The error of a configuration that cannot be lowered.
pub(super) fn in_space(spec: &Spec, configuration: &Configuration, why: LoweringError) -> SpaceError {
    SpaceError::Lowering { configuration: spec.label(configuration), why: Box::new(why) }
}

/// Writes the source of a question and what the compiler made of it; nothing if the spec has a body. What a limit left
/// unknown is not in the list.
pub(super) fn write(folder: &Path, question: &Question) -> io::Result<()> {
    let Some(stated) = &question.spec.kernel_source else { return Ok(()) };
    fs_err::create_dir(folder.join(OUTPUTS))?;
    let lowering = Lowering::new(question.spec, question.profile, question.reader);
    let mut configurations = BTreeMap::new();
    for (_, macros) in asked(question).map_err(io::Error::other)? {
        let Some(outcome) = lowering.compiled(&macros) else { continue };
        let Some(compilation) = Compilation::new(&outcome) else { continue };
        if let (Ok(output), Some(name)) = (outcome, compilation.output.as_deref().map(output_name))
            && !folder.join(&name).exists()
        {
            hashes::add(folder, &name, packed(&output.text)?)?;
        }
        configurations.insert(macros.text(), compilation);
    }
    // Included files are known once all is compiled.
    let provenance = lowering.provenance().ok_or_else(|| io::Error::other("there is no compiler"))?;
    let source = KeptSource::write(folder, &stated.source, &provenance)?;
    let (clang, ptxas, registers) = (provenance.compiler, provenance.ptxas, provenance.registers);
    let absent = lowering.facts().map_or_else(Vec::new, |facts| facts.absent);
    hashes::add(folder, LIST, to_json(&Compilations { clang, ptxas, registers, absent, source, configurations })?)
}

/// The name in a folder of a compiler's output.
fn output_name(hash: &str) -> String {
    format!("{OUTPUTS}/{hash}.ll.gz")
}

/// The compilations that a folder keeps: their list, and the packed outputs by their names.
#[derive(Debug)]
pub(super) struct KeptCompilations {
    pub(super) list: Compilations,
    outputs: BTreeMap<String, Vec<u8>>,
}

/// Reads the compilations of a folder; `None` if the spec has a body.
pub(super) fn read(folder: &Path, spec: &Spec) -> Result<Option<Arc<KeptCompilations>>, Deviation> {
    if spec.kernel_source.is_none() {
        return Ok(None);
    }
    let list = read_list(folder)?;
    let (mut outputs, mut left) = (BTreeMap::new(), MOST_UNPACKED);
    let hashes: BTreeSet<&String> = list.configurations.values().filter_map(|one| one.output.as_ref()).collect();
    for hash in hashes {
        let (packed, length) = read_output(folder, hash)?;
        let what = || format!("with the others, it unpacks to more than {}", ByteSize::b(MOST_UNPACKED));
        left = left.checked_sub(length).ok_or_else(|| Deviation::new(output_name(hash), what()))?;
        outputs.insert(hash.clone(), packed);
    }
    Ok(Some(Arc::new(KeptCompilations { list, outputs })))
}

fn read_list(folder: &Path) -> Result<Compilations, Deviation> {
    let text = files::kept(&folder.join(LIST), MOST).called(LIST).text();
    let text = text.map_err(|why| Deviation::new(LIST, why.to_string()))?;
    let list: Compilations = serde_json::from_str(&text)
        .map_err(|why| Deviation::new(LIST, format!("it is not a list of compilations: {why}")))?;
    if to_json(&list).is_ok_and(|written| written == text) {
        Ok(list)
    } else {
        Err(Deviation::new(LIST, "it is not written as autotune writes it: a name may be there twice"))
    }
}

/// Reads a packed output, and the bytes that it unpacks to. Its name is the hash of its content, so that no output can stand
/// for another one.
fn read_output(folder: &Path, hash: &str) -> Result<(Vec<u8>, u64), Deviation> {
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Deviation::new(LIST, format!("`{hash}` is not the name of an output")));
    }
    let name = output_name(hash);
    let bytes = files::kept(&folder.join(&name), MOST).called(&name).bytes();
    let text = bytes.and_then(|bytes| Ok((unpacked(&bytes)?, bytes)));
    let (text, bytes) = text.map_err(|why| Deviation::new(&name, why.to_string()))?;
    if sha256([text.as_bytes()]) != hash || packed(&text).ok().as_ref() != Some(&bytes) {
        return Err(Deviation::new(&name, "its name is not the hash of its content, or it is packed in another way"));
    }
    Ok((bytes, text.len() as u64))
}

impl KeptCompilations {
    /// The names of the files that a folder keeps of a source.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let outputs = self.outputs.keys().map(|hash| output_name(hash));
        self.list.source.names().chain(outputs).chain([LIST.to_owned()])
    }

    /// The compiler's name in messages.
    fn by(&self) -> &'static str {
        if self.list.clang.starts_with(TRITON) { TRITON } else { CLANG }
    }

    /// The compilation with these macros; `None` if there is none.
    pub(super) fn compilation(&self, macros: &Macros) -> Option<&Compilation> {
        self.list.configurations.get(&macros.text())
    }

    /// All compilations with their macros.
    pub(super) fn compilations(&self) -> impl Iterator<Item = (&str, &Compilation)> {
        self.list.configurations.iter().map(|(macros, compilation)| (macros.as_str(), compilation))
    }

    /// The output of a compilation.
    pub(super) fn text(&self, compilation: &Compilation) -> Option<String> {
        unpacked(self.outputs.get(compilation.output.as_ref()?)?).ok()
    }
}

/// The compiler of a kept folder, which knows the configurations of its question.
#[derive(Debug)]
pub(super) struct KeptCompiler(pub(super) Arc<KeptCompilations>);

impl KeptCompiler {
    /// The reader that takes a source to be what a folder's compilations say.
    pub(super) fn reader(compilations: &Arc<KeptCompilations>) -> SourceReader {
        SourceReader::with_compiler(Arc::new(Self(Arc::clone(compilations))))
    }

    fn compilation(&self, macros: &Macros) -> Result<&Compilation, AnalysisError> {
        let missing = || io::Error::other(format!("the folder keeps no compilation with {}", macros.shown()));
        self.0.compilation(macros).ok_or_else(|| CompileError::File(missing()).into())
    }

    /// The folder's error of NVIDIA's assembler; `None` if there is none.
    pub(super) fn ptxas_refusal(&self, macros: &Macros) -> Option<AnalysisError> {
        self.0.compilation(macros).filter(|compilation| compilation.is_refused_by_ptxas())?.refusal(self.0.by(), macros)
    }
}

impl Compile for KeptCompiler {
    /// A hash of all that the folder says of the configuration: neither the folder's names nor another's content count.
    fn key(&self, macros: &Macros) -> String {
        let said = self.0.compilation(macros).and_then(|compilation| serde_json::to_string(compilation).ok());
        sha256([said.unwrap_or_else(|| macros.text()).as_bytes()])
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let one = self.compilation(macros)?;
        if let Some(refusal) = one.refusal(self.0.by(), macros) {
            return Err(refusal);
        }
        let empty = || CompileError::File(io::Error::other("the folder keeps neither an output nor an error"));
        Ok((self.key(macros), self.0.text(one).ok_or_else(empty)?))
    }

    fn registers(&self, macros: &Macros, _: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(self.compilation(macros)?.registers)
    }

    fn facts(&self) -> Option<CompilerFacts> {
        let Compilations { clang, absent, .. } = &self.0.list;
        Some(CompilerFacts { compiler: clang.clone(), absent: absent.clone() })
    }
}

fn packed(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

fn unpacked(bytes: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(bytes).take(MOST).read_to_string(&mut text)?;
    Ok(text)
}
