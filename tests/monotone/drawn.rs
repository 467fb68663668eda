//! Random bodies.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::pairs::{Keys, Launch, Pair, Statement};

/// Draws bodies; equal for equal seeds.
pub(crate) struct Draw {
    random: StdRng,
    launch: Launch,
}

/// Shapes of work groups.
const GROUPS: [[u64; 2]; 12] =
    [[32, 1], [64, 1], [96, 1], [128, 1], [256, 1], [512, 1], [16, 16], [32, 8], [64, 4], [16, 8], [32, 2], [8, 8]];

fn keys(given: &[(&'static str, String)]) -> Keys {
    given.iter().cloned().collect()
}

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let mut one = |values: &[u64]| *values.choose(&mut random).unwrap();
        let groups = [one(&[1, 2, 8, 30, 64, 108, 128, 512, 1000, 4096]), one(&[1, 1, 4, 64])];
        let (registers, local_memory) = (one(&[16, 24, 32, 48, 64, 96]), one(&[0, 0, 4096, 16384]));
        let group = *GROUPS.choose(&mut random).unwrap();
        Self { random, launch: Launch { group, groups, registers, local_memory } }
    }

    fn one<T: Clone>(&mut self, values: &[T]) -> T {
        values.choose(&mut self.random).unwrap().clone()
    }

    fn perhaps(&mut self, share: f64) -> bool {
        self.random.random_bool(share)
    }

    /// A body of which both versions are the same.
    pub(crate) fn pair(&mut self) -> Pair {
        let length = self.random.random_range(1..=5);
        Pair { launch: self.launch.clone(), body: self.body(length, 0) }
    }

    /// The numbers that the changes of the body are drawn from.
    pub(crate) fn random(&mut self) -> &mut StdRng {
        &mut self.random
    }

    fn body(&mut self, length: u64, depth: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.random.random_range(0..if depth < 4 { 12 } else { 10 }) {
            0..3 => self.access("load", depth),
            3..5 => self.access("store", depth),
            5..7 => self.local(),
            7..9 => self.compute(),
            9 => Statement::Barrier,
            _ => {
                let count = self.one(&[1, 2, 3, 4, 8, 16, 64]);
                let length = self.random.random_range(1..=4);
                Statement::Loop { count, worse: count, body: self.body(length, depth + 2) }
            }
        }
    }

    fn access(&mut self, keyword: &'static str, depth: usize) -> Statement {
        let bytes = self.one(&[1, 2, 4, 4, 4, 4, 8, 16]);
        let vector = self.one(&[1, 1, 1, 2, 4]).min(16 / bytes);
        let per_item = self.one(&[1, 1, 1, 2, 3, 4, 8, 17]);
        let mut stated = keys(&[
            ("array", self.one(&["a", "b", "c"]).to_owned()),
            ("bytes", bytes.to_string()),
            ("vector", vector.to_string()),
            ("per_item", per_item.to_string()),
        ]);
        if vector == 1 && self.launch.group[0] * bytes >= 32 && self.perhaps(0.3) {
            let place = self.one(&[0, 1, 2]);
            stated.extend(self.subscripts(depth)[place].clone());
        } else if bytes == 4 && vector == 1 && self.perhaps(0.1) {
            let sectors = self.one(&[8, 16, 32]);
            stated.extend(keys(&[("stride", "8".to_owned()), ("footprint", format!("{{ sectors: {sectors} }}"))]));
        } else {
            let apart = self.one(&[0, 1, 1, 1, 1, 2, 3, 4, 8, 32]);
            stated.insert("stride", (apart * vector).to_string());
            if apart > 0 && self.perhaps(0.4) {
                stated.insert("footprint", self.footprint(bytes * vector * per_item));
            }
        }
        if !stated.contains_key("footprint") && self.perhaps(0.15) {
            stated.insert("items", self.one(&[1, 8, 15, 16]).to_string());
        }
        if keyword == "load" {
            let waits = [
                ("in_flight", "1"),
                ("in_flight", "2"),
                ("in_flight", "16"),
                ("round_trips", "1"),
                ("round_trips", "3"),
                ("ordered", "true"),
            ];
            if self.perhaps(0.4) {
                let (key, value) = self.one(&waits);
                stated.insert(key, value.to_owned());
            }
        }
        Statement::Keyed { keyword, keys: stated, worse: Keys::new() }
    }

    /// Unique bytes in eighths of what a group asks for.
    fn footprint(&mut self, bytes_of_an_item: u64) -> String {
        let [x, y] = self.launch.group;
        let group = self.random.random_range(0..=8);
        let together = self.random.random_range(0..=group);
        let bytes = |eighths: u64| eighths * bytes_of_an_item * x * y / 8;
        format!("{{ group: {}, together: {} * concurrent }}", bytes(group), bytes(together))
    }

    /// The subscripts of three accesses by all work items, each worse than the one before: of data that the groups of a
    /// row share, along rows, and along columns.
    fn subscripts(&mut self, depth: usize) -> [Keys; 3] {
        let ([x, y], [wide, high]) = (self.launch.group, self.launch.groups);
        let sweep =
            if depth > 0 && self.perhaps(0.5) { format!(" + i{} * {}", depth - 2, x * wide) } else { String::new() };
        let (row, column) = (format!("gy * {y} + ly"), format!("gx * {x} + lx{sweep}"));
        let side = (x * wide * 130).max(y * high);
        let of = |first: &str, last: &str| {
            keys(&[("index", format!("[{first}, {last}]")), ("shape", format!("[{side}, {side}]"))])
        };
        [of(&row, &format!("lx{sweep}")), of(&row, &column), of(&column, &row)]
    }

    fn local(&mut self) -> Statement {
        let bytes = self.one(&[4, 4, 4, 8, 16, 2]);
        let mut stated =
            keys(&[("bytes", bytes.to_string()), ("per_item", self.one(&[1, 1, 2, 4, 9, 32]).to_string())]);
        let conflict = ("conflict", self.one(&[1, 1, 2, 8, 32]).to_string());
        let stride = ("stride", self.one(&[0, 1, 1, 1, 2, 8, 32]).to_string());
        stated.extend([if self.perhaps(0.5) { conflict } else { stride }]);
        if self.perhaps(0.15) {
            stated.insert("items", self.one(&[1, 8, 15, 16]).to_string());
        }
        Statement::Keyed { keyword: "local", keys: stated, worse: Keys::new() }
    }

    fn compute(&mut self) -> Statement {
        let kind = self.one(&["fp32", "fp32", "int32", "any", "special", "fp64"]).to_owned();
        let mut stated = keys(&[("kind", kind), ("per_item", self.one(&[1, 1, 4, 16, 100, 1000]).to_string())]);
        if self.perhaps(0.1) {
            stated.insert("chain", self.one(&[1, 4, 16]).to_string());
        }
        Statement::Keyed { keyword: "compute", keys: stated, worse: Keys::new() }
    }
}
