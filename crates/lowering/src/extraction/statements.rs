//! Statements of a body as YAML.

use std::fmt::Write;

use super::lines::in_words;
use crate::lowering::{
    Exact, Extracted, ExtractedAccess, ExtractedCompute, ExtractedKeyword, ExtractedPattern, ExtractedProduct,
    ExtractedWait, SourceLines,
};
use crate::spec::{Direction, OperationKind};

/// The writer of a body.
pub(super) struct StatementWriter {
    pub(super) text: String,
    /// Groups that run together; 0 on a lockstep GPU.
    pub(super) concurrent: u64,
}

impl StatementWriter {
    /// Appends a list of statements; `indent` counts blanks.
    pub(super) fn list(&mut self, statements: &[Extracted], indent: usize) {
        for statement in statements {
            match statement {
                Extracted::Barrier { lines, is_of_grid: false } => self.line(indent, "- barrier", lines),
                Extracted::Barrier { lines, is_of_grid: true } => self.line(indent, "- barrier: grid", lines),
                Extracted::Compute(compute) => self.line(indent, &in_line(compute), &compute.lines),
                Extracted::Access(access) => self.access(access, indent),
                Extracted::Wait(wait) => self.line(indent, &wait_in_line(wait), &wait.lines),
                Extracted::Matrix(product) => self.line(indent, &product_in_line(product), &product.lines),
                Extracted::Loop(repeated) => {
                    self.line(indent, "- loop:", &repeated.lines);
                    if let Some(var) = &repeated.var {
                        self.key(indent + 4, "var", var);
                    }
                    self.key(indent + 4, "count", &repeated.count.to_string());
                    self.key(indent + 4, "body", "");
                    self.list(&repeated.body, indent + 6);
                }
                Extracted::Sides(bodies) => self.sides(bodies, indent),
            }
        }
    }

    /// Appends a branch; further sides than two are branches of the other side.
    fn sides(&mut self, bodies: &[Vec<Extracted>], indent: usize) {
        self.line(indent, "- branch:", &SourceLines::new());
        self.key(indent + 4, "then", "");
        self.list(&bodies[0], indent + 6);
        match &bodies[1..] {
            [] => {}
            [other] => {
                self.key(indent + 4, "else", "");
                self.list(other, indent + 6);
            }
            others => {
                self.key(indent + 4, "else", "");
                self.sides(others, indent + 6);
            }
        }
    }

    fn access(&mut self, access: &ExtractedAccess, indent: usize) {
        let keyword = match access.keyword {
            ExtractedKeyword::Load => "- load:",
            ExtractedKeyword::Store(_) => "- store:",
            ExtractedKeyword::Local(_) => "- local:",
            ExtractedKeyword::Copy => "- copy:",
        };
        let keys = self.keys(access);
        if keys.is_empty() {
            return self.line(indent, &format!("{keyword} {{}}"), &access.lines);
        }
        self.line(indent, keyword, &access.lines);
        for (key, value) in keys {
            self.key(indent + 4, key, &value);
        }
    }

    /// The keys of an access, without those that have their defaults.
    fn keys(&self, access: &ExtractedAccess) -> Vec<(&'static str, String)> {
        let mut keys = Vec::new();
        let array = known(&access.array);
        match access.keyword {
            ExtractedKeyword::Local(None) => {}
            ExtractedKeyword::Local(Some(Direction::Read)) => keys.push(("reads", array.to_owned())),
            ExtractedKeyword::Local(Some(Direction::Write)) => keys.push(("writes", array.to_owned())),
            ExtractedKeyword::Load | ExtractedKeyword::Store(_) | ExtractedKeyword::Copy => {
                keys.push(("array", array.to_owned()));
            }
        }
        keys.extend(access.to.iter().map(|to| ("to", known(&to.array).to_owned())));
        if access.per_item != Exact::ONE {
            keys.push(("per_item", number(access.per_item)));
        }
        keys.extend(access.var.iter().map(|var| ("var", var.clone())));
        if access.bytes != 4 {
            keys.push(("bytes", access.bytes.to_string()));
        }
        if access.vector != 1 {
            keys.push(("vector", access.vector.to_string()));
        }
        match &access.pattern {
            ExtractedPattern::Index { terms, constant, extent, guarded } => {
                keys.push(("index", format!("[{}]", sum(terms, *constant))));
                keys.push(("shape", format!("[{extent}]")));
                if *guarded {
                    keys.push(("guarded", "true".to_owned()));
                }
            }
            ExtractedPattern::Strides(steps) => {
                keys.push(("stride", format!("[{}, {}, {}]", steps[0], steps[1], steps[2])));
            }
            ExtractedPattern::Lanes(1) => {}
            ExtractedPattern::Lanes(stride) => keys.push(("stride", stride.to_string())),
            ExtractedPattern::Conflict(ways) => keys.push(("conflict", number(ways.shortened()))),
        }
        let to = access.to.iter().map(|to| to.conflict.shortened()).filter(|ways| *ways != Exact::ONE);
        keys.extend(to.map(|ways| ("conflict", number(ways))));
        keys.extend(access.items.map(|items| ("items", items.to_string())));
        if access.keyword == ExtractedKeyword::Store(true) {
            keys.push(("atomic", "true".to_owned()));
        }
        keys.extend(access.round_trips.map(|trips| waits(access.per_item, trips)));
        keys.extend(self.footprint(access).map(|footprint| ("footprint", footprint)));
        keys.extend(access.queue.map(|queue| ("queue", queue.to_owned())));
        keys
    }

