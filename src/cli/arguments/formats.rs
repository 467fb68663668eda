//! The formats of what commands print.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// Forms of which a command prints one if none is asked for. (A `default_value_t` would be shared by all of them: it is a
/// static of a generic function.)
pub(in crate::cli) trait Printed: ValueEnum + Send + Sync + 'static {
    /// Its name on the command line.
    const DEFAULT: &'static str;
}

impl Printed for Format {
    const DEFAULT: &'static str = "text";
}

impl Printed for TuneFormat {
    const DEFAULT: &'static str = "text";
}

impl Printed for SuggestFormat {
    const DEFAULT: &'static str = "text";
}

impl Printed for InspectFormat {
    const DEFAULT: &'static str = "text";
}

impl Printed for GraphFormat {
    const DEFAULT: &'static str = "dot";
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// Text
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// The form of a tuning's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum TuneFormat {
    Text,
    Json,
    As(ExportFormat),
}

/// The form of the next configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SuggestFormat {
    /// Text
    Text,
    /// One JSON object
    Json,
    /// A table with a line for each configuration
    Csv,
    /// Options of a C compiler, a line for each configuration
    Flags,
    /// `tune_params` and `restrictions` with which Kernel Tuner measures these configurations and no other
    KernelTuner,
}

/// The forms of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExportFormat {
    /// A table with a line for each listed configuration
    Csv,
    /// A C header with a block for each GPU: `#ifdef TARGET_FERMI`
    Header,
    /// Options of a C compiler: `-DWG=64 -DTS=16`
    Flags,
    /// Variables of a shell: `WG=64`, to be given to `eval`
    Shell,
    /// T4 1.0.0 results, the autotuning community's format
    T4,
    /// T4 1.0.0 metadata, the file beside them
    T4Metadata,
    /// A cache file of Kernel Tuner, for its simulation mode; its name has to end in .json
    KernelTuner,
    /// Restrictions for a measuring tuner, as JSON: values, conditions in Python, the promising first
    Restrictions,
}

impl ValueEnum for TuneFormat {
    fn value_variants<'a>() -> &'a [Self] {
        use ExportFormat::{Csv, Flags, Header, KernelTuner, Restrictions, Shell, T4, T4Metadata};
        &[
            Self::Text,
            Self::Json,
            Self::As(Csv),
            Self::As(Header),
            Self::As(Flags),
            Self::As(Shell),
            Self::As(T4),
            Self::As(T4Metadata),
            Self::As(KernelTuner),
            Self::As(Restrictions),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Text => Format::Text.to_possible_value(),
            Self::Json => Format::Json.to_possible_value(),
            Self::As(format) => format.to_possible_value(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GraphFormat {
    /// Graphviz's language
    Dot,
    /// A picture
    Svg,
    /// One JSON object
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum InspectFormat {
    /// Text
    Text,
    /// One JSON object
    Json,
    /// A page for browsers, which loads no other file
    Html,
}
