//! The section of the heat map: the best times over the two parameters that matter most.

use std::fmt::Write;

use serde::Serialize;

use super::picture::picture;
use super::{PageError, counted};
use crate::render::plot::{HeatMap, Panel, most_telling};
use autotune_base::text::words::grouped;
use autotune_base::ticks::Ticks;
use autotune_engine::explain::landscape::{KnownTime, Landscape, LandscapePoint};

/// The width and height of the map in pixels.
const SIZE: (u32, u32) = (680, 440);

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Heat {
    pub(super) heading: String,
    summary: String,
    picture: String,
    corner: String,
    columns: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    label: String,
    cells: Vec<String>,
}

impl Heat {
    /// Returns the section of a landscape; `None` if no parameter varies or no configuration has a time or a bound.
    pub(super) fn new(landscape: &Landscape, is_proved: bool) -> Result<Option<Self>, PageError> {
        let places = &without_open_bounds(&landscape.points);
        let names: Vec<&str> = landscape.parameters.iter().map(String::as_str).collect();
        let known: Vec<_> = places.iter().filter(|place| place.time != KnownTime::Unknown).collect();
        let tries: Vec<(&[i64], Option<f64>)> = known
            .iter()
            .map(|place| (place.configuration.0.as_slice(), place.time.ticks().map(Ticks::to_f64)))
            .collect();
        let Some(over) = most_telling(&names, &tries) else { return Ok(None) };
        if tries.iter().all(|(_, time)| time.is_none()) {
            return Ok(None);
        }
        let map = if is_proved {
            HeatMap::new("best time over all other parameters / optimum", &names, over, &tries)
        } else {
            let title = "best time over all other parameters / best known, not proved";
            HeatMap::new(title, &names, over, &tries).with_best("best known")
        };
        let [column, row] = map.names().map(str::to_owned);
        let (heading, corner) = if row.is_empty() {
            (format!("Time over {column}"), format!("Best ticks over {column}"))
        } else {
            (format!("Time over {column} and {row}"), format!("Best ticks, {column} across and {row} down"))
        };
        let table = map.table().into_iter().map(|(label, cells)| {
            let ticks = |number: usize| known[number].time.ticks().map_or(String::new(), grouped);
            let cell = |cell: Result<usize, &str>| cell.map_or_else(str::to_owned, ticks);
            Row { label, cells: cells.into_iter().map(cell).collect() }
        });
        let (columns, rows) = (map.column_labels(), table.collect());
        let words = [heading.as_str(), "A heat map. The table below has the same times in ticks."];
        let picture = picture(&Panel::HeatMap(map), SIZE, "heat-map", words)?;
        Ok(Some(Self { summary: summary(places, landscape.drawn, is_proved), heading, picture, corner, columns, rows }))
    }
}

/// Replaces each lower bound below all known times by [`KnownTime::Unknown`]: drawn as a time, it would be the least.
/// A proof leaves no such bound.
fn without_open_bounds(places: &[LandscapePoint]) -> Vec<LandscapePoint> {
    let is_time = |place: &&LandscapePoint| matches!(place.time, KnownTime::Proved(_) | KnownTime::Evaluated(_));
    let least = places.iter().filter(is_time).filter_map(|place| place.time.ticks()).min();
    let time = |time| match time {
        KnownTime::AtLeast(bound) if least.is_none_or(|least| bound < least) => KnownTime::Unknown,
        time => time,
    };
    let place =
        |place: &LandscapePoint| LandscapePoint { time: time(place.time), configuration: place.configuration.clone() };
    places.iter().map(place).collect()
}

/// Sentences about the numbers of times that are proved, evaluated, bounded and unknown.
fn summary(places: &[LandscapePoint], drawn: usize, is_proved: bool) -> String {
    let count = |is: fn(KnownTime) -> bool| places.iter().filter(|place| is(place.time)).count() as u64;
    let proved = count(|time| matches!(time, KnownTime::Proved(_)));
    let evaluated = count(|time| matches!(time, KnownTime::Evaluated(_)));
    let bounded = count(|time| matches!(time, KnownTime::AtLeast(_)));
    let [never, unknown] = [count(|time| time == KnownTime::Never), count(|time| time == KnownTime::Unknown)];
    let mut parts = vec![
        format!("{} by proof", counted(proved, "time")),
        format!("{} by the native evaluator", grouped(evaluated)),
        format!("{} cannot run", grouped(never)),
    ];
    if bounded > 0 {
        let bounded = counted(bounded, "lower bound");
        parts.insert(2, format!("{bounded} in the place of times, because evaluating all takes too many events"));
    }
    if unknown > 0 {
        parts.push(format!("{} not evaluated", grouped(unknown)));
    }
    let mut summary = format!("{}: {}.", counted(places.len() as u64, "configuration"), parts.join(", "));
    if drawn > 0 {
        let drawn_at_random = format!("{} of it are drawn at random.", grouped(drawn as u64));
        let _ = match (is_proved, places.len() > drawn) {
            (true, _) => write!(summary, " The space is larger: besides what SPIN searched, {drawn_at_random}"),
            (false, true) => {
                write!(summary, " The space is larger: besides what SPIN was to search, {drawn_at_random}")
            }
            (false, false) => write!(summary, " The space was not enumerated: {drawn_at_random}"),
        };
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_lowering::spec::Configuration;

    #[test]
    fn a_bound_below_all_times_is_no_least_time() {
        let places = |times: &[KnownTime]| {
            let place = |&time: &KnownTime| LandscapePoint { configuration: Configuration(Vec::new()), time };
            times.iter().map(place).collect::<Vec<_>>()
        };
        let (evaluated, never) = (KnownTime::Evaluated(Ticks::new(50)), KnownTime::Never);
        let shown = without_open_bounds(&places(&[
            evaluated,
            KnownTime::AtLeast(Ticks::new(49)),
            KnownTime::AtLeast(Ticks::new(50)),
            never,
        ]));
        assert_eq!(shown, places(&[evaluated, KnownTime::Unknown, KnownTime::AtLeast(Ticks::new(50)), never]));
        assert_eq!(without_open_bounds(&places(&[KnownTime::AtLeast(Ticks::new(7))])), places(&[KnownTime::Unknown]));
    }
}
