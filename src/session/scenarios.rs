//! The list of scenarios of `--scenarios`: GPUs and problem sizes one by one, with weights.

use std::num::NonZeroU32;
use std::path::Path;

use indexmap::IndexMap;
use serde::Deserialize;
use thiserror::Error;

use crate::files;
use crate::text::Source;
use crate::user_error::{ExitStatus, UserError};
use crate::yaml;

/// The greatest number of scenarios of a question.
pub const MOST_SCENARIOS: usize = 10_000;

/// The greatest size of a list, in bytes.
const LARGEST_FILE: u64 = 16 * files::MIB;

/// A scenario by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedScenario {
    /// A GPU's name or alias, or the path of a profile from the folder of the command.
    pub gpu: String,
    /// True if a group brought the GPU.
    pub of_group: bool,
    /// The problem sizes that differ from the spec's.
    pub sizes: Vec<(String, i64)>,
    /// The weight in the mean, from 1.
    pub weight: u32,
}

/// A reason why a list of scenarios cannot be used.
#[derive(Debug, Error)]
pub enum ScenariosError {
    /// A list that cannot be read.
    #[error("cannot use scenarios `{path}`\n{why}")]
    Read {
        /// The list's file.
        path: String,
        /// The reason.
        why: std::io::Error,
    },
    /// A mistake in the list.
    #[error("cannot use scenarios `{path}`\n{rendered}")]
    InFile {
        /// The list's file.
        path: String,
        /// The mistake with file, line, column and the line itself.
        rendered: String,
    },
    /// A list without scenarios, or with too many.
    #[error("cannot use scenarios `{path}`\nit has {scenarios} scenarios, not 1 to {MOST_SCENARIOS}")]
    Number {
        /// The list's file.
        path: String,
        /// The number of its scenarios.
        scenarios: usize,
    },
}

impl UserError for ScenariosError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        Some("each scenario is a line such as `- { gpu: a100, set: { n: 1024 }, weight: 3 }`".to_owned())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    gpu: String,
    #[serde(default)]
    set: IndexMap<String, u64>,
    weight: Option<NonZeroU32>,
}

/// Reads a list of scenarios.
///
/// # Errors
/// If the file is not a list of scenarios; the error shows the place.
pub fn read_scenarios(path: &Path) -> Result<Vec<ListedScenario>, ScenariosError> {
    let name = path.display().to_string();
    let text = files::named(path, LARGEST_FILE).text();
    let text = text.map_err(|why| ScenariosError::Read { path: name.clone(), why })?;
    let budget = yaml::budget! { max_depth: 8, max_nodes: 1_000_000, max_documents: 1 };
    let raw: Vec<RawScenario> = yaml::read(&text, yaml::within(budget)).map_err(|mistake| {
        let at = yaml::word(&text, mistake.start, ",]}");
        let rendered = Source::new(&name, &text).frame_of(&mistake.words(), at, "");
        ScenariosError::InFile { path: name.clone(), rendered }
    })?;
    if raw.is_empty() || raw.len() > MOST_SCENARIOS {
        return Err(ScenariosError::Number { path: name, scenarios: raw.len() });
    }
    let listed = |RawScenario { gpu, set, weight }| ListedScenario {
        gpu,
        of_group: false,
        sizes: set.into_iter().map(|(name, value)| (name, i64::try_from(value).unwrap_or(i64::MAX))).collect(),
        weight: weight.map_or(1, NonZeroU32::get),
    };
    Ok(raw.into_iter().map(listed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ListedScenario>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(file.path(), text).unwrap();
        read_scenarios(file.path()).map_err(|why| why.to_string())
    }

    #[test]
    fn scenarios_are_read_with_their_weights() {
        let listed = read("- { gpu: a100, set: { n: 1024, m: 2 }, weight: 3 }\n- gpu: h100\n").unwrap();
        let sizes = vec![("n".to_owned(), 1024), ("m".to_owned(), 2)];
        let first = ListedScenario { gpu: "a100".to_owned(), of_group: false, sizes, weight: 3 };
        assert_eq!(
            listed,
            [first, ListedScenario { gpu: "h100".to_owned(), of_group: false, sizes: Vec::new(), weight: 1 }]
        );
    }

    #[test]
    fn mistakes_are_shown_at_their_place() {
        for (text, why) in [
            ("- { gpu: a100, size: 3 }", "size"),
            ("- { set: { n: 1 } }", "gpu"),
            ("- { gpu: a100, weight: 0 }", "zero"),
            ("- { gpu: a100, set: { n: -4 } }", "-4"),
            ("[]", "it has 0 scenarios"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(why), "{text}: {told}");
        }
    }
}
