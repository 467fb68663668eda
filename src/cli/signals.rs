//! Signals that ask this process to stop.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

use autotune_base::limits::Interrupt;

/// Returns an interrupt that Ctrl-C (SIGINT), SIGTERM and SIGHUP raise.
pub(super) fn interrupt() -> io::Result<Interrupt> {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    // Each signal writes one byte. A second signal is urgent, and must not be merged with the first.
    let (mut received, sender) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        pipe::register(signal, sender.try_clone()?)?;
    }
    let raise = move || {
        while received.read_exact(&mut [0]).is_ok() {
            raised.raise();
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(raise)?;
    Ok(interrupt)
}
