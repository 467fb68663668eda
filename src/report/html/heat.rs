//! The section of the heat map: the best times over the two parameters that matter most.

use std::fmt::Write;

use serde::Serialize;

use super::picture::picture;
use super::{PageError, counted};
use crate::compare::landscape::{Landscape, LandscapePoint, Time};
use crate::report::plot::{HeatMap, Panel, most_telling};
use crate::report::terminal::grouped;

/// Pixels of the map.
const SIZE: (u32, u32) = (680, 440);

/// What the section shows.
#[derive(Serialize)]
pub(super) struct Heat {
    pub(super) heading: String,
    told: String,
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
    /// The map of a space whose parameters have these names; `None` if no parameter varies or nothing can run.
    pub(super) fn new(names: &[&str], landscape: &Landscape, is_proved: bool) -> Result<Option<Self>, PageError> {
        let places = &without_open_bounds(&landscape.places);
        let known: Vec<&LandscapePoint> = places.iter().filter(|place| place.time != Time::Unknown).collect();
        let of = |place: &&LandscapePoint| place.time.ticks().map(real);
        let tries: Vec<(&[i64], Option<f64>)> =
            known.iter().map(|place| (place.configuration.0.as_slice(), of(place))).collect();
        let Some(over) = most_telling(names, &tries) else { return Ok(None) };
        if tries.iter().all(|(_, time)| time.is_none()) {
            return Ok(None);
        }
        let map = if is_proved {
            HeatMap::new("best time over all other parameters / optimum", names, over, &tries)
        } else {
            let title = "best time over all other parameters / best known, not proved";
            HeatMap::new(title, names, over, &tries).with_best("best known")
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
        Ok(Some(Self { told: told(places, landscape.drawn, is_proved), heading, picture, corner, columns, rows }))
    }
}

/// A bound below all times is no least time: nothing is known where one is. A proof leaves none.
fn without_open_bounds(places: &[LandscapePoint]) -> Vec<LandscapePoint> {
    let is_time = |place: &&LandscapePoint| matches!(place.time, Time::Proved(_) | Time::Evaluated(_));
    let least = places.iter().filter(is_time).filter_map(|place| place.time.ticks()).min();
    let time = |time| match time {
        Time::AtLeast(bound) if least.is_none_or(|least| bound < least) => Time::Unknown,
        time => time,
    };
    let place =
        |place: &LandscapePoint| LandscapePoint { time: time(place.time), configuration: place.configuration.clone() };
    places.iter().map(place).collect()
}

/// How the times are known.
fn told(places: &[LandscapePoint], drawn: usize, is_proved: bool) -> String {
    let count = |is: fn(Time) -> bool| places.iter().filter(|place| is(place.time)).count() as u64;
    let proved = count(|time| matches!(time, Time::Proved(_)));
    let evaluated = count(|time| matches!(time, Time::Evaluated(_)));
    let bounded = count(|time| matches!(time, Time::AtLeast(_)));
    let [never, unknown] = [count(|time| time == Time::Never), count(|time| time == Time::Unknown)];
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
    let mut told = format!("{}: {}.", counted(places.len() as u64, "configuration"), parts.join(", "));
    if drawn > 0 {
        let drawn_at_random = format!("{} of it are drawn at random.", grouped(drawn as u64));
        let _ = match (is_proved, places.len() > drawn) {
            (true, _) => write!(told, " The space is larger: besides what SPIN searched, {drawn_at_random}"),
            (false, true) => {
                write!(told, " The space is larger: besides what SPIN was to search, {drawn_at_random}")
            }
            (false, false) => write!(told, " The space was not enumerated: {drawn_at_random}"),
        };
    }
    told
}

#[expect(clippy::cast_precision_loss, reason = "a place on a scale of colours")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Configuration;

    #[test]
    fn a_bound_below_all_times_is_no_least_time() {
        let places = |times: &[Time]| {
            let place = |&time: &Time| LandscapePoint { configuration: Configuration(Vec::new()), time };
            times.iter().map(place).collect::<Vec<_>>()
        };
        let (evaluated, never) = (Time::Evaluated(50), Time::Never);
        let shown = without_open_bounds(&places(&[evaluated, Time::AtLeast(49), Time::AtLeast(50), never]));
        assert_eq!(shown, places(&[evaluated, Time::Unknown, Time::AtLeast(50), never]));
        assert_eq!(without_open_bounds(&places(&[Time::AtLeast(7)])), places(&[Time::Unknown]));
    }
}
