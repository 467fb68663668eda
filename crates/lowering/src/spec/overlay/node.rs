//! YAML of any shape, with the places where its texts begin.

use std::fmt::Write;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::super::options::scalar;
use autotune_base::text::LayerPart;
use autotune_base::yaml::{self, Options, Spanned, start_of};

/// A value of YAML.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The text that it stands in, by its position.
    layer: usize,
    /// The byte where it begins there.
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A text as it is to be written, and its bytes in its layer.
    Scalar(String, usize),
    List(Vec<Node>),
    Mapping(Vec<(Key, Node)>),
}

/// A key of a mapping.
#[derive(Debug, Clone)]
pub(super) struct Key {
    layer: usize,
    at: usize,
    pub(super) text: String,
}

/// A value as the parser has it.
enum Any {
    /// A number or a truth, which its own text says best.
    Plain,
    Text(String),
    Nothing,
    List(Vec<Spanned<Any>>),
    Mapping(Vec<(Spanned<String>, Spanned<Any>)>),
}

impl Node {
    /// Reads a text, which is the layer of this number; `None` if it cannot be read as YAML.
    pub(super) fn read(text: &str, layer: usize) -> Option<Self> {
        let options = yaml::within(Options::default().budget);
        let read: Spanned<Any> = yaml::read(text, options).ok()?;
        Some(Self::of(read, text, layer))
    }

    fn of(read: Spanned<Any>, text: &str, layer: usize) -> Self {
        let at = start_of(&read);
        let kind = match read.value {
            Any::Plain => {
                let word = yaml::word(text, at, ",]}");
                Kind::Scalar(text.get(word.clone()).unwrap_or_default().to_owned(), word.len())
            }
            Any::Nothing => Kind::Scalar(String::new(), 0),
            Any::Text(value) => {
                let is_plain = text.get(at..).is_some_and(|rest| rest.starts_with(&value));
                let length = if is_plain { value.len() } else { yaml::word(text, at, ",]}").len() };
                // A text of digits stays a text.
                let is_number = value.parse::<f64>().is_ok();
                Kind::Scalar(if is_number { format!("\"{value}\"") } else { scalar(&value) }, length)
            }
            Any::List(values) => Kind::List(values.into_iter().map(|value| Self::of(value, text, layer)).collect()),
            Any::Mapping(entries) => {
                let entry = |(key, value): (Spanned<String>, Spanned<Any>)| {
                    (Key { layer, at: start_of(&key), text: key.value }, Self::of(value, text, layer))
                };
                Kind::Mapping(entries.into_iter().map(entry).collect())
            }
        };
        Self { layer, at, kind }
    }

    /// The entries of a mapping; none of another value.
    pub(super) fn entries(&self) -> &[(Key, Self)] {
        if let Kind::Mapping(entries) = &self.kind { entries } else { &[] }
    }

