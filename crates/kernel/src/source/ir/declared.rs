//! The kernel's parameters as the source declares them, from the compiler's notes for debuggers.

use std::sync::Arc;

use super::place::{Notes, field};

/// The deepest nesting of types that is followed.
const DEEPEST: usize = 32;
/// The most fields of all structures together.
const MOST_FIELDS: usize = 10_000;

/// A parameter of the kernel as the source declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredParameter {
    /// The name.
    pub name: Arc<str>,
    /// The type.
    pub of: DeclaredType,
}

/// A type of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredType {
    /// An integer, a truth or an enumeration.
    Integer {
        /// The number of bytes.
        bytes: u64,
        /// The numbers that it holds.
        kind: IntegerKind,
    },
    /// A floating-point number of this many bytes.
    Float(u64),
    /// A pointer.
    Pointer,
    /// An array: the number of elements, their size in bytes and their type.
    Array(u64, u64, Arc<DeclaredType>),
    /// A vector of OpenCL's: the number of elements, their size in bytes and their type.
    Vector(u64, u64, Arc<DeclaredType>),
    /// A structure, a class or a union.
    Structure(Arc<[DeclaredField]>),
    /// Any other type.
    Other,
}

/// The numbers that an integer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerKind {
    /// 0 and 1.
    Truth,
    /// Numbers from 0.
    Unsigned,
    /// Numbers with a sign.
    Signed,
}

/// A field of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredField {
    /// The name.
    pub name: Arc<str>,
    /// The first byte in the structure.
    pub offset: u64,
    /// The type.
    pub of: DeclaredType,
}

impl DeclaredType {
    /// The ways to all numbers in the type, such as `.dims[0]`, an array's by its first and last element; empty for a number.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.add_paths("", &mut paths);
        paths
    }

    fn add_paths(&self, before: &str, paths: &mut Vec<String>) {
        match self {
            Self::Structure(fields) => {
                for field in fields.iter() {
                    field.of.add_paths(&format!("{before}.{}", field.name), paths);
                }
            }
            Self::Array(count, _, of) => {
                of.add_paths(&format!("{before}[0]"), paths);
                let is_plain = matches!(**of, Self::Integer { .. } | Self::Float(_));
                paths.extend((is_plain && *count > 1).then(|| format!("{before}[{}]", count - 1)));
            }
            Self::Vector(count, ..) => {
                paths.extend((0..*count).map(|at| format!("{before}.{}", element_name(at, *count))));
            }
            Self::Integer { .. } | Self::Float(_) if !before.is_empty() => paths.push(before.to_owned()),
            _ => {}
        }
    }

    /// The way to the number at a place in bytes, such as `.dims[0]`; `None` if no number begins there.
    #[must_use]
    pub fn path_to(&self, place: u64) -> Option<String> {
        match self {
            Self::Structure(fields) => {
                let field = fields.iter().rfind(|field| field.offset <= place)?;
                Some(format!(".{}{}", field.name, field.of.path_to(place - field.offset)?))
            }
            Self::Array(count, bytes, of) => {
                let index = place.checked_div(*bytes).filter(|index| index < count)?;
                Some(format!("[{index}]{}", of.path_to(place - index * bytes)?))
            }
            Self::Vector(count, bytes, _) => {
                let index = place.checked_div(*bytes).filter(|index| index < count)?;
                (index * bytes == place).then(|| format!(".{}", element_name(index, *count)))
            }
            Self::Integer { .. } | Self::Float(_) => (place == 0).then(String::new),
            _ => None,
        }
    }

    /// The first byte and the type of what a path leads to, such as `.dims[0]`; `None` if it leads nowhere.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<(u64, &Self)> {
        if path.is_empty() {
            return Some((0, self));
        }
        let (first, of, rest) = match self {
            Self::Structure(fields) => {
                let path = path.strip_prefix('.')?;
                let (name, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
                let field = fields.iter().find(|field| *field.name == *name)?;
                (field.offset, &field.of, rest)
            }
            Self::Vector(count, bytes, of) => {
                let name = path.strip_prefix('.')?;
                let numbered = name.strip_prefix(['s', 'S']).and_then(|digit| u64::from_str_radix(digit, 16).ok());
                let index = (0..*count).find(|at| element_name(*at, *count) == name || numbered == Some(*at))?;
                (index.checked_mul(*bytes)?, &**of, "")
            }
            Self::Array(count, bytes, of) => {
                let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
                let index: u64 = index.trim().parse().ok().filter(|index| index < count)?;
                (index.checked_mul(*bytes)?, &**of, rest)
            }
            _ => return None,
        };
        let (offset, found) = of.at(rest)?;
        Some((first.checked_add(offset)?, found))
    }
}

/// The name of a vector's element, as OpenCL has it: `x`, or `sa` for the eleventh of sixteen.
fn element_name(at: u64, count: u64) -> String {
    match usize::try_from(at).ok().and_then(|at| "xyzw".get(at..=at)).filter(|_| count <= 4) {
        Some(letter) => letter.to_owned(),
        None => format!("s{at:x}"),
    }
}

