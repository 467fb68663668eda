//! A chart of the plotting library as a part of a page: in the page's colours and font, and with words for who cannot see it.

use crate::render::plot::{Panel, PlotError};

/// What the library writes, and what a page has instead: ink, grey and the first of what is told apart follow light and
/// dark. The text on cells of a heat map keeps its colours, as the cells do.
const COLOURS: [(&str, &str); 7] = [
    ("\"#000000\"", "\"currentColor\""),
    ("\"#5A5A5A\"", "\"var(--muted)\""),
    ("\"#0072B2\"", "\"var(--issue)\""),
    ("\"#E69F00\"", "\"var(--memory)\""),
    ("\"#ECECEC\"", "\"var(--void)\""),
    ("\"#969696\"", "\"var(--cross)\""),
    (" font-family=\"sans-serif\"", ""),
];

/// A panel of so many pixels; `name` tells its identifiers from those of other pictures of the page.
pub(super) fn picture(
    panel: &Panel,
    size: (u32, u32),
    name: &str,
    [title, description]: [&str; 2],
) -> Result<String, PlotError> {
    let svg = COLOURS.iter().fold(panel.svg(size)?, |svg, (from, to)| svg.replace(from, to));
    let mut lines = svg.lines();
    let root = lines.next().unwrap_or_default().replacen("<svg", &format!("<svg {}", labelled(name)), 1);
    // The second line is the white ground.
    let body: String = lines.skip(1).flat_map(|line| [line, "\n"]).collect();
    Ok(format!("{root}{}{body}", words(name, title, description)))
}

/// The attributes of a picture with words.
pub(super) fn labelled(name: &str) -> String {
    format!("role=\"img\" aria-labelledby=\"{name}-title {name}-description\"")
}

/// The words of a picture.
pub(super) fn words(name: &str, title: &str, description: &str) -> String {
    let escaped = |text: &str| {
        let mut bytes = Vec::new();
        tera::escape_html(text, &mut bytes).expect("memory can be written");
        String::from_utf8(bytes).expect("escaped text is text")
    };
    let (title, description) = (escaped(title), escaped(description));
    format!("<title id=\"{name}-title\">{title}</title><desc id=\"{name}-description\">{description}</desc>\n")
}
