//! The normal form of a state: of states that differ only in the numbers of warps, groups and dispatchers, one.
//!
//! All warps run one body, so warps of a group at one dispatcher may change places, groups whose warps use the same dispatchers
//! too, and dispatchers that serve equally many warps of each group, with their warps. Each sorting below applies one of these
//! exchanges. Where two columns look equal and are not, two normal forms of equal states may differ: they are explored twice.

use std::rc::Rc;

use super::class::Class;
use super::reduction::Reduction;
use super::run::Run;

impl Run<'_> {
    pub(super) fn normalize(&mut self) {
        if self.reduction == Reduction::Off {
            return;
        }
        (0..self.groups).for_each(|group| self.sort_lanes(group));
        let classes = Rc::clone(&self.classes);
        for class in &*classes {
            self.sort_columns(class);
            self.sort_groups(class);
        }
        if classes.iter().all(|class| class.columns > 0) {
            self.sort_classes(&classes);
        }
    }

    /// Sorts the warps of a group at each dispatcher.
    fn sort_lanes(&mut self, group: usize) {
        for lane in self.dispatchers..self.warps_per_group {
            let mut at = lane;
            while at >= self.dispatchers && self.exchange_if_less(group, at - self.dispatchers, at) {
                at -= self.dispatchers;
            }
        }
    }

    /// Exchanges two warps of a group if the later one is less.
    fn exchange_if_less(&mut self, group: usize, earlier: usize, later: usize) -> bool {
        let (width, first) = (self.width, group * self.warps_per_group);
        let (head, tail) = self.words.split_at_mut((first + later) * width);
        let (earlier, later) = (&mut head[(first + earlier) * width..][..width], &mut tail[..width]);
        let is_less = *later < *earlier;
        if is_less {
            earlier.swap_with_slice(later);
        }
        is_less
    }

    /// Sorts the dispatchers of a class by what they and their warps do.
    fn sort_columns(&mut self, class: &Class) {
        if class.columns < 2 {
            return;
        }
        let mut columns: Vec<(Vec<u64>, usize)> =
            (0..class.columns).map(|column| (self.column_words(class, column), column)).collect();
        columns.sort();
        if columns.iter().enumerate().all(|(at, (_, column))| at == *column) {
            return;
        }
        let before = self.words.clone();
        for (at, &(_, from)) in columns.iter().enumerate() {
            for (to_server, from_server) in self.servers(class.first + at).zip(self.servers(class.first + from)) {
                self.words[to_server] = before[from_server];
            }
            for &group in &class.groups {
                for row in (0..self.warps_per_group).step_by(class.columns) {
                    let place = |column| (group * self.warps_per_group + row + column) * self.width;
                    self.words[place(at)..][..self.width].copy_from_slice(&before[place(from)..][..self.width]);
                }
            }
        }
    }

    /// The places of a dispatcher and of its matrix unit among the words.
    fn servers(&self, dispatcher: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.warps() * self.width + 2 + dispatcher;
        [first, first + self.dispatchers].into_iter().take(if self.code.has_matrix { 2 } else { 1 })
    }

    /// The words of a dispatcher and its warps, whatever the order of groups.
    fn column_words(&self, class: &Class, column: usize) -> Vec<u64> {
        let mut words: Vec<u64> = self.servers(class.first + column).map(|at| self.words[at]).collect();
        let cell = |group: usize| -> Vec<u64> {
            let lanes = (column..self.warps_per_group).step_by(class.columns);
            lanes.flat_map(|lane| self.warp_words(group * self.warps_per_group + lane)).copied().collect()
        };
        let mut cells: Vec<Vec<u64>> = class.groups.iter().map(|&group| cell(group)).collect();
        cells.sort();
        words.extend(cells.into_iter().flatten());
        words
    }

    /// Sorts the groups of a class.
    fn sort_groups(&mut self, class: &Class) {
        let mut sorted: Vec<Vec<u64>> = class.groups.iter().map(|&group| self.group_words(group).to_vec()).collect();
        if sorted.is_sorted() {
            return;
        }
        sorted.sort();
        for (&group, words) in class.groups.iter().zip(sorted) {
            let width = self.warps_per_group * self.width;
            self.words[group * width..][..width].copy_from_slice(&words);
        }
    }

    /// Sorts the classes with equally many groups, each with its dispatchers.
    fn sort_classes(&mut self, classes: &[Class]) {
        let words = |class: &Class| -> (usize, Vec<u64>, Vec<u64>) {
            let servers = (class.first..class.first + class.columns).flat_map(|at| self.servers(at));
            let groups = class.groups.iter().flat_map(|&group| self.group_words(group));
            (class.groups.len(), servers.map(|at| self.words[at]).collect(), groups.copied().collect())
        };
        let found: Vec<_> = classes.iter().map(words).collect();
        let mut sorted = found.clone();
        // Those with more groups stand first, as they do by their numbers.
        sorted.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.cmp(other)));
        if sorted == found {
            return;
        }
        for (class, (_, servers, groups)) in classes.iter().zip(sorted) {
            let places = (class.first..class.first + class.columns).flat_map(|at| self.servers(at));
            for (at, word) in places.collect::<Vec<_>>().into_iter().zip(servers) {
                self.words[at] = word;
            }
            let width = self.warps_per_group * self.width;
            for (&group, words) in class.groups.iter().zip(groups.chunks_exact(width)) {
                self.words[group * width..][..width].copy_from_slice(words);
            }
        }
    }
}
