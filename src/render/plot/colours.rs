//! Colours that the colour-blind tell apart: those of Okabe and Ito, and viridis for what is more or less.

use plotters::prelude::*;

/// Of things that are told apart.
pub(super) const DISTINCT: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];
/// Of what stands out.
pub(super) const MARKED: RGBColor = RGBColor(213, 94, 0);
/// Of what is there to compare with.
pub(super) const REFERENCE: RGBColor = RGBColor(90, 90, 90);
/// Of what cannot run: ground and cross.
pub(super) const INFEASIBLE: (RGBColor, RGBColor) = (RGBColor(236, 236, 236), RGBColor(150, 150, 150));

/// Of a value from 0, the worst, to 1, the best.
pub(super) fn quality(value: f64) -> RGBColor {
    ViridisRGB.get_color(value)
}

/// Of text on a light ground: not quite the black of all else that is written, so that a page can tell them apart.
const DARK: RGBColor = RGBColor(1, 1, 1);
/// The luminance of a ground on which black and white are read equally well, at a contrast of 4.58.
const BETWEEN: f64 = 0.179;

/// Of text that is read on a ground.
pub(super) fn on(ground: RGBColor) -> RGBColor {
    if luminance(ground) > BETWEEN { DARK } else { WHITE }
}

/// How bright a colour is, from 0 to 1, as WCAG 2.2 defines it.
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
