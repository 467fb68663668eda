//! The formats of what commands print.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::export::{FileFormat, TableFormat};

/// Forms of a command's output, with the one that it prints without `--format`. (A `default_value_t` would be shared by
/// all of them: it is a static of a generic function.)
pub(in crate::cli) trait Printed: ValueEnum + Send + Sync + 'static {
    /// Its name on the command line.
    const DEFAULT: &'static str;

    /// True for text, which people read.
    fn is_text(&self) -> bool {
        self.to_possible_value().is_some_and(|value| value.get_name() == "text")
    }
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

impl Printed for SizeTableFormat {
    const DEFAULT: &'static str = "c";
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

/// The configuration that is exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Pick {
    /// The proved optimum, or the one that preferences choose near it
    #[default]
    Optimum,
    /// The one that neither the machine nor the wave model finds slow
    Recommended,
}

/// The form of a comparison of two kernels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    /// Text
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, which editors and GitHub show at the lines
    Sarif,
    /// Markdown, for a job's summary
    Markdown,
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
    /// `tune_params` and `restrictions` that make Kernel Tuner measure these configurations and no other
    KernelTuner,
}

/// The forms of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum ExportFormat {
    File(FileFormat),
    /// Restrictions for a measuring tuner, as JSON.
    Restrictions,
}

impl ValueEnum for ExportFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ExportFormat>> = LazyLock::new(|| {
            FileFormat::ALL.into_iter().map(ExportFormat::File).chain([ExportFormat::Restrictions]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, description) = match self {
            Self::File(format) => format.described(),
            Self::Restrictions => (
                "restrictions",
                "Restrictions for a measuring tuner, as JSON: values, conditions in Python, the promising first",
            ),
        };
        Some(PossibleValue::new(name).help(description))
    }
}

/// The form of a decision by problem sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct SizeTableFormat(pub(in crate::cli) TableFormat);

impl ValueEnum for SizeTableFormat {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [SizeTableFormat; 4] = [
            SizeTableFormat(TableFormat::ALL[0]),
            SizeTableFormat(TableFormat::ALL[1]),
            SizeTableFormat(TableFormat::ALL[2]),
            SizeTableFormat(TableFormat::ALL[3]),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, description) = self.0.described();
        Some(PossibleValue::new(name).help(description))
    }
}

impl ValueEnum for TuneFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<TuneFormat>> = LazyLock::new(|| {
            let others = ExportFormat::value_variants().iter().map(|format| TuneFormat::As(*format));
            [TuneFormat::Text, TuneFormat::Json].into_iter().chain(others).collect()
        });
        &ALL
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
    /// Text: data states, matrices and closed forms
    Text,
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
