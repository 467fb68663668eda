//! The first points of a grid as boxes.

/// The first points of a grid of three variables, along x first: work items in lane order, or groups in the order of
/// their launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Bytes from one value to the next along x, y and z.
    pub(crate) steps: [i64; 3],
    /// The number of values along x, y and z, each at least 1.
    pub(crate) sizes: [u64; 3],
    /// The number of points, at most the product of the sizes.
    pub number: u64,
}

/// A box of points: the first value and the number of values along x, y and z.
pub(super) type Layer = ([u64; 3], [u64; 3]);

impl Corner {
    /// A single point.
    pub(crate) const POINT: Self = Self { steps: [0; 3], sizes: [1; 3], number: 1 };

    /// Up to three boxes that begin at the origin, whose union is the corner. They overlap.
    pub(super) fn boxes(&self) -> Vec<[u64; 3]> {
        let ([x, y, _], [planes, rows, rest]) = (self.sizes, self.parts());
        let boxes = [[x, y, planes], [x, rows, planes + 1], [rest, rows + 1, planes + 1]];
        boxes.into_iter().filter(|sizes| sizes.iter().all(|size| *size > 0)).collect()
    }

    /// Up to three boxes that do not overlap, whose union is the corner: whole planes, whole rows of the next plane,
    /// points of the next row.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let ([x, y, _], [planes, rows, rest]) = (self.sizes, self.parts());
        let layers = [([0, 0, 0], [x, y, planes]), ([0, 0, planes], [x, rows, 1]), ([0, rows, planes], [rest, 1, 1])];
        layers.into_iter().filter(|(_, sizes)| sizes.iter().all(|size| *size > 0)).collect()
    }

    /// The numbers of whole planes, of whole rows behind them, and of points behind these.
    fn parts(&self) -> [u64; 3] {
        let [x, y, _] = self.sizes.map(|size| size.max(1));
        let row = self.number / x;
        [row / y, row % y, self.number % x]
    }
}
