//! The parts of a kernel on a real GPU: the phases of its lowered program.
//!
//! A phase is a straight run of statements between barriers and the ends of loops that hold a barrier; loops without a
//! barrier become part of it. The phase's uses of memory are its reads, with t = latency - occupancy and dt = occupancy;
//! its other uses are one operation. The formulas know no asynchronous start: nobody waits for it but those who are
//! behind it at the path to memory, and a wait takes no time. So a bound stays a bound. An executor is a warp; the warps of all resident groups share the path
//! to memory: with a barrier of all groups, those of the only wave. Loops are not unrolled.

use super::parts::{Kernel, Operation, Part, Read};
use super::scalar::Overflow;
use autotune_machine::machine::{BarrierScope, Program, Server, Statement};

/// The kernel of a real GPU's program.
pub(super) fn kernel(program: &Program) -> Result<Kernel, Overflow> {
    let is_one_wave = Statement::any_of_grid(&program.body);
    let groups = if is_one_wave { program.largest_wave() } else { program.resident_groups };
    let executors = u128::from(groups) * u128::from(program.warps_per_group);
    Ok(Kernel {
        parts: parts(&program.body, executors, &mut 0)?,
        launch: program.launch,
        repetitions: program.most_groups().div_ceil(program.resident_groups) * program.passes,
        executors,
        work_items: None,
    })
}

/// The parts of a body; `next` is the place of its first use or barrier in the program's text, and then of the first behind it.
fn parts(body: &[Statement], executors: u128, next: &mut usize) -> Result<Vec<Part>, Overflow> {
    let mut parts = Vec::new();
    let mut phase = Phase::default();
    for statement in body {
        let begin = *next;
        if let Some(straight) = straight(statement, next)? {
            phase.follow(straight, 1)?;
            continue;
        }
        *next = begin;
        std::mem::take(&mut phase).finish(executors, &mut parts)?;
        match statement {
            Statement::Loop { count, body } => {
                parts.push(Part::Loop { count: *count, body: self::parts(body, executors, next)? });
            }
            Statement::Barrier { cost, scope } => {
                let uses = vec![std::mem::replace(next, begin + 1)];
                let name = barrier_name(*scope == BarrierScope::Grid).to_owned();
                parts.push(Part::Barrier(Operation { name, line: None, ticks: (*cost).into(), uses }));
            }
            Statement::Use { .. } | Statement::Start { .. } | Statement::Wait { .. } => {}
        }
    }
    phase.finish(executors, &mut parts)?;
    Ok(parts)
}

/// The name of a barrier of a group, or of all groups.
pub(super) fn barrier_name(is_of_grid: bool) -> &'static str {
    if is_of_grid { "barrier of all groups" } else { "barrier" }
}

/// The phase of a statement without a barrier; `None` if the statement holds a barrier.
fn straight(statement: &Statement, next: &mut usize) -> Result<Option<Phase>, Overflow> {
    match statement {
        Statement::Use { server, occupancy, latency } => {
            let place = std::mem::replace(next, *next + 1);
            Ok(Some(Phase::of_use(place, *server, *occupancy, *latency)))
        }
        Statement::Start { server, occupancy, .. } => {
            let place = std::mem::replace(next, *next + 1);
            let delay = if *server == Server::Memory { *occupancy } else { 0 };
            Ok(Some(Phase::of_use(place, *server, delay, delay)))
        }
        Statement::Wait { .. } => Ok(Some(Phase::default())),
        Statement::Barrier { .. } => Ok(None),
        Statement::Loop { count, body } => {
            let mut once = Phase::default();
            for statement in body {
                let Some(phase) = straight(statement, next)? else { return Ok(None) };
                once.follow(phase, 1)?;
            }
            let mut phase = Phase::default();
            phase.follow(once, *count)?;
            Ok(Some(phase))
        }
    }
}

/// The servers of operations, in the order of their names in a part.
const OTHERS: [Server; 3] = [Server::Local, Server::Dispatcher, Server::Matrix];

/// The sums of a phase.
#[derive(Default)]
struct Phase {
    reads: Vec<Reads>,
    /// The sum of the occupancies of all reads, in ticks.
    delay: u128,
    /// The sum of the latencies of all other uses, in ticks.
    rest: u128,
    /// True for each of [`OTHERS`] that these other uses have.
    servers: [bool; OTHERS.len()],
    /// The places of all other uses in the program's text.
    uses: Vec<usize>,
}

/// The reads of one statement of the program.
struct Reads {
    ticks: u64,
    accesses: u128,
    /// The occupancy of one read, in ticks.
    delay: u64,
    /// The place of the statement in the program's text.
    place: usize,
    /// The sum of the occupancies from the last of these reads to the end of the phase, in ticks.
    behind: u128,
}

impl Phase {
    fn of_use(place: usize, server: Server, occupancy: u64, latency: u64) -> Self {
        if server == Server::Memory {
            let delay = u128::from(occupancy);
            let reads = vec![Reads { ticks: latency - occupancy, accesses: 1, delay: occupancy, place, behind: delay }];
            return Self { reads, delay, ..Self::default() };
        }
        let servers = OTHERS.map(|other| other == server);
        Self { rest: latency.into(), servers, uses: vec![place], ..Self::default() }
    }

    /// Appends `next`, repeated `count` times.
    fn follow(&mut self, next: Self, count: u64) -> Result<(), Overflow> {
        if count == 0 {
            return Ok(());
        }
        let times = |once: u128| once.checked_mul(count.into()).ok_or(Overflow);
        let add = |sum: &mut u128, more: u128| sum.checked_add(more).map(|total| *sum = total).ok_or(Overflow);
        let delay = times(next.delay)?;
        for reads in &mut self.reads {
            add(&mut reads.behind, delay)?;
        }
        for reads in next.reads {
            // The number of reads is only displayed, so it may saturate.
            let accesses = reads.accesses.saturating_mul(count.into());
            self.reads.push(Reads { accesses, ..reads });
        }
        add(&mut self.delay, delay)?;
        add(&mut self.rest, times(next.rest)?)?;
        for (has, more) in self.servers.iter_mut().zip(next.servers) {
            *has |= more;
        }
        self.uses.extend(next.uses);
        Ok(())
    }

    fn finish(self, executors: u128, parts: &mut Vec<Part>) -> Result<(), Overflow> {
        let all = executors.checked_mul(self.delay).ok_or(Overflow)?;
        let read = |reads: Reads| Read {
            name: "memory".to_owned(),
            line: None,
            accesses: reads.accesses,
            ticks: reads.ticks,
            delay: reads.delay,
            wait: all - reads.behind,
            uses: vec![reads.place],
        };
        if !self.reads.is_empty() {
            parts.push(Part::Reads(self.reads.into_iter().map(read).collect()));
        }
        if self.rest > 0 {
            let names = OTHERS.iter().zip(self.servers).filter(|(_, has)| *has).map(|(server, _)| server.name());
            let name = names.collect::<Vec<_>>().join(", ");
            parts.push(Part::Operation(Operation { name, line: None, ticks: self.rest, uses: self.uses }));
        }
        Ok(())
    }
}
