/// What was found in the file `spec`, on a GPU if one was named.
#[must_use]
pub fn new(spec: &'a str, gpu: Option<&'a str>, diagnosis: &'a Diagnosis) -> Self {
    let Diagnosis { errors, warnings, space } = diagnosis;
    Self { schema: "autotune.diagnosis/1", spec, gpu, errors, warnings, space: space.as_ref() }
}

