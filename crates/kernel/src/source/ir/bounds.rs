//! The launches that a kernel is compiled for, as its attributes and annotations say.

use std::collections::HashMap;

use super::place::Notes;

/// The launches that the compiler translates a kernel for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// The groups that a multiprocessor shall hold by `__launch_bounds__`; `None` if the source does not say it.
    pub least_groups: Option<u64>,
    /// The most work items of a group: by `__launch_bounds__`, `reqd_work_group_size` or `amdgpu_flat_work_group_size`,
    /// and for AMD by the compiler's default; `None` if nothing bounds them.
    pub most_items: Option<u64>,
    /// The only work items of a group along x, y and z, by `reqd_work_group_size` or Triton's warps; `None` if the source does not say it.
    pub required: Option<[u64; 3]>,
}

impl LaunchBounds {
    /// Reads the bounds of a kernel from its first line, and from the notes and attributes of its module.
    pub(super) fn read(kernel: &str, first_line: &str, notes: &Notes, attributes: &Attributes) -> Self {
        let attribute = |name| attributes.value(first_line, name);
        let number = |name| attribute(name).and_then(|text| text.parse().ok());
        // Versions of LLVM before 21 annotate, later ones have attributes.
        let annotated = ["maxntidx", "maxntidy", "maxntidz"].map(|axis| notes.number(kernel, axis));
        let annotated =
            annotated.iter().any(Option::is_some).then(|| product(&annotated.map(|size| size.unwrap_or(1))));
        let sizes = |text: &str| text.split(',').map(|size| size.trim().parse().ok()).collect::<Option<Vec<u64>>>();
        let of_nvidia = attribute("nvvm.maxntid").and_then(sizes).map(|sizes| product(&sizes));
        let of_amd = attribute("amdgpu-flat-work-group-size").and_then(sizes).and_then(|range| range.last().copied());
        let of_launch = || attribute("nvvm.reqntid").and_then(sizes).map(|sizes| padded(&sizes));
        let of_notes = || notes.number(kernel, "reqntidx").map(|items| [items, 1, 1]);
        let required = required(first_line, notes).or_else(of_launch).or_else(of_notes);
        Self {
            least_groups: notes.number(kernel, "minctasm").or_else(|| number("nvvm.minctasm")),
            most_items: of_amd.or(annotated).or(of_nvidia).or(required.map(|sizes| product(&sizes))),
            required,
        }
    }
}

impl LaunchBounds {
    /// True if the kernel can be launched in groups of these work items along x, y and z.
    #[must_use]
    pub fn allow(&self, sizes: [u64; 3]) -> bool {
        self.required.is_none_or(|required| required == sizes)
            && self.most_items.is_none_or(|most| product(&sizes) <= most)
    }
}

/// Sizes along x, y and z; missing ones are 1.
fn padded(sizes: &[u64]) -> [u64; 3] {
    [0, 1, 2].map(|axis| sizes.get(axis).copied().unwrap_or(1))
}

fn product(sizes: &[u64]) -> u64 {
    sizes.iter().fold(1, |product, size| product.saturating_mul(*size))
}

/// The sizes behind `!reqd_work_group_size !15` in a kernel's first line.
fn required(first_line: &str, notes: &Notes) -> Option<[u64; 3]> {
    let number = first_line.split_once("!reqd_work_group_size !")?.1;
    let number = number.split(|next: char| !next.is_ascii_digit()).next()?;
    let sizes = notes.numbers(number)?;
    sizes.try_into().ok().filter(|sizes: &[u64; 3]| !sizes.contains(&0))
}

/// The groups of attributes of a module, by their number.
#[derive(Debug, Default)]
pub(super) struct Attributes<'a>(HashMap<&'a str, &'a str>);

impl<'a> Attributes<'a> {
    /// Takes a line `attributes #0 = { … }`; other lines are left out.
    pub(super) fn take(&mut self, line: &'a str) {
        let named = line.strip_prefix("attributes #").and_then(|line| line.split_once(" = "));
        self.0.extend(named);
    }

    /// The value of an attribute of the function with this first line; `None` if the function does not have it.
    pub(super) fn value(&self, first_line: &str, name: &str) -> Option<&'a str> {
        let groups = first_line.split(" #").skip(1);
        let numbers = groups.map(|rest| rest.split(|next: char| !next.is_ascii_digit()).next().unwrap_or_default());
        let mut texts = numbers.filter_map(|number| self.0.get(number).copied());
        texts.find_map(|text| text.split_once(&format!("\"{name}\"=\""))?.1.split('"').next())
    }
}

#[cfg(test)]
mod tests {
    use super::super::IrText;
    use super::LaunchBounds;

    fn bounds(head: &str, rest: &str) -> LaunchBounds {
        let text = format!("define {head} {{\n  ret void\n}}\n{rest}\n");
        IrText::split(&text).unwrap().module("k").unwrap().unwrap().bounds
    }

    #[test]
    fn each_form_of_a_bound_is_read() {
        let none = LaunchBounds::default();
        assert_eq!(bounds("void @k() #0", "attributes #0 = { nounwind \"target-cpu\"=\"sm_70\" }"), none);
        let amd = bounds("amdgpu_kernel void @k() #3", "attributes #3 = { \"amdgpu-flat-work-group-size\"=\"1,256\" }");
        assert_eq!(amd, LaunchBounds { most_items: Some(256), ..none });
        let notes = "!1 = !{void ()* @k, !\"maxntidx\", i32 64}\n!2 = !{void ()* @k, !\"maxntidy\", i32 2}\n\
                     !3 = !{void ()* @k, !\"minctasm\", i32 3}\n!4 = !{void ()* @other, !\"maxntidx\", i32 9}";
        assert_eq!(
            bounds("void @k() #0", notes),
            LaunchBounds { least_groups: Some(3), most_items: Some(128), required: None }
        );
        let attributes = "attributes #0 = { \"nvvm.maxntid\"=\"128,2\" \"nvvm.minctasm\"=\"4\" }";
        let found = bounds("ptx_kernel void @k() #0", attributes);
        assert_eq!(found, LaunchBounds { least_groups: Some(4), most_items: Some(256), required: None });
        let warps = bounds("ptx_kernel void @k() #0", "attributes #0 = { \"nvvm.reqntid\"=\"128\" }");
        assert_eq!(warps, LaunchBounds { least_groups: None, most_items: Some(128), required: Some([128, 1, 1]) });
        let required = bounds("spir_kernel void @k() #0 !reqd_work_group_size !7", "!7 = !{i32 16, i32 8, i32 1}");
        assert_eq!(required, LaunchBounds { least_groups: None, most_items: Some(128), required: Some([16, 8, 1]) });
    }
}
