//! The work items of a group.

/// The sizes of a work group; work items are numbered along x first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    sizes: [i64; 3],
    coordinates: Vec<[i64; 3]>,
}

/// The name of a work item: its number in a group along x, else its place.
#[must_use]
pub fn item_name(at: [i64; 3]) -> String {
    match at {
        [x, 0, 0] => format!("work item {x}"),
        [x, y, 0] => format!("work item ({x}, {y})"),
        [x, y, z] => format!("work item ({x}, {y}, {z})"),
    }
}

impl Shape {
    /// A group of these sizes; each is at least 1.
    #[must_use]
    pub fn new(sizes: [u32; 3]) -> Self {
        let [x, y, z] = sizes.map(i64::from);
        let plane = |z: i64| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z]));
        Self { sizes: [x, y, z], coordinates: (0..z).flat_map(plane).collect() }
    }

    /// The sizes along x, y and z.
    #[must_use]
    pub fn sizes(&self) -> [i64; 3] {
        self.sizes
    }

    /// The number of work items.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.coordinates.len()
    }

    /// The place of each work item in the group.
    #[must_use]
    pub fn coordinates(&self) -> &[[i64; 3]] {
        &self.coordinates
    }
}
