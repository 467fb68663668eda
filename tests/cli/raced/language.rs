//! A small language of kernels without loops on data: random programs, and their text in OpenCL C.

use std::fmt::{self, Write as _};

/// The words of local memory.
pub(super) const WORDS: i64 = 64;

/// Random numbers by a seed.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number from 0 to below `end`.
    pub(super) fn below(&mut self, end: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 >> 33).unwrap() % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(i64::try_from(all.len()).unwrap())).unwrap()]
    }
}

/// The ids that a work item has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ids {
    /// The place in the group along x and y.
    pub(super) local: [i64; 2],
    /// The group's ids along x and y.
    pub(super) group: [i64; 2],
    /// The iterations of the loop around.
    pub(super) turn: i64,
}

/// A sum of ids: a factor for each of `x`, `y`, `gx`, `gy` and `j`, and a constant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum {
    factors: [i64; 5],
    constant: i64,
}

impl Sum {
    pub(super) fn at(&self, ids: &Ids) -> i64 {
        let values = [ids.local[0], ids.local[1], ids.group[0], ids.group[1], ids.turn];
        self.constant + self.factors.iter().zip(values).map(|(factor, value)| factor * value).sum::<i64>()
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.constant)?;
        let named = self.factors.iter().zip(["x", "y", "gx", "gy", "j"]);
        named
            .filter(|(factor, _)| **factor != 0)
            .try_for_each(|(factor, name)| write!(formatter, " + {factor} * {name}"))
    }
}

/// A comparison of a sum, or of its remainder, with a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    sum: Sum,
    /// The divisor of the remainder; 0 for the sum itself.
    divisor: i64,
    relation: &'static str,
    number: i64,
}

impl Compared {
    fn holds(&self, ids: &Ids) -> bool {
        let sum = self.sum.at(ids);
        let value = if self.divisor == 0 { sum } else { sum % self.divisor };
        match self.relation {
            "==" => value == self.number,
            "!=" => value != self.number,
            "<" => value < self.number,
            _ => value >= self.number,
        }
    }
}

/// Comparisons that all have to hold, or their contrary.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    all: Vec<Compared>,
    is_negated: bool,
}

impl Condition {
    pub(super) fn holds(&self, ids: &Ids) -> bool {
        self.all.iter().all(|one| one.holds(ids)) != self.is_negated
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |one: &Compared| match one.divisor {
            0 => format!("{} {} {}", one.sum, one.relation, one.number),
            divisor => format!("({}) % {divisor} {} {}", one.sum, one.relation, one.number),
        };
        let all: Vec<String> = self.all.iter().map(one).collect();
        write!(formatter, "{}({})", if self.is_negated { "!" } else { "" }, all.join(" && "))
    }
}

/// A value that is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stored {
    Constant(i64),
    /// A number that no other store writes.
    Own,
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    Barrier,
    LoadLocal(Sum),
    StoreLocal(Sum),
    LoadGlobal(Sum),
    StoreGlobal(Sum, Stored),
    If(Condition, Vec<Numbered>),
    Loop(i64, Vec<Numbered>),
}

/// A statement with its number in the kernel.
#[derive(Debug, Clone)]
pub(super) struct Numbered(pub(super) usize, pub(super) Statement);

/// A launch: work items of a group and groups, along x and y.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    pub(super) items: [i64; 2],
    pub(super) groups: [i64; 2],
}

/// The maker of random kernels for a launch.
pub(super) struct Maker<'a> {
    pub(super) random: &'a mut Random,
    pub(super) launch: Launch,
    pub(super) next: usize,
}