/// The parameters of a function by the number of its note, in their order; empty without notes about types.
pub(super) fn declared(notes: &Notes<'_>, function: &str) -> Vec<DeclaredParameter> {
    let mut reader = Types { notes, left: MOST_FIELDS };
    let variables = notes.get(function).and_then(|note| notes.get(reference(note, "retainedNodes")?));
    let mut parameters: Vec<(usize, DeclaredParameter)> = Vec::new();
    for note in variables.into_iter().flat_map(members).filter_map(|number| notes.get(number)) {
        let position = field(note, "arg").and_then(|position| position.parse().ok());
        if let (Some(position), Some(name)) = (position, field(note, "name")) {
            let of = reader.read(reference(note, "type"), 0).0;
            parameters.push((position, DeclaredParameter { name: name.into(), of }));
        }
    }
    parameters.sort_by_key(|(position, _)| *position);
    let is_whole = parameters.iter().enumerate().all(|(at, (position, _))| at + 1 == *position);
    if is_whole { parameters.into_iter().map(|(_, parameter)| parameter).collect() } else { Vec::new() }
}

/// The number of a note that a field names: `!12`.
fn reference<'a>(note: &'a str, name: &str) -> Option<&'a str> {
    field(note, name)?.strip_prefix('!')
}

/// The numbers in a list: `!{!3, !4}`.
fn members(list: &str) -> impl Iterator<Item = &str> {
    let inner = list.trim_start_matches("!{").trim_end_matches('}');
    inner.split(", ").filter_map(|field| field.strip_prefix('!'))
}

/// A reader of notes about types.
struct Types<'n, 'a> {
    notes: &'n Notes<'a>,
    /// The number of fields that may still be read.
    left: usize,
}

impl Types<'_, '_> {
    /// A type and its bytes.
    fn read(&mut self, number: Option<&str>, depth: usize) -> (DeclaredType, u64) {
        let Some(note) = number.and_then(|number| self.notes.get(number)) else { return (DeclaredType::Other, 0) };
        let bytes = field(note, "size").and_then(|bits| bits.parse::<u64>().ok()).unwrap_or(0) / 8;
        if depth == DEEPEST {
            return (DeclaredType::Other, bytes);
        }
        let tag = field(note, "tag").unwrap_or_default();
        let base = reference(note, "baseType");
        let of = match tag.strip_prefix("DW_TAG_").unwrap_or_default() {
            "" => basic(field(note, "encoding").unwrap_or_default(), bytes),
            "typedef" | "const_type" | "volatile_type" | "restrict_type" => return self.read(base, depth + 1),
            "pointer_type" => DeclaredType::Pointer,
            "enumeration_type" => match self.read(base, depth + 1) {
                (of @ DeclaredType::Integer { .. }, _) => of,
                _ => DeclaredType::Integer { bytes, kind: IntegerKind::Signed },
            },
            "array_type" => match self.array(note, base, depth) {
                DeclaredType::Array(count, bytes, of) if note.contains("DIFlagVector") => {
                    DeclaredType::Vector(count, bytes, of)
                }
                array => array,
            },
            "structure_type" | "class_type" | "union_type" => DeclaredType::Structure(self.fields(note, depth).into()),
            _ => DeclaredType::Other,
        };
        (of, bytes)
    }

    fn array(&mut self, note: &str, base: Option<&str>, depth: usize) -> DeclaredType {
        let (mut of, mut bytes) = self.read(base, depth + 1);
        let ranges = reference(note, "elements").and_then(|number| self.notes.get(number)).unwrap_or_default();
        let counts = members(ranges).map(|number| self.notes.get(number).and_then(|note| field(note, "count")));
        // The last range is the innermost.
        for count in counts.collect::<Vec<_>>().into_iter().rev() {
            let count = count.and_then(|count| count.trim_start_matches("i64 ").parse().ok()).unwrap_or(0);
            of = DeclaredType::Array(count, bytes, Arc::new(of));
            bytes = bytes.saturating_mul(count);
        }
        of
    }

    /// The fields of a structure; those of its base classes are its own. Fields of bits are left out.
    fn fields(&mut self, note: &str, depth: usize) -> Vec<DeclaredField> {
        let elements = reference(note, "elements").and_then(|number| self.notes.get(number)).unwrap_or_default();
        let mut fields = Vec::new();
        for note in members(elements).filter_map(|number| self.notes.get(number)) {
            let tag = field(note, "tag").unwrap_or_default();
            let is_plain = !note.contains("DIFlagBitField") && !note.contains("DIFlagStaticMember");
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let offset = field(note, "offset").and_then(|bits| bits.parse::<u64>().ok()).unwrap_or(0) / 8;
            let base = reference(note, "baseType");
            match (tag, field(note, "name")) {
                ("DW_TAG_member", Some(name)) if is_plain => {
                    let of = self.read(base, depth + 1).0;
                    fields.push(DeclaredField { name: name.into(), offset, of });
                }
                // What has no name, or is inherited, is reached by the names in it.
                ("DW_TAG_member" | "DW_TAG_inheritance", _) if is_plain => {
                    if let DeclaredType::Structure(inner) = self.read(base, depth + 1).0 {
                        let inner = inner.iter().cloned();
                        fields.extend(inner.map(|field| DeclaredField { offset: offset + field.offset, ..field }));
                    }
                }
                _ => {}
            }
        }
        fields
    }
}

fn basic(encoding: &str, bytes: u64) -> DeclaredType {
    match encoding.strip_prefix("DW_ATE_").unwrap_or_default() {
        "float" => DeclaredType::Float(bytes),
        "boolean" => DeclaredType::Integer { bytes, kind: IntegerKind::Truth },
        "unsigned" | "unsigned_char" | "UTF" => DeclaredType::Integer { bytes, kind: IntegerKind::Unsigned },
        "signed" | "signed_char" => DeclaredType::Integer { bytes, kind: IntegerKind::Signed },
        _ => DeclaredType::Other,
    }
}
