//! The shape of a spec's YAML: its keys, and which of them are required.

use std::fmt;
use std::marker::PhantomData;

use autotune_base::yaml::Spanned;
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::super::statement::OperationKind;
use super::load::place_of;
use autotune_base::text::Place;
use autotune_kernel::source::MatrixType;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawSpec {
    pub(in crate::spec) kernel: Spanned<String>,
    #[serde(default)]
    pub(in crate::spec) description: String,
    #[serde(default)]
    pub(in crate::spec) problem: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) parameters: Entries<RawDomain>,
    /// Parameters in Kernel Tuner's form: lists of values.
    #[serde(default)]
    pub(in crate::spec) tune_params: Entries<Scalar>,
    /// A list of configurations in place of parameters with domains.
    #[serde(default)]
    pub(in crate::spec) configurations: Vec<Entries<Scalar>>,
    #[serde(default, rename = "let")]
    pub(in crate::spec) lets: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) constraints: Vec<Scalar>,
    /// Constraints in Kernel Tuner's form: conditions in Python.
    #[serde(default)]
    pub(in crate::spec) restrictions: Vec<Scalar>,
    #[serde(default)]
    pub(in crate::spec) prefer: Vec<Scalar>,
    pub(in crate::spec) launch: Spanned<RawLaunch>,
    #[serde(default)]
    pub(in crate::spec) resources: Option<Spanned<RawResources>>,
    #[serde(default)]
    pub(in crate::spec) roles: RawRoles,
    /// Parameters that the kernel does not use on purpose.
    #[serde(default)]
    pub(in crate::spec) unused: Vec<Spanned<String>>,
    /// Subjects whose amount depends on the configuration on purpose.
    #[serde(default)]
    pub(in crate::spec) varies: Vec<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) body: Option<Vec<Spanned<RawStatement>>>,
    #[serde(default)]
    pub(in crate::spec) source: Option<Spanned<RawSource>>,
}

