//! Depfiles: rules of make that name the files on which another file depends, as compilers write them with `-MD`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::error::ExportError;

/// The text behind the target, and behind each file but the last.
const CONTINUED: &[u8] = b" \\\n";

/// The text of a depfile: the target, and each file on a line of its own.
///
/// # Errors
/// If a name has a line break.
pub fn depfile(target: &Path, files: &[PathBuf]) -> Result<Vec<u8>, ExportError> {
    let mut text = escaped(target.as_os_str())?;
    text.push(b':');
    for file in files {
        text.extend([CONTINUED, b"  "].concat());
        text.extend(escaped(file.as_os_str())?);
    }
    text.push(b'\n');
    Ok(text)
}

/// Returns true if a file that begins like this is a [`depfile`], or has no text.
#[must_use]
pub fn is_depfile(beginning: &[u8]) -> bool {
    let first = beginning.split_inclusive(|byte| *byte == b'\n').next();
    first.is_none_or(|line| line.ends_with(&[b":", CONTINUED].concat()))
}

/// A name with the escapes that GCC writes: backslashes count double before a blank, and once elsewhere.
fn escaped(name: &OsStr) -> Result<Vec<u8>, ExportError> {
    let mut text = Vec::with_capacity(name.len());
    let mut backslashes = 0;
    for &byte in name.as_bytes() {
        match byte {
            b'\n' | b'\r' => return Err(ExportError::LineBreak { name: name.to_string_lossy().into_owned() }),
            b' ' | b'\t' => text.extend(std::iter::repeat_n(b'\\', backslashes + 1)),
            b'#' | b':' => text.push(b'\\'),
            b'$' => text.push(b'$'),
            _ => {}
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
        text.push(byte);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(target: &str, files: &[&str]) -> Result<String, ExportError> {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        depfile(Path::new(target), &files).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn signs_that_make_understands_are_escaped() {
        let plain = text("out/scale.h", &["scale.yaml", "/src/scale.cl"]).unwrap();
        assert_eq!(plain, "out/scale.h: \\\n  scale.yaml \\\n  /src/scale.cl\n");
        let odd = text("my header.h", &["a b", "a$b", "#1", "c:d", r"e\ f", r"g\h"]).unwrap();
        let names = [r"a\ b", "a$$b", r"\#1", r"c\:d", r"e\\\ f", r"g\h"];
        assert_eq!(odd, format!("my\\ header.h: \\\n  {}\n", names.join(" \\\n  ")));
        let why = text("scale.h", &["a\nb"]).unwrap_err().to_string();
        assert_eq!(why, r"the name `a\nb` has a line break, which a depfile cannot hold");
    }

    #[test]
    fn depfiles_are_told_from_other_files() {
        assert!(is_depfile(text("a: b.h", &["c"]).unwrap().as_bytes()) && is_depfile(b""));
        for other in ["kernel: scale\n", "int a;\n", "a.o: a.c b.h\n", "x \\\n", "a: \\"] {
            assert!(!is_depfile(other.as_bytes()), "{other}");
        }
    }
}
