//! The run of one wave: the resident groups of a multiprocessor, event by event.
//!
//! Events are taken in the order of (time, warp number).

use std::ops::Range;

use super::events::{self, Events, Key};
use super::recurrence::Recurrence;
use super::state::{NEVER, State};
use super::watch::Watch;
use crate::machine::code::{Code, Slots, Step};
use crate::machine::{BarrierScope, Program, Queue, Server, slots};

/// The result of one wave.
pub(super) struct WaveRun {
    pub(super) ticks: u64,
    /// Events that were really run.
    pub(super) stepped: u64,
    pub(super) skips: u64,
    pub(super) longest_period: u64,
}

/// Runs a wave of `groups` groups and reports its events to `watch`; `None` if more than `limit` events must be run.
pub(super) fn run<W: Watch>(
    code: &Code,
    program: &Program,
    groups: u64,
    patience: u64,
    limit: u64,
    watch: W,
) -> Option<WaveRun> {
    let warps = groups * program.warps_per_group;
    // At every moment at least one warp is in service or in latency, so this product bounds the end.
    let end = program.latencies() * u128::from(warps);
    if events::narrow(size(warps), end) {
        Wave::<u64, W>::new(code, program, groups, patience, watch).run(limit)
    } else {
        Wave::<u128, W>::new(code, program, groups, patience, watch).run(limit)
    }
}

struct Wave<'a, K, W> {
    code: &'a Code,
    places: Vec<Place>,
    warps_per_group: usize,
    /// The number of warps of each group that wait at its barrier, and last of all warps at the grid's.
    waiting: Vec<usize>,
    state: State,
    events: Events<K>,
    recurrence: Recurrence,
    watch: W,
}

/// The group and the dispatcher of a warp.
struct Place {
    group: usize,
    /// The index of its dispatcher in [`State::free`].
    dispatcher: usize,
    /// The index of its matrix unit there.
    matrix: usize,
}

impl<'a, K: Key, W: Watch> Wave<'a, K, W> {
    fn new(code: &'a Code, program: &Program, groups: u64, patience: u64, watch: W) -> Self {
        let warps = size(groups * program.warps_per_group);
        let warps_per_group = size(program.warps_per_group);
        let dispatchers = size(program.dispatchers).min(warps);
        let state = State {
            wakes: vec![0; warps],
            next: vec![0; warps],
            left: vec![0; warps * code.depth],
            free: vec![0; 2 + if code.has_matrix { 2 * dispatchers } else { dispatchers }],
            done: vec![0; warps * code.slots],
        };
        let place = |warp| {
            let dispatcher = 2 + warp % dispatchers;
            Place { group: warp / warps_per_group, dispatcher, matrix: dispatcher + dispatchers }
        };
        let mut wave = Self {
            code,
            places: (0..warps).map(place).collect(),
            warps_per_group,
            waiting: vec![0; size(groups) + 1],
            events: Events::new(&state.wakes),
            state,
            recurrence: Recurrence::new(code, patience),
            watch,
        };
        for warp in 0..warps {
            wave.go_to(warp, 0);
        }
        wave
    }

    fn run(mut self, limit: u64) -> Option<WaveRun> {
        let (mut ticks, mut stepped) = (0, 0);
        while let Some(warp) = self.events.first() {
            if stepped == limit {
                return None;
            }
            stepped += 1;
            if self.recurrence.pivot == Some(warp)
                && self.recurrence.look(self.code, &mut self.state, warp, stepped, &mut self.watch)
            {
                self.events.set_all(&self.state.wakes);
            }
            let now = self.state.wakes[warp];
            match self.code.steps[self.state.next[warp]] {
                Step::Use { server, occupancy, latency } => self.serve(now, warp, server, occupancy, latency),
                Step::Start { server, occupancy, latency, queue } => {
                    let [.., done] = self.begin(now, warp, server, occupancy, latency);
                    self.push(warp, queue, done);
                    self.go_to(warp, self.state.next[warp] + 1);
                }
                Step::Wait { queue, pending } => {
                    let Slots { older, last } = self.code.queues[queue as usize];
                    self.wait_for(now, warp, older..older + 1 + last - size(pending));
                }
                Step::Barrier { cost, scope } => self.arrive(now, warp, cost, scope),
                Step::WaitForAll => self.wait_for(now, warp, 0..self.code.slots),
                _ => {
                    ticks = now;
                    self.watch.ends(warp, now);
                    self.wake(warp, NEVER);
                    self.recurrence.done(warp, self.code, &self.state);
                }
            }
        }
        let Recurrence { skips, longest_period, .. } = self.recurrence;
        Some(WaveRun { ticks, stepped, skips, longest_period })
    }

