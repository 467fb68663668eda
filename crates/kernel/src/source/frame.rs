//! Messages that show a line of a kernel's source.

use std::path::Path;

use super::ir::SourcePlace;
use autotune_base::files;
use autotune_base::text::Source;

/// The most bytes of a file whose line is shown.
const LONGEST_FILE: u64 = 16 * files::MIB;

/// A message with the line of a place, or with the place alone if its file cannot be read.
#[must_use]
pub fn frame(title: &str, place: &SourcePlace) -> String {
    match files::named(Path::new(&*place.file), LONGEST_FILE).text() {
        Ok(text) => Source::new(&place.file, &text).frame_at(title, place.line.max(1), place.column.max(1)),
        Err(_) => format!("{title}\n --> {}:{}:{}", place.file, place.line, place.column),
    }
}
