//! `inputs/compiled.json` and `inputs/compiled/`: what the compiler made of a kernel's source, so that a proof can be
//! repeated without the compiler, and by another version of it.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::deviation::Deviation;
use super::hashes;
use crate::files::{self, MIB};
use crate::gpu::Profile;
use crate::lowering::{Lowering, processor};
use crate::proof::Question;
use crate::result::to_json;
use crate::source::{Analyser, AnalysisError, Compile, CompileError, Macros, Message, Registers};
use crate::space::allowed;
use crate::spec::Spec;

/// The list of the compilations.
const LIST: &str = "inputs/compiled.json";
/// The folder of the outputs.
const OUTPUTS: &str = "inputs/compiled";
/// The folder of the source files, for readers.
const SOURCES: &str = "inputs/source";
/// The greatest size of the list and of an output, in bytes.
const MOST: u64 = 64 * MIB;

/// The compilations of a question's configurations, by their macros.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Compilations(BTreeMap<String, Compilation>);

/// A compilation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Compilation {
    /// The name of the output; `None` if the source does not compile.
    output: Option<String>,
    /// The registers that a back end assigns; `None` if they are estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    registers: Option<Registers>,
    /// The compiler's first error; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Writes the source of a question and what the compiler made of it; nothing if the spec has a body.
pub(super) fn write(folder: &Path, question: &Question) -> io::Result<()> {
    let Some(stated) = &question.spec.kernel_source else { return Ok(()) };
    for (number, file) in stated.source.files.iter().enumerate() {
        fs_err::create_dir_all(folder.join(SOURCES))?;
        hashes::add(folder, &source_name(number, file), files::named(file, MOST).bytes()?)?;
    }
    fs_err::create_dir(folder.join(OUTPUTS))?;
    let lowering = Lowering::new(question.spec, question.profile);
    let configurations = match question.only {
        Some(only) => vec![only.clone()],
        None => allowed(question.spec, question.profile).map_err(io::Error::other)?,
    };
    let mut list = Compilations::default();
    for configuration in configurations {
        match lowering.output(&configuration).map_err(io::Error::other)? {
            None => {}
            Some(Err((macros, why))) => {
                list.0.insert(macros, Compilation { output: None, registers: None, error: Some(why.line()) });
            }
            Some(Ok((macros, output))) => {
                let name = output_name(&output.key);
                if !folder.join(&name).exists() {
                    hashes::add(folder, &name, packed(&output.text)?)?;
                }
                let compilation = Compilation { output: Some(output.key), registers: output.registers, error: None };
                list.0.insert(macros.text(), compilation);
            }
        }
    }
    hashes::add(folder, LIST, to_json(&list)?)
}

/// The name in a folder of a source's file.
fn source_name(number: usize, file: &Path) -> String {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    format!("{SOURCES}/{number}-{name}")
}

/// The name in a folder of a compiler's output.
fn output_name(key: &str) -> String {
    format!("{OUTPUTS}/{key}.ll.gz")
}

/// The names of the files that a folder keeps of a source; none if the spec has a body.
pub(super) fn names(folder: &Path, spec: &Spec) -> Result<Vec<String>, Deviation> {
    let Some(stated) = &spec.kernel_source else { return Ok(Vec::new()) };
    let sources = stated.source.files.iter().enumerate().map(|(number, file)| source_name(number, file));
    let list = list(folder)?;
    let outputs = list.0.values().filter_map(|one| one.output.as_deref()).map(output_name);
    Ok(sources.chain(outputs).chain([LIST.to_owned()]).collect())
}

fn list(folder: &Path) -> Result<Compilations, Deviation> {
    let text = files::kept(&folder.join(LIST), MOST).called(LIST).text();
    let text = text.map_err(|why| Deviation::new(LIST, why.to_string()))?;
    serde_json::from_str(&text).map_err(|why| Deviation::new(LIST, format!("it is no list: {why}")))
}

/// Lets a spec's source be what the folder keeps of it.
pub(super) fn read(folder: &Path, spec: &mut Spec, profile: &Profile) -> Result<(), Deviation> {
    let Some(stated) = &mut spec.kernel_source else { return Ok(()) };
    let list = list(folder)?;
    let mut outputs = BTreeMap::new();
    for name in list.0.values().filter_map(|one| one.output.as_ref()) {
        if !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Deviation::new(LIST, format!("`{name}` is not the name of an output")));
        }
        let path = output_name(name);
        let bytes = files::kept(&folder.join(&path), MOST).called(&path).bytes();
        let text = bytes.and_then(|bytes| unpacked(&bytes));
        outputs.insert(name.clone(), text.map_err(|why| Deviation::new(&path, why.to_string()))?);
    }
    let kept = KeptCompiler { list, outputs };
    stated.analyser = Analyser::with_compiler(&processor(profile), Arc::new(kept));
    Ok(())
}

/// The compiler of a kept folder, which knows the configurations of its question.
#[derive(Debug)]
struct KeptCompiler {
    list: Compilations,
    outputs: BTreeMap<String, String>,
}

impl KeptCompiler {
    fn compilation(&self, macros: &Macros) -> Result<&Compilation, AnalysisError> {
        self.list.0.get(&macros.text()).ok_or_else(|| refused("the folder keeps no compilation of it", macros))
    }
}

impl Compile for KeptCompiler {
    fn key(&self, macros: &Macros) -> String {
        let output = self.compilation(macros).ok().and_then(|one| one.output.clone());
        output.unwrap_or_else(|| macros.text())
    }

    fn compile(&self, macros: &Macros) -> Result<(String, String), AnalysisError> {
        let one = self.compilation(macros)?;
        let text = one.output.as_ref().and_then(|name| Some((name.clone(), self.outputs.get(name)?.clone())));
        text.ok_or_else(|| refused(one.error.as_deref().unwrap_or_default(), macros))
    }

    fn registers(&self, macros: &Macros, _: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(self.compilation(macros)?.registers)
    }
}

fn refused(why: &str, macros: &Macros) -> AnalysisError {
    let messages = vec![Message { place: None, text: why.to_owned() }];
    CompileError::Refused { messages, macros: macros.shown() }.into()
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
