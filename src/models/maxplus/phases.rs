//! The parts of a kernel on a real GPU: the phases of its lowered program.
//!
//! A phase is a straight run of statements between barriers and the ends of loops that hold a barrier; loops without a
//! barrier become part of it. The phase's uses of memory are its reads, with t = latency - occupancy and dt =
//! occupancy; its other uses are one operation. An executor is a warp; the warps of all resident groups share the path
//! to memory. Loops are not unrolled.

use super::parts::{Kernel, Operation, Part, Read};
use super::scalar::Overflow;
use crate::machine::{Program, Server, Statement};

/// The kernel of a real GPU's program.
pub(super) fn kernel(program: &Program) -> Result<Kernel, Overflow> {
    let executors = u128::from(program.resident_groups) * u128::from(program.warps_per_group);
    Ok(Kernel {
        parts: parts(&program.body, executors)?,
        launch: program.launch,
        repetitions: program.most_groups().div_ceil(program.resident_groups) * program.passes,
        executors,
    })
}

fn parts(body: &[Statement], executors: u128) -> Result<Vec<Part>, Overflow> {
    let mut parts = Vec::new();
    let mut phase = Phase::default();
    for statement in body {
        if let Some(straight) = straight(statement)? {
            phase.follow(straight, 1)?;
            continue;
        }
        std::mem::take(&mut phase).finish(executors, &mut parts)?;
        match statement {
            Statement::Loop { count, body } => {
                parts.push(Part::Loop { count: *count, body: self::parts(body, executors)? });
            }
            Statement::Barrier { cost } => {
                parts.push(Part::Barrier(Operation { name: "barrier".to_owned(), line: None, ticks: (*cost).into() }));
            }
            Statement::Use { .. } => {}
        }
    }
    phase.finish(executors, &mut parts)?;
    Ok(parts)
}

/// The phase of a statement without a barrier; `None` if the statement holds a barrier.
fn straight(statement: &Statement) -> Result<Option<Phase>, Overflow> {
    match statement {
        Statement::Use { server, occupancy, latency } => Ok(Some(Phase::of_use(*server, *occupancy, *latency))),
        Statement::Barrier { .. } => Ok(None),
        Statement::Loop { count, body } => {
            let mut once = Phase::default();
            for statement in body {
                let Some(next) = straight(statement)? else { return Ok(None) };
                once.follow(next, 1)?;
            }
            let mut phase = Phase::default();
            phase.follow(once, *count)?;
            Ok(Some(phase))
        }
    }
}

/// The sums of a phase.
#[derive(Default)]
struct Phase {
    reads: Vec<Reads>,
    /// The sum of the occupancies of all reads, in ticks.
    delay: u128,
    /// The sum of the latencies of all other uses, in ticks.
    rest: u128,
    /// The servers of these other uses.
    local: bool,
    dispatcher: bool,
}

/// The reads of one statement of the program.
struct Reads {
    ticks: u64,
    accesses: u128,
    /// The sum of the occupancies from the last of these reads to the end of the phase, in ticks.
    behind: u128,
}

impl Phase {
    fn of_use(server: Server, occupancy: u64, latency: u64) -> Self {
        if server == Server::Memory {
            let delay = u128::from(occupancy);
            let reads = vec![Reads { ticks: latency - occupancy, accesses: 1, behind: delay }];
            return Self { reads, delay, ..Self::default() };
        }
        let local = server == Server::Local;
        Self { rest: latency.into(), local, dispatcher: !local, ..Self::default() }
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
        self.local |= next.local;
        self.dispatcher |= next.dispatcher;
        Ok(())
    }

    fn finish(self, executors: u128, parts: &mut Vec<Part>) -> Result<(), Overflow> {
        let all = executors.checked_mul(self.delay).ok_or(Overflow)?;
        let read = |reads: Reads| Read {
            name: "memory".to_owned(),
            line: None,
            accesses: reads.accesses,
            ticks: reads.ticks,
            wait: all - reads.behind,
        };
        if !self.reads.is_empty() {
            parts.push(Part::Reads(self.reads.into_iter().map(read).collect()));
        }
        if self.rest > 0 {
            let name = match (self.local, self.dispatcher) {
                (true, true) => "local, dispatcher",
                (true, false) => "local",
                _ => "dispatcher",
            };
            parts.push(Part::Operation(Operation { name: name.to_owned(), line: None, ticks: self.rest }));
        }
        Ok(())
    }
}
