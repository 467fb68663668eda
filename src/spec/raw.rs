//! The shape of a spec's YAML: its keys, and which of them are required.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use super::statement::Kind;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSpec {
    pub(super) kernel: Spanned<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) problem: Entries<Scalar>,
    #[serde(default)]
    pub(super) parameters: Entries<RawDomain>,
    /// Parameters in Kernel Tuner's form: lists of values.
    #[serde(default)]
    pub(super) tune_params: Entries<Scalar>,
    #[serde(default, rename = "let")]
    pub(super) lets: Entries<Scalar>,
    #[serde(default)]
    pub(super) constraints: Vec<Scalar>,
    /// Constraints in Kernel Tuner's form: conditions in Python.
    #[serde(default)]
    pub(super) restrictions: Vec<Scalar>,
    #[serde(default)]
    pub(super) prefer: Vec<Scalar>,
    pub(super) launch: Spanned<RawLaunch>,
    #[serde(default)]
    pub(super) resources: Option<Spanned<RawResources>>,
    #[serde(default)]
    pub(super) roles: RawRoles,
    /// Parameters that the kernel does not use on purpose.
    #[serde(default)]
    pub(super) unused: Vec<Spanned<String>>,
    /// Subjects whose amount depends on the configuration on purpose.
    #[serde(default)]
    pub(super) varies: Vec<Spanned<String>>,
    pub(super) body: Vec<Spanned<RawStatement>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawDomain {
    Values(Vec<Scalar>),
    PowersOfTwo(RawEnds),
    Range(RawRange),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEnds {
    pub(super) from: Scalar,
    pub(super) to: Scalar,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRange {
    pub(super) from: Scalar,
    pub(super) to: Scalar,
    #[serde(default)]
    pub(super) step: Optional,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLaunch {
    pub(super) work_items: Scalar,
    #[serde(default)]
    pub(super) work_group: Optional,
    #[serde(default)]
    pub(super) times: Optional,
    #[serde(default)]
    pub(super) var: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawResources {
    pub(super) local_memory: Optional,
    pub(super) registers: Optional,
    pub(super) live: Optional,
    pub(super) spill_uses: Optional,
    pub(super) dynamic: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawRoles {
    pub(super) tile: Option<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawStatement {
    Load(RawAccess),
    Store(RawAccess),
    Local(RawLocal),
    Compute(RawCompute),
    Barrier,
    Branch(RawBranch),
    Loop(RawLoop),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAccess {
    pub(super) array: Spanned<String>,
    #[serde(default)]
    pub(super) per_item: Optional,
    #[serde(default)]
    pub(super) var: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) bytes: Optional,
    #[serde(default)]
    pub(super) vector: Optional,
    #[serde(default)]
    pub(super) stride: Optional,
    #[serde(default)]
    pub(super) index: Optional,
    #[serde(default)]
    pub(super) shape: Optional,
    #[serde(default)]
    pub(super) items: Optional,
    #[serde(default)]
    pub(super) guarded: Optional,
    #[serde(default)]
    pub(super) ordered: Optional,
    #[serde(default)]
    pub(super) in_flight: Optional,
    #[serde(default)]
    pub(super) round_trips: Optional,
    #[serde(default)]
    pub(super) footprint: RawFootprint,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawFootprint {
    pub(super) group: Optional,
    pub(super) together: Optional,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawLocal {
    pub(super) reads: Option<Spanned<String>>,
    pub(super) writes: Option<Spanned<String>>,
    pub(super) per_item: Optional,
    pub(super) var: Option<Spanned<String>>,
    pub(super) bytes: Optional,
    pub(super) vector: Optional,
    pub(super) stride: Optional,
    pub(super) index: Optional,
    pub(super) shape: Optional,
    pub(super) conflict: Optional,
    pub(super) items: Optional,
    pub(super) guarded: Optional,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawCompute {
    pub(super) per_item: Optional,
    pub(super) kind: Kind,
    pub(super) constants: Optional,
    pub(super) items: Optional,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBranch {
    #[serde(default)]
    pub(super) divergent: Optional,
    pub(super) then: Vec<Spanned<RawStatement>>,
    #[serde(default, rename = "else")]
    pub(super) otherwise: Vec<Spanned<RawStatement>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLoop {
    pub(super) count: Scalar,
    #[serde(default)]
    pub(super) var: Option<Spanned<String>>,
    pub(super) body: Vec<Spanned<RawStatement>>,
}

/// A value where an expression, or a list of expressions, must be.
pub(super) type Scalar = Spanned<Value>;

/// A value of YAML of any kind; later checks give better messages than the parser would.
pub(super) enum Value {
    Integer(i64),
    Text(String),
    List(Vec<Scalar>),
    /// A number that is not a 64-bit integer.
    Number,
    Mapping,
    Nothing,
}

/// The value of a key that may be left out. A key with an empty value counts as present.
#[derive(Default)]
pub(super) struct Optional(pub(super) Option<Scalar>);

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
        while mapping.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Mapping)
    }
}

/// A mapping with keys of the spec's choice, in the spec's order.
pub(super) struct Entries<T>(pub(super) Vec<(Spanned<String>, T)>);

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
