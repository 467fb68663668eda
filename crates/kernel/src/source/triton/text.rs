//! Triton's output for LLVM, made to say all that an execution needs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::source::compile::SourcePlaces;

/// The variable that stands for a group's local memory, whose size Triton notes elsewhere: the beginning of its line, and
/// its type.
const LOCAL_MEMORY: [&str; 2] = ["@global_smem = external ", "addrspace(3) global [0 x i8]"];
/// The beginning of the line that defines the kernel on GPUs of NVIDIA and AMD.
const KERNELS: [&str; 2] = ["define ptx_kernel ", "define amdgpu_kernel "];
/// The folder, in the compiler's notes, of files that are not the user's.
const OF_PYTHON: &str = "<python>";

/// Facts that the text does not say of itself.
pub(super) struct Named<'a> {
    /// The names of the arguments that are left, in their order.
    pub(super) arguments: &'a [String],
    /// The bytes of a group's local memory.
    pub(super) local_bytes: u64,
    /// The user's files and their names.
    pub(super) places: &'a SourcePlaces,
}

/// The text with the arguments' names, the size of local memory and the user's names of files.
pub(super) fn normalised(text: &str, named: &Named<'_>) -> String {
    let mut made = String::with_capacity(text.len() + text.len() / 8);
    let mut is_inside = false;
    for line in text.lines() {
        is_inside |= line.starts_with("define ") && is_kernel(line);
        if is_inside {
            with_arguments(line, named.arguments, &mut made);
        } else if let Some(rest) = behind_local_memory(line) {
            let _ =
                write!(made, "@global_smem = internal addrspace(3) global [{} x i8] undef{rest}", named.local_bytes);
        } else if line.contains("!DIFile(") {
            made.push_str(&with_file(line, named.places));
        } else {
            made.push_str(line);
        }
        made.push('\n');
        is_inside &= line != "}";
    }
    made
}

/// The rest of the line that defines local memory, behind its type; `None` for other lines.
fn behind_local_memory(line: &str) -> Option<&str> {
    let [begins, of] = LOCAL_MEMORY;
    line.strip_prefix(begins)?.split_once(of).map(|(_, rest)| rest)
}

/// True for the first line of a kernel.
fn is_kernel(line: &str) -> bool {
    // Versions before 3.3 annotate kernels; such modules define nothing else.
    KERNELS.iter().any(|kernel| line.starts_with(kernel)) || line.starts_with("define void @")
}

/// Writes a line of a kernel whose numbered arguments get their names. A value that has such a name gets another.
fn with_arguments(line: &str, arguments: &[String], made: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find('%') {
        let (before, value) = rest.split_at(at + 1);
        made.push_str(before);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "._$-".contains(c);
        let (name, after) = value.split_at(value.find(|c| !is_of_name(c)).unwrap_or(value.len()));
        let argument = name.parse::<usize>().ok().and_then(|number| arguments.get(number));
        made.push_str(argument.map_or(name, String::as_str));
        if arguments.iter().any(|argument| argument == name) {
            made.push_str(".value");
        }
        rest = after;
    }
    made.push_str(rest);
}

/// The helper's answer with names of files that do not say where the folders are: another day's question may have the same
/// file elsewhere.
pub(super) fn portable(answer: &str, places: &SourcePlaces) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(answer) else { return answer.to_owned() };
    if let Some(Value::String(text)) = value.get_mut("llir") {
        let lines = text.lines().map(|line| portable_line(line, places).unwrap_or_else(|| line.to_owned()));
        *text = lines.collect::<Vec<_>>().join("\n");
    }
    if let Some(Value::String(file)) = value.pointer_mut("/error/file")
        && let Some(name) = places.portable(Path::new(file))
    {
        *file = name;
    }
    value.to_string()
}

/// The note of a file with a name that does not say where its folder is; `None` for other lines, and for files outside.
fn portable_line(line: &str, places: &SourcePlaces) -> Option<String> {
    let (number, _) = line.split_once("!DIFile(")?;
    let name = places.portable(&noted_file(line)?)?;
    Some(format!("{number}!DIFile(filename: \"{name}\", directory: \"\")"))
}

/// The user's name of a file, by its path or by a name that does not say where its folder is.
pub(super) fn name_of(file: &Path, places: &SourcePlaces) -> Option<String> {
    let path = file.to_str().and_then(|name| places.path_of_portable(name));
    places.name_of(path.as_deref().unwrap_or(file))
}

/// The path of a file in a note.
fn noted_file(line: &str) -> Option<PathBuf> {
    let part = |name: &str| line.split_once(&format!("{name}: \""))?.1.split('"').next();
    Some(Path::new(part("directory")?).join(part("filename")?))
}

/// The note of a file with the user's name of it.
fn with_file(line: &str, places: &SourcePlaces) -> String {
    let part = |name: &str| line.split_once(&format!("{name}: \""))?.1.split('"').next();
    let (Some(file), Some(folder)) = (part("filename"), part("directory")) else { return line.to_owned() };
    let path = Path::new(folder).join(file);
    let name = name_of(&path, places).unwrap_or_else(|| format!("{OF_PYTHON}/{file}"));
    let number = line.split("!DIFile(").next().unwrap_or_default();
    format!("{number}!DIFile(filename: \"{name}\", directory: \"\")")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::compile::NamedFolder;

    const TEXT: &str = "@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16\n\
        define ptx_kernel void @k(ptr addrspace(1) %0, i32 %1, ptr addrspace(1) readnone %2) #0 !dbg !4 {\n  \
        %4 = add i32 %1, 10, !dbg !12\n  %10 = add i32 %4, %1\n  %.1 = add i32 %10, %.0\n  %n = add i32 %4, %4\n  ret void\n}\n\
        declare void @f()\n!1 = !DIFile(filename: \"k.py\", directory: \"/home/u\")\n\
        !2 = !DIFile(filename: \"standard.py\", directory: \"/opt/triton\")\n";

    #[test]
    fn a_text_says_names_of_arguments_and_files_and_the_bytes_of_local_memory() {
        let folder = NamedFolder { path: "/home/u".into(), name: "kernels".to_owned() };
        let places = SourcePlaces { files: vec!["/home/u/k.py".into()], beside: vec![folder], include: Vec::new() };
        let arguments = ["a_ptr".to_owned(), "n".to_owned()];
        let made = normalised(TEXT, &Named { arguments: &arguments, local_bytes: 4096, places: &places });
        let expected = TEXT
            .replace(
                "external local_unnamed_addr addrspace(3) global [0 x i8]",
                "internal addrspace(3) global [4096 x i8] undef",
            )
            .replace("addrspace(1) %0", "addrspace(1) %a_ptr")
            .replace("i32 %1,", "i32 %n,")
            .replace("i32 %4, %1\n", "i32 %4, %n\n")
            .replace("%n = add", "%n.value = add")
            .replace("\"k.py\", directory: \"/home/u\"", "\"kernels/k.py\", directory: \"\"")
            .replace("\"standard.py\", directory: \"/opt/triton\"", "\"<python>/standard.py\", directory: \"\"");
        assert_eq!(made, expected);
    }
}
