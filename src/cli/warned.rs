//! Warnings about inputs, with the lines that they are about.

use std::collections::HashSet;

use super::output;
use crate::session::Inputs;
use autotune_base::text::Source;
use autotune_engine::check::{CheckFinding, Warning};
use autotune_kernel::source::{AbsentHeader, SourcePlace, frame};
use autotune_lowering::spec::Spec;

/// The texts that warnings refer to.
pub(super) struct Frames<'a> {
    pub(super) spec: Option<&'a Spec>,
    pub(super) profile: &'a Source,
}

impl Frames<'_> {
    /// Returns a warning with its line in a frame, or with its place if its file is not among the texts.
    pub(super) fn of(&self, warning: &Warning) -> String {
        let Warning { message, file, line, column, .. } = warning;
        let spec = self.spec.into_iter();
        let of_spec = spec.flat_map(|spec| [Some(&*spec.source), spec.space_source.as_deref()]).flatten();
        let title = format!("warning: {message}");
        let mut texts = of_spec.chain([self.profile]);
        if let Some(shown) = texts.find_map(|source| source.frame_in(file, &title, *line, *column)) {
            return shown;
        }
        let is_of_kernel = self.spec.is_some_and(|spec| spec.kernel_source.is_some());
        let place = || SourcePlace { file: file.as_str().into(), line: *line, column: *column };
        if is_of_kernel { frame(&title, &place()) } else { placed(warning) }
    }
}

/// Returns a warning with its file, line and column.
pub(super) fn placed(warning: &Warning) -> String {
    let Warning { message, file, line, column, .. } = warning;
    format!("warning: {message}\n --> {file}:{line}:{column}")
}

/// Shows the warnings about the inputs on standard error, and a note if clang does not know the GPU. Findings that the
/// answer shows are left out.
pub(super) fn show(inputs: &Inputs, answered: &[CheckFinding]) {
    Notices::default().show_all_but(inputs, answered);
}

/// The notices about the inputs of several questions, each shown once.
#[derive(Default)]
pub(super) struct Notices(HashSet<String>);

impl Notices {
    /// Shows the notices about the inputs of a question that were not shown before.
    pub(super) fn show(&mut self, inputs: &Inputs) {
        self.show_all_but(inputs, &[]);
    }

    fn show_all_but(&mut self, inputs: &Inputs, answered: &[CheckFinding]) {
        let frames = Frames { spec: Some(&inputs.spec), profile: &inputs.profile_source() };
        let is_open = |finding: &&CheckFinding| answered.iter().all(|known| !known.is_same(finding));
        for warning in inputs.findings.iter().filter(is_open).map(CheckFinding::warning) {
            let shown = frames.of(&warning);
            if self.0.insert(shown.clone()) {
                output::warning(&shown, &warning.help);
            }
        }
        let absent = inputs.absent();
        if !absent.is_empty() {
            self.note(absent_headers(&absent));
        }
        if let Some(stand_in) = inputs.stand_in() {
            self.note(format!("{stand_in}; what depends on the GPU comes from its profile"));
        }
    }

    fn note(&mut self, text: String) {
        if !self.0.contains(&text) {
            output::note(&text);
            self.0.insert(text);
        }
    }
}

/// A sentence about headers that are nowhere.
fn absent_headers(absent: &[AbsentHeader]) -> String {
    let named = absent.iter().map(|header| format!("`{}` ({}:{})", header.name, header.place.file, header.place.line));
    let named = named.collect::<Vec<_>>().join(", ");
    let (are, one) =
        if absent.len() == 1 { ("is", "if device code needs it") } else { ("are", "if device code needs one") };
    format!("{named} {are} not there and taken as empty; {one}, name its folder with `--include DIR`")
}
