//! The questions that an execution leaves open: what depends on data, or on an argument without a value.

use std::collections::BTreeSet;

use super::execute::{FindingKind, SourceFinding};
use super::frame::frame;
use super::ir::SourcePlace;
use super::missing::UnknownOrigin;
use super::trace::{AccessKind, SourceMemory};

/// The most questions that are shown.
const MOST_SHOWN: usize = 20;

/// A number of iterations, a branch or an address that depends on what is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenQuestion {
    /// The matter.
    pub matter: OpenMatter,
    /// The origin of what decides it.
    pub origin: UnknownOrigin,
    /// The place in a file of the user; `None` if it has none.
    pub place: Option<SourcePlace>,
}

/// The matter of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMatter {
    /// The iterations of a loop.
    Trips,
    /// The side that a branch takes.
    Branch {
        /// True if the work items of each warp take one.
        is_shared: bool,
    },
    /// The address of an access of a memory.
    Address(AccessKind, SourceMemory),
}

impl OpenQuestion {
    /// The question of a finding; `None` if the finding asks nothing.
    #[must_use]
    pub fn new(finding: &SourceFinding, origin: UnknownOrigin) -> Option<Self> {
        let matter = match finding.kind {
            FindingKind::TripsOnData { .. } => OpenMatter::Trips,
            FindingKind::BranchOnData { is_shared } => OpenMatter::Branch { is_shared },
            FindingKind::AddressOnData(kind, memory) => OpenMatter::Address(kind, memory),
            _ => return None,
        };
        Some(Self { matter, origin, place: finding.user_place().cloned() })
    }

    /// The arguments without a value that answer it; none if it depends on something else.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        match &self.origin {
            UnknownOrigin::Arguments(names) => names,
            UnknownOrigin::Data | UnknownOrigin::Other => &[],
        }
    }

    /// The question in words.
    #[must_use]
    pub fn message(&self) -> String {
        let matter = match self.matter {
            OpenMatter::Trips => "the number of iterations of this loop",
            OpenMatter::Branch { .. } => "this branch",
            OpenMatter::Address(..) => "this address",
        };
        match self.arguments() {
            [] => format!("{matter} depends on data"),
            [argument] => format!("{matter} depends on the argument `{argument}`, which has no value"),
            [names @ .., last] => {
                format!("{matter} depends on the arguments `{}` and `{last}`, which have no values", names.join("`, `"))
            }
        }
    }

    /// The question with what is counted without an answer.
    #[must_use]
    pub fn counted(&self) -> String {
        match self.matter {
            OpenMatter::Branch { is_shared: true } => {
                "this branch depends on data that the work items of a warp share: its longer side is counted".to_owned()
            }
            OpenMatter::Branch { is_shared: false } => {
                "this branch depends on data: both sides are counted, as for a warp with work items on each".to_owned()
            }
            OpenMatter::Address(access, memory) => {
                let access = match access {
                    AccessKind::Store | AccessKind::StoreTile => "store",
                    AccessKind::Atomic => "atomic operation",
                    AccessKind::Copy | AccessKind::LoadTile => "copy",
                    _ => "load",
                };
                let counted = match memory {
                    SourceMemory::Local => "no bank conflict is counted",
                    _ => "each work item counts as far from the others",
                };
                format!("the address of this {access} depends on data: {counted}")
            }
            OpenMatter::Trips => self.message(),
        }
    }

    /// The ways to answer, in a spec and as an option.
    #[must_use]
    pub fn help(&self) -> String {
        let line = self.line();
        if let [_, ..] = self.arguments() {
            // YAML takes a bracket for the beginning of a list.
            let key = |name: &String| if name.contains('[') { format!("'{name}'") } else { name.clone() };
            let stated = self.arguments().iter().map(|name| format!("{}: …", key(name))).collect::<Vec<_>>().join(", ");
            return format!("give `arguments: {{ {stated} }}` in `source`, or `{}`", self.options().join(" "));
        }
        match self.matter {
            _ if line == 0 => {
                "no line of your files stands for it, so that it cannot get an assumption: leave out a `#line` that \
                               names another file"
                    .to_owned()
            }
            OpenMatter::Trips => {
                format!("say how many with `assume: {{ trip@{line}: … }}` in `source`, or `--assume trip@{line}=…`")
            }
            OpenMatter::Branch { .. } => format!(
                "`assume: {{ taken@{line}: SHARE }}` in `source`, or `--assume taken@{line}=SHARE`, says in which share of the \
                 executions it is true, from 0 to 1"
            ),
            OpenMatter::Address(..) => format!(
                "`assume: {{ address@{line}: random }}` in `source`, or `--assume address@{line}=random`, says so; \
                 `coalesced` and `same` are the other words"
            ),
        }
    }

    /// The options that answer, without their values; none if no line stands for the question.
    fn options(&self) -> Vec<String> {
        let line = self.line();
        if let names @ [_, ..] = self.arguments() {
            return names.iter().map(|name| format!("--argument {name}=…")).collect();
        }
        match self.matter {
            _ if line == 0 => Vec::new(),
            OpenMatter::Trips => vec![format!("--assume trip@{line}=…")],
            OpenMatter::Branch { .. } => vec![format!("--assume taken@{line}=…")],
            OpenMatter::Address(..) => vec![format!("--assume address@{line}=…")],
        }
    }

    fn line(&self) -> u32 {
        self.place.as_ref().map_or(0, |place| place.line)
    }

    /// The question with its line and the ways to answer it.
    fn shown(&self) -> String {
        let title = self.message();
        let shown = self.place.as_ref().map_or_else(|| title.clone(), |place| frame(&title, place));
        format!("{shown}\nhelp: {}", self.help())
    }
}

