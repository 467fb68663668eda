//! The groups of a wave by the dispatchers that their warps use.

use std::rc::Rc;

/// Groups whose warps use the same dispatchers in the same order, and these dispatchers.
pub(super) struct Class {
    pub(super) groups: Vec<usize>,
    /// The dispatcher of each group's first warp.
    pub(super) first: usize,
    /// The number of dispatchers from the first on that may change places: all groups have equally many warps at each. 0 if
    /// none may.
    pub(super) columns: usize,
}

impl Class {
    /// The classes of a wave, in the order of their first groups.
    pub(super) fn all(groups: usize, warps_per_group: usize, dispatchers: usize) -> Rc<[Self]> {
        let columns = if warps_per_group.is_multiple_of(dispatchers) {
            dispatchers
        } else if dispatchers.is_multiple_of(warps_per_group) {
            warps_per_group
        } else {
            0
        };
        let mut classes: Vec<Self> = Vec::new();
        for group in 0..groups {
            let first = group * warps_per_group % dispatchers;
            match classes.iter_mut().find(|class| class.first == first) {
                Some(class) => class.groups.push(group),
                None => classes.push(Self { groups: vec![group], first, columns }),
            }
        }
        classes.into()
    }
}
