//! `autotune mcp` of a program that was built without the feature `mcp`: it says how to build one that has it.

use thiserror::Error;

use super::failure::Failure;
use super::{Status, arguments};
use autotune_base::user_error::UserError;

/// A command that the program was built without.
#[derive(Debug, Error)]
#[error("this program was built without `autotune mcp`, as `cargo quick` builds it")]
struct LeftOut;

impl UserError for LeftOut {
    fn status(&self) -> Status {
        Status::Failure
    }

    fn help(&self) -> Option<String> {
        Some(
            "`cargo install --path .` and releases have it; `cargo run --profile quick -- mcp` builds it quickly"
                .to_owned(),
        )
    }
}

/// Refuses to serve.
pub(super) fn run(_: &arguments::Mcp) -> Result<Status, Failure> {
    Err(LeftOut.into())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::arguments::{Arguments, Command};

    #[test]
    fn a_program_without_the_server_says_how_to_build_one() {
        let alias = include_str!("../../.cargo/config.toml");
        assert!(alias.contains("run --profile quick --no-default-features --"), "{alias}");
        let Some(Command::Mcp(request)) = Arguments::parse_from(["autotune", "mcp"]).command else {
            panic!("the command is `mcp`")
        };
        let failure = run(&request).unwrap_err();
        assert_eq!(failure.status(), Status::Failure);
        assert!(failure.to_string().contains("`autotune mcp`"), "{failure}");
        assert!(failure.help().unwrap().contains("`cargo run --profile quick -- mcp`"));
    }
}
