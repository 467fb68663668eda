//! In which memory an access should live.

use super::Advice;
use super::nest::{Keyword, Nest, Occurrence, Subscripts};
use super::theorems::Class;
use super::traffic::Traffic;
use crate::spec::Direction;

/// Bytes of constant memory: of NVIDIA's GPUs, and the least that `OpenCL` allows.
const CONSTANT_MEMORY: u64 = 65_536;

/// A memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// Registers of a work item.
    Register,
    /// Local memory of a work group.
    Local,
    /// Constant memory, which serves all lanes of a warp that want the same word at once.
    Constant,
    /// Global memory, read through the texture cache.
    Texture,
    /// Global memory.
    Global,
}

impl Home {
    /// Its name, as in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Local => "local",
            Self::Constant => "constant",
            Self::Texture => "texture",
            Self::Global => "global",
        }
    }
}

/// What is private lives in a register if it is used more than once; what all lanes want, in a memory that tells all of them at
/// once; what lies side by side, where it is, read through the texture cache if there is one; all else, in local memory if its
/// group touches fewer sectors than its warps.
pub(super) fn advice(
    access: &Occurrence<'_>,
    subscripts: &Subscripts,
    classes: &[Class],
    nest: &Nest<'_>,
    traffic: &Traffic<'_>,
) -> Advice {
    let has = |class| classes.contains(&class);
    let now = traffic.transactions(access);
    let advice = |home, left: Option<u128>| {
        let saves = left.map(|left| u64::try_from(now.saturating_sub(left)).unwrap_or(u64::MAX));
        Advice { home, saves }
    };
    let is_local = access.keyword == Keyword::Local;
    if has(Class::Private) {
        let left = if is_local { 0 } else { traffic.in_registers(access, subscripts) };
        if left < now {
            return advice(Home::Register, Some(left));
        }
    }
    if is_local {
        return advice(Home::Local, Some(now));
    }
    let once = traffic.once_a_group(access, subscripts, nest);
    let read_only = read_only(nest, access);
    if has(Class::Broadcast) {
        let fits = read_only && subscripts.array_bytes <= CONSTANT_MEMORY;
        advice(if fits { Home::Constant } else { Home::Local }, once)
    } else if has(Class::Spatial) && (!read_only || traffic.has_texture_cache()) {
        if read_only { advice(Home::Texture, once) } else { advice(Home::Global, Some(now)) }
    } else if once.is_some_and(|once| once >= now) {
        advice(Home::Global, Some(now))
    } else {
        advice(Home::Local, once)
    }
}

/// Whether the kernel never writes the array.
fn read_only(nest: &Nest<'_>, access: &Occurrence<'_>) -> bool {
    nest.same_array(access).iter().all(|number| nest.occurrences[*number].direction == Some(Direction::Read))
}
