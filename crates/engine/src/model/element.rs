//! Granularity `element`: a lockstep GPU with a process for each processing element that works, after the architecture
//! of the model-checking paper.

use tera::Context;
use thiserror::Error;

use super::tables::{Capacity, Layout, Part, Rows, Width};
use super::{Candidate, Form, Model, ModelError, Uncut};
use autotune_machine::machine::{LARGEST, Program, Server, Statement};

/// The limit of the model's time in ticks, which is one word, and of a run's messages, as SPIN's stack grows with them.
const WORD: u128 = 1 << 30;
/// The greatest number of processes in SPIN, the claim included.
const PROCESSES: u128 = 255;
/// The number of processes that exist once: host, clock and claim.
const SINGLE_PROCESSES: u128 = 3;
/// The steps that a message takes: it is sent, received and acted on.
const STEPS_PER_MESSAGE: u128 = 3;

/// A configuration of a lockstep GPU, with the numbers that its program lacks.
#[derive(Debug, Clone)]
pub struct ElementCandidate<'a> {
    /// The configuration and its checked program.
    pub candidate: Candidate<'a>,
    /// PE: the number of processing elements of one multiprocessor.
    pub processing_elements: u64,
    /// WG: the number of work items of a work group, over all its dimensions.
    pub work_group: u64,
    /// The tick when the clock stops every run; it sizes SPIN's stack.
    pub cut: u64,
}

/// A reason why a program is not a lockstep GPU's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotLockstep {
    /// A GPU whose processing elements do not go in step.
    #[error("the GPU is pipelined")]
    Pipelined,
    /// A statement that does not occupy the dispatcher for its whole latency.
    #[error(
        "a statement uses {server:?} for {occupancy} of its {latency} ticks, but on a lockstep GPU it must use the dispatcher for all of them"
    )]
    Contention {
        /// The server that is used.
        server: Server,
        /// The ticks while the server is used.
        occupancy: u64,
        /// The ticks that the statement takes.
        latency: u64,
    },
    /// An asynchronous start at this server.
    #[error("a statement starts something at {0:?}, but a lockstep GPU waits for all that it does")]
    Start(Server),
    /// A wait for starts.
    #[error("a statement waits for what was started, but a lockstep GPU starts nothing")]
    Wait,
    /// A barrier with this cost, in ticks, that is not 0.
    #[error("a barrier costs {0} ticks, not 0")]
    BarrierCost(u64),
    /// A number that does not follow from the GPU and the work group.
    #[error(
        "its {field} is {found}, where groups of {work_group} work items on {processing_elements} processing elements and \
         {dispatchers} dispatchers need {needed}"
    )]
    Shape {
        /// The number's name.
        field: &'static str,
        /// The number's value.
        found: u64,
        /// The value that is needed.
        needed: &'static str,
        /// The number of work items of a group.
        work_group: u64,
        /// The number of processing elements of a multiprocessor.
        processing_elements: u64,
        /// The number of dispatchers of a multiprocessor.
        dispatchers: u64,
    },
}

/// The models of `candidates`, in their order: one, or several if the tables would be too large for SPIN.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits, or its program is not a lockstep GPU's: the error has the numbers.
pub fn element(kernel: &str, gpu: &str, candidates: &[ElementCandidate]) -> Result<Vec<Model>, ModelError> {
    for candidate in candidates {
        candidate.check()?;
    }
    let parts = Part::deal(candidates.iter().map(|element| &element.candidate), Capacity::text(Layout::NARROW));
    Ok(parts.iter().map(|part| render(part, kernel, gpu, candidates)).collect())
}