    pub(super) fn into_entries(self) -> Vec<(Key, Self)> {
        if let Kind::Mapping(entries) = self.kind { entries } else { Vec::new() }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(own, _)| own.text == key).map(|(_, value)| value)
    }

    /// Adds an entry, in the place of one with this key if there is one.
    pub(super) fn put(&mut self, key: Key, value: Self) {
        let Kind::Mapping(entries) = &mut self.kind else { return };
        match entries.iter_mut().find(|(own, _)| own.text == key.text) {
            Some(entry) => *entry = (key, value),
            None => entries.push((key, value)),
        }
    }

    /// Puts a text before all entries, unless the key is there.
    pub(super) fn put_first(&mut self, key: &str, text: &str) {
        let (layer, at) = (self.layer, self.at);
        let Kind::Mapping(entries) = &mut self.kind else { return };
        if entries.iter().all(|(own, _)| own.text != key) {
            let value = Self { layer, at, kind: Kind::Scalar(scalar(text), 0) };
            entries.insert(0, (Key { layer, at, text: key.to_owned() }, value));
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Self> {
        let Kind::Mapping(entries) = &mut self.kind else { return None };
        let at = entries.iter().position(|(own, _)| own.text == key)?;
        Some(entries.remove(at).1)
    }

    /// Adds the items of a list behind the own ones, those that are there already once.
    pub(super) fn extend(&mut self, more: Self) {
        if let (Kind::List(own), Kind::List(more)) = (&mut self.kind, more.kind) {
            for item in more {
                if own.iter().all(|known| known.shown() != item.shown()) {
                    own.push(item);
                }
            }
        }
    }

    /// The value of a key; an empty one is made for it if it is missing, or has no value.
    pub(super) fn entry(&mut self, key: &str, empty: Kind) -> &mut Self {
        let is_missing =
            self.get(key).is_none_or(|value| matches!(&value.kind, Kind::Scalar(text, _) if text.is_empty()));
        if is_missing {
            let (layer, at) = (self.layer, self.at);
            self.put(Key { layer, at, text: key.to_owned() }, Self { layer, at, kind: empty });
        }
        match self.entries().iter().position(|(own, _)| own.text == key) {
            Some(at) => match &mut self.kind {
                Kind::Mapping(entries) => &mut entries[at].1,
                Kind::Scalar(..) | Kind::List(_) => unreachable!("it has an entry"),
            },
            // What is no mapping has no entries: its reader says so.
            None => self,
        }
    }

    /// The domain of a parameter that has only this value.
    pub(super) fn only(self) -> Self {
        let (layer, at) = (self.layer, self.at);
        let values = Self { layer, at, kind: Kind::List(vec![self]) };
        let key = Key { layer, at, text: "values".to_owned() };
        Self { layer, at, kind: Kind::Mapping(vec![(key, values)]) }
    }

    /// True for a number without a point, as an option gives it.
    pub(super) fn is_integer(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text, _) if text.trim_matches('"').parse::<i64>().is_ok())
    }

    /// The value as messages show it: a list of values without brackets.
    pub(super) fn shown(&self) -> String {
        match &self.kind {
            Kind::Scalar(text, _) => text.trim_matches('"').to_owned(),
            Kind::List(items) => items.iter().map(Self::shown).collect::<Vec<_>>().join(", "),
            Kind::Mapping(entries) => match &entries[..] {
                [(key, values)] if key.text == "values" => values.shown(),
                [(key, ends)] if matches!(key.text.as_str(), "powers_of_two" | "range") => {
                    let [from, to, step] = ["from", "to", "step"].map(|end| ends.get(end).map(Self::shown));
                    let step = if key.text == "range" { step } else { Some("pow2".to_owned()) };
                    let step = step.map_or_else(String::new, |step| format!(":{step}"));
                    format!("{}..{}{step}", from.unwrap_or_default(), to.unwrap_or_default())
                }
                _ => {
                    let mut writer = Writer::default();
                    writer.flow(self);
                    writer.text
                }
            },
        }
    }

    /// The text of a mapping, and the layers that its parts come from.
    pub(super) fn written(&self) -> (String, Vec<LayerPart>) {
        let mut writer = Writer::default();
        for (key, value) in self.entries() {
            writer.key(key);
            match &value.kind {
                Kind::Mapping(entries) if !entries.is_empty() => entries.iter().for_each(|(key, value)| {
                    writer.text.push_str("\n  ");
                    writer.key(key);
                    writer.text.push(' ');
                    writer.flow(value);
                }),
                Kind::List(items) if !items.is_empty() => items.iter().for_each(|item| {
                    writer.text.push_str("\n  - ");
                    writer.flow(item);
                }),
                _ => {
                    writer.text.push(' ');
                    writer.flow(value);
                }
            }
            writer.text.push('\n');
        }
        (writer.text, writer.parts)
    }
}

/// The text of a mapping while it is written.
#[derive(Default)]
struct Writer {
    text: String,
    parts: Vec<LayerPart>,
}

impl Writer {
    fn key(&mut self, key: &Key) {
        let written = scalar(&key.text);
        let own = if written == key.text { key.text.len() } else { key.text.len() + 2 };
        self.part(&written, key.layer, key.at, own);
        self.text.push(':');
    }

    fn part(&mut self, written: &str, layer: usize, at: usize, length: usize) {
        let begin = self.text.len();
        self.text.push_str(written);
        self.parts.push(LayerPart { span: begin..self.text.len(), layer, own: at..at + length });
    }

    /// A value on one line.
    fn flow(&mut self, node: &Node) {
        match &node.kind {
            Kind::Scalar(text, length) => self.part(text, node.layer, node.at, *length),
            Kind::List(items) => {
                self.text.push('[');
                for (position, item) in items.iter().enumerate() {
                    self.text.push_str(if position == 0 { "" } else { ", " });
                    self.flow(item);
                }
                self.text.push(']');
            }
            Kind::Mapping(entries) => {
                self.text.push_str(if entries.is_empty() { "{" } else { "{ " });
                for (position, (key, value)) in entries.iter().enumerate() {
                    self.text.push_str(if position == 0 { "" } else { ", " });
                    self.key(key);
                    self.text.push(' ');
                    self.flow(value);
                }
                let _ = write!(self.text, "{}", if entries.is_empty() { "}" } else { " }" });
            }
        }
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor)
    }
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Any, E> {
        Ok(Any::Plain)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Any, E> {
        Ok(Any::Plain)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Any, E> {
        Ok(Any::Plain)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Any, E> {
        Ok(Any::Plain)
    }

    fn visit_str<E>(self, text: &str) -> Result<Any, E> {
        Ok(Any::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Any, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Any::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Any, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = mapping.next_entry()? {
            entries.push(entry);
        }
        Ok(Any::Mapping(entries))
    }
}
