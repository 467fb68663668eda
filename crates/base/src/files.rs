//! Reads files that others made, with care.
//!
//! A FIFO never ends, a device may be endless, a link leads elsewhere. `InputFile::open` therefore checks the type of a
//! path, opens the file without waiting, checks the type of the opened file again, and reads no more bytes than the
//! caller allows.

pub mod cache;
pub mod checksum;
pub mod own_folder;
pub mod scratch;
pub mod secret;
pub mod version;

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use nix::fcntl::OFlag;

/// Bytes of a mebibyte.
pub const MIB: u64 = 1 << 20;

/// A file that is to be read.
#[derive(Debug, Clone)]
pub struct InputFile {
    path: PathBuf,
    /// The path as messages show it.
    name: String,
    /// True if a link to a regular file is accepted.
    follows_links: bool,
    /// The most bytes of the file; a longer one is refused.
    most: u64,
}

/// A file that a user names. A link to a regular file is allowed.
#[must_use]
pub fn named(path: &Path, most: u64) -> InputFile {
    InputFile { path: path.to_owned(), name: path.display().to_string(), follows_links: true, most }
}

/// A file in a folder that this program fills. A link is refused.
#[must_use]
pub fn kept(path: &Path, most: u64) -> InputFile {
    InputFile { follows_links: false, ..named(path, most) }
}

impl InputFile {
    /// Returns the source with another name in messages.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Returns the source with messages that do not name it.
    #[must_use]
    pub fn unnamed(self) -> Self {
        self.called("")
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a regular file or has too many bytes. The message names the file.
    pub fn open(&self) -> io::Result<File> {
        self.opened().map_err(|why| self.failure(&why))
    }

    /// Returns all bytes of the file.
    ///
    /// # Errors
    /// If the file cannot be opened (see [`Self::open`]) or read.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let read = |file: File| limited(file, self.most);
        self.opened().and_then(read).map_err(|why| self.failure(&why))
    }

    /// Returns the file's text.
    ///
    /// # Errors
    /// If the file cannot be opened (see [`Self::open`]) or read, or is not UTF-8.
    pub fn text(&self) -> io::Result<String> {
        utf8(self.bytes()?).map_err(|why| self.failure(&why))
    }

    /// Returns the first bytes of the file, at most the allowed number, for a file of any length.
    ///
    /// # Errors
    /// If the file cannot be opened (see [`Self::open`]) or read. A file is never too long.
    pub fn beginning(&self) -> io::Result<Vec<u8>> {
        let read = |file: File| {
            let mut bytes = Vec::new();
            file.take(self.most).read_to_end(&mut bytes).map(|_| bytes)
        };
        Self { most: u64::MAX, ..self.clone() }.opened().and_then(read).map_err(|why| self.failure(&why))
    }

    fn opened(&self) -> io::Result<File> {
        // Opening a device may have an effect, so the type is checked first.
        let found =
            if self.follows_links { std::fs::metadata(&self.path) } else { std::fs::symlink_metadata(&self.path) };
        self.check(&found?)?;
        let mut flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        if !self.follows_links {
            flags |= OFlag::O_NOFOLLOW;
        }
        let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(&self.path)?;
        // Another file may have taken the path since the first check.
        self.check(&file.metadata()?)?;
        Ok(file)
    }

    fn check(&self, found: &Metadata) -> io::Result<()> {
        if let Some(kind) = irregular(found.file_type()) {
            return Err(unusable(format!("it is {kind}, not a regular file: {}", self.remedy(kind))));
        }
        if found.len() > self.most { Err(too_long(self.most)) } else { Ok(()) }
    }

    fn remedy(&self, kind: &str) -> &'static str {
        match (self.follows_links, kind) {
            (false, _) => "move it away, or name another folder",
            (true, FOLDER) => "name a file in it",
            (true, _) => "write what it gives to a file, and name that file",
        }
    }

    fn failure(&self, why: &io::Error) -> io::Error {
        if self.name.is_empty() {
            return io::Error::new(why.kind(), why.to_string());
        }
        io::Error::new(why.kind(), format!("cannot read `{}`: {why}", self.name))
    }
}

/// Opens a file of this program for reading and writing. A missing file is created.
///
/// # Errors
/// If the file cannot be opened or is not a regular file. The message does not name the file.
pub fn open_or_make(path: &Path) -> io::Result<File> {
    let source = kept(path, u64::MAX);
    match std::fs::symlink_metadata(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        found => source.check(&found?)?,
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_NOFOLLOW).bits()).open(path)?;
    source.check(&file.metadata()?)?;
    Ok(file)
}

/// Returns the text of a stream, such as standard input. Messages call the stream `name`.
///
/// # Errors
/// If the stream cannot be read, has more than `most` bytes, or is not UTF-8.
pub fn text_of(stream: impl Read, name: &str, most: u64) -> io::Result<String> {
    let named = |why: io::Error| io::Error::new(why.kind(), format!("cannot read {name}: {why}"));
    limited(stream, most).and_then(utf8).map_err(named)
}

const FOLDER: &str = "a folder";

/// The type of a folder's entry in words; `None` for a regular file.
#[must_use]
pub fn irregular(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some(FOLDER)
    } else if kind.is_symlink() {
        Some("a link")
    } else if kind.is_fifo() {
        Some("a FIFO")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

fn limited(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes) }
}

fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8: the byte at offset {valid} is invalid"))
    })
}

fn too_long(most: u64) -> io::Error {
    unusable(format!("it has more than {}, the largest size that is read", ByteSize::b(most)))
}

fn unusable(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    fn told(source: &InputFile) -> String {
        source.bytes().unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_a_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        mkfifo(&at("fifo"), Mode::S_IRWXU).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("fifo", at("led astray")).unwrap();
        for (name, words) in [("fifo", "it is a FIFO"), ("socket", "it is a socket"), ("led astray", "it is a FIFO")] {
            assert!(told(&named(&at(name), 10)).contains(words), "{}", told(&named(&at(name), 10)));
        }
        assert!(told(&named(Path::new("/dev/zero"), 10)).contains("`/dev/zero`: it is a device"));
        assert!(told(&named(folder.path(), 10)).contains("it is a folder, not a regular file: name a file in it"));
        assert_eq!(named(&at("link"), 4).text().unwrap(), "text");
        assert!(told(&kept(&at("link"), 4)).contains("it is a link, not a regular file: move it away"));
    }

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let words = "it has more than 64.0 MiB, the largest size that is read";
        assert!(told(&named(&path, 64 * MIB)).contains(words), "{}", told(&named(&path, 64 * MIB)));
        assert_eq!(kept(&path, 5).beginning().unwrap(), [0; 5]);
        let endless = text_of(io::repeat(b'a'), "standard input", 3).unwrap_err();
        assert_eq!(
            endless.to_string(),
            "cannot read standard input: it has more than 3 B, the largest size that is read"
        );
        // The kernel's files say that they are empty.
        assert!(named(Path::new("/proc/self/status"), MIB).text().unwrap().contains("Name:"));
    }
}