fn render(part: &Part, kernel: &str, gpu: &str, candidates: &[ElementCandidate]) -> Model {
    let members = || part.candidates.iter().map(|&number| &candidates[usize::from(number)]);
    let largest = |sizes: &mut dyn Iterator<Item = u128>| sizes.max().unwrap_or(1);
    let elements = largest(&mut members().map(|member| member.multiprocessors() * member.elements()));
    let levels = (part.rows.levels as u128).max(1);
    let processes = largest(&mut members().map(ElementCandidate::processes));
    let configurations = part.candidates.len() as u128;
    // Global arrays and a frame of at most 16 bytes a process, doubled to be safe.
    let vector_bytes = 2 * (128 + elements * (7 + 4 * levels) + 16 * processes);
    // The start of a process takes up to 8 steps, the choice of a configuration 1 or 2.
    let messages = largest(&mut members().map(ElementCandidate::messages_until_cut));
    let depth = |messages| STEPS_PER_MESSAGE * messages + 8 * processes + 2 * configurations + 100;
    let uncut = Uncut {
        depth: saturated(depth(largest(&mut members().map(ElementCandidate::messages)).min(u64::MAX.into()))),
        events: members().fold(0, |sum: u64, member| sum.saturating_add(saturated(member.messages()))),
    };
    let model = Model {
        text: String::new(),
        tables: None,
        form: Form::Roles,
        vector_bytes: word(vector_bytes).next_multiple_of(1024),
        depth: word(depth(messages)).next_multiple_of(1000),
        states: part.candidates.len() as u64,
        uncut,
        events: members().map(|member| word(member.messages_until_cut())).sum(),
        candidates: part.candidates.clone(),
    };
    let lanes: Vec<String> =
        members().map(|member| format!("{}, {}", member.processing_elements, member.work_group)).collect();
    let mut context = Context::new();
    context.insert("wide", &Width::Narrow.is_wide());
    context.insert("kernel", kernel);
    context.insert("gpu", gpu);
    context.insert("programs", &part.lines(Width::Narrow, members().map(|member| &member.candidate)));
    context.insert("rows", &part.rows.lines(Layout::NARROW));
    context.insert("lanes", &lanes);
    context.insert("grid", &members().any(|member| has_grid(member.candidate.program)));
    context.insert("elements", &word(elements));
    context.insert("levels", &word(levels));
    context.insert("vector_bytes", &model.vector_bytes);
    context.insert("depth", &model.depth);
    let text = super::render("element.pml", &context);
    Model { text, ..model }
}

