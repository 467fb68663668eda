//! A lower bound and its reason.

use std::fmt;

use crate::machine::Server;

/// A lower bound of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The lower bound, in ticks.
    pub ticks: u64,
    /// The reason for the bound.
    pub by: By,
}

/// The reason for a lower bound. If several bounds are equal, the first variant listed here is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// One warp alone takes this long.
    CriticalPath,
    /// The warps occupy this server one after the other.
    Server(Server),
    /// The groups' phases between barriers follow each other.
    Phases,
}

impl By {
    /// The names of all reasons.
    pub fn names() -> Vec<String> {
        let servers = Server::ALL.into_iter().map(Self::Server);
        [Self::CriticalPath, Self::Phases].into_iter().chain(servers).map(|by| by.to_string()).collect()
    }
}

impl fmt::Display for By {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::CriticalPath => "critical path",
            Self::Server(server) => server.name(),
            Self::Phases => "phases",
        })
    }
}
