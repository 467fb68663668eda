//! Names in messages: lists of them, and the one that was meant.

/// The most letters of a name that are shown.
const MOST_LETTERS: usize = 80;

/// Joins names in backquotes with commas. A name may come from a file: a long one is cut.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    let quoted = |name: &str| match name.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    };
    names.iter().map(|name| quoted(name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The most similar of the known words; `None` if no word is similar enough to have been meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let similarity = |candidate: &str| strsim::jaro_winkler(&word.to_lowercase(), &candidate.to_lowercase());
    let meant = |candidate: &str| {
        similarity(candidate) >= 0.8 || (word.len() > 1 && strsim::osa_distance(word, candidate) == 1)
    };
    let similar = known.into_iter().filter(|candidate| meant(candidate));
    similar.max_by(|left, right| similarity(left).total_cmp(&similarity(right))).map(str::to_owned)
}
