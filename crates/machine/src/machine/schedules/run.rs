//! A wave that runs from one choice to the next.

use std::ops::Range;
use std::rc::Rc;

use super::class::Class;
use super::key::Key;
use super::reduction::Reduction;
use crate::machine::code::{Code, Slots, Step};
use crate::machine::{BarrierScope, Program, Queue, Server, slots};

/// The wake of a warp that waits at a barrier, or that is done.
pub(super) const NEVER: u64 = u64::MAX;

/// The places of a warp's words: the step that it executes next, or waits at; the ticks from now until it goes on; then the
/// iterations left of the loops around it, and the rests of its starts.
pub(super) const STEP: usize = 0;
pub(super) const WAKE: usize = 1;
const LEFT: usize = 2;

/// The events between two looks at the limits.
const LOOK: u64 = 1 << 12;

/// The end of a stretch without a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Two ready warps or more may be next.
    Choice,
    /// All warps are done.
    End,
}

/// The state of a wave, relative to now.
#[derive(Clone)]
pub(super) struct Run<'a> {
    pub(super) code: &'a Code,
    pub(super) reduction: Reduction,
    /// True if only ready warps at one server need to be ordered.
    pub(super) one_server: bool,
    pub(super) groups: usize,
    pub(super) warps_per_group: usize,
    pub(super) dispatchers: usize,
    pub(super) classes: Rc<[Class]>,
    /// The number of a warp's words.
    pub(super) width: usize,
    /// The words of all warps, then the rests of memory, local, the dispatchers and the matrix units.
    pub(super) words: Vec<u64>,
    /// The events since the begin of the wave.
    pub(super) events: u64,
    /// Ticks since the last choice.
    pub(super) elapsed: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(code: &'a Code, program: &Program, groups: u64, reduction: Reduction) -> Self {
        let size = |count: u64| usize::try_from(count).expect("a wave that was allowed");
        let (groups, warps_per_group) = (size(groups), size(program.warps_per_group));
        let width = LEFT + code.depth + code.slots;
        let dispatchers = size(program.dispatchers);
        let servers = 2 + if code.has_matrix { 2 * dispatchers } else { dispatchers };
        let mut run = Self {
            code,
            reduction,
            one_server: reduction.takes_one_server(code),
            groups,
            warps_per_group,
            dispatchers,
            classes: Class::all(groups, warps_per_group, dispatchers),
            width,
            words: vec![0; groups * warps_per_group * width + servers],
            events: 0,
            elapsed: 0,
        };
        (0..run.warps()).for_each(|warp| run.settle(warp, 0));
        run
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        (self.events, self.elapsed) = (other.events, other.elapsed);
    }

    /// Goes back to a state.
    pub(super) fn restore(&mut self, key: &Key, events: u64) {
        key.read(&mut self.words);
        (self.events, self.elapsed) = (events, 0);
    }

    /// The state in its normal form.
    pub(super) fn key(&self) -> Key {
        Key::new(&self.words)
    }

    pub(super) fn warps(&self) -> usize {
        self.groups * self.warps_per_group
    }

    pub(super) fn word(&self, warp: usize, place: usize) -> u64 {
        self.words[warp * self.width + place]
    }

    /// All words of a warp.
    pub(super) fn warp_words(&self, warp: usize) -> &[u64] {
        &self.words[warp * self.width..][..self.width]
    }

    /// All words of a group's warps.
    pub(super) fn group_words(&self, group: usize) -> &[u64] {
        let width = self.warps_per_group * self.width;
        &self.words[group * width..][..width]
    }

    fn set(&mut self, warp: usize, place: usize, word: u64) {
        self.words[warp * self.width + place] = word;
    }

    pub(super) fn step(&self, warp: usize) -> Step {
        self.code.steps[self.place_of_step(warp)]
    }

    fn place_of_step(&self, warp: usize) -> usize {
        usize::try_from(self.word(warp, STEP)).expect("it was a place")
    }

    /// The place of a warp's server among the words.
    pub(super) fn server(&self, warp: usize, server: Server) -> usize {
        let first = self.warps() * self.width;
        let scheduler = warp % self.dispatchers;
        first
            + match server {
                Server::Memory => 0,
                Server::Local => 1,
                Server::Dispatcher => 2 + scheduler,
                Server::Matrix => 2 + self.dispatchers + scheduler,
            }
    }

    /// Runs to the next choice or the end; `None` if the caller ends it.
    pub(super) fn go_on(&mut self, is_over: &dyn Fn() -> bool) -> Option<Next> {
        let mut look = self.events;
        loop {
            if self.events >= look {
                if is_over() {
                    return None;
                }
                look = self.events + LOOK;
            }
            if let Some(warp) = (0..self.warps()).find(|&warp| self.is_ready(warp) && !self.needs_server(warp)) {
                self.execute(warp);
                continue;
            }
            match self.options()[..] {
                [] => {
                    let Some(wait) = self.next_wake() else { return Some(Next::End) };
                    self.pass(wait);
                }
                [warp] => self.execute(warp),
                _ => {
                    self.normalize();
                    return Some(Next::Choice);
                }
            }
        }
    }

    pub(super) fn is_ready(&self, warp: usize) -> bool {
        self.word(warp, WAKE) == 0
    }

    pub(super) fn needs_server(&self, warp: usize) -> bool {
        matches!(self.step(warp), Step::Use { .. } | Step::Start { .. })
    }

    /// The ticks until the next warp goes on; `None` if all are done.
    fn next_wake(&self) -> Option<u64> {
        let wakes = (0..self.warps()).map(|warp| self.word(warp, WAKE)).filter(|&wake| wake != NEVER);
        wakes.min()
    }

    /// Time passes.
    fn pass(&mut self, ticks: u64) {
        self.elapsed += ticks;
        for warp in 0..self.warps() {
            if self.word(warp, WAKE) != NEVER {
                self.set(warp, WAKE, self.word(warp, WAKE) - ticks);
            }
            let starts = self.starts(warp);
            self.words[starts].iter_mut().for_each(|rest| *rest = rest.saturating_sub(ticks));
        }
        let servers = self.warps() * self.width..;
        self.words[servers].iter_mut().for_each(|rest| *rest = rest.saturating_sub(ticks));
    }

    /// The next event: a ready warp executes its step.
    pub(super) fn execute(&mut self, warp: usize) {
        self.events += 1;
        match self.step(warp) {
            Step::Use { server, occupancy, latency } => {
                let wake = self.serve(warp, server, occupancy) + latency;
                self.proceed(warp, wake);
            }
            Step::Start { server, occupancy, latency, queue } => {
                let done = self.serve(warp, server, occupancy) + latency;
                let slots = self.slots(warp, self.code.queues[queue as usize]);
                slots::append(&mut self.words[slots], done, |one, other| one > other);
                self.proceed(warp, 0);
            }
            Step::Wait { queue, pending } => {
                let wake = self.rest_of_starts(warp, queue, pending);
                self.proceed(warp, wake);
            }
            Step::WaitForAll => {
                let wake = self.words[self.starts(warp)].iter().copied().max().unwrap_or(0);
                self.proceed(warp, wake);
            }
            Step::Barrier { cost, scope } => self.arrive(warp, cost, scope),
            Step::End => self.set(warp, WAKE, NEVER),
            Step::Begin { .. } | Step::Again { .. } => unreachable!("a settled warp stands at a statement"),
        }
    }

    /// Occupies a server when it is free; returns the ticks until then.
    fn serve(&mut self, warp: usize, server: Server, occupancy: u64) -> u64 {
        let place = self.server(warp, server);
        let begin = self.words[place];
        self.words[place] = begin + occupancy;
        begin
    }

    /// The places of a warp's starts.
    fn starts(&self, warp: usize) -> Range<usize> {
        warp * self.width + LEFT + self.code.depth..(warp + 1) * self.width
    }

    /// The places of a queue's slots of a warp.
    fn slots(&self, warp: usize, of: Slots) -> Range<usize> {
        let first = self.starts(warp).start + of.older;
        first..first + 1 + of.last
    }

    /// The ticks until all starts of a queue but the last `pending` are done.
    fn rest_of_starts(&self, warp: usize, queue: Queue, pending: u64) -> u64 {
        let slots = self.slots(warp, self.code.queues[queue as usize]);
        let waited = slots.len() - usize::try_from(pending).expect("at most 15");
        self.words[slots][..waited].iter().copied().max().unwrap_or(0)
    }

    /// The warp leaves its step and goes on after `wake` ticks.
    fn proceed(&mut self, warp: usize, wake: u64) {
        self.set(warp, WAKE, wake);
        self.settle(warp, self.place_of_step(warp) + 1);
    }

    /// Moves a warp to a step, through the begins and ends of loops there.
    fn settle(&mut self, warp: usize, mut step: usize) {
        loop {
            match self.code.steps[step] {
                Step::Begin { depth, count } => {
                    self.set(warp, LEFT + depth, count);
                    step += 1;
                }
                Step::Again { depth, body } => {
                    let left = self.word(warp, LEFT + depth) - 1;
                    self.set(warp, LEFT + depth, left);
                    step = if left > 0 { body } else { step + 1 };
                }
                _ => break,
            }
        }
        self.set(warp, STEP, step as u64);
    }

    /// The warp waits at a barrier, which opens when the last one arrives.
    fn arrive(&mut self, warp: usize, cost: u64, scope: BarrierScope) {
        self.set(warp, WAKE, NEVER);
        let members = match scope {
            BarrierScope::Group => {
                let first = warp / self.warps_per_group * self.warps_per_group;
                first..first + self.warps_per_group
            }
            BarrierScope::Grid => 0..self.warps(),
        };
        let waits = |warp| {
            self.word(warp, WAKE) == NEVER
                && matches!(self.step(warp), Step::Barrier { scope: its, .. } if its == scope)
        };
        if members.clone().all(waits) {
            members.for_each(|warp| self.proceed(warp, cost));
        }
    }
}