impl Maker<'_> {
    pub(super) fn kernel(&mut self) -> Vec<Numbered> {
        self.statements(5, 2)
    }

    fn statements(&mut self, most: i64, depth: u32) -> Vec<Numbered> {
        (0..=self.random.below(most)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Numbered {
        self.next += 1;
        let number = self.next;
        let statement = match self.random.below(if depth == 0 { 10 } else { 16 }) {
            0..=2 => Statement::Barrier,
            3 | 4 => Statement::LoadLocal(self.place_in_local()),
            5..=7 => Statement::StoreLocal(self.place_in_local()),
            8 => Statement::LoadGlobal(self.place_in_global()),
            9 => {
                let stored =
                    if self.random.below(2) == 0 { Stored::Own } else { Stored::Constant(self.random.below(3)) };
                Statement::StoreGlobal(self.place_in_global(), stored)
            }
            10..=13 => Statement::If(self.condition(), self.statements(3, depth - 1)),
            _ => Statement::Loop(2 + self.random.below(3), self.statements(3, depth - 1)),
        };
        Numbered(number, statement)
    }

    /// A work item's own word as a rule, sometimes that of another one.
    fn place_in_local(&mut self) -> Sum {
        let width = self.launch.items[0];
        match self.random.below(4) {
            0 => Sum { factors: [-1, -width, 0, 0, 0], constant: WORDS - 1 },
            1 => Sum {
                factors: [1, width, self.random.below(3), 0, self.random.below(2)],
                constant: self.random.below(40),
            },
            _ => Sum { factors: [1, width, 0, 0, 0], constant: 0 },
        }
    }

    /// A word of its own for each work item as a rule, sometimes one that another group may have.
    fn place_in_global(&mut self) -> Sum {
        let Launch { items: [width, height], groups: [across, _] } = self.launch;
        let row = width * across;
        let own = [1, row, width, row * height, 0];
        match self.random.below(4) {
            0 => Sum { factors: own, constant: self.random.below(2 * row * height) },
            1 => Sum { factors: [1, width, self.random.below(2) * WORDS, 0, 0], constant: 4096 },
            _ => Sum { factors: own, constant: 4096 * self.random.below(2) },
        }
    }

    fn condition(&mut self) -> Condition {
        let all = (0..=self.random.below(2)).map(|_| self.compared()).collect();
        Condition { all, is_negated: self.random.below(2) == 0 }
    }

    fn compared(&mut self) -> Compared {
        // Barriers in conditions on work items diverge: most conditions are on groups.
        let of = self.random.one_of(&[2, 2, 2, 3, 3, 2, 3, 0, 1, 4]);
        let end = match of {
            0 | 1 => self.launch.items[of],
            2 | 3 => self.launch.groups[of - 2],
            _ => 4,
        };
        let mut factors = [0; 5];
        factors[of] = 1;
        if self.random.below(6) == 0 {
            factors[2] = 1 + self.random.below(2);
        }
        let divisor = if self.random.below(5) == 0 { 2 + self.random.below(3) } else { 0 };
        let relation = self.random.one_of(&["==", "!=", "<", ">="]);
        Compared { sum: Sum { factors, constant: 0 }, divisor, relation, number: self.random.below(end.max(2)) }
    }
}

/// The body of a kernel in OpenCL C. A fence behind each access keeps the compiler from leaving one out.
pub(super) fn text(statements: &[Numbered]) -> String {
    let mut text = String::new();
    for Numbered(number, statement) in statements {
        let own = 1000 + number;
        let _ = match statement {
            Statement::Barrier => writeln!(text, "barrier(3);"),
            Statement::LoadLocal(at) => writeln!(text, "s += t[({at}) & {}]; mem_fence(3);", WORDS - 1),
            Statement::StoreLocal(at) => writeln!(text, "t[({at}) & {}] = v * {own}.0f; mem_fence(3);", WORDS - 1),
            Statement::LoadGlobal(at) => writeln!(text, "s += o[{at}]; mem_fence(3);"),
            Statement::StoreGlobal(at, Stored::Own) => writeln!(text, "o[{at}] = v * {own}.0f; mem_fence(3);"),
            Statement::StoreGlobal(at, Stored::Constant(value)) => {
                writeln!(text, "o[{at}] = {value}.0f; mem_fence(3);")
            }
            Statement::If(condition, inner) => writeln!(text, "if ({condition}) {{\n{}}}", self::text(inner)),
            Statement::Loop(times, inner) => {
                writeln!(text, "for (int j = 0; j < {times}; ++j) {{\n{}}}", self::text(inner))
            }
        };
    }
    text
}
