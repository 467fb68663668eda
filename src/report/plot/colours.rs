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
const DARK: RGBColor = RGBColor(17, 17, 17);

/// Of text that is read on a ground.
pub(super) fn on(ground: RGBColor) -> RGBColor {
    let RGBColor(red, green, blue) = ground;
    let light = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if light > 128_000 { DARK } else { WHITE }
}
