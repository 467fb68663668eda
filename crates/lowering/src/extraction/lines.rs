//! Lines of a source, as a comment names them.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use crate::lowering::SourceLines;

/// Files, without their folders, and lines in words: `matmul.cl:5, 7-9`.
pub(super) fn in_words(lines: &SourceLines) -> String {
    let mut words = String::new();
    let mut file = None;
    let mut open: Option<(u32, u32)> = None;
    let close = |words: &mut String, open: &mut Option<(u32, u32)>| {
        if let Some((first, last)) = open.take() {
            let _ = if first == last { write!(words, "{first}") } else { write!(words, "{first}-{last}") };
        }
    };
    for (name, line) in lines {
        if file != Some(name) {
            close(&mut words, &mut open);
            let gap = if words.is_empty() { "" } else { "; " };
            let short = name.rsplit('/').next().unwrap_or(name);
            let _ = write!(words, "{gap}{short}:");
            file = Some(name);
        } else if let Some((_, last)) = &mut open
            && *last + 1 == *line
        {
            *last = *line;
            continue;
        } else {
            close(&mut words, &mut open);
            words.push_str(", ");
        }
        open = Some((*line, *line));
    }
    close(&mut words, &mut open);
    words
}

/// The name of a file from a folder.
pub(super) fn from_folder(name: &str, folder: &Path) -> String {
    let name = Path::new(name);
    name.strip_prefix(folder).unwrap_or(name).display().to_string()
}

/// The name of a file without folders that it leaves again: `specs/../a.cl` is `a.cl`.
pub(super) fn tidy(name: &str) -> String {
    let mut tidied = PathBuf::new();
    for part in Path::new(name).components() {
        let is_left =
            part == Component::ParentDir && matches!(tidied.components().next_back(), Some(Component::Normal(_)));
        if is_left {
            tidied.pop();
        } else {
            tidied.push(part);
        }
    }
    tidied.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lines_are_one_range() {
        let lines = [("specs/a.cl", 3), ("specs/a.cl", 4), ("specs/a.cl", 5), ("specs/a.cl", 9), ("b.h", 1)];
        let lines = lines.map(|(file, line)| (file.into(), line)).into();
        assert_eq!(in_words(&lines), "b.h:1; a.cl:3-5, 9");
        assert_eq!(in_words(&SourceLines::new()), "");
    }

    #[test]
    fn a_folder_that_a_path_leaves_again_is_not_shown() {
        assert_eq!(tidy("specs/../kernels/a.cl"), "kernels/a.cl");
        assert_eq!((tidy("../../a.cl"), tidy("/x/./y/../a.cl")), ("../../a.cl".to_owned(), "/x/a.cl".to_owned()));
    }
}
