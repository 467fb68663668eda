//! The texts of a source as the compiler gets them: without the host's code, with names beside macros.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tracing::info;

use super::super::cpp::{KnownMacros, beside_macros};
use super::super::host::{DeviceText, device_texts};
use super::absent::{AbsentHeader, Elsewhere};
use super::error::CompileError;
use super::included::{self, Header};
use super::place::Folders;
use super::target::ClangLanguage;
use super::text::{Joined, KernelSource, source_texts};

/// The beginning of the names of sub-groups' functions.
const SUB_GROUPS: &str = "sub_group";

/// A source and its headers, ready for the compiler.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The text of the source's files.
    pub(super) joined: Joined,
    /// The texts of the user's headers, by their paths.
    pub(super) of_user: Vec<(PathBuf, String)>,
    /// The headers of this program that the source includes.
    pub(super) headers: BTreeSet<&'static str>,
    /// The names that no folder of the user has.
    pub(super) elsewhere: Elsewhere,
    /// The headers that are nowhere, and empty for the compiler.
    pub(super) absent: Vec<AbsentHeader>,
    /// True if a text has the beginning of the names of sub-groups' functions.
    pub(super) names_sub_groups: bool,
}

impl Prepared {
    /// Reads a source and the headers that it includes by name.
    ///
    /// # Errors
    /// If a file cannot be read or is not regular, or an option or the kernel's name is refused.
    pub(super) fn new(source: &KernelSource, language: ClangLanguage, folders: &Folders) -> Result<Self, CompileError> {
        let own = source_texts(&folders.places().files)?;
        let own_names = source.files.iter().map(|file| file.to_string_lossy().into_owned());
        let own_texts: Vec<(String, &str)> = own_names.zip(own.iter().map(String::as_str)).collect();
        let is_cuda = language == ClangLanguage::Cuda;
        let mut included = included::headers(&own_texts, folders, is_cuda)?;
        let texts: Vec<&str> =
            own.iter().map(String::as_str).chain(included.of_user.iter().map(|header| header.text.as_str())).collect();
        let macros = KnownMacros::new(&texts);
        let names_sub_groups = !is_cuda && texts.iter().any(|text| text.contains(SUB_GROUPS));
        let device = if is_cuda {
            let device = device_texts(&texts, own.len(), source.kernel.as_deref(), &macros);
            tell(&own_texts, &included.of_user, &device);
            device.into_iter().map(|device| device.text).collect()
        } else {
            texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()
        };
        let mut made: Vec<String> = device.iter().map(|text| beside_macros(text, &source.macros, &macros)).collect();
        let of_headers = made.split_off(own.len());
        let joined = source.joined(language, &made)?;
        let of_user =
            std::mem::take(&mut included.of_user).into_iter().map(|header| header.path).zip(of_headers).collect();
        let included::Headers { own: headers, elsewhere, absent, .. } = included;
        Ok(Self { joined, of_user, headers, elsewhere, absent, names_sub_groups })
    }
}

/// The lines that were said in this process: a source is prepared for each GPU.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Says what of the files is the host's, once.
fn tell(own: &[(String, &str)], headers: &[Header], device: &[DeviceText]) {
    let of_headers = headers.iter().map(|header| header.path.display().to_string());
    let names = own.iter().map(|(name, _)| name.clone()).chain(of_headers);
    for (name, text) in names.zip(device) {
        for left_out in &text.left_out {
            let what = left_out.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`"));
            let line = format!("{name}:{}: the host's{what} is left out", left_out.line);
            if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(line.clone()) {
                info!(target: "source.host", "{line}");
            }
        }
    }
}
