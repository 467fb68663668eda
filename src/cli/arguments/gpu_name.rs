//! The value of `--gpu`: any text. Completions offer the names and aliases of the shipped profiles.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use autotune_lowering::gpu;

/// Takes any text: it may be the path of a profile too, and whoever looks for the profile says what is wrong with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GpuName;

impl TypedValueParser for GpuName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(gpu::shipped_names().map(PossibleValue::new)))
    }
}
