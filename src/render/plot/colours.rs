//! Colours that colour-blind readers can distinguish: the colours of Okabe and Ito for series, and viridis for
//! quantities.

use plotters::prelude::*;

/// The colours of series.
pub(super) const DISTINCT: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];
/// The colour of marked points.
pub(super) const MARKED: RGBColor = RGBColor(213, 94, 0);
/// The colour of lines for comparison.
pub(super) const REFERENCE: RGBColor = RGBColor(90, 90, 90);
/// The colours of a configuration that cannot run: background and cross.
pub(super) const INFEASIBLE: (RGBColor, RGBColor) = (RGBColor(236, 236, 236), RGBColor(150, 150, 150));

/// Returns the colour of a quality from 0, the worst, to 1, the best.
pub(super) fn quality(value: f64) -> RGBColor {
    ViridisRGB.get_color(value)
}

/// The colour of text on a light background. It differs from the black of all other text, so that a page can replace
/// that black alone.
const DARK: RGBColor = RGBColor(1, 1, 1);
/// The luminance of a background that gives black and white an equal contrast, of 4.58.
const BETWEEN: f64 = 0.179;

/// Returns the colour of text on a background.
pub(super) fn on(ground: RGBColor) -> RGBColor {
    if luminance(ground) > BETWEEN { DARK } else { WHITE }
}

/// Returns the relative luminance of a colour as WCAG 2.2 defines it, from 0 to 1.
fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_on_any_quality_can_be_read() {
        for step in 0..=100 {
            let ground = quality(f64::from(step) / 100.0);
            let (text, ground) = (luminance(on(ground)), luminance(ground));
            let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
            assert!(contrast >= 4.5, "{contrast} at {step}");
        }
    }
}
