//! Reads a profile: first the YAML, then the contradictions between several values.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::error::GpuError;
use super::profile::Profile;
use super::profile_file::ProfileFile;
use super::{Lockstep, Pipelined, provenance, variant};
use autotune_base::files;
use autotune_base::text::{Source, nearest};
use autotune_base::yaml::{self, Error, Mistake};

/// The most bytes of a profile.
pub(super) const LONGEST: usize = 1 << 20;

/// The most aliases of a profile.
const MOST_ALIASES: usize = 32;

/// The most characters of a name or an alias.
const LONGEST_NAME: usize = 64;

/// The most keys that a message lists: those of a mapping within a profile.
const FEW_KEYS: usize = 8;

/// The key that makes a profile a variant; the other keys are read once the base is known.
#[derive(Deserialize)]
struct Named {
    base: Option<String>,
}

/// The key that distinguishes the two kinds of profile; the other keys are read once the kind is known.
#[derive(Deserialize)]
struct Head {
    execution: Execution,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Execution {
    Lockstep,
    Pipelined,
}

/// The text of a file that may be a profile.
pub(super) fn text(path: &Path) -> Result<String, GpuError> {
    let (most, name) = (LONGEST as u64, path.display().to_string());
    // One byte more shows that a file is too long.
    let bytes = files::named(path, most + 1).beginning()?;
    if bytes.len() as u64 > most {
        return Err(GpuError::TooLong { file: name });
    }
    Ok(files::text_of(&*bytes, &format!("`{name}`"), most)?)
}

/// The profile of a name that may be a base; without it, the name that may be meant.
type Bases<'a> = &'a dyn Fn(&str) -> Result<&'static ProfileFile, Option<&'static str>>;

/// Reads a profile from its text. Messages call the text `file_name`. Without `bases`, the text must not name a base.
pub(super) fn profile(text: &str, file_name: &str, bases: Option<Bases>) -> Result<ProfileFile, GpuError> {
    if text.len() > LONGEST {
        return Err(GpuError::TooLong { file: file_name.to_owned() });
    }
    let Named { base } = parsed(text, file_name)?;
    let written = Written { text, file_name };
    let complete = match &base {
        Some(base) => written.with(base, bases)?,
        None => text.to_owned(),
    };
    let head: Head = parsed(&complete, file_name)?;
    let (profile, contradiction) = match head.execution {
        Execution::Lockstep => {
            let lockstep: Lockstep = parsed(&complete, file_name)?;
            let contradiction = lockstep.contradiction();
            (Profile::Lockstep(lockstep), contradiction)
        }
        Execution::Pipelined => {
            let mut pipelined: Box<Pipelined> = parsed(&complete, file_name)?;
            pipelined.assumed = provenance::assumed(&complete);
            let contradiction = pipelined.contradiction();
            (Profile::Pipelined(pipelined), contradiction)
        }
    };
    match contradiction.or_else(|| unusable_name(&profile)) {
        None => Ok(ProfileFile { text: complete, base, profile }),
        Some((key, what)) => Err(written.at_key(key, &what)),
    }
}

/// The text of a profile as it was written.
struct Written<'a> {
    text: &'a str,
    file_name: &'a str,
}

impl Written<'_> {
    /// The text with the values of its base.
    fn with(&self, base: &str, bases: Option<Bases>) -> Result<String, GpuError> {
        let Some(bases) = bases else {
            return Err(self.at_key("base", "a `base` is not allowed here: the text must state all values itself"));
        };
        let found = bases(base).map_err(|meant| {
            let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            let shown: String = base.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect();
            self.at_key("base", &format!("no shipped profile is called `{shown}`{meant}"))
        })?;
        #[expect(clippy::zero_sized_map_values, reason = "a mapping can be read into a map only")]
        let stated: HashMap<String, IgnoredAny> = parsed(self.text, self.file_name)?;
        let stated: HashSet<String> = stated.into_keys().collect();
        if stated.contains("execution") {
            return Err(self.at_key("execution", "`execution` is that of the base; leave it out"));
        }
        let lines: HashSet<&str> = self.text.lines().filter_map(provenance::fact).map(|fact| fact.key).collect();
        if !stated.iter().all(|key| lines.contains(key.as_str())) {
            return Err(self.at_key("base", "a profile with a `base` states one `key: value` on each line"));
        }
        Ok(variant::completed(self.text, &stated, found.profile.name(), &found.text))
    }

    /// The error of a key; shows the line that begins with the key, else the line with the base.
    fn at_key(&self, key: &str, what: &str) -> GpuError {
        let source = Source::new(self.file_name, self.text);
        let place = source.key(key).or_else(|| source.key("base")).unwrap_or_default();
        GpuError::InFile { rendered: source.frame(what, place, "") }
    }
}

fn unusable_name(profile: &Profile) -> Option<(&'static str, String)> {
    let good = |name: &&str| {
        let character = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(character)
    };
    if profile.aliases().len() > MOST_ALIASES {
        let count = profile.aliases().len();
        return Some(("aliases", format!("a profile has at most {MOST_ALIASES} aliases, this one has {count}")));
    }
    let bad = profile.names_and_aliases().find(|name| !good(name))?;
    let key = if bad == profile.name() { "name" } else { "aliases" };
    let shown: String = bad.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect();
    Some((key, format!("`{shown}` does not consist of 1 to {LONGEST_NAME} letters, digits, `_`, `.` and `-`")))
}

fn parsed<T: DeserializeOwned>(text: &str, file_name: &str) -> Result<T, GpuError> {
    let budget = yaml::budget! { max_depth: 8, max_aliases: 0, max_anchors: 0, max_nodes: 1_000, max_documents: 1 };
    yaml::read(text, yaml::within(budget)).map_err(|mistake| {
        GpuError::in_file(text, file_name, &wording(&mistake), yaml::word(text, mistake.start, ":,]}"))
    })
}

/// The message without the place. Only the nearest of many known keys is named.
fn wording(mistake: &Mistake) -> String {
    match mistake.error() {
        Error::SerdeUnknownField { field, expected, .. } => match nearest(field, expected.iter().copied()) {
            Some(known) => format!("unknown key `{field}`; did you mean `{known}`?"),
            None if expected.len() <= FEW_KEYS => {
                format!("unknown key `{field}`; the keys are `{}`", expected.join("`, `"))
            }
            None => {
                format!("unknown key `{field}`; `autotune gpus gtx480` and `autotune gpus abstract-tiny` show the keys")
            }
        },
        Error::SerdeMissingField { field, .. } => format!("the key `{field}` is missing"),
        Error::Budget { .. } => "the file is too long, or nested too deep, for a GPU profile".to_owned(),
        _ => mistake.words(),
    }
}
