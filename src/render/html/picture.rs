//! A chart of the plotting library as a part of a page: in the page's colours and font, with a title and a description
//! for screen readers.

use crate::render::plot::{Panel, PlotError};

/// Strings in the library's SVG, and their replacements in a page. Ink, greys and the first two colours of series
/// follow the page's light or dark theme. The text on the cells of a heat map keeps its colours, as the cells do.
const COLOURS: [(&str, &str); 7] = [
    ("\"#000000\"", "\"currentColor\""),
    ("\"#5A5A5A\"", "\"var(--muted)\""),
    ("\"#0072B2\"", "\"var(--issue)\""),
    ("\"#E69F00\"", "\"var(--memory)\""),
    ("\"#ECECEC\"", "\"var(--void)\""),
    ("\"#969696\"", "\"var(--cross)\""),
    (" font-family=\"sans-serif\"", ""),
];

/// Returns a panel as SVG of `size` pixels, width and height. `name` begins the identifiers of its title and
/// description; it must be unique in the page.
pub(super) fn picture(
    panel: &Panel,
    size: (u32, u32),
    name: &str,
    [title, description]: [&str; 2],
) -> Result<String, PlotError> {
    let svg = COLOURS.iter().fold(panel.svg(size)?, |svg, (from, to)| svg.replace(from, to));
    let mut lines = svg.lines();
    let root = lines.next().unwrap_or_default().replacen("<svg", &format!("<svg {}", labelled(name)), 1);
    // Line 2 is the white background.
    let body: String = lines.skip(1).flat_map(|line| [line, "\n"]).collect();
    Ok(format!("{root}{}{body}", words(name, title, description)))
}

/// Returns the attributes that refer to the elements of [`words`].
pub(super) fn labelled(name: &str) -> String {
    format!("role=\"img\" aria-labelledby=\"{name}-title {name}-description\"")
}

/// Returns the title and the description of a picture as SVG elements.
pub(super) fn words(name: &str, title: &str, description: &str) -> String {
    let escaped = |text: &str| {
        let mut bytes = Vec::new();
        tera::escape_html(text, &mut bytes).expect("memory can be written");
        String::from_utf8(bytes).expect("escaped text is text")
    };
    let (title, description) = (escaped(title), escaped(description));
    format!("<title id=\"{name}-title\">{title}</title><desc id=\"{name}-description\">{description}</desc>\n")
}