impl RawSpec {
    /// The statements of the body; empty without a body.
    pub(in crate::spec) fn statements(&self) -> &[Spanned<RawStatement>] {
        self.body.as_deref().unwrap_or_default()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawSource {
    #[serde(default)]
    pub(in crate::spec) file: Option<Scalar>,
    #[serde(default)]
    pub(in crate::spec) kernel: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) language: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) standard: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) define: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) include: Vec<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) arguments: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) options: Vec<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) assume: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) types: Entries<Scalar>,
    #[serde(default)]
    pub(in crate::spec) unaligned: Vec<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) contents: Entries<Scalar>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::spec) enum RawDomain {
    Values(Vec<Scalar>),
    PowersOfTwo(RawEnds),
    Range(RawRange),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawEnds {
    pub(in crate::spec) from: Scalar,
    pub(in crate::spec) to: Scalar,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawRange {
    pub(in crate::spec) from: Scalar,
    pub(in crate::spec) to: Scalar,
    #[serde(default)]
    pub(in crate::spec) step: Optional,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawLaunch {
    #[serde(default)]
    pub(in crate::spec) work_items: Optional,
    /// Triton's form of the launch: its programs along x, y and z.
    #[serde(default)]
    pub(in crate::spec) programs: Optional,
    /// Kernel Tuner's form of the work items: a size that is divided among the groups.
    #[serde(default)]
    pub(in crate::spec) problem_size: Optional,
    #[serde(default)]
    pub(in crate::spec) grid_div_x: Option<Vec<Scalar>>,
    #[serde(default)]
    pub(in crate::spec) grid_div_y: Option<Vec<Scalar>>,
    #[serde(default)]
    pub(in crate::spec) grid_div_z: Option<Vec<Scalar>>,
    #[serde(default)]
    pub(in crate::spec) block_size_names: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(in crate::spec) work_group: Optional,
    #[serde(default)]
    pub(in crate::spec) shared: Optional,
    #[serde(default)]
    pub(in crate::spec) times: Optional,
    #[serde(default)]
    pub(in crate::spec) var: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) warm: Option<Spanned<bool>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::spec) struct RawResources {
    pub(in crate::spec) local_memory: Optional,
    pub(in crate::spec) registers: Optional,
    pub(in crate::spec) live: Optional,
    pub(in crate::spec) spilled: Optional,
    pub(in crate::spec) spill_uses: Optional,
    pub(in crate::spec) compiled_for: Optional,
    pub(in crate::spec) dynamic: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::spec) struct RawRoles {
    pub(in crate::spec) tile: Option<Vec<Spanned<String>>>,
}

/// A statement: a keyword with its keys, or with the scope of a barrier.
pub(in crate::spec) enum RawStatement {
    Load(RawAccess),
    Store(RawAccess),
    Local(RawLocal),
    Copy(RawAccess),
    Wait(RawWait),
    Compute(RawCompute),
    Matrix(RawMatrix),
    Barrier(Option<Spanned<String>>),
    Branch(RawBranch),
    Loop(RawLoop),
    /// A value without a keyword, or a keyword without its value.
    Shapeless,
    /// A statement with a further key, which begins at this place.
    SecondKey(Place),
}

/// The keyword of a statement.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Keyword {
    Load,
    Store,
    Local,
    Copy,
    Wait,
    Compute,
    Matrix,
    Barrier,
    Branch,
    Loop,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawAccess {
    pub(in crate::spec) array: Spanned<String>,
    #[serde(default)]
    pub(in crate::spec) per_item: Optional,
    #[serde(default)]
    pub(in crate::spec) var: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) bytes: Optional,
    #[serde(default)]
    pub(in crate::spec) vector: Optional,
    #[serde(default)]
    pub(in crate::spec) stride: Optional,
    #[serde(default)]
    pub(in crate::spec) index: Optional,
    #[serde(default)]
    pub(in crate::spec) shape: Optional,
    #[serde(default)]
    pub(in crate::spec) items: Optional,
    #[serde(default)]
    pub(in crate::spec) guarded: Optional,
    #[serde(default)]
    pub(in crate::spec) ordered: Optional,
    #[serde(default)]
    pub(in crate::spec) atomic: Optional,
    #[serde(default)]
    pub(in crate::spec) in_flight: Optional,
    #[serde(default)]
    pub(in crate::spec) round_trips: Optional,
    #[serde(default)]
    pub(in crate::spec) footprint: RawFootprint,
    /// Keys of a copy.
    #[serde(default)]
    pub(in crate::spec) to: Option<Spanned<String>>,
    #[serde(default)]
    pub(in crate::spec) conflict: Optional,
    #[serde(default)]
    pub(in crate::spec) queue: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawWait {
    pub(in crate::spec) queue: Spanned<String>,
    #[serde(default)]
    pub(in crate::spec) pending: Optional,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawMatrix {
    pub(in crate::spec) shape: Scalar,
    #[serde(rename = "type")]
    pub(in crate::spec) of: MatrixType,
    #[serde(default)]
    pub(in crate::spec) per_warp: Optional,
    #[serde(default)]
    pub(in crate::spec) local_bytes: Optional,
    #[serde(default)]
    pub(in crate::spec) queue: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::spec) struct RawFootprint {
    pub(in crate::spec) group: Optional,
    pub(in crate::spec) together: Optional,
    pub(in crate::spec) sectors: Optional,
    pub(in crate::spec) lines: Optional,
    pub(in crate::spec) partial: Optional,
    pub(in crate::spec) rows: Option<RawRows>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawRows {
    pub(in crate::spec) bytes: Scalar,
    pub(in crate::spec) pitch: Scalar,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::spec) struct RawLocal {
    pub(in crate::spec) reads: Option<Spanned<String>>,
    pub(in crate::spec) writes: Option<Spanned<String>>,
    pub(in crate::spec) per_item: Optional,
    pub(in crate::spec) var: Option<Spanned<String>>,
    pub(in crate::spec) bytes: Optional,
    pub(in crate::spec) vector: Optional,
    pub(in crate::spec) stride: Optional,
    pub(in crate::spec) index: Optional,
    pub(in crate::spec) shape: Optional,
    pub(in crate::spec) conflict: Optional,
    pub(in crate::spec) items: Optional,
    pub(in crate::spec) guarded: Optional,
    pub(in crate::spec) queue: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::spec) struct RawCompute {
    pub(in crate::spec) per_item: Optional,
    pub(in crate::spec) kind: OperationKind,
    pub(in crate::spec) constants: Optional,
    pub(in crate::spec) chain: Optional,
    pub(in crate::spec) items: Optional,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawBranch {
    #[serde(default)]
    pub(in crate::spec) divergent: Optional,
    pub(in crate::spec) then: Vec<Spanned<RawStatement>>,
    #[serde(default, rename = "else")]
    pub(in crate::spec) otherwise: Vec<Spanned<RawStatement>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::spec) struct RawLoop {
    pub(in crate::spec) count: Scalar,
    #[serde(default)]
    pub(in crate::spec) var: Option<Spanned<String>>,
    pub(in crate::spec) body: Vec<Spanned<RawStatement>>,
}

/// A value where an expression, or a list of expressions, must be.
pub(in crate::spec) type Scalar = Spanned<Value>;

/// A value of YAML of any kind; later checks give better messages than the parser would.
pub(in crate::spec) enum Value {
    Integer(i64),
    Text(String),
    List(Vec<Scalar>),
    /// A number that is not a 64-bit integer.
    Number,
    Mapping(Vec<(Spanned<String>, Scalar)>),
    Nothing,
}

/// The value of a key that may be left out. A key with an empty value counts as present.
#[derive(Default)]
pub(in crate::spec) struct Optional(pub(super) Option<Scalar>);

impl<'de> Deserialize<'de> for Optional {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Scalar::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an expression")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Integer(i64::from(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Number, Value::Integer))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = mapping.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Mapping(entries))
    }
}

impl<'de> Deserialize<'de> for RawStatement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StatementVisitor)
    }
}

struct StatementVisitor;

impl<'de> Visitor<'de> for StatementVisitor {
    type Value = RawStatement;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a statement")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<RawStatement, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<RawStatement, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<RawStatement, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<RawStatement, E> {
        self.visit_str(&value.to_string())
    }

    /// The keyword of a barrier alone may be without a value.
    fn visit_str<E: de::Error>(self, text: &str) -> Result<RawStatement, E> {
        Ok(match Keyword::deserialize(text.into_deserializer())? {
            Keyword::Barrier => RawStatement::Barrier(None),
            _ => RawStatement::Shapeless,
        })
    }

    fn visit_unit<E>(self) -> Result<RawStatement, E> {
        Ok(RawStatement::Shapeless)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawStatement, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(RawStatement::Shapeless)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<RawStatement, A::Error> {
        let statement = match mapping.next_key()? {
            None => return Ok(RawStatement::Shapeless),
            Some(Keyword::Branch) => RawStatement::Branch(mapping.next_value()?),
            Some(Keyword::Loop) => RawStatement::Loop(mapping.next_value()?),
            Some(leaf) => return leaf_of(leaf, mapping),
        };
        alone(statement, mapping)
    }
}

/// Reads a statement that holds no others. Bodies nest deep: the call keeps its values off the stack of the others.
fn leaf_of<'de, A: MapAccess<'de>>(keyword: Keyword, mut mapping: A) -> Result<RawStatement, A::Error> {
    let statement = match keyword {
        Keyword::Load => RawStatement::Load(mapping.next_value()?),
        Keyword::Store => RawStatement::Store(mapping.next_value()?),
        Keyword::Local => RawStatement::Local(mapping.next_value()?),
        Keyword::Copy => RawStatement::Copy(mapping.next_value()?),
        Keyword::Wait => RawStatement::Wait(mapping.next_value()?),
        Keyword::Compute => RawStatement::Compute(mapping.next_value()?),
        Keyword::Matrix => RawStatement::Matrix(mapping.next_value()?),
        Keyword::Barrier => RawStatement::Barrier(mapping.next_value()?),
        Keyword::Branch => RawStatement::Branch(mapping.next_value()?),
        Keyword::Loop => RawStatement::Loop(mapping.next_value()?),
    };
    alone(statement, mapping)
}

/// The statement, unless a further key stands behind it.
fn alone<'de, A: MapAccess<'de>>(statement: RawStatement, mut mapping: A) -> Result<RawStatement, A::Error> {
    let Some(second) = mapping.next_key::<Spanned<String>>()? else { return Ok(statement) };
    mapping.next_value::<IgnoredAny>()?;
    while mapping.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(RawStatement::SecondKey(place_of(&second)))
}

/// A mapping with keys of the spec's choice, in the spec's order.
pub(in crate::spec) struct Entries<T>(pub(super) Vec<(Spanned<String>, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("names and their values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Entries<T>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = mapping.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}
