//! The list of scenarios of `--scenarios`: GPUs and problem sizes one by one, with weights.

use std::collections::HashMap;
use std::path::Path;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use autotune_base::files;
use autotune_base::text::{self, Source};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_base::yaml::{self, Spanned};
use autotune_lowering::gpu::{NamedProfiles, Profile};

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
    /// The file and the line of the list; `None` if options named the scenario.
    pub place: Option<String>,
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
    gpu: Spanned<String>,
    #[serde(default)]
    set: IndexMap<String, Spanned<Value>>,
    weight: Option<Spanned<Value>>,
}

/// A list as it is read.
struct List<'a> {
    name: String,
    text: &'a str,
}

/// Reads a list of scenarios; `path_of` gives the name or the path by which the profile of a GPU is read.
///
/// # Errors
/// If the file is not a list of scenarios, two scenarios are equal, or two profiles have one name; the error shows the
/// place.
pub fn read_scenarios(path: &Path, path_of: impl Fn(&str) -> String) -> Result<Vec<ListedScenario>, ScenariosError> {
    let name = path.display().to_string();
    let text = files::named(path, LARGEST_FILE).text();
    let text = text.map_err(|why| ScenariosError::Read { path: name.clone(), why })?;
    let list = List { name, text: &text };
    let budget = yaml::budget! { max_depth: 8, max_nodes: 1_000_000, max_documents: 1 };
    let raw: Vec<RawScenario> =
        yaml::read(&text, yaml::within(budget)).map_err(|mistake| list.error(mistake.start, &mistake.words()))?;
    if raw.is_empty() || raw.len() > MOST_SCENARIOS {
        return Err(ScenariosError::Number { path: list.name, scenarios: raw.len() });
    }
    let listed = raw.iter().map(|one| list.scenario(one)).collect::<Result<Vec<_>, _>>()?;
    list.refuse_equal(&raw, &listed, path_of)?;
    Ok(listed)
}