/// The questions that keep a kernel from being analysed, at least one, and beside them those with an assumed answer.
/// Both are in the order of their places, and each is there once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenQuestions {
    /// The questions without an answer.
    pub open: Vec<OpenQuestion>,
    /// The questions that are answered as messages about them say.
    pub counted: Vec<OpenQuestion>,
}

impl OpenQuestions {
    /// Sorts questions; `None` if none needs an answer.
    #[must_use]
    pub fn new(open: Vec<OpenQuestion>, counted: Vec<OpenQuestion>) -> Option<Self> {
        let sorted = |mut questions: Vec<OpenQuestion>| {
            questions.sort_by(|one, other| one.place.cmp(&other.place));
            questions.dedup_by(|one, other| one.place == other.place && one.options() == other.options());
            questions
        };
        let (mut open, mut counted) = (sorted(open), sorted(counted));
        // What follows from another question need not be asked.
        let is_asked = |one: &OpenQuestion| one.origin != UnknownOrigin::Other;
        if open.iter().any(is_asked) {
            open.retain(is_asked);
            counted.retain(is_asked);
        }
        // The branch around a loop has the loop's place.
        counted.retain(|counted| open.iter().all(|question| question.place != counted.place));
        (!open.is_empty()).then_some(Self { open, counted })
    }

    /// The first question, or their number.
    #[must_use]
    pub fn message(&self) -> String {
        match self.open.as_slice() {
            [one] => one.message(),
            several => {
                format!("{} places of the kernel depend on data, or on arguments without a value", several.len())
            }
        }
    }

    /// The questions with their lines and the ways to answer them, then what is counted for the others; `None` if there is
    /// only one.
    pub(super) fn shown(&self) -> Option<String> {
        let title = match self.open.as_slice() {
            [_] if self.counted.is_empty() => return None,
            [_] => None,
            _ => Some(self.message()),
        };
        let open = self.open.iter().map(OpenQuestion::shown);
        let counted = self.counted.iter().map(|question| match &question.place {
            Some(SourcePlace { file, line, column }) => format!("{file}:{line}:{column}: {}", question.counted()),
            None => question.counted(),
        });
        let all = self.open.len() + self.counted.len();
        let more = (all > MOST_SHOWN).then(|| format!("and {} more", all - MOST_SHOWN));
        Some(title.into_iter().chain(open.chain(counted).take(MOST_SHOWN)).chain(more).collect::<Vec<_>>().join("\n"))
    }

    /// The way to answer the only question, or the options that answer all.
    pub(super) fn help(&self) -> String {
        let mut met = BTreeSet::new();
        let mut options = |questions: &[OpenQuestion]| {
            let all = questions.iter().flat_map(OpenQuestion::options);
            all.filter(|option| met.insert(option.clone())).collect::<Vec<_>>().join(" ")
        };
        let (needed, others) = (options(&self.open), options(&self.counted));
        match self.open.as_slice() {
            [one] if others.is_empty() => one.help(),
            [one, ..] if needed.is_empty() => one.help(),
            _ if others.is_empty() => format!("all answers as options: `{needed}`"),
            _ => format!("all answers as options: `{needed}`, and if you know better: `{others}`"),
        }
    }