fn saturated(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

fn word(value: u128) -> u64 {
    u64::try_from(value).expect("sizes of checked candidates are below 2^40")
}

impl ElementCandidate<'_> {
    /// The number of multiprocessors that get a group.
    fn multiprocessors(&self) -> u128 {
        self.candidate.program.multiprocessors.min(self.candidate.program.groups).into()
    }

    /// The number of processing elements of a multiprocessor that get a work item.
    fn elements(&self) -> u128 {
        self.work_group.min(self.processing_elements).into()
    }

    /// The number of processes: each multiprocessor has a barrier, a dispatcher for each warp, and its elements. All share
    /// the barrier of the grid, if there is one.
    fn processes(&self) -> u128 {
        let of_multiprocessor = 2 + u128::from(self.candidate.program.warps_per_group) + self.elements();
        let shared = SINGLE_PROCESSES + u128::from(has_grid(self.candidate.program));
        shared + self.multiprocessors() * of_multiprocessor
    }

    /// The time of the launch in ticks, by the closed form of a lockstep GPU. It is only a bound here: the model counts
    /// its ticks itself.
    fn ticks(&self) -> u128 {
        let program = self.candidate.program;
        let waves = u128::from(program.most_groups()) * u128::from(program.passes);
        program.critical_path().saturating_mul(waves).saturating_add(program.launch.into())
    }

    /// The messages of a run: an element has a turn after each tick, and at both ends of a pass and of a statement of 0
    /// ticks.
    fn messages(&self) -> u128 {
        let program = self.candidate.program;
        let turns = program.critical_path().saturating_add(timeless(&program.body).saturating_mul(2)).saturating_add(2);
        let pass = turns.saturating_mul(self.elements()).saturating_add(3 * u128::from(program.warps_per_group));
        let passes = u128::from(program.groups) * u128::from(program.passes);
        pass.saturating_add(3).saturating_mul(passes).saturating_add(self.ticks())
    }

    /// The messages of a run that the clock may cut: they shrink in proportion to the ticks.
    fn messages_until_cut(&self) -> u128 {
        let messages = self.messages();
        if self.ticks() <= self.cut.into() {
            return messages;
        }
        messages.saturating_mul(self.cut.into()) / self.ticks() + messages.min(1000)
    }

    fn check(&self) -> Result<(), ModelError> {
        let label = || self.candidate.label.clone();
        self.check_lockstep().map_err(|reason| ModelError::NotLockstep { label: label(), reason })?;
        let program = self.candidate.program;
        let processes = self.processes();
        if processes > PROCESSES {
            return Err(ModelError::TooManyElements {
                label: label(),
                processes,
                multiprocessors: self.multiprocessors(),
                dispatchers: program.warps_per_group,
                elements: self.elements(),
            });
        }
        let messages = self.messages_until_cut();
        for (what, value) in [("the time of the launch", self.ticks()), ("the number of messages", messages)] {
            if value >= WORD {
                return Err(ModelError::TooLarge { label: label(), what, value });
            }
        }
        let (rows, limit) = (Rows::default().growth(program), Layout::NARROW.row_limit());
        if rows > limit {
            return Err(ModelError::TooManyRows { label: label(), rows, limit });
        }
        Ok(())
    }

    fn check_lockstep(&self) -> Result<(), NotLockstep> {
        let &Self { processing_elements, work_group, candidate: Candidate { program, .. }, .. } = self;
        let dispatchers = program.dispatchers;
        let shape = |field, found, needed| NotLockstep::Shape {
            field,
            found,
            needed,
            work_group,
            processing_elements,
            dispatchers,
        };
        for (field, found) in [("processing elements", processing_elements), ("work items of a group", work_group)] {
            if !(1..=LARGEST).contains(&found) {
                return Err(shape(field, found, "a number from 1 to 2^31 - 1"));
            }
        }
        if !processing_elements.is_multiple_of(dispatchers) {
            return Err(shape("dispatchers", dispatchers, "a divisor of the processing elements"));
        }
        let warps = work_group.div_ceil(processing_elements / dispatchers).min(dispatchers);
        if program.warps_per_group != warps {
            return Err(shape("warps_per_group", program.warps_per_group, "min(ND, ceil(WG / WR))"));
        }
        let passes = program.passes.saturating_mul(passes_in_body(&program.body));
        if !passes.is_multiple_of(work_group.div_ceil(processing_elements)) {
            return Err(shape("passes", program.passes, "a multiple of ceil(WG / PE)"));
        }
        if program.resident_groups != 1 {
            return Err(shape("resident_groups", program.resident_groups, "1"));
        }
        check_statements(&program.body)
    }
}

/// The passes of a group that stand in the body as a loop, between the messages of the group; 1 if there is no such loop.
fn passes_in_body(body: &[Statement]) -> u64 {
    match body {
        [Statement::Use { .. }, Statement::Loop { count, .. }, Statement::Use { .. }] => *count,
        _ => 1,
    }
}

/// True if a program has a barrier of all groups.
fn has_grid(program: &Program) -> bool {
    Statement::any_of_grid(&program.body)
}

fn check_statements(body: &[Statement]) -> Result<(), NotLockstep> {
    for (statement, _) in Statement::all(body) {
        match *statement {
            Statement::Use { server: Server::Dispatcher, occupancy, latency } if occupancy == latency => {}
            Statement::Use { server, occupancy, latency } => {
                return Err(NotLockstep::Contention { server, occupancy, latency });
            }
            Statement::Start { server, .. } => return Err(NotLockstep::Start(server)),
            Statement::Wait { .. } => return Err(NotLockstep::Wait),
            Statement::Barrier { cost: 0, .. } | Statement::Loop { .. } => {}
            Statement::Barrier { cost, .. } => return Err(NotLockstep::BarrierCost(cost)),
        }
    }
    Ok(())
}

/// The number of times that a work item comes to a statement of 0 ticks.
fn timeless(body: &[Statement]) -> u128 {
    let is_timeless = |statement: &Statement| match statement {
        Statement::Use { latency, .. } => *latency == 0,
        Statement::Barrier { .. } => true,
        Statement::Start { .. } | Statement::Wait { .. } | Statement::Loop { .. } => false,
    };
    let timeless = Statement::all(body).filter(|(statement, _)| is_timeless(statement));
    timeless.fold(0, |sum: u128, (_, times)| sum.saturating_add(times))
}

#[cfg(test)]
mod tests;
