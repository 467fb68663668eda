//! A configuration: one value for every parameter, written `WG=64,TS=16`.

use thiserror::Error;

use autotune_base::text::{list, nearest};

/// A value for every parameter, in the spec's order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration(pub Vec<i64>);

/// The reason why a text does not name a configuration of a space.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum ConfigurationError {
    /// A part that is not of the form `NAME=VALUE`.
    #[error("`{part}` is not of the form `NAME=VALUE`")]
    Malformed { part: String },
    /// A name that no parameter has.
    #[error("the spec has no parameter `{name}`")]
    Unknown { name: String, nearest: Option<String>, known: Vec<String> },
    /// A parameter that has two values.
    #[error("the parameter `{name}` is given twice")]
    Twice { name: String },
    /// Parameters without a value.
    #[error("no value is given for {}", list(names))]
    Missing { names: Vec<String> },
    /// A value that is not a 64-bit integer.
    #[error("`{value}`, the value of `{name}`, is not a 64-bit integer")]
    NotAnInteger { name: String, value: String },
    /// A value that the domain does not hold.
    #[error("{value} is not in the domain of `{name}`")]
    NotInDomain { name: String, value: i64, nearest: Vec<i64> },
}

impl ConfigurationError {
    /// Returns advice that corrects the text.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::Malformed { .. } | Self::NotAnInteger { .. } | Self::Missing { .. } => {
                "a configuration gives every parameter an integer: `WG=64,TS=16`".to_owned()
            }
            Self::Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::Unknown { known, .. } if known.is_empty() => "the spec has no parameters".to_owned(),
            Self::Unknown { known, .. } => format!("its parameters are {}", list(known)),
            Self::Twice { name } => format!("give `{name}` one value"),
            Self::NotInDomain { nearest, .. } => match nearest.as_slice() {
                [] => "the domain is empty".to_owned(),
                [only] => format!("the nearest value is {only}"),
                [below, above, ..] => format!("the nearest values are {below} and {above}"),
            },
        })
    }
}

/// Reads a configuration. `parameters` holds the name and the domain of each parameter.
pub(crate) fn parse(text: &str, parameters: &[(&str, &[i64])]) -> Result<Configuration, ConfigurationError> {
    let mut values = vec![None; parameters.len()];
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let malformed = || ConfigurationError::Malformed { part: part.to_owned() };
        let (name, value) = part.split_once('=').ok_or_else(malformed)?;
        let (name, value) = (name.trim(), value.trim());
        let position =
            parameters.iter().position(|(known, _)| *known == name).ok_or_else(|| unknown(name, parameters))?;
        let value = member(name, value, parameters[position].1)?;
        if values[position].replace(value).is_some() {
            return Err(ConfigurationError::Twice { name: name.to_owned() });
        }
    }
    let missing = |(value, (name, _)): (&Option<i64>, &(&str, _))| value.is_none().then(|| (*name).to_owned());
    let names: Vec<_> = values.iter().zip(parameters).filter_map(missing).collect();
    if names.is_empty() {
        Ok(Configuration(values.into_iter().flatten().collect()))
    } else {
        Err(ConfigurationError::Missing { names })
    }
}

fn unknown(name: &str, parameters: &[(&str, &[i64])]) -> ConfigurationError {
    ConfigurationError::Unknown {
        name: name.to_owned(),
        nearest: nearest(name, parameters.iter().map(|(known, _)| *known)),
        known: parameters.iter().map(|(known, _)| (*known).to_owned()).collect(),
    }
}

/// Reads a value and checks that the domain holds it.
fn member(name: &str, text: &str, domain: &[i64]) -> Result<i64, ConfigurationError> {
    let name = || name.to_owned();
    let value = text.parse().map_err(|_| ConfigurationError::NotAnInteger { name: name(), value: text.to_owned() })?;
    if domain.contains(&value) {
        return Ok(value);
    }
    let below = domain.iter().filter(|member| **member < value).max();
    let above = domain.iter().filter(|member| **member > value).min();
    let nearest = below.into_iter().chain(above).copied().collect();
    Err(ConfigurationError::NotInDomain { name: name(), value, nearest })
}
