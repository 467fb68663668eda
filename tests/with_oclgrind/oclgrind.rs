//! Oclgrind and the compiler that it is built with.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::Case;

/// A kernel's argument.
pub(crate) enum Argument {
    /// A buffer of this many words.
    Buffer(u64),
    /// A buffer of these words.
    Floats(Vec<f32>),
    /// An `int`.
    Integer(i64),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(i64),
    /// This many bytes of local memory.
    Local(u64),
}

/// A compiled source.
pub(crate) struct Compiled {
    pub text: String,
    bitcode: PathBuf,
    folder: TempDir,
}

/// The output of a command that must not fail.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}; `ci/setup tests` installs it"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a source with clang 14.
pub(crate) fn compile(file: &str, defines: &[(&str, &str)]) -> Compiled {
    let folder = tempfile::tempdir().unwrap();
    let (text, bitcode) = (folder.path().join("k.ll"), folder.path().join("k.bc"));
    let flags = "-x cl -cl-std=CL1.2 -target spir64 -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -g1 -w -S \
                 -emit-llvm";
    let defines = defines.iter().map(|(name, value)| format!("-D{name}={value}"));
    output(Command::new("clang-14").args(flags.split(' ')).args(defines).arg(file).arg("-o").arg(&text));
    // Oclgrind does not know these.
    let read = std::fs::read_to_string(&text).unwrap();
    let read: Vec<&str> = read.lines().filter(|line| !line.contains("noalias.scope.decl")).collect();
    let read = read.join("\n") + "\n";
    std::fs::write(&text, &read).unwrap();
    output(Command::new("llvm-as-14").arg(&text).arg("-o").arg(&bitcode));
    Compiled { text: read, bitcode, folder }
}

/// The executions of each kind of instruction by Oclgrind; calls and accesses to memory by what they name.
pub(crate) fn histogram(compiled: &Compiled, case: &Case) -> BTreeMap<String, u64> {
    let sizes = |all: [u64; 3]| all.map(|size| size.to_string()).join(" ");
    let mut text = format!("{}\n{}\n", compiled.bitcode.display(), case.kernel);
    writeln!(text, "{}\n{}", sizes(case.global), sizes(case.local.map(u64::from))).unwrap();
    for argument in &case.arguments {
        match argument {
            Argument::Buffer(words) => writeln!(text, "<size={} int fill=1>", words * 4),
            Argument::Floats(all) => {
                let words: Vec<String> = all.iter().map(f32::to_string).collect();
                writeln!(text, "<size={} float>\n{}", all.len() * 4, words.join(" "))
            }
            Argument::Integer(value) => writeln!(text, "<size=4 int fill={value}>"),
            Argument::Long(value) => writeln!(text, "<size=8 long fill={value}>"),
            Argument::Float(value) => writeln!(text, "<size=4 float fill={value}>"),
            Argument::Local(bytes) => writeln!(text, "<size={bytes}>"),
        }
        .unwrap();
    }
    let file = compiled.folder.path().join("k.sim");
    std::fs::write(&file, text).unwrap();
    let printed = output(Command::new("oclgrind-kernel").arg("--inst-counts").arg(&file));
    let mut histogram = BTreeMap::new();
    for line in printed.lines() {
        let Some((count, name)) = line.split_once(" - ") else { continue };
        let Ok(count) = count.trim().replace(',', "").parse::<u64>() else { continue };
        let name = name.split(" (").next().unwrap().trim_end_matches("()");
        if !is_apart(name) {
            *histogram.entry(name.to_owned()).or_default() += count;
        }
    }
    histogram
}

/// True for what the two count in different ways: atomic operations, and marks that do nothing.
pub(crate) fn is_apart(name: &str) -> bool {
    name.contains("atomic") || name.contains("llvm.lifetime") || name.contains("llvm.dbg")
}
