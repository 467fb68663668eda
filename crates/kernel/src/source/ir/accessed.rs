//! The types of accesses, as far as they say that two accesses reach different memory: clang's `!tbaa` notes.
//!
//! A note leads from the object's type to what is accessed of it: `!{!14, !15, i64 4}` is the `float` 4 bytes into the
//! structure `!14`. A type's note lists its fields; a scalar's has one, which is the type that it may stand for.

use std::collections::HashMap;

use super::place::Notes;

/// The number of an access's note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccessTag(usize);

/// The types of a function's accesses.
#[derive(Debug, Clone, Default)]
pub struct AccessTypes {
    tags: Vec<Tag>,
    /// The fields of each type, by their bytes from its beginning; none of the type that is the root of others.
    types: Vec<Vec<(u64, usize)>>,
}

/// The way from an object to what is accessed of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tag {
    object: usize,
    accessed: usize,
    /// The bytes from the object's beginning.
    offset: u64,
}

/// The notes that are read into types.
#[derive(Debug, Default)]
pub(super) struct AccessReader<'a> {
    read: AccessTypes,
    tags: HashMap<&'a str, Option<AccessTag>>,
    types: HashMap<&'a str, usize>,
}

impl<'a> AccessReader<'a> {
    /// The tag of a note's number; `None` if the note is none of this form.
    pub(super) fn tag(&mut self, number: &'a str, notes: &Notes<'a>) -> Option<AccessTag> {
        if let Some(known) = self.tags.get(number) {
            return *known;
        }
        let tag = self.read_tag(number, notes);
        self.tags.insert(number, tag);
        tag
    }

    pub(super) fn finish(self) -> AccessTypes {
        self.read
    }

    /// `!{!14, !15, i64 4}`.
    fn read_tag(&mut self, number: &'a str, notes: &Notes<'a>) -> Option<AccessTag> {
        let mut parts = notes.get(number)?.strip_prefix("!{")?.strip_suffix('}')?.split(", ");
        let mut of_type = || parts.next()?.strip_prefix('!').filter(|number| notes.get(number).is_some());
        let (object, accessed) = (of_type()?, of_type()?);
        let offset = parts.next()?.strip_prefix("i64 ")?.parse().ok()?;
        let tag = Tag { object: self.of_type(object, notes), accessed: self.of_type(accessed, notes), offset };
        self.read.tags.push(tag);
        Some(AccessTag(self.read.tags.len() - 1))
    }

    /// The type of a note's number, whose fields are read too.
    fn of_type(&mut self, number: &'a str, notes: &Notes<'a>) -> usize {
        let mut unread = Vec::new();
        let of = self.number(number, &mut unread);
        while let Some((at, number)) = unread.pop() {
            let listed = fields(notes.get(number).unwrap_or_default());
            let fields = listed.into_iter().map(|(offset, field)| (offset, self.number(field, &mut unread)));
            self.read.types[at] = fields.collect();
        }
        of
    }

    fn number(&mut self, number: &'a str, unread: &mut Vec<(usize, &'a str)>) -> usize {
        *self.types.entry(number).or_insert_with(|| {
            self.read.types.push(Vec::new());
            unread.push((self.read.types.len() - 1, number));
            self.read.types.len() - 1
        })
    }
}

/// The fields of `!{!"name", !15, i64 0, !15, i64 4}`; none of a note of another form.
fn fields<'a>(note: &'a str) -> Vec<(u64, &'a str)> {
    let Some((_, listed)) = note.strip_prefix("!{!\"").and_then(|rest| rest.strip_suffix('}')?.split_once('"')) else {
        return Vec::new();
    };
    let parts: Vec<&str> = listed.trim_start_matches(", ").split(", ").collect();
    let field = |pair: &[&'a str]| {
        let offset = pair.get(1).map_or(Some(0), |offset| offset.strip_prefix("i64 ")?.parse().ok())?;
        Some((offset, pair[0].strip_prefix('!')?))
    };
    parts.chunks(2).map_while(field).collect()
}

impl AccessTypes {
    /// True if accesses with these tags may reach the same memory; an access without a tag may reach any.
    #[must_use]
    pub fn may_meet(&self, one: Option<AccessTag>, other: Option<AccessTag>) -> bool {
        let (Some(AccessTag(one)), Some(AccessTag(other))) = (one, other) else { return true };
        let (one, other) = (self.tags[one], self.tags[other]);
        one == other
            || !self.share_root(one.accessed, other.accessed)
            || self.reaches(one, other).or_else(|| self.reaches(other, one)).unwrap_or(false)
    }

    /// True if what `part` accesses may be what `whole` accesses; `None` if the object of `part` is none of `whole`'s parts.
    fn reaches(&self, whole: Tag, part: Tag) -> Option<bool> {
        let is_scalar = whole.object == whole.accessed;
        if is_scalar && self.around(part.accessed).any(|of| of == whole.accessed) {
            return Some(true);
        }
        let (mut at, mut offset) = (whole.object, whole.offset);
        for _ in &self.types {
            if at == part.object {
                return Some(offset == part.offset || at == whole.accessed || part.object == part.accessed);
            }
            (at, offset) = self.field(at, offset)?;
        }
        Some(true)
    }

    /// The field that the byte at an offset is in, and the byte's offset there; `None` if there is none.
    fn field(&self, of: usize, offset: u64) -> Option<(usize, u64)> {
        let (begin, field) = self.types[of].iter().rev().find(|(begin, _)| *begin <= offset)?;
        Some((*field, offset - begin))
    }

    /// A type and those that it may stand for, up to the root.
    fn around(&self, of: usize) -> impl Iterator<Item = usize> {
        let parent = |of: &usize| self.types[*of].first().map(|(_, parent)| *parent);
        std::iter::successors(Some(of), parent).take(self.types.len())
    }

    /// True if two types are of one language: nothing is known of types of two.
    fn share_root(&self, one: usize, other: usize) -> bool {
        let root = |of| self.around(of).last().filter(|root| self.types[*root].is_empty());
        root(one).is_some_and(|one| root(other) == Some(one))
    }
}
