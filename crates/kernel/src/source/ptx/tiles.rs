//! Copies of tiles that one work item starts, the barriers in local memory that they end at, and what describes them.

use super::meant::{Ptx, SLOT, TensorField, Untold};

/// The effect of an operation on tiles, barriers in local memory, or descriptions; `None` for other operations.
pub(super) fn meaning(parts: &[&str]) -> Option<Result<Ptx, Untold>> {
    let refused = |why| Some(Err(Untold::Refused(why)));
    match parts {
        ["cp", "async", "bulk", "commit_group" | "wait_group" | "prefetch", ..] => Some(Ok(SLOT)),
        ["cp", "async", "bulk", rest @ ..] => Some(copy(rest)),
        ["cp", "reduce", ..] => refused("copies that add to memory come in a later version"),
        ["cp", "async", "mbarrier", ..] => {
            refused("copies that end at barriers in local memory come in a later version")
        }
        ["mbarrier", "try_wait" | "test_wait", ..] => Some(Ok(Ptx::AwaitTiles)),
        ["mbarrier", rest @ ..] if rest.contains(&"expect_tx") => Some(Ok(Ptx::ExpectBytes)),
        ["mbarrier", "init" | "inval" | "arrive" | "arrive_drop" | "complete_tx" | "pending_count", ..] => {
            Some(Ok(SLOT))
        }
        ["tensormap", "replace", "tile", field, ..] => Some(Ok(Ptx::DescribeTensor(match *field {
            "global_address" => TensorField::Address,
            "elemtype" => TensorField::Type,
            "box_dim" => TensorField::Box,
            "global_stride" => TensorField::Stride,
            _ => TensorField::Other,
        }))),
        ["tensormap", "cp_fenceproxy", ..] => Some(Ok(Ptx::CopyDescription)),
        ["elect", "sync"] => Some(Ok(Ptx::Elect)),
        _ => None,
    }
}

/// `cp.async.bulk`, from what stands behind it.
fn copy(rest: &[&str]) -> Result<Ptx, Untold> {
    if rest.contains(&"multicast::cluster") {
        return Err(Untold::Refused("copies to several groups of a cluster come in a later version"));
    }
    if rest.iter().any(|part| part.starts_with("im2col") || part.starts_with("tile::")) {
        return Err(Untold::Refused("copies of other parts of a tensor than boxes come in a later version"));
    }
    let (is_tensor, places) = match rest {
        ["tensor", _, places @ ..] => (true, places),
        places => (false, places),
    };
    match places {
        ["shared::cluster" | "shared::cta", "global", ..] => Ok(Ptx::LoadTile { is_tensor }),
        ["global", "shared::cta", ..] => Ok(Ptx::StoreTile { is_tensor }),
        ["shared::cluster", ..] => {
            Err(Untold::Refused("copies between the groups of a cluster come in a later version"))
        }
        _ => Err(Untold::Unknown),
    }
}

/// Bytes of an element by the number of its type in `tensormap.replace`; `None` if there is no such type.
pub(in crate::source) fn element_bytes(number: i64) -> Option<u64> {
    const BYTES: [u64; 13] = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4];
    BYTES.get(usize::try_from(number).ok()?).copied()
}