    /// The options that answer the questions, with values to begin with.
    pub(super) fn answers(&self) -> Vec<String> {
        let mut met = BTreeSet::new();
        let options = self.open.iter().flat_map(OpenQuestion::options).filter(|option| met.insert(option.clone()));
        options.filter_map(|option| Some(proposed(option.split_once(' ')?))).flatten().collect()
    }

    /// Each question that needs an answer by itself.
    pub(super) fn each(&self) -> impl Iterator<Item = Self> {
        self.open.iter().map(|question| Self { open: vec![question.clone()], counted: Vec::new() })
    }
}

/// An option with a value to begin with.
fn proposed((option, value): (&str, &str)) -> [String; 2] {
    let begin = match value.split('@').next() {
        Some("trip") => "16",
        Some("taken") => "0.5",
        Some("address") => "random",
        _ => "1024",
    };
    [option.to_owned(), value.replace('…', begin)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(matter: OpenMatter, argument: Option<&str>, line: u32) -> OpenQuestion {
        let place = Some(SourcePlace { file: "nowhere.cl".into(), line, column: 5 });
        let origin = argument.map_or(UnknownOrigin::Data, |name| UnknownOrigin::Arguments(vec![name.to_owned()]));
        OpenQuestion { matter, origin, place }
    }

    #[test]
    fn one_question_is_asked_as_before() {
        let one = question(OpenMatter::Trips, None, 5);
        let asked = OpenQuestions::new(vec![one.clone(), one], Vec::new()).unwrap();
        assert_eq!(asked.message(), "the number of iterations of this loop depends on data");
        assert_eq!(asked.shown(), None);
        assert!(asked.help().contains("`--assume trip@5=…`"), "{}", asked.help());
        assert_eq!(
            OpenQuestions::new(Vec::new(), vec![question(OpenMatter::Branch { is_shared: false }, None, 1)]),
            None
        );
    }

    #[test]
    fn all_arguments_are_asked_at_once() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let one = OpenQuestion {
            origin: UnknownOrigin::Arguments(names),
            ..question(OpenMatter::Branch { is_shared: false }, None, 4)
        };
        let asked = OpenQuestions::new(vec![one], Vec::new()).unwrap();
        assert_eq!(asked.message(), "this branch depends on the arguments `a`, `b` and `c`, which have no values");
        let help =
            "give `arguments: { a: …, b: …, c: … }` in `source`, or `--argument a=… --argument b=… --argument c=…`";
        assert_eq!(asked.help(), help);
    }

    #[test]
    fn questions_are_in_the_order_of_their_lines_and_the_options_are_together() {
        // Beside the loop stands a branch of its own.
        let beside = question(OpenMatter::Branch { is_shared: false }, None, 30);
        let open = vec![
            question(OpenMatter::Trips, None, 30),
            question(OpenMatter::Branch { is_shared: false }, Some("m"), 7),
            question(OpenMatter::Trips, Some("m"), 9),
        ];
        let address = question(OpenMatter::Address(AccessKind::Load, SourceMemory::Global), None, 3);
        let follows = OpenQuestion {
            origin: UnknownOrigin::Other,
            ..question(OpenMatter::Branch { is_shared: false }, None, 31)
        };
        let asked = OpenQuestions::new(open, vec![beside, address, follows]).unwrap();
        assert_eq!(asked.message(), "3 places of the kernel depend on data, or on arguments without a value");
        let shown = asked.shown().unwrap();
        let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with(" --> ")).collect();
        assert_eq!(lines, [7, 9, 30].map(|line| format!(" --> nowhere.cl:{line}:5")));
        let counted =
            "\nnowhere.cl:3:5: the address of this load depends on data: each work item counts as far from the others";
        assert!(shown.ends_with(counted), "{shown}");
        assert_eq!(
            asked.help(),
            "all answers as options: `--argument m=… --assume trip@30=…`, and if you know better: `--assume address@3=…`"
        );
        assert_eq!(asked.each().map(|question| question.message()).collect::<Vec<_>>().len(), 3);
    }

    #[test]
    fn no_more_than_twenty_are_shown() {
        let open = (1..=30).map(|line| question(OpenMatter::Trips, None, line)).collect();
        let asked = OpenQuestions::new(open, Vec::new()).unwrap();
        let shown = asked.shown().unwrap();
        assert_eq!(shown.matches(" --> ").count(), 20);
        assert!(shown.ends_with("\nand 10 more") && asked.help().contains("trip@30=…"), "{shown}");
    }
}
