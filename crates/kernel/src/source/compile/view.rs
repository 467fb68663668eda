//! The compiler's view of the files: the headers of this program, and nothing outside of a source's folders.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use serde_json::to_string;

use super::super::headers;
use super::absent::Elsewhere;
use super::copied::without_dots;
use super::error::CompileError;

/// The list of what exists for the compiler.
pub(super) const OVERLAY: &str = "autotune_overlay.yaml";
/// The folder of the headers.
pub(super) const HEADERS: &str = "headers";
/// The folder of empty headers in place of those that are nowhere, within that of the headers.
pub(super) const ABSENT: &str = "absent";
/// The folder of the texts that stand for headers of the user.
const TEXTS: &str = "texts";

/// The compiler's view of the files, before it is written.
#[derive(Debug)]
pub(super) struct View {
    /// Other texts of headers of the user, by their paths.
    pub(super) of_user: Vec<(PathBuf, String)>,
    /// The names that no folder of the user has.
    pub(super) elsewhere: Elsewhere,
    /// The names of the headers that are nowhere: they are empty.
    pub(super) absent: Vec<String>,
    /// The compiler's version.
    pub(super) version: u32,
}

impl View {
    /// Writes the view into this program's own folder. The other folders that exist for the compiler are `allowed`, without
    /// links, and that of its own headers.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub(super) fn write(&self, own: &Path, allowed: &[PathBuf], of_clang: &Path) -> Result<(), CompileError> {
        let given = own.join(HEADERS);
        headers::write_given(&given)?;
        headers::write_named(&given, &self.elsewhere.names, self.elsewhere.may_lack)?;
        let texts = own.join(TEXTS);
        fs::create_dir_all(&texts)?;
        let mut changed = Vec::new();
        for (number, (path, text)) in self.of_user.iter().enumerate() {
            let copy = texts.join(number.to_string());
            fs::write(&copy, text)?;
            let path = without_dots(path);
            let names = [path.canonicalize().ok().filter(|real| *real != path), Some(path)];
            changed.extend(names.into_iter().flatten().map(|name| (name, copy.clone())));
        }
        for path in self.absent.iter().filter_map(|name| below(name)) {
            let file = given.join(ABSENT).join(path);
            fs::create_dir_all(file.parent().unwrap_or(&file))?;
            fs::write(file, headers::EMPTY_TEXT)?;
        }
        fs::create_dir_all(given.join(ABSENT))?;
        let mut folders: Vec<&Path> = allowed.iter().map(PathBuf::as_path).chain([own, of_clang]).collect();
        folders.sort();
        folders.dedup();
        fs::write(own.join(OVERLAY), self.overlay(&changed, &folders)?)?;
        Ok(())
    }

    /// The list of what exists: these folders, and the changed files.
    fn overlay(&self, changed: &[(PathBuf, PathBuf)], folders: &[&Path]) -> Result<String, CompileError> {
        let quoted = |path: &Path| to_string(&path.to_string_lossy()).map_err(std::io::Error::other);
        let mut roots = Vec::new();
        for (name, copy) in changed {
            let (name, copy) = (quoted(name)?, quoted(copy)?);
            let file =
                format!(r#""type": "file", "name": {name}, "external-contents": {copy}, "use-external-name": false"#);
            roots.push(format!("{{ {file} }}"));
        }
        for folder in folders {
            let name = quoted(folder)?;
            roots.push(format!(r#"{{ "type": "directory-remap", "name": {name}, "external-contents": {name} }}"#));
        }
        // The older word is understood up to version 15.
        let redirect =
            if self.version < 16 { r#""fallthrough": "false""# } else { r#""redirecting-with": "redirect-only""# };
        let roots = roots.join(",\n");
        Ok(format!("{{ \"version\": 0, \"case-sensitive\": \"true\", {redirect}, \"roots\": [\n{roots}\n] }}\n"))
    }
}

/// The path of a header below a folder; `None` if it would lie elsewhere.
fn below(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}