    fn footprint(&self, access: &ExtractedAccess) -> Option<String> {
        let group = access.group.map(|bytes| format!("group: {bytes}"));
        let together = access.together.map(|bytes| format!("together: {}", self.together(bytes)));
        let mean = |key: &str, of: Exact| format!("{key}: {}", quoted_in_flow(&number(of.shortened())));
        let sectors = access.sectors.map(|sectors| mean("sectors", sectors));
        let lines = access.lines_of_l1.map(|lines| mean("lines", lines));
        let partial = access.partial.map(|partial| mean("partial", partial));
        let parts: Vec<String> = [group, together, sectors, lines, partial].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(", ")))
    }

    /// Bytes of all groups that run together, for any number of groups.
    fn together(&self, bytes: u64) -> String {
        let of = self.concurrent.max(1);
        match bytes / of {
            _ if bytes == 0 => "0".to_owned(),
            each if bytes.is_multiple_of(of) => format!("{each} * concurrent"),
            _ => format!("{bytes} * concurrent / {of}"),
        }
    }

    /// Appends a line, and the source's lines as its comment.
    fn line(&mut self, indent: usize, text: &str, lines: &SourceLines) {
        let comment = in_words(lines);
        let gap = if comment.is_empty() { "" } else { "   # " };
        let _ = writeln!(self.text, "{:indent$}{text}{gap}{comment}", "");
    }

    fn key(&mut self, indent: usize, key: &str, value: &str) {
        let gap = if value.is_empty() { "" } else { " " };
        let _ = writeln!(self.text, "{:indent$}{key}:{gap}{value}", "");
    }
}

/// The name of an array; `unknown` if it is empty.
fn known(array: &str) -> &str {
    if array.is_empty() { "unknown" } else { array }
}

fn wait_in_line(wait: &ExtractedWait) -> String {
    let pending = if wait.pending == 0 { String::new() } else { format!(", pending: {}", wait.pending) };
    format!("- wait: {{ queue: {}{pending} }}", wait.queue)
}

fn product_in_line(product: &ExtractedProduct) -> String {
    let [m, n, k] = product.shape.0;
    let per_warp = if product.per_warp == Exact::ONE {
        String::new()
    } else {
        format!(", per_warp: {}", quoted_in_flow(&number(product.per_warp)))
    };
    let local_bytes = match product.local_bytes {
        0 => String::new(),
        bytes => format!(", local_bytes: {bytes}"),
    };
    let queue = product.queue.map_or_else(String::new, |queue| format!(", queue: {queue}"));
    format!("- matrix: {{ shape: [{m}, {n}, {k}], type: {}{per_warp}{local_bytes}{queue} }}", product.of.name())
}

fn in_line(compute: &ExtractedCompute) -> String {
    let mut keys = Vec::new();
    if compute.kind != OperationKind::Fp32 {
        keys.push(format!("kind: {}", compute.kind.name()));
    }
    keys.push(format!("per_item: {}", quoted_in_flow(&number(compute.per_item))));
    keys.extend(compute.items.map(|items| format!("items: {items}")));
    format!("- compute: {{ {} }}", keys.join(", "))
}

/// A number of a spec; a fraction is a mean.
fn number(of: Exact) -> String {
    match of.parts() {
        Some([numerator, 1]) => numerator.to_string(),
        Some([numerator, denominator]) => format!("mean({numerator}, {denominator})"),
        None => "0".to_owned(),
    }
}

/// The waits for loads: how many are under way together if that is a whole number, else how often a work item waits.
fn waits(per_item: Exact, trips: Exact) -> (&'static str, String) {
    match (per_item / trips).parts() {
        Some([together, 1]) if together > 0 => ("in_flight", together.to_string()),
        _ => ("round_trips", number(trips.shortened())),
    }
}

/// An expression between the braces of YAML, where a comma would end it.
fn quoted_in_flow(expression: &str) -> String {
    if expression.contains(',') { format!("'{expression}'") } else { expression.to_owned() }
}

/// A sum of multiples of names.
fn sum(terms: &[(String, i64)], constant: i64) -> String {
    let mut text = String::new();
    let mut add = |is_negative: bool, term: &str| {
        let sign = match (text.is_empty(), is_negative) {
            (true, false) => "",
            (true, true) => "0 - ",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        text.push_str(term);
    };
    for (name, factor) in terms {
        let size = factor.unsigned_abs();
        add(*factor < 0, &if size == 1 { name.clone() } else { format!("{name} * {size}") });
    }
    if constant != 0 || terms.is_empty() {
        add(constant < 0, &constant.unsigned_abs().to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_begins_with_no_sign() {
        let terms = [("gx".to_owned(), -32), ("lx".to_owned(), 1)];
        assert_eq!(sum(&terms, -2), "0 - gx * 32 + lx - 2");
        assert_eq!((sum(&[], 0), sum(&terms[1..], 7)), ("0".to_owned(), "lx + 7".to_owned()));
    }
}
