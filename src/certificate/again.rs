//! The command that proves the question of a folder again, whichever version made the folder.

use std::path::Path;

use serde_json::Value;

use super::kept::{MANIFEST, PROFILE, SPACE, SPEC};
use autotune_base::files::own_folder::word;
use autotune_base::files::{self, MIB};
use autotune_base::text::words::printable;

/// The files of a source, whose places a spec in the folder does not name.
const SOURCE: &str = "inputs/source";

/// The command that proves the question of a folder again and keeps the proof in a new one. What cannot be read is left to the
/// user, in capitals.
pub(super) fn command(folder: &Path) -> String {
    let text = files::kept(&folder.join(MANIFEST), MIB).called(MANIFEST).text().unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let asked = &manifest["questions"][0];
    let file = |name: &str, otherwise: &str| {
        let path = folder.join(name);
        if path.is_file() { word(&path) } else { otherwise.to_owned() }
    };
    let spec = if folder.join(SOURCE).is_dir() { "SPEC".to_owned() } else { file(SPEC, "SPEC") };
    let mut words = vec!["autotune".to_owned(), spec, "--gpu".to_owned(), file(PROFILE, "GPU")];
    if !asked["space"].is_null() {
        words.extend(["--space".to_owned(), file(SPACE, "SPACE")]);
    }
    let quoted = |text: &str| shlex::try_quote(&printable(text)).map(Into::into).unwrap_or_default();
    for (name, size) in asked["problem"].as_object().into_iter().flatten() {
        words.extend(["--set".to_owned(), quoted(&format!("{name}={size}"))]);
    }
    for (key, option) in [("config", "--config"), ("prefer", "--prefer")] {
        if let Some(value) = asked[key].as_str() {
            words.extend([option.to_owned(), quoted(value)]);
        }
    }
    if let Some(is_warm) = asked["warm"].as_bool() {
        words.push(if is_warm { "--warm" } else { "--cold" }.to_owned());
    }
    let again = folder.with_file_name(format!("{}-again", folder.file_name().unwrap_or_default().to_string_lossy()));
    words.extend(["--keep".to_owned(), word(&again)]);
    words.join(" ")
}
