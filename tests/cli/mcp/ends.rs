//! The end of a server and of its children, in whatever way its client leaves.

use std::ffi::OsStr;
use std::time::Duration;

use super::raw::Raw;
use super::*;

/// A kernel whose compiler does not end.
pub(super) struct Slow {
    compiler: PathBuf,
    /// The file that has the compiler's process.
    note: PathBuf,
}

impl Slow {
    /// Makes the spec `k.yaml` and the compiler in a folder.
    pub(super) fn new(folder: &Path) -> Self {
        let spec = "kernel: k\nparameters: { WG: { values: [32, 64] } }\nlaunch: { work_items: 1024, work_group: WG }\nsource: { file: k.cl }\n";
        std::fs::write(folder.join("k.yaml"), spec).unwrap();
        std::fs::write(folder.join("k.cl"), "__kernel void k(__global int* a) { a[get_global_id(0)] = WG; }\n")
            .unwrap();
        let note = folder.join("note");
        let clang = which::which("clang-19").or_else(|_| which::which("clang")).unwrap();
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *autotune_overlay*) echo $$ >{0}.new; mv {0}.new {0}; exec sleep 1000;; esac\n\
             exec {1} \"$@\"\n",
            note.display(),
            clang.display()
        );
        Self { compiler: script(folder, "slow-clang", &text), note }
    }

    pub(super) fn compiler(&self) -> &OsStr {
        self.compiler.as_os_str()
    }

    /// The compiler's process, once it runs.
    pub(super) async fn started(&self) -> u32 {
        for _ in 0..6_000 {
            if let Ok(text) = std::fs::read_to_string(&self.note) {
                return text.trim().parse().unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the compiler was not started")
    }

    /// True once a process is gone; false if it is not within a minute.
    pub(super) async fn has_ended(&self, process: u32) -> bool {
        for _ in 0..6_000 {
            if is_gone(process) {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        false
    }
}

/// True for a process that does not run any more.
fn is_gone(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.map_or(true, |stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

#[test]
fn the_server_and_its_children_end_with_their_client() {
    let kernel = serde_json::json!({ "path": "k.yaml", "gpu": "a100" });
    let change = serde_json::json!({ "path": "k.yaml", "gpu": "a100", "old": { "path": "k.yaml" } });
    for (is_killed, tool, arguments) in [(false, "diff", &change), (true, "evaluate", &kernel)] {
        let folder = tempfile::tempdir().unwrap();
        let slow = Slow::new(folder.path());
        let mut raw = Raw::start_with(folder.path(), &[("AUTOTUNE_CLANG", slow.compiler())]);
        let call = serde_json::json!({
            "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
        });
        raw.send(&call.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let child = runtime.block_on(slow.started());
        if is_killed {
            raw.kill();
        } else {
            // A dead client reads and writes nothing.
            raw.close();
        }
        assert!(runtime.block_on(slow.has_ended(child)), "the compiler ends, killed: {is_killed}");
        let begin = std::time::Instant::now();
        wait_until("the server ends", || raw.has_ended());
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}

/// A call whose analysis stands still ends with its client, or when the client cancels it.
#[test]
fn an_analysis_that_stands_still_ends_with_its_call() {
    let folder = tempfile::tempdir().unwrap();
    Slow::new(folder.path());
    let (stands, phase) = (folder.path().join("stands"), OsStr::new("intervals"));
    let cache = folder.path().join("cache");
    let still = [
        ("AUTOTUNE_STANDSTILL", phase),
        ("AUTOTUNE_STANDSTILL_FILE", stands.as_os_str()),
        ("XDG_CACHE_HOME", cache.as_os_str()),
    ];
    let mut raw = Raw::start_with(folder.path(), &still);
    let call = |raw: &mut Raw, id: u32| {
        let _ = std::fs::remove_file(&stands);
        let call = serde_json::json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "inspect", "arguments": { "path": "k.yaml", "gpu": "a100" } },
        });
        raw.send(&call.to_string());
        wait_until("the phase stands still", || stands.exists());
    };
    call(&mut raw, 9);
    raw.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#);
    let begin = std::time::Instant::now();
    assert!(!raw.called("gpus", &serde_json::json!({})).1);
    call(&mut raw, 10);
    raw.close();
    wait_until("the server ends", || raw.has_ended());
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}
