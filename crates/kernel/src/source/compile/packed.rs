//! A compiler's output as it is kept.

use std::io::{self, Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// An output, or the messages of a compiler that refused the source, compressed.
#[derive(Debug, Clone)]
pub(in crate::source) struct Packed(Arc<[u8]>);

/// The first byte of an output and of messages.
const TEXT: u8 = b'T';
const ERRORS: u8 = b'E';

impl Packed {
    pub(in crate::source) fn of_text(text: &str) -> io::Result<Self> {
        Self::new(TEXT, text)
    }

    pub(in crate::source) fn of_errors(output: &str) -> io::Result<Self> {
        Self::new(ERRORS, output)
    }

    fn new(kind: u8, text: &str) -> io::Result<Self> {
        let mut encoder = DeflateEncoder::new(vec![kind], Compression::fast());
        encoder.write_all(text.as_bytes())?;
        Ok(Self(encoder.finish()?.into()))
    }

    /// The kept output; `None` if it is not an output.
    pub(in crate::source) fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        let packed = Self(bytes.into());
        packed.unpacked().map(|_| packed.clone())
    }

    /// True for an output.
    pub(in crate::source) fn is_text(&self) -> bool {
        self.0.first() == Some(&TEXT)
    }

    pub(in crate::source) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The output, or else the messages.
    pub(in crate::source) fn text(&self) -> Result<String, String> {
        match self.unpacked() {
            Some((TEXT, text)) => Ok(text),
            Some((_, messages)) => Err(messages),
            None => Err(String::new()),
        }
    }

    fn unpacked(&self) -> Option<(u8, String)> {
        let (kind, packed) = self.0.split_first()?;
        let mut text = String::new();
        DeflateDecoder::new(packed).read_to_string(&mut text).ok()?;
        [TEXT, ERRORS].contains(kind).then_some((*kind, text))
    }
}
