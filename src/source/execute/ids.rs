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
    let axis = |letter: &str| ["x", "y", "z"].iter().position(|axis| *axis == letter);
    if let Some(register) = name.strip_prefix("llvm.nvvm.read.ptx.sreg.") {
        match register {
            "laneid" => return Some((Id::Lane, Some(0))),
            "warpsize" => return Some((Id::WarpSize, Some(0))),
            _ => {}
        }
        let (register, letter) = register.split_once('.')?;
        let id = match register {
            "tid" => Id::Local,
            "ctaid" => Id::Group,
            "ntid" => Id::LocalSize,
            "nctaid" => Id::Groups,
            _ => return None,
        };
        return Some((id, Some(axis(letter)?)));
    }
    let (register, letter) = name.strip_prefix("llvm.amdgcn.")?.rsplit_once('.')?;
    let id = match register {
        "workitem.id" => Id::Local,
        "workgroup.id" => Id::Group,
        _ => return None,
    };
    Some((id, Some(axis(letter)?)))
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
            Id::Lane => {
                let warp = i64::from(self.launch.warp_size.max(1));
                let lanes = (0..).map(|lane: i64| lane % warp).take(self.shape.lanes()).collect();
                Known::fixed(Lanes::of(lanes, &self.shape))
            }
            Id::WarpSize => Known::constant(self.launch.warp_size.into()),
            Id::Zero => Known::constant(0),
            Id::Dimensions => {
                let used = (0..3).rev().find(|axis| sizes[*axis].saturating_mul(groups[*axis]) > 1).unwrap_or(0);
                Known::constant(i64::try_from(used + 1).unwrap_or(3))
            }
        })
    }

    fn local_id(&self, axis: usize) -> Known {
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
        let mut known = Known::constant(i64::try_from(*group).unwrap_or(i64::MAX));
        if let (Ok(axis), true) = (u8::try_from(axis), *groups > 1) {
            known.slopes.push((Symbol::Group(axis), Slope::By(Lanes::Same(1))));
        }
        known
    }
}
