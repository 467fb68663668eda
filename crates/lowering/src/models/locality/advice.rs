//! The choice of the best memory for an access.

use super::finding::Advice;
use super::nest::{Keyword, Nest, Occurrence, Subscripts};
use super::theorems::Class;
use super::traffic::Traffic;
use crate::models::locality::finding::Home;
use crate::spec::Direction;

/// Bytes of constant memory on NVIDIA's GPUs, and the least that `OpenCL` allows.
const CONSTANT_MEMORY: u64 = 65_536;

/// Chooses the memory of an access. A private element that is used more than once belongs in a register; a broadcast
/// one in constant memory if it is read-only and fits, else in local memory. Accesses with spatial locality stay in
/// global memory, read through the texture cache if there is one. All others belong in local memory if the group as a
/// whole asks for fewer sectors than its warps do one by one.
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

/// True if the kernel never writes the array.
fn read_only(nest: &Nest<'_>, access: &Occurrence<'_>) -> bool {
    nest.same_array(access).iter().all(|number| nest.occurrences[*number].direction == Some(Direction::Read))
}