impl List<'_> {
    /// An error at the word that begins at a byte.
    fn error(&self, start: usize, what: &str) -> ScenariosError {
        let rendered = Source::new(&self.name, self.text).frame_of(what, yaml::word(self.text, start, ",]}"), "");
        ScenariosError::InFile { path: self.name.clone(), rendered }
    }

    /// The line of a byte, from 1.
    fn line(&self, start: usize) -> usize {
        1 + self.text.get(..start).unwrap_or_default().matches('\n').count()
    }

    fn scenario(&self, raw: &RawScenario) -> Result<ListedScenario, ScenariosError> {
        Ok(ListedScenario {
            gpu: raw.gpu.value.clone(),
            of_group: false,
            sizes: raw.set.iter().map(|(name, value)| self.size(name, value)).collect::<Result<_, _>>()?,
            weight: raw.weight.as_ref().map_or(Ok(1), |weight| self.weight(weight))?,
            place: Some(format!("`{}`, line {}", self.name, self.line(yaml::start_of(&raw.gpu)))),
        })
    }

    /// A problem size: a number, or a text as `--set` reads it.
    fn size(&self, name: &str, value: &Spanned<Value>) -> Result<(String, i64), ScenariosError> {
        let size = match &value.value {
            Value::String(text) => text::integer(text.trim()),
            number => number.as_i64(),
        };
        let size = size.filter(|size| *size >= 0).ok_or_else(|| {
            let what = format!(
                "`{name}` is {}, not a whole number from 0 below 2^63, written as {}",
                value.value,
                text::FORMS
            );
            self.error(yaml::start_of(value), &what)
        })?;
        Ok((name.to_owned(), size))
    }

    fn weight(&self, value: &Spanned<Value>) -> Result<u32, ScenariosError> {
        let weight = value.value.as_u64().and_then(|weight| u32::try_from(weight).ok()).filter(|weight| *weight > 0);
        weight.ok_or_else(|| {
            let what = format!("`weight` is {}, not a whole number from 1 to {}", value.value, u32::MAX);
            self.error(yaml::start_of(value), &what)
        })
    }

    /// Refuses two scenarios of one GPU and equal sizes, and two profiles of one name: an answer could not tell them apart.
    fn refuse_equal(
        &self,
        raw: &[RawScenario],
        listed: &[ListedScenario],
        path_of: impl Fn(&str) -> String,
    ) -> Result<(), ScenariosError> {
        let (mut profiles, mut names) = (NamedProfiles::default(), HashMap::new());
        let mut lines = HashMap::new();
        for (raw, ListedScenario { gpu, sizes, .. }) in raw.iter().zip(listed) {
            let at_gpu = |what: &str| self.error(yaml::start_of(&raw.gpu), what);
            if !names.contains_key(gpu) {
                // A profile that cannot be read is refused where it is used.
                let profile = Profile::resolve(&path_of(gpu)).ok();
                if let Some(profile) = &profile {
                    profiles.add(gpu, profile).map_err(|why| at_gpu(&why.with_help()))?;
                }
                names.insert(gpu, profile.map_or_else(|| gpu.clone(), |profile| profile.name().to_owned()));
            }
            let mut sizes = sizes.clone();
            sizes.sort_unstable();
            if let Some(first) = lines.insert((names.get(gpu).cloned(), sizes), self.line(yaml::start_of(&raw.gpu))) {
                return Err(at_gpu(&format!(
                    "the scenario of line {first} is listed again: a `weight` counts it more"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ListedScenario>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(file.path(), text).unwrap();
        read_scenarios(file.path(), str::to_owned).map_err(|why| why.to_string())
    }

    #[test]
    fn scenarios_are_read_with_their_weights() {
        let listed = read("- { gpu: a100, set: { n: 1024, m: 2 }, weight: 3 }\n- gpu: h100\n").unwrap();
        let sizes = vec![("n".to_owned(), 1024), ("m".to_owned(), 2)];
        let told: Vec<_> = listed.iter().map(|one| (one.gpu.as_str(), one.sizes.clone(), one.weight)).collect();
        assert_eq!(told, [("a100", sizes, 3), ("h100", Vec::new(), 1)]);
        let places: Vec<_> = listed.iter().filter_map(|one| one.place.as_deref()).collect();
        assert!(places[0].ends_with("`, line 1") && places[1].ends_with("`, line 2"), "{places:?}");
    }

    #[test]
    fn sizes_are_written_as_options_have_them() {
        let listed = read("- { gpu: a100, set: { n: 2^20, m: 128k, k: '2**4', l: 9223372036854775807 } }").unwrap();
        let sizes: Vec<i64> = listed[0].sizes.iter().map(|(_, size)| *size).collect();
        assert_eq!(sizes, [1 << 20, 128 << 10, 16, i64::MAX]);
    }

    #[test]
    fn mistakes_are_shown_at_their_place() {
        for (text, why) in [
            ("- { gpu: a100, size: 3 }", "size"),
            ("- { set: { n: 1 } }", "gpu"),
            ("- { gpu: a100, weight: 0 }", "`weight` is 0, not a whole number from 1"),
            ("- { gpu: a100, weight: 1.5 }", "`weight` is 1.5, not a whole number from 1"),
            ("- { gpu: a100, set: { n: -4 } }", "`n` is -4, not a whole number from 0"),
            ("- { gpu: a100, set: { n: 1..4 } }", "`n` is \"1..4\", not a whole number from 0"),
            ("- { gpu: a100, set: { n: 9223372036854775808 } }", "`n` is 9223372036854775808, not"),
            ("- { gpu: a100, set: { n: 2^63 } }", "`n` is \"2^63\", not"),
            ("[]", "it has 0 scenarios"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(why), "{text}: {told}");
        }
    }

    #[test]
    fn scenarios_that_an_answer_cannot_tell_apart_are_refused() {
        let again =
            "- { gpu: a100, set: { n: 4, m: 2 } }\n- gpu: h100\n- { gpu: a100-40gb, set: { m: 2, n: 4 }, weight: 3 }\n";
        let told = read(again).unwrap_err();
        assert!(told.contains("the scenario of line 1 is listed again") && told.contains(":3:10"), "{told}");
        let own = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
        fs_err::write(own.path(), "name: a100-40gb\nbase: a100\nmultiprocessors: 54 # assumed: half\n").unwrap();
        let two = format!("- gpu: a100\n- {{ gpu: {}, set: {{ n: 4 }} }}\n", own.path().display());
        let told = read(&two).unwrap_err();
        assert!(
            told.contains("two different profiles are called `a100-40gb`: `a100`") && told.contains(":2:10"),
            "{told}"
        );
    }
}
