//! The ids and sizes that a work item can ask for.

use super::super::value::{Known, Lanes, Slope, Symbol, Value};
use super::state::Run;

/// An id or a size along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Id {
    Local,
    Group,
    Global,
    LocalSize,
    Groups,
    GlobalSize,
    /// The number of the work item in its warp.
    Lane,
    WarpSize,
    /// The number of the work item's warp in the group.
    Warp,
    /// The warps of the group.
    Warps,
    Zero,
    Dimensions,
}

/// The id that a function returns, and its axis if the name says it; `None` for other functions.
pub(super) fn id_of(name: &str) -> Option<(Id, Option<usize>)> {
    let opencl = match name {
        "get_local_id" => Some(Id::Local),
        "get_group_id" => Some(Id::Group),
        "get_global_id" => Some(Id::Global),
        "get_local_size" | "get_enqueued_local_size" => Some(Id::LocalSize),
        "get_num_groups" => Some(Id::Groups),
        "get_global_size" => Some(Id::GlobalSize),
        "get_global_offset" => Some(Id::Zero),
        "get_work_dim" => Some(Id::Dimensions),
        _ => None,
    };
    if let Some(id) = opencl {
        return Some((id, None));
    }
    let of_sub_groups = match name {
        "get_sub_group_local_id" => Some(Id::Lane),
        "get_sub_group_size" | "get_max_sub_group_size" => Some(Id::WarpSize),
        "get_sub_group_id" => Some(Id::Warp),
        "get_num_sub_groups" | "get_enqueued_num_sub_groups" => Some(Id::Warps),
        _ => None,
    };
    if let Some(id) = of_sub_groups {
        return Some((id, Some(0)));
    }
    if let Some(register) = name.strip_prefix("llvm.nvvm.read.ptx.sreg.") {
        return id_of_register(register).map(|(id, axis)| (id, Some(axis)));
    }
    let (register, letter) = name.strip_prefix("llvm.amdgcn.")?.rsplit_once('.')?;
    let id = match register {
        "workitem.id" => Id::Local,
        "workgroup.id" => Id::Group,
        _ => return None,
    };
    Some((id, Some(axis_of(letter)?)))
}

/// The id in a register of PTX, such as `ctaid.x`, and its axis; `None` for other registers.
pub(super) fn id_of_register(register: &str) -> Option<(Id, usize)> {
    match register {
        "laneid" => return Some((Id::Lane, 0)),
        "warpsize" => return Some((Id::WarpSize, 0)),
        _ => {}
    }
    let (register, letter) = register.split_once('.')?;
    let id = match register {
        "tid" => Id::Local,
        "ctaid" => Id::Group,
        "ntid" => Id::LocalSize,
        "nctaid" => Id::Groups,
        // A launch without clusters is one of clusters of one group.
        "cluster_ctaid" => Id::Zero,
        _ => return None,
    };
    Some((id, axis_of(letter)?))
}

fn axis_of(letter: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|axis| *axis == letter)
}

impl Run<'_> {
    /// An id along an axis; beyond the third, ids are 0 and sizes are 1.
    pub(super) fn id(&mut self, id: Id, axis: usize) -> Value {
        let size = |sizes: [u64; 3]| sizes.get(axis).map_or(1, |size| i64::try_from(*size).unwrap_or(i64::MAX));
        let sizes = self.launch.sizes.map(u64::from);
        let groups = self.launch.groups;
        Value::Known(match id {
            Id::Local => self.local_id(axis),
            Id::Group => self.group_id(axis),
            Id::Global => {
                let (group, local) = (self.group_id(axis), self.local_id(axis));
                let start = self.arithmetic().scaled(&group, size(sizes), 64);
                self.arithmetic().sum(&start, &local, 1, 64, true)
            }
            Id::LocalSize => Known::constant(size(sizes)),
            Id::Groups => Known::constant(size(groups)),
            Id::GlobalSize => Known::constant(size(sizes).saturating_mul(size(groups))),
            Id::Lane => self.of_each_lane(|lane, warp| lane % warp),
            Id::Warp => self.of_each_lane(|lane, warp| lane / warp),
            Id::Warps => {
                let items: u64 = sizes.iter().product();
                let warps = items.div_ceil(u64::from(self.launch.warp_size.max(1)));
                Known::constant(i64::try_from(warps).unwrap_or(i64::MAX))
            }
            Id::WarpSize => Known::constant(self.launch.warp_size.into()),
            Id::Zero => Known::constant(0),
            Id::Dimensions => {
                let used = (0..3).rev().find(|axis| sizes[*axis].saturating_mul(groups[*axis]) > 1).unwrap_or(0);
                Known::constant(i64::try_from(used + 1).unwrap_or(3))
            }
        })
    }

    /// A number that follows from a work item's number in the group and the size of a warp.
    fn of_each_lane(&self, number: impl Fn(i64, i64) -> i64) -> Known {
        if self.launch.first_items.is_some() {
            return Known::constant(0);
        }
        let warp = i64::from(self.launch.warp_size.max(1));
        let lanes = (0..).map(|lane| number(lane, warp)).take(self.shape.lanes()).collect();
        Known::fixed(Lanes::from_values(lanes, &self.shape))
    }

    fn local_id(&self, axis: usize) -> Known {
        if self.launch.first_items.is_some() {
            return Known::constant(0);
        }
        let mut steps = [0; 3];
        match steps.get_mut(axis) {
            Some(step) => *step = 1,
            None => return Known::constant(0),
        }
        Known::fixed(Lanes::even(0, steps, &self.shape))
    }

    fn group_id(&self, axis: usize) -> Known {
        let (Some(group), Some(groups)) = (self.launch.group.get(axis), self.launch.groups.get(axis)) else {
            return Known::constant(0);
        };
        if self.launch.first_items.is_some() {
            return self.id_of_each_group(axis);
        }
        let mut known = Known::constant(i64::try_from(*group).unwrap_or(i64::MAX));
        if let (Ok(axis), true) = (u8::try_from(axis), *groups > 1) {
            known.slopes.push((Symbol::Group(axis), Slope::By(Lanes::Same(1))));
        }
        known
    }

    /// The ids of the launch's first groups, which are numbered along x first.
    fn id_of_each_group(&self, axis: usize) -> Known {
        let before: u64 = self.launch.groups[..axis].iter().product();
        let id = |number: u64| number / before.max(1) % self.launch.groups[axis].max(1);
        let ids = (0..self.shape.lanes() as u64).map(|number| id(number).cast_signed()).collect();
        Known::fixed(Lanes::from_values(ids, &self.shape))
    }
}
