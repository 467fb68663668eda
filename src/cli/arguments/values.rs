//! Values of options, read.

use std::path::PathBuf;

use bytesize::ByteSize;

use crate::spin::MEMORY;

pub(super) fn assignment(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("it is not of the form NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not an integer of 64 bits"))?;
    Ok((name.trim().to_owned(), value))
}

/// Pictures are SVG, and a file that says otherwise would not open.
pub(super) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(path) } else { Err("pictures are SVG: its name must end in .svg".to_owned()) }
}

pub(super) fn memory(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text.parse().map_err(|_| "it is no size such as 512MiB or 4GiB".to_owned())?;
    let most_and_least = [MEMORY.start(), MEMORY.end()].map(|bytes| ByteSize::b(*bytes).to_string());
    if MEMORY.contains(&size.as_u64()) {
        Ok(size)
    } else {
        Err(format!("it is not from {}", most_and_least.join(" to ")))
    }
}
