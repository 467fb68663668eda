//! The uses that a kernel makes of names and numbers.

use std::collections::HashSet;

use super::value::{self, Value};
use autotune_kernel::source::{Word, WordKind, behind_group, inside_group};

/// The uses that a kernel, and the functions that it calls, make of names and numbers.
#[derive(Debug, Default)]
pub(super) struct Usage<'a> {
    pub(super) names: HashSet<&'a str>,
    numbers: HashSet<i64>,
    /// True for an axis whose size of a group the kernel asks for.
    pub(super) asks_group: [bool; 3],
    /// True for an axis that the kernel asks for ids of.
    pub(super) has_ids: [bool; 3],
    /// The names in the sizes of arrays in local memory, and in private ones.
    pub(super) in_local_arrays: HashSet<&'a str>,
    pub(super) in_private_arrays: HashSet<&'a str>,
    /// The names in the heads of loops, in subscripts and in `#pragma unroll`.
    pub(super) in_bounds: HashSet<&'a str>,
    /// The loops from 0 to a name in steps of another: the two names.
    pub(super) strided: Vec<(&'a str, &'a str)>,
    /// The conditions of `static_assert`.
    pub(super) assertions: Vec<Value<'a>>,
}

impl<'a> Usage<'a> {
    pub(super) fn new(words: &[Word<'a>]) -> Self {
        let mut usage = Self::default();
        for at in 0..words.len() {
            usage.see(words, at);
        }
        usage
    }

    /// True if the kernel's text has a number, or one less.
    pub(super) fn has_number(&self, number: i64) -> bool {
        self.numbers.contains(&number) || (number > 2 && self.numbers.contains(&(number - 1)))
    }

    fn see(&mut self, words: &[Word<'a>], at: usize) {
        let word = words[at];
        let text = |ahead: usize| words.get(at + ahead).map_or("", |word| word.text);
        match word.kind {
            WordKind::Number => {
                if let Value::Integer(number) = value::value(&words[at..=at]) {
                    self.numbers.insert(number);
                }
            }
            WordKind::Directive => {
                if let Some(("pragma", rest)) = word.directive() {
                    let names = autotune_kernel::source::words(rest).into_iter().filter(Word::is_name);
                    self.in_bounds.extend(names.map(|name| name.text));
                }
            }
            WordKind::Name => {
                self.names.insert(word.text);
                self.named(words, at, text);
            }
            WordKind::Sign if word.text == "[" => self.subscript(words, at),
            WordKind::Sign | WordKind::Quoted => {}
        }
    }

    fn named(&mut self, words: &[Word<'a>], at: usize, text: impl Fn(usize) -> &'a str) {
        let axis = |member: &str| ["x", "y", "z"].iter().position(|axis| *axis == member);
        let of_call = || if text(1) == "(" { text(2).parse::<usize>().ok().filter(|axis| *axis < 3) } else { None };
        match words[at].text {
            "blockDim" => self.asks(axis(text(2))),
            "hipBlockDim_x" => self.asks(Some(0)),
            "hipBlockDim_y" => self.asks(Some(1)),
            "get_local_size" | "get_enqueued_local_size" => self.asks(of_call()),
            "thread_block" | "this_thread_block" | "num_threads" | "size" if text(1) == "(" => {
                self.asks_group = [true; 3];
            }
            "blockIdx" | "threadIdx" => self.ids(axis(text(2))),
            "hipBlockIdx_x" | "hipThreadIdx_x" => self.ids(Some(0)),
            "hipBlockIdx_y" | "hipThreadIdx_y" => self.ids(Some(1)),
            // The size of a group stands in the ids of the whole launch.
            "get_global_id" => {
                self.ids(of_call());
                self.asks(of_call());
            }
            "get_group_id" | "get_local_id" => self.ids(of_call()),
            "__shared__" | "__local" | "local" => self.array(words, at, true),
            "for" if text(1) == "(" => self.head_of_loop(words, at + 1),
            "static_assert" if text(1) == "(" => {
                self.assertions.extend(value::values(inside_group(words, at + 1)).into_iter().next());
            }
            _ => {}
        }
    }

    fn asks(&mut self, axis: Option<usize>) {
        match axis {
            Some(axis) => self.asks_group[axis] = true,
            None => self.asks_group = [true; 3],
        }
    }

    fn ids(&mut self, axis: Option<usize>) {
        match axis {
            Some(axis) => self.has_ids[axis] = true,
            None => self.has_ids = [true; 3],
        }
    }

    /// Notes the names in the sizes of an array whose declaration begins here.
    fn array(&mut self, words: &[Word<'a>], at: usize, is_local: bool) {
        let end = (at..words.len()).find(|at| matches!(words[*at].text, ";" | "=" | ")" | "{")).unwrap_or(words.len());
        let mut open = at;
        while open < end {
            if words[open].text == "[" {
                let close = behind_group(words, open);
                let names = words[open..close].iter().filter(|word| word.is_name()).map(|word| word.text);
                if is_local {
                    self.in_local_arrays.extend(names);
                } else {
                    self.in_private_arrays.extend(names);
                }
                open = close;
            } else {
                open += 1;
            }
        }
    }

    /// Notes the names in a subscript; behind a type and a name it is the size of an array.
    fn subscript(&mut self, words: &[Word<'a>], at: usize) {
        let close = behind_group(words, at);
        let names: Vec<&str> = words[at..close].iter().filter(|word| word.is_name()).map(|word| word.text).collect();
        let is_declaration =
            at >= 2 && words[at - 1].is_name() && words[at - 2].is_name() && words[at - 2].text != "return";
        if is_declaration {
            self.in_private_arrays.extend(names);
        } else {
            self.in_bounds.extend(names);
        }
    }

    fn head_of_loop(&mut self, words: &[Word<'a>], open: usize) {
        let inside = inside_group(words, open);
        self.in_bounds.extend(inside.iter().filter(|word| word.is_name()).map(|word| word.text));
        let parts: Vec<&[Word<'a>]> = inside.split(|word| word.text == ";").collect();
        let [first, condition, step] = parts[..] else { return };
        let starts_at_0 = first.last().is_some_and(|word| word.text == "0");
        let bound = condition.last().filter(|word| word.is_name() && condition.len() == 3 && condition[1].text == "<");
        let by = step.last().filter(|word| word.is_name() && step.len() == 4 && step[1].text == "+");
        if let (true, Some(bound), Some(by)) = (starts_at_0, bound, by) {
            self.strided.push((bound.text, by.text));
        }
    }
}
