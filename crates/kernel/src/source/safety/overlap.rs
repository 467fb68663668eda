//! Two accesses whose bytes lie apart, as far as bounds and strides show it.

use smallvec::SmallVec;

use super::super::value::{Lanes, Shape};
use super::event::Event;

/// The most nodes of a search.
const MOST_NODES: usize = 512;

/// A multiple of a stride: the stride, and the least and the greatest factor.
pub(super) type Multiple = (i128, [i128; 2]);

/// False if no work item of one access touches a byte that one of the other does; true if some may.
pub(super) fn may_overlap(one: &Event<'_>, other: &Event<'_>, shape: &Shape) -> bool {
    let ([low, high], [begin, end]) = (one.range(shape), other.range(shape));
    if high <= begin || end <= low {
        return false;
    }
    may_meet((one, other), &[], shape)
}

/// False if no work item of one access touches a byte that one of the other does in a group at any distance of a box. The other
/// access is given as the group of the first has it: each axis changes it by a step.
pub(super) fn may_meet((one, other): (&Event<'_>, &Event<'_>), axes: &[Multiple], shape: &Shape) -> bool {
    let (Some(first), Some(second)) = (parts(one, shape), parts(other, shape)) else { return true };
    // The distance of two addresses: one sum of multiples for what both have in common.
    let mut multiples: SmallVec<[Multiple; 8]> = axes.iter().copied().filter(|(step, _)| *step != 0).collect();
    for (stride, [low, high], sign) in
        first.1.iter().map(|one| (one.0, one.1, -1)).chain(second.1.iter().map(|two| (two.0, two.1, 1)))
    {
        let [low, high] = if sign > 0 { [low, high] } else { [-high, -low] };
        match multiples.iter_mut().find(|known| known.0 == stride) {
            Some((_, [least, greatest])) => (*least, *greatest) = (*least + low, *greatest + high),
            None => multiples.push((stride, [low, high])),
        }
    }
    multiples.sort_unstable_by_key(|(stride, _)| std::cmp::Reverse(stride.abs()));
    // The accesses meet where the distance is more than `-other.bytes` and less than `one.bytes`.
    let wanted = [1 - i128::from(other.bytes), i128::from(one.bytes) - 1];
    let mut nodes = MOST_NODES;
    reaches(second.0 - first.0, &multiples, wanted, &mut nodes)
}

/// The offset of the first work item in the first iterations, and the multiples of strides that are added; `None` if they do
/// not change evenly.
fn parts(event: &Event<'_>, shape: &Shape) -> Option<(i128, SmallVec<[Multiple; 4]>)> {
    let mut multiples: SmallVec<[Multiple; 4]> = SmallVec::new();
    let base = match &event.base {
        Lanes::Same(base) => *base,
        Lanes::Even { base, steps } => {
            let axes = steps.iter().zip(shape.sizes()).filter(|(step, _)| **step != 0);
            multiples.extend(axes.map(|(step, size)| (i128::from(*step), [0, i128::from(size - 1)])));
            *base
        }
        Lanes::Each(_) => return None,
    };
    for (slope, times) in &event.slopes {
        let Lanes::Same(slope) = slope else { return None };
        multiples.push((i128::from(*slope), [0, i128::from(times - 1)]));
    }
    Some((base.into(), multiples))
}

/// True if a number and multiples of strides have a sum in a range, or the search is too long to say that they have none.
fn reaches(sum: i128, multiples: &[Multiple], wanted: [i128; 2], nodes: &mut usize) -> bool {
    let Some(((stride, [least, greatest]), rest)) = multiples.split_first() else {
        return wanted[0] <= sum && sum <= wanted[1];
    };
    let reach = |[low, high]: [i128; 2], (stride, [least, greatest]): &Multiple| {
        let ends = [stride * least, stride * greatest];
        [low + ends[0].min(ends[1]), high + ends[0].max(ends[1])]
    };
    let [low, high] = rest.iter().fold([0, 0], reach);
    // The factors that let the rest reach the range.
    let ends = [wanted[0] - sum - high, wanted[1] - sum - low];
    let [begin, end] = if *stride > 0 {
        [num_integer::Integer::div_ceil(&ends[0], stride), num_integer::Integer::div_floor(&ends[1], stride)]
    } else {
        [num_integer::Integer::div_ceil(&ends[1], stride), num_integer::Integer::div_floor(&ends[0], stride)]
    };
    let mut factor = begin.max(*least);
    while factor <= end.min(*greatest) {
        let Some(left) = nodes.checked_sub(1) else { return true };
        *nodes = left;
        if reaches(sum + stride * factor, rest, wanted, nodes) {
            return true;
        }
        factor += 1;
    }
    false
}
