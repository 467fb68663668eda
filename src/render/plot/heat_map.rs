//! A panel of times over two parameters: the best over all others.

mod draw;

/// No more rows or columns; what a parameter has beyond shares cells with its neighbours.
const MOST: usize = 48;

/// The best time for each pair of values of two parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What it shows.
    title: String,
    /// What the least time is.
    best: &'static str,
    /// The parameter from left to right, and the values of each column.
    columns: Side,
    /// The parameter upwards, and the values of each row.
    rows: Side,
    /// Row by row from below.
    cells: Vec<Cell>,
    /// How many times the least time is the slow end of the scale; `None` for the greatest time.
    slowest: Option<f64>,
}

/// A parameter along one side.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Side {
    name: String,
    /// The values that share a place, in their order.
    places: Vec<Vec<i64>>,
}

/// What is known of a pair of values.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    /// No configuration has it.
    Untried,
    /// All that have it cannot run.
    Infeasible,
    /// The least time of those that have it, and which of all configurations has that time.
    Best(f64, usize),
}

impl HeatMap {
    /// Of configurations, each with its time or none if it cannot run. `over` says which two of the parameters are drawn,
    /// that of the columns first; with one parameter only, twice the same, there is a single row.
    #[must_use]
    pub fn new(title: &str, names: &[&str], over: [usize; 2], tries: &[(&[i64], Option<f64>)]) -> Self {
        let [columns, rows] = over.map(|parameter| Side::of(names[parameter], tries, parameter));
        let rows = if over[0] == over[1] { Side { name: String::new(), places: vec![Vec::new()] } } else { rows };
        let mut cells = vec![Cell::Untried; columns.places.len() * rows.places.len()];
        for (number, (values, time)) in tries.iter().enumerate() {
            let row = if over[0] == over[1] { 0 } else { rows.place(values[over[1]]) };
            let cell = &mut cells[row * columns.places.len() + columns.place(values[over[0]])];
            *cell = cell.with(*time, number);
        }
        Self { title: title.to_owned(), best: "optimum", columns, rows, cells, slowest: None }
    }

    /// The same where the least time is not an optimum's: what it is instead.
    #[must_use]
    pub fn with_best(self, best: &'static str) -> Self {
        Self { best, ..self }
    }

    /// Maps whose scales are the same: a colour stands for one factor above the least time in all of them.
    #[must_use]
    pub fn on_one_scale<const N: usize>(maps: [Self; N]) -> [Self; N] {
        let slowest = maps.iter().filter_map(Self::range).map(|(low, high)| high / low).reduce(f64::max);
        maps.map(|map| Self { slowest, ..map })
    }

    /// The names of the parameters of columns and rows; that of the rows is empty if there is only one row.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        [&self.columns.name, &self.rows.name]
    }

    /// What stands at the columns.
    #[must_use]
    pub fn column_labels(&self) -> Vec<String> {
        self.columns.labels()
    }

    /// The rows from above: what stands at each, and for each cell the place of its fastest configuration among all that were
    /// tried, or why there is none.
    #[must_use]
    pub fn table(&self) -> Vec<(String, Vec<Result<usize, &'static str>>)> {
        let rows = self.cells.chunks(self.columns.places.len().max(1)).zip(self.rows.labels());
        let cell = |cell: &Cell| match cell {
            Cell::Best(_, number) => Ok(*number),
            Cell::Infeasible => Err("cannot run"),
            Cell::Untried => Err("not tried"),
        };
        rows.rev().map(|(cells, label)| (label, cells.iter().map(cell).collect())).collect()
    }

    /// The least and the greatest time.
    fn range(&self) -> Option<(f64, f64)> {
        let times = self.cells.iter().filter_map(|cell| cell.time());
        times.fold(None, |range, time| match range {
            None => Some((time, time)),
            Some((low, high)) => Some((time.min(low), time.max(high))),
        })
    }

    /// The times at the ends of the scale: the least, and the slow end.
    fn scale(&self) -> Option<(f64, f64)> {
        let (low, high) = self.range()?;
        Some((low, self.slowest.map_or(high, |factor| low * factor)))
    }
}

impl Side {
    fn of(name: &str, tries: &[(&[i64], Option<f64>)], parameter: usize) -> Self {
        let mut values: Vec<i64> = tries.iter().map(|(values, _)| values[parameter]).collect();
        values.sort_unstable();
        values.dedup();
        let together = values.len().div_ceil(MOST).max(1);
        Self { name: name.to_owned(), places: values.chunks(together).map(<[i64]>::to_vec).collect() }
    }

    /// What stands at its places.
    fn labels(&self) -> Vec<String> {
        let label = |values: &Vec<i64>| match values.as_slice() {
            [] => String::new(),
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
        };
        self.places.iter().map(label).collect()
    }

    /// Where a value that was tried is.
    fn place(&self, value: i64) -> usize {
        self.places.partition_point(|values| values.last().is_some_and(|last| *last < value))
    }
}