    fn serve(&mut self, now: u64, warp: usize, server: Server, occupancy: u64, latency: u64) {
        let moments = self.begin(now, warp, server, occupancy, latency);
        self.watch.uses(warp, server, moments);
        self.go_to(warp, self.state.next[warp] + 1);
        self.wake(warp, moments[3]);
    }

    /// Occupies a server; returns the moments of the request, of the begin and the end of service, and of the end of the
    /// latency.
    fn begin(&mut self, now: u64, warp: usize, server: Server, occupancy: u64, latency: u64) -> [u64; 4] {
        let free = &mut self.state.free[match server {
            Server::Memory => 0,
            Server::Local => 1,
            Server::Dispatcher => self.places[warp].dispatcher,
            Server::Matrix => self.places[warp].matrix,
        }];
        let begin = now.max(*free);
        *free = begin + occupancy;
        [now, begin, begin + occupancy, begin + latency]
    }

    fn push(&mut self, warp: usize, queue: Queue, done: u64) {
        let Slots { older, last } = self.code.queues[queue as usize];
        slots::append(&mut self.state.done[warp * self.code.slots + older..][..=last], done, u64::gt);
    }

    /// The warp goes on when all starts in these of its slots are done.
    fn wait_for(&mut self, now: u64, warp: usize, slots: Range<usize>) {
        let own = &self.state.done[warp * self.code.slots..][slots];
        let until = own.iter().fold(now, |until, done| until.max(*done));
        self.watch.waits(warp, now, until);
        self.go_to(warp, self.state.next[warp] + 1);
        self.wake(warp, until);
    }

    fn arrive(&mut self, now: u64, warp: usize, cost: u64, scope: BarrierScope) {
        let (barrier, members) = match scope {
            BarrierScope::Group => {
                let group = self.places[warp].group;
                (group, group * self.warps_per_group..(group + 1) * self.warps_per_group)
            }
            BarrierScope::Grid => (self.waiting.len() - 1, 0..self.places.len()),
        };
        self.watch.arrives(warp, now);
        self.waiting[barrier] += 1;
        if self.waiting[barrier] < members.len() {
            self.wake(warp, NEVER);
            return;
        }
        self.waiting[barrier] = 0;
        for member in members {
            self.watch.leaves(member, now, cost);
            self.go_to(member, self.state.next[member] + 1);
            self.wake(member, now + cost);
        }
    }

    fn wake(&mut self, warp: usize, wake: u64) {
        self.state.wakes[warp] = wake;
        self.events.set(warp, wake);
    }

    /// Moves the warp to `step`, or to the first step after it that takes time.
    fn go_to(&mut self, warp: usize, mut step: usize) {
        let own = warp * self.code.depth;
        loop {
            match self.code.steps[step] {
                Step::Begin { depth, count } => {
                    self.state.left[own + depth] = count;
                    step += 1;
                }
                Step::Again { depth, body } => {
                    let left = &mut self.state.left[own + depth];
                    *left -= 1;
                    step = if *left > 0 { body } else { step + 1 };
                }
                _ => break,
            }
        }
        self.state.next[warp] = step;
    }
}

/// Converts a number of a checked program to a length.
fn size(number: u64) -> usize {
    usize::try_from(number).expect("the machine's memory holds the wave")
}
