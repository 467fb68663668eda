//! The blocks of a function in LLVM's text, and its loops.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A function's blocks.
pub(super) struct Function<'t> {
    pub(super) blocks: Vec<Block<'t>>,
}

/// A block of instructions.
pub(super) struct Block<'t> {
    pub(super) label: &'t str,
    /// The line of the first instruction.
    pub(super) first: usize,
    /// The line where the last instruction begins.
    pub(super) last: usize,
    /// The labels of the blocks that may follow.
    pub(super) after: Vec<&'t str>,
}

/// The functions of a text.
pub(super) fn functions<'t>(lines: &[&'t str]) -> Vec<Function<'t>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        at += 1;
        if lines[at - 1].starts_with("define ") {
            let end = (at..lines.len()).find(|line| lines[*line] == "}").unwrap_or(lines.len());
            all.push(Function { blocks: blocks(lines, at, end) });
            at = end;
        }
    }
    all
}

fn blocks<'t>(lines: &[&'t str], from: usize, end: usize) -> Vec<Block<'t>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = Some(("", from));
    for at in from..end {
        let line = lines[at];
        if let Some(label) = label(line) {
            open = Some((label, at + 1));
        } else if let Some((label, first)) = open
            && is_last(line)
        {
            let whole = if line.trim_start().starts_with("switch ") {
                let close = (at..end).find(|one| lines[*one].contains(']')).unwrap_or(at);
                &lines[at..=close]
            } else {
                &lines[at..=at]
            };
            let after = whole.iter().flat_map(|line| targets(line)).collect();
            blocks.push(Block { label, first, last: at, after });
            open = None;
        }
    }
    blocks
}

/// The label that begins a block; `None` for another line.
fn label(line: &str) -> Option<&str> {
    if line.starts_with([' ', '\t', ';', ']', '}']) {
        return None;
    }
    if let Some(quoted) = line.strip_prefix('"') {
        return quoted.split_once("\":").map(|(label, _)| label);
    }
    let (label, rest) = line.split_once(':')?;
    (!label.contains(' ') && (rest.is_empty() || rest.starts_with(' '))).then_some(label)
}

/// True for an instruction that ends a block.
fn is_last(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    matches!(word, "br" | "switch" | "ret" | "unreachable" | "indirectbr" | "resume")
}

/// The labels that an instruction names.
pub(super) fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("label %").filter_map(|(at, word)| {
        let rest = &line[at + word.len()..];
        match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map(|(label, _)| label),
            None => rest.split([',', ' ', ']']).next(),
        }
    })
}

/// A loop: its blocks, and those of them that lead back to its head.
pub(super) struct Loop {
    pub(super) head: usize,
    pub(super) body: BTreeSet<usize>,
    pub(super) latches: BTreeSet<usize>,
}

impl Function<'_> {
    /// The blocks outside a loop that lead into it.
    pub(super) fn entries(&self, of: &Loop) -> Vec<usize> {
        let head = self.blocks[of.head].label;
        let leads = |block: &usize| !of.body.contains(block) && self.blocks[*block].after.contains(&head);
        (0..self.blocks.len()).filter(leads).collect()
    }

    /// The natural loops.
    pub(super) fn loops(&self) -> Vec<Loop> {
        let number: HashMap<&str, usize> =
            self.blocks.iter().enumerate().map(|(number, block)| (block.label, number)).collect();
        let after: Vec<Vec<usize>> = self
            .blocks
            .iter()
            .map(|block| block.after.iter().filter_map(|label| number.get(label).copied()).collect())
            .collect();
        let mut before = vec![Vec::new(); after.len()];
        for (from, all) in after.iter().enumerate() {
            for to in all {
                let to: usize = *to;
                before[to].push(from);
            }
        }
        let mut loops: BTreeMap<usize, Loop> = BTreeMap::new();
        for (latch, head) in backwards(&after) {
            let found = loops.entry(head).or_insert_with(|| Loop {
                head,
                body: BTreeSet::from([head]),
                latches: BTreeSet::new(),
            });
            found.latches.insert(latch);
            let mut open = vec![latch];
            while let Some(block) = open.pop() {
                if found.body.insert(block) {
                    open.extend(&before[block]);
                }
            }
        }
        loops.into_values().collect()
    }
}

/// The edges that lead back to a block on the way to them.
fn backwards(after: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut seen = vec![false; after.len()];
    let mut is_on_way = vec![false; after.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    if !after.is_empty() {
        open.push((0, 0));
        seen[0] = true;
        is_on_way[0] = true;
    }
    while let Some((block, next)) = open.last_mut() {
        let from = *block;
        if let Some(to) = after[from].get(*next).copied() {
            *next += 1;
            if is_on_way[to] {
                found.push((from, to));
            } else if !seen[to] {
                seen[to] = true;
                is_on_way[to] = true;
                open.push((to, 0));
            }
        } else {
            is_on_way[from] = false;
            open.pop();
        }
    }
    found
}
