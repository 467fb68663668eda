//! Names that a refused source lacks: it is compiled with more and more of them defined, until the compiler finds no error. Then
//! one question is about all of them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use autotune_base::files;
use fs_err as fs;

use super::driver::Driver;
use super::error::CompileError;
use super::macros::Macros;
use super::message::Message;
use super::text::{LONGEST_FILE, identifiers};
use super::undeclared::{
    ClosedName, Undeclared, UndeclaredName, declaration, is_of_name, is_type_in, name_in, type_of,
};
use crate::source::cpp::{Word, words};

/// The most compilations.
const MOST_ROUNDS: usize = 24;

impl Driver {
    /// The error of a source that the compiler refuses with this output.
    pub(super) fn refusal(&self, output: &str, macros: &Macros) -> CompileError {
        let messages = self.of_user(output);
        let met: Vec<&str> = messages.iter().filter_map(|message| Some(name_in(&message.text)?.0)).collect();
        if met.is_empty() {
            return self.refused(output, macros);
        }
        // The names are a source's, and are looked for with its first configuration.
        let found = match self.undeclared.get() {
            Some(found) => found.clone(),
            None => match self.names_without_meaning(output, macros) {
                Ok(found) => self.undeclared.get_or_init(|| found).clone(),
                Err(why) => return why,
            },
        };
        let is_known = |name: &&str| found.names.iter().any(|one| one.name == **name);
        let found = if found.names.is_empty() || met.iter().all(is_known) { found } else { Undeclared::default() };
        self.refused(output, macros).with_undeclared(found)
    }

    /// True if an error is there whatever the parameters are: it is about a name without a meaning, and no line for the
    /// preprocessor names a parameter, whose values are numbers.
    pub(super) fn is_in_all(&self, messages: &[Message], macros: &Macros) -> bool {
        if !messages.iter().any(|message| is_of_name(&message.text)) {
            return false;
        }
        let Ok(files) = self.user_texts() else { return false };
        let parameters: BTreeSet<&str> = macros.parameters().map(|(name, _)| name).collect();
        let decides = |word: &Word<'_>| {
            word.directive().is_some_and(|(_, rest)| identifiers(rest).any(|name| parameters.contains(name)))
        };
        !files.iter().any(|(_, text)| words(text).iter().any(decides))
    }

    /// The names without a meaning in a source that is refused with this output.
    fn names_without_meaning(&self, output: &str, macros: &Macros) -> Result<Undeclared, CompileError> {
        let files = self.user_texts()?;
        let read: Vec<UserFile<'_>> =
            files.iter().map(|(name, text)| UserFile { name, text, words: words(text) }).collect();
        let mut declared = BTreeSet::new();
        let (mut found, mut output): (Vec<UndeclaredName>, _) = (Vec::new(), output.to_owned());
        for _ in 0..MOST_ROUNDS {
            let known = found.len();
            for message in self.of_user(&output) {
                let Some((name, is_type)) = name_in(&message.text) else { continue };
                if declared.contains(name) || found.iter().any(|one| one.name == name) {
                    continue;
                }
                if read.iter().any(|file| file.declares(name)) {
                    declared.insert(name.to_owned());
                } else {
                    let is_type = is_type || read.iter().any(|file| is_type_in(&file.words, name));
                    let value = if is_type { type_of(name) } else { "1".to_owned() };
                    found.push(UndeclaredName { name: name.to_owned(), value, message });
                }
            }
            if found.len() == known {
                break;
            }
            match self.output_with(&found, macros)? {
                Ok(_) => return Ok(Undeclared { names: found, closed: Vec::new() }),
                Err(says) => output = says,
            }
        }
        let closed = |name: &String| read.iter().find(|file| file.declares(name))?.closed(name);
        let closed = declared.iter().filter_map(closed).collect();
        Ok(Undeclared { names: Vec::new(), closed })
    }

    /// The output of the compiler if these names are defined, or else its messages.
    fn output_with(&self, names: &[UndeclaredName], macros: &Macros) -> Result<Result<String, String>, CompileError> {
        let folder = self.folders.compilation()?;
        let at = folder.path();
        let lines = names.iter().map(|one| format!("#define {} {}\n", one.name, one.value));
        let text = lines.chain([self.text(macros)]).collect::<Vec<_>>().concat();
        fs::write(at.join(self.language.file_name()), text)?;
        Ok(self.ran(&self.task(self.source.form(), at), macros)?.output)
    }

    /// The texts of the user's files and headers, with their names.
    fn user_texts(&self) -> Result<Vec<(String, String)>, CompileError> {
        let places = self.folders.places();
        let name = |path: &PathBuf| places.name_of(path).unwrap_or_else(|| path.display().to_string());
        let read = |path: &PathBuf| {
            let text = files::named(path, LONGEST_FILE).text().map_err(CompileError::Source)?;
            Ok((name(path), text))
        };
        places.files.iter().chain(&self.headers_of_user).map(read).collect()
    }
}

/// A file of the user's.
struct UserFile<'a> {
    name: &'a str,
    text: &'a str,
    words: Vec<Word<'a>>,
}

impl UserFile<'_> {
    /// True if some line declares a name.
    fn declares(&self, name: &str) -> bool {
        declaration(&self.words, name).is_some()
    }

    /// The declaration of a name that a condition leaves out; `None` if there is none.
    fn closed(&self, name: &str) -> Option<ClosedName> {
        let (at, condition) = declaration(&self.words, name)?;
        let line = 1 + self.text[..at].matches('\n').count();
        Some(ClosedName { name: name.to_owned(), file: self.name.to_owned(), line, condition: condition? })
    }
}
