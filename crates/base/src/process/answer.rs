//! Answers of programs about themselves: asked for once, and known from the user's cache while a program's file is unchanged.

use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Finished, ProcessError, Task, run};
use crate::files::cache::{Cache, Key};
use crate::files::checksum::sha256_of;
use crate::limits::Limits;

/// The variables that choose the libraries of a program, and so what it says.
const LIBRARY_VARIABLES: [&str; 2] = ["LD_LIBRARY_PATH", "LD_PRELOAD"];

/// The texts that a program prints about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramAnswer {
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

impl ProgramAnswer {
    /// The first line of the standard output, without blanks around it.
    #[must_use]
    pub fn first_line(&self) -> &str {
        self.stdout.lines().next().unwrap_or_default().trim()
    }

    fn read(kept: &[u8]) -> Option<Self> {
        let (stdout, stderr) = std::str::from_utf8(kept).ok()?.split_once('\0')?;
        Some(Self { stdout: stdout.to_owned(), stderr: stderr.to_owned() })
    }

    fn kept(&self) -> String {
        [&*self.stdout, &*self.stderr].join("\0")
    }
}

/// Asks a program about itself with options such as `--version`. The answer of an unchanged program comes from the cache;
/// a script, which may start any other program, is always asked. The inner error is the end of a program that was stopped
/// or failed.
///
/// # Errors
/// If the program cannot be run.
pub fn answer(
    program: &Path,
    options: &[&str],
    limits: &Limits,
    cache: Option<&Cache>,
) -> Result<Result<ProgramAnswer, Finished>, ProcessError> {
    let known = cache.and_then(|cache| Some((cache, key(program, options)?)));
    if let Some(answer) = known.as_ref().and_then(|(cache, key)| ProgramAnswer::read(&cache.get(key)?)) {
        return Ok(Ok(answer));
    }
    let outcome = run(&Task::new(program, options.iter().copied(), Path::new("/")), limits)?;
    if outcome.stopped.is_some() || !outcome.status.success() {
        return Ok(Err(outcome));
    }
    let answer = ProgramAnswer { stdout: outcome.stdout, stderr: outcome.stderr };
    if let Some((cache, key)) = known {
        // A cache that cannot be written only makes the next start slower.
        let _ = cache.put(&key, answer.kept().as_bytes());
    }
    Ok(Ok(answer))
}

/// The path, place, size and times of a program's file, which tell it from any other that was or will be at this path.
#[must_use]
pub fn identity(program: &Path, found: &Metadata) -> String {
    let place = format!("{} {} {}", found.dev(), found.ino(), found.size());
    let modified = format!("{} {}", found.mtime(), found.mtime_nsec());
    let changed = format!("{} {}", found.ctime(), found.ctime_nsec());
    format!("{} {place} {modified} {changed}", program.display())
}

/// The key of a program's answer: its file as it is now; `None` for a script, or a file that cannot be read.
fn key(program: &Path, options: &[&str]) -> Option<Key> {
    let mut file = File::open(program).ok()?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).ok()?;
    if magic != *b"\x7fELF" {
        return None;
    }
    let program = identity(program, &file.metadata().ok()?);
    let libraries = sha256_of(&LIBRARY_VARIABLES.map(std::env::var_os));
    let parts = ["a program's answer", &program].into_iter().chain(options.iter().copied());
    Some(Key::of(parts.chain([libraries.as_str()])))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::files::secret::Secret;

    fn says(program: &Path, option: &str, cache: &Cache) -> String {
        answer(program, &[option], &Limits::default(), Some(cache)).unwrap().unwrap().first_line().to_owned()
    }

    /// The entry of an answer that is changed shows whether the program was asked.
    #[test]
    fn an_unchanged_program_is_asked_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache"), Secret::random());
        let program = folder.path().join("program");
        fs::copy(which::which("echo").unwrap(), &program).unwrap();
        assert_eq!(says(&program, " one ", &cache), "one");
        let known = key(&program, &[" one "]).unwrap();
        cache.put(&known, b"known\0").unwrap();
        assert_eq!(says(&program, " one ", &cache), "known");
        assert_eq!(says(&program, "two", &cache), "two", "another option is another question");
        // Another program of the same name, and the same one with another time.
        fs::remove_file(&program).unwrap();
        fs::copy(which::which("echo").unwrap(), &program).unwrap();
        assert_eq!(says(&program, " one ", &cache), "one");
        cache.put(&key(&program, &[" one "]).unwrap(), b"known\0").unwrap();
        File::options().append(true).open(&program).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(says(&program, " one ", &cache), "one");
    }

    #[test]
    fn a_script_is_asked_each_time_and_a_failure_is_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache"), Secret::random());
        let program = folder.path().join("program");
        fs::write(&program, "#!/bin/sh\necho one\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!((says(&program, "-V", &cache), key(&program, &["-V"])), ("one".to_owned(), None));
        let fails = || answer(&which::which("false").unwrap(), &["-V"], &Limits::default(), Some(&cache)).unwrap();
        assert!(fails().is_err() && fails().is_err());
    }
}