impl Cell {
    fn with(self, time: Option<f64>, number: usize) -> Self {
        match (self, time) {
            (Self::Best(best, _), Some(time)) if best <= time => self,
            (_, Some(time)) => Self::Best(time, number),
            (Self::Best(..), None) => self,
            (_, None) => Self::Infeasible,
        }
    }

    fn time(self) -> Option<f64> {
        if let Self::Best(time, _) = self { Some(time) } else { None }
    }
}

/// The two parameters over which to draw: `WG` and `TS` if both vary, else the two over whose values the best times differ by
/// the greatest factors, the greater first. Twice the same if only one varies; none if nothing does.
#[must_use]
pub fn most_telling(names: &[&str], tries: &[(&[i64], Option<f64>)]) -> Option<[usize; 2]> {
    let mut varying: Vec<(usize, f64)> =
        (0..names.len()).filter_map(|parameter| Some((parameter, spread(tries, parameter)?))).collect();
    let find = |name| varying.iter().map(|(parameter, _)| *parameter).find(|parameter| names[*parameter] == name);
    if let (Some(group), Some(tile)) = (find("WG"), find("TS")) {
        return Some([group, tile]);
    }
    // Stable: of equals, the first in the spec.
    varying.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let (first, second) = (varying.first()?.0, varying.get(1).or(varying.first())?.0);
    Some([first, second])
}

/// By what factor the best times of a parameter's values differ; none if it has one value only.
fn spread(tries: &[(&[i64], Option<f64>)], parameter: usize) -> Option<f64> {
    let mut times: Vec<(i64, f64)> =
        tries.iter().map(|(values, time)| (values[parameter], time.unwrap_or(f64::INFINITY))).collect();
    times.sort_by(|(a, time_a), (b, time_b)| a.cmp(b).then(time_a.total_cmp(time_b)));
    times.dedup_by_key(|(value, _)| *value);
    if times.len() < 2 {
        return None;
    }
    let finite = || times.iter().map(|(_, time)| *time).filter(|time| time.is_finite());
    Some(finite().fold(0.0, f64::max) / finite().fold(f64::INFINITY, f64::min))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["A", "B", "C"];

    /// The best times of A's and B's values differ by factors of 5, those of C by 4; B=9 cannot run.
    const TRIES: [(&[i64], Option<f64>); 6] = [
        (&[1, 7, 1], Some(4.0)),
        (&[1, 7, 2], Some(1.0)),
        (&[2, 7, 1], Some(6.0)),
        (&[2, 8, 1], Some(5.0)),
        (&[2, 9, 2], None),
        (&[3, 9, 2], None),
    ];

    /// What is known of two values.
    fn cell(map: &HeatMap, column: i64, row: i64) -> Cell {
        map.cells[map.rows.place(row) * map.columns.places.len() + map.columns.place(column)]
    }

    #[test]
    fn the_greatest_spreads_are_drawn_and_the_least_times() {
        let over = most_telling(&NAMES, &TRIES).unwrap();
        assert_eq!(over, [0, 1]);
        let map = HeatMap::new("times", &NAMES, [2, 0], &TRIES);
        assert_eq!(cell(&map, 1, 1), Cell::Best(4.0, 0));
        assert_eq!(cell(&map, 1, 2), Cell::Best(5.0, 3));
        assert_eq!(cell(&map, 2, 2), Cell::Infeasible);
        assert_eq!(cell(&map, 1, 3), Cell::Untried);
        assert_eq!(map.range(), Some((1.0, 5.0)));
    }

    #[test]
    fn work_group_and_tile_come_first_if_they_vary() {
        assert_eq!(most_telling(&["TS", "B", "WG"], &TRIES), Some([2, 0]));
        let one: [(&[i64], _); 2] = [(&[1, 5], Some(1.0)), (&[2, 5], Some(2.0))];
        assert_eq!(most_telling(&["WG", "TS"], &one), Some([0, 0]));
        assert_eq!(most_telling(&["WG", "TS"], &one[..1]), None);
    }

    #[test]
    fn maps_on_one_scale_have_one_greatest_factor() {
        let slower: Vec<(&[i64], _)> =
            TRIES.iter().map(|(values, time)| (*values, time.map(|time| 2.0 * time + 1.0))).collect();
        let map = |tries: &[_]| HeatMap::new("times", &NAMES, [2, 0], tries);
        assert_eq!([map(&TRIES), map(&slower)].map(|map| map.scale()), [Some((1.0, 5.0)), Some((3.0, 11.0))]);
        let both = HeatMap::on_one_scale([map(&TRIES), map(&slower)]);
        assert_eq!(both.map(|map| map.scale()), [Some((1.0, 5.0)), Some((3.0, 15.0))]);
    }

    #[test]
    fn many_values_share_cells() {
        let values: Vec<[i64; 1]> = (0..100).map(|value| [value]).collect();
        let tries: Vec<(&[i64], _)> = values.iter().map(|value| (&value[..], Some(100.0))).collect();
        let map = HeatMap::new("times", &["A"], [0, 0], &tries);
        assert_eq!(map.columns.places.len(), 34);
        assert_eq!(map.columns.place(99), 33);
    }
}
