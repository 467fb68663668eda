//! Lists of values in Python's syntax: the domains of the parameters of T1 files. They are parsed, never run by Python.
//!
//! ```text
//! values = list { "+" list }  |  item { "," item }
//! list   = "[" [ items ] "]" | "(" items ")" | [ "list" ] range | "list" "(" list ")"
//! items  = item { "," item } [ "," ]  |  item "for" name "in" list [ "if" condition ]
//! range  = "range" "(" item [ "," item [ "," item ] ] ")"
//! ```

use super::super::lexer::{PYTHON, Word, words};
use super::super::names::Names;
use super::super::tree::Tree;
use super::super::vocabulary::Vocabulary;
use super::Parser;
use crate::spec::error::{Flaw, Problem};

/// The most values of a list.
const MOST: usize = 1 << 20;

/// Reads the values of a list.
pub(in crate::spec) fn values(text: &str) -> Result<Vec<i64>, Flaw> {
    read(text).map_err(|mut flaw| {
        if let Problem::UnknownName { name, .. } = flaw.problem {
            flaw.problem = Problem::UnknownInList { name };
        }
        flaw
    })
}

fn read(text: &str) -> Result<Vec<i64>, Flaw> {
    let tokens = words(text, &PYTHON)?;
    let names = Names::default();
    let vocabulary = Vocabulary::of_index(&names, &[]);
    let mut parser = Parser::new(&tokens, &vocabulary);
    let begins_a_list = matches!(parser.peek().word, Word::Sign("[" | "(") | Word::Name("list" | "range"));
    let mut values = if begins_a_list { parser.list()? } else { parser.items()? };
    while begins_a_list && parser.accept("+") {
        values.extend(parser.list()?);
    }
    match parser.peek().word {
        Word::End if values.len() <= MOST => Ok(values),
        Word::End => Err(Flaw::new(Problem::DomainTooLarge { most: MOST }, 0..text.len())),
        _ => Err(parser.expected("`+`, `,` or the end of the list")),
    }
}

impl Parser<'_> {
    fn list(&mut self) -> Result<Vec<i64>, Flaw> {
        self.nested_list(|parser| {
            let close = match parser.peek().word {
                Word::Sign("[") => "]",
                Word::Sign("(") => ")",
                Word::Name("range") => return parser.range(),
                Word::Name("list") if parser.follows("list", "(") => {
                    parser.next += 2;
                    let values = parser.list()?;
                    parser.expect(")")?;
                    return Ok(values);
                }
                _ => return Err(parser.expected("a list, as in `[16, 32]`, or a `range`")),
            };
            parser.next += 1;
            if parser.accept(close) {
                return Ok(Vec::new());
            }
            let values = if parser.holds_a_loop() { parser.each()? } else { parser.items()? };
            parser.expect(close)?;
            Ok(values)
        })
    }

    fn items(&mut self) -> Result<Vec<i64>, Flaw> {
        let mut values = Vec::new();
        loop {
            values.push(self.item()?);
            let ends = |word: Word| matches!(word, Word::End | Word::Sign("]" | ")"));
            if !self.accept(",") || ends(self.peek().word) {
                return Ok(values);
            }
        }
    }

    fn item(&mut self) -> Result<i64, Flaw> {
        let tree = self.condition()?;
        value(&tree, 0)
    }

    fn range(&mut self) -> Result<Vec<i64>, Flaw> {
        let start = self.peek().range.start;
        self.next += 1;
        self.expect("(")?;
        let ends = self.items()?;
        let end = self.peek().range.end;
        self.expect(")")?;
        let problem = |problem| Flaw::new(problem, start..end);
        let (from, to, step) = match ends.as_slice() {
            [to] => (0, *to, 1),
            [from, to] => (*from, *to, 1),
            [from, to, step] if *step != 0 => (*from, *to, *step),
            _ => {
                let takes = "one to three arguments, the third not 0";
                return Err(problem(Problem::WrongArguments { function: "range", takes, given: ends.len() }));
            }
        };
        let (distance, stride) = (i128::from(to) - i128::from(from), i128::from(step));
        let count = (distance + stride - stride.signum()) / stride;
        if count > MOST as i128 {
            return Err(problem(Problem::DomainTooLarge { most: MOST }));
        }
        // A value between two ends of 64 bits fits 64 bits.
        Ok((0..count).filter_map(|place| i64::try_from(i128::from(from) + place * stride).ok()).collect())
    }

    /// True if a `for` stands in the list that has just been opened, outside inner lists.
    fn holds_a_loop(&self) -> bool {
        let mut depth = 0_usize;
        for token in &self.tokens[self.next..] {
            match token.word {
                Word::Sign("(" | "[") => depth += 1,
                Word::Sign(")" | "]") if depth == 0 => return false,
                Word::Sign(")" | "]") => depth -= 1,
                Word::Name("for") if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    /// Parses `item for name in list [ if condition ]`. The item and the condition may use the name.
    fn each(&mut self) -> Result<Vec<i64>, Flaw> {
        let begin = self.next;
        let behind = self.tokens[begin..].iter().position(|token| token.word == Word::Name("for")).unwrap_or(0);
        self.next = begin + behind + 1;
        let Word::Name(name) = self.peek().word else { return Err(self.expected("a name")) };
        self.next += 1;
        if !self.word("in") {
            return Err(self.expected("`in`"));
        }
        let over = self.list()?;
        let (names, variables) = (Names::default(), [name]);
        let vocabulary = Vocabulary::of_index(&names, &variables);
        let mut with_name = Parser { next: self.next, depth: self.depth, ..Parser::new(self.tokens, &vocabulary) };
        let condition = if with_name.word("if") { Some(with_name.condition()?) } else { None };
        self.next = with_name.next;
        with_name.next = begin;
        let item = with_name.condition()?;
        if with_name.next != begin + behind {
            return Err(with_name.expected("`for`"));
        }
        let mut values = Vec::with_capacity(over.len());
        for one in over {
            if condition.as_ref().map_or(Ok(1), |condition| value(condition, one))? != 0 {
                values.push(value(&item, one)?);
            }
        }
        Ok(values)
    }

    fn nested_list(&mut self, inner: impl FnOnce(&mut Self) -> Result<Vec<i64>, Flaw>) -> Result<Vec<i64>, Flaw> {
        self.enter()?;
        let values = inner(self);
        self.depth -= 1;
        values
    }
}

/// The value of an item. Slot 0 belongs to `concurrent`, slot 1 to the variable.
fn value(tree: &Tree, variable: i64) -> Result<i64, Flaw> {
    let slots = [0, variable];
    tree.evaluate(&mut slots.as_slice()).map_err(|at| Flaw::new(Problem::NoValue { fault: at.fault }, at.span))
}
