//! The slots of one queue of a warp: the latest of the older starts, then the last ones, oldest first.

/// Appends a start: the oldest of the last ones becomes one of the older ones. `is_later` compares when two are done.
pub(super) fn append<T>(slots: &mut [T], start: T, is_later: impl Fn(&T, &T) -> bool) {
    let last = slots.len() - 1;
    slots[1..].rotate_left(usize::from(last > 0));
    // With no last ones, the start itself and the older ones change places.
    let oldest = std::mem::replace(&mut slots[last], start);
    if is_later(&oldest, &slots[0]) {
        slots[0] = oldest;
    }
}
