//! A panel of the best times over two parameters, each the least over the values of all others.

mod draw;

/// The most rows and the most columns. Values beyond share cells with their neighbours.
const MOST: usize = 48;

/// The best time for each pair of values of two parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// The title of the panel.
    title: String,
    /// The name of the least time, as `optimum`.
    best: &'static str,
    /// The parameter from left to right, and the values of each column.
    columns: Side,
    /// The parameter upwards, and the values of each row.
    rows: Side,
    /// The cells row by row, the lowest row first.
    cells: Vec<Cell>,
    /// The slow end of the scale as a factor of the least time; `None` for the greatest time of the map.
    slowest: Option<f64>,
}

/// The parameter along one side of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Side {
    name: String,
    /// The values of each place, in ascending order.
    places: Vec<Vec<i64>>,
}

/// The knowledge about a pair of values.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    /// No configuration has this pair.
    Untried,
    /// All configurations that have this pair cannot run.
    Infeasible,
    /// The least time of the configurations that have this pair, and the index of a configuration with that time.
    Best(f64, usize),
}

impl HeatMap {
    /// Returns the map of configurations, each with its values and its time; a time of `None` means that it cannot
    /// run. `over` holds the indices of the parameters of the columns and of the rows. Equal indices give a map with a
    /// single row.
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

    /// Returns the map with another name of its least time than `optimum`.
    #[must_use]
    pub fn with_best(self, best: &'static str) -> Self {
        Self { best, ..self }
    }

    /// Returns the maps with one scale: a colour stands for the same factor above the map's own least time in all of
    /// them.
    #[must_use]
    pub fn on_one_scale<const N: usize>(maps: [Self; N]) -> [Self; N] {
        let slowest = maps.iter().filter_map(Self::range).map(|(low, high)| high / low).reduce(f64::max);
        maps.map(|map| Self { slowest, ..map })
    }

    /// Returns the names of the parameters of columns and rows. The name of the rows is empty if there is a single
    /// row.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        [&self.columns.name, &self.rows.name]
    }

    /// Returns the labels of the columns.
    #[must_use]
    pub fn column_labels(&self) -> Vec<String> {
        self.columns.labels()
    }

    /// Returns the rows from above, each with its label and its cells. A cell is the index of its fastest
    /// configuration among `tries`, or the reason why there is none: `cannot run` or `not tried`.
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

    /// Returns the least and the greatest time of the cells; `None` if no cell has a time.
    fn range(&self) -> Option<(f64, f64)> {
        let times = self.cells.iter().filter_map(|cell| cell.time());
        times.fold(None, |range, time| match range {
            None => Some((time, time)),
            Some((low, high)) => Some((time.min(low), time.max(high))),
        })
    }

    /// Returns the times at the ends of the scale, the least first; `None` if no cell has a time.
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

    /// The label of each place: its value, or the first and the last of its values.
    fn labels(&self) -> Vec<String> {
        let label = |values: &Vec<i64>| match values.as_slice() {
            [] => String::new(),
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
        };
        self.places.iter().map(label).collect()
    }

    /// Returns the index of the place of a value.
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

/// Returns the indices of the two parameters to draw over: `WG` and `TS` if both vary, else the two with the greatest
/// spread of best times, the greater first. Returns one index twice if only one parameter varies, and `None` if no
/// parameter varies.
#[must_use]
pub fn most_telling(names: &[&str], tries: &[(&[i64], Option<f64>)]) -> Option<[usize; 2]> {
    let mut varying: Vec<(usize, f64)> =
        (0..names.len()).filter_map(|parameter| Some((parameter, spread(tries, parameter)?))).collect();
    let find = |name| varying.iter().map(|(parameter, _)| *parameter).find(|parameter| names[*parameter] == name);
    if let (Some(group), Some(tile)) = (find("WG"), find("TS")) {
        return Some([group, tile]);
    }
    // The sort is stable: among equal spreads, the first parameter in the spec comes first.
    varying.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let (first, second) = (varying.first()?.0, varying.get(1).or(varying.first())?.0);
    Some([first, second])
}

/// Returns the greatest best time of a parameter's values, divided by the least; `None` if the parameter has a single
/// value.
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

    /// The cell of two values.
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
