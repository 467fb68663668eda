//! The lines of two texts that correspond.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use strsim::normalized_levenshtein;

/// The least likeness, from 0 to 1, of two lines that an edit made of one another.
const LEAST_LIKE: f64 = 0.4;

/// The most lines of a replaced part whose lines are compared one by one.
const MOST_COMPARED: usize = 400;

/// The lines of two texts that correspond: equal ones but for blanks at their ends, edited ones and moved ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchedLines {
    /// For each line of the old text its line of the new one, counted from 1; `None` if it was removed.
    new_of_old: Vec<Option<u32>>,
    /// For each line of the new text its line of the old one, counted from 1; `None` if it was added.
    old_of_new: Vec<Option<u32>>,
    /// The lines of the new text that are changed or added, or that follow a removed one, sorted and counted from 1.
    changed: Vec<u32>,
}

impl MatchedLines {
    /// Matches the lines of an old text and a new one.
    #[must_use]
    pub fn new(old: &[String], new: &[String]) -> Self {
        let trimmed = |lines: &'_ [String]| lines.iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let (old, new) = (trimmed(old), trimmed(new));
        let mut matched =
            Self { new_of_old: vec![None; old.len()], old_of_new: vec![None; new.len()], changed: Vec::new() };
        for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
            match operation {
                DiffOp::Equal { old_index, new_index, len } => {
                    (0..len).for_each(|place| matched.pair(old_index + place, new_index + place));
                }
                DiffOp::Insert { new_index, new_len, .. } => matched.change(new_index, new_len),
                DiffOp::Delete { new_index, .. } => matched.change(new_index, 1),
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    matched.change(new_index, new_len);
                    matched.edited(&old[old_index..][..old_len], &new[new_index..][..new_len], [old_index, new_index]);
                }
            }
        }
        matched.moved(&old, &new);
        matched
    }

    /// The new line of an old one, both counted from 1; `None` if it was removed.
    #[must_use]
    pub fn new_of(&self, old: u32) -> Option<u32> {
        *self.new_of_old.get(index(old)?)?
    }

    /// The old line of a new one, both counted from 1; `None` if it was added.
    #[must_use]
    pub fn old_of(&self, new: u32) -> Option<u32> {
        *self.old_of_new.get(index(new)?)?
    }

    /// The lines of the new text that are changed or added, or that follow a removed one, sorted and counted from 1.
    #[must_use]
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.new_of_old[old] = Some(number(new));
        self.old_of_new[new] = Some(number(old));
    }

    fn change(&mut self, first: usize, number_of_lines: usize) {
        let last = self.old_of_new.len().saturating_sub(1);
        self.changed.extend((first..first + number_of_lines).map(|place| number(place).min(number(last))));
        self.changed.dedup();
    }

    /// Pairs lines of a replaced part with the likest lines behind those that are paired.
    fn edited(&mut self, old: &[String], new: &[String], [first_old, first_new]: [usize; 2]) {
        if old.len() == new.len() || old.len().max(new.len()) > MOST_COMPARED {
            (0..old.len().min(new.len())).for_each(|place| self.pair(first_old + place, first_new + place));
            return;
        }
        let mut open = 0;
        for (place, line) in new.iter().enumerate() {
            let like = |other: &String| normalized_levenshtein(other, line);
            let likest = (open..old.len()).map(|other| (like(&old[other]), other));
            let likest = likest.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
            if let Some((_, other)) = likest.filter(|(like, _)| *like >= LEAST_LIKE) {
                self.pair(first_old + other, first_new + place);
                open = other + 1;
            }
        }
    }

    /// Pairs equal lines that stand elsewhere now.
    fn moved(&mut self, old: &[String], new: &[String]) {
        for (place, line) in new.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            if self.old_of_new[place].is_none()
                && let Some(from) = (0..old.len()).find(|&from| self.new_of_old[from].is_none() && old[from] == *line)
            {
                self.pair(from, place);
            }
        }
    }
}

fn index(line: u32) -> Option<usize> {
    usize::try_from(line.checked_sub(1)?).ok()
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(old: &str, new: &str) -> (Vec<Option<u32>>, Vec<u32>) {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (old, new) = (lines(old), lines(new));
        let matched = MatchedLines::new(&old, &new);
        let of_new = (1..=number(new.len() - 1)).map(|line| matched.old_of(line)).collect();
        (of_new, matched.changed().to_vec())
    }

    #[test]
    fn equal_edited_added_and_moved_lines_find_their_old_ones() {
        let old = "int a = 1;\nfloat sum = 0;\nsum += in[i];\nout[i] = sum;\n";
        assert_eq!(matched(old, old), (vec![Some(1), Some(2), Some(3), Some(4)], Vec::new()));
        let edited = old.replace("in[i]", "in[i * n]").replace("int a", "// the first\n  int a");
        assert_eq!(matched(old, &edited), (vec![None, Some(1), Some(2), Some(3), Some(4)], vec![1, 4]));
        let moved = "float sum = 0;\nsum += in[i];\nint a = 1;\nout[i] = sum;\n";
        assert_eq!(matched(old, moved).0, [Some(2), Some(3), Some(1), Some(4)]);
        let removed = "int a = 1;\nfloat sum = 0;\nout[i] = sum;\n";
        assert_eq!(matched(old, removed), (vec![Some(1), Some(2), Some(4)], vec![3]));
        assert_eq!(matched(old, "int a = 1;\n").1, [1], "what is removed at the end is seen at the last line");
    }

    #[test]
    fn lines_of_a_part_of_another_length_go_to_the_likest() {
        let old = "a;\nfloat x = in[i];\nb;\n";
        let new = "a;\n// as before\nfloat x = in[2 * i];\nb;\n";
        assert_eq!(matched(old, new).0, [Some(1), None, Some(2), Some(3)]);
    }
}
