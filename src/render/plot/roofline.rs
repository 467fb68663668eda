//! A chart of configurations under the roofs of a GPU.

use super::chart::{Axis, Chart, Line, Marker, Series};
use autotune_engine::explain::roofline::{PlacedConfigurations, RooflinePoint};

/// Returns the chart of a GPU's roofs with the optimum and the other configurations that can run.
#[must_use]
pub fn roofline_chart(placed: &PlacedConfigurations) -> Chart {
    let PlacedConfigurations { roofline: roofs, optimum, others } = placed;
    let all = || others.iter().chain([optimum]).map(|place| place.intensity);
    let left = all().fold(roofs.ridge(), f64::min) / 2.0;
    let right = all().fold(roofs.ridge(), f64::max) * 2.0;
    let roof = |label: String, ends: [f64; 2]| Line {
        label,
        points: ends.map(|intensity| (intensity, roofs.roof(intensity))).to_vec(),
    };
    let point = |place: &RooflinePoint| (place.intensity, place.performance);
    let dots = others.iter().map(point).collect();
    Chart {
        title: "roofline".to_owned(),
        x: Axis { label: "operations per byte of DRAM".to_owned(), logarithmic: true },
        y: Axis { label: "10^9 operations per second (FP32)".to_owned(), logarithmic: true },
        lines: vec![
            roof(format!("DRAM, {:.0} GB/s", roofs.bandwidth), [left, roofs.ridge()]),
            roof(format!("dispatchers, {:.0}", roofs.operations), [roofs.ridge(), right]),
        ],
        series: vec![
            Series { label: "others that can run".to_owned(), marker: Marker::Dot, points: dots },
            Series { label: "optimum".to_owned(), marker: Marker::Best, points: vec![point(optimum)] },
        ],
    }
}
