//! The time of a server whose resources get in each other's way.

use num_bigint::BigUint;

/// The exponent of the norm.
const POWER: u32 = 4;

/// The fourth root of the sum of the ticks' fourth powers, rounded up; `None` if it does not fit 64 bits.
///
/// One busy resource alone takes its own ticks. Two that are equally busy take 19 % more.
pub(in crate::lowering) fn norm(ticks: &[u64]) -> Option<u64> {
    let greatest = ticks.iter().copied().max().unwrap_or(0);
    if ticks.iter().filter(|resource| **resource > 0).count() < 2 {
        return Some(greatest);
    }
    let sum: BigUint = ticks.iter().map(|resource| BigUint::from(*resource).pow(POWER)).sum();
    let root = sum.nth_root(POWER);
    let exact = root.pow(POWER) == sum;
    u64::try_from(root).ok()?.checked_add(u64::from(!exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_busy_resource_takes_its_own_time() {
        assert_eq!([norm(&[]), norm(&[0, 0]), norm(&[0, 7, 0])], [Some(0), Some(0), Some(7)]);
        assert_eq!(norm(&[u64::MAX, 0]), Some(u64::MAX));
    }

    #[test]
    fn it_is_rounded_up_and_exact() {
        // 8^4 + 8^4 = 8192 is between 9^4 and 10^4; 16 equal numbers double
        assert_eq!(norm(&[8, 8]), Some(10));
        assert_eq!(norm(&[5; 16]), Some(10));
        assert_eq!(norm(&[5, 0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6]), Some(11));
        // a number too small to move the root still makes it round up
        assert_eq!(norm(&[1 << 40, 1]), Some((1 << 40) + 1));
    }

    #[test]
    fn long_phases_fit() {
        assert_eq!(norm(&[1 << 59; 16]), Some(1 << 60));
        assert_eq!(norm(&[u64::MAX, u64::MAX]), None);
    }

    proptest::proptest! {
        #[test]
        fn it_is_its_definition(ticks in proptest::collection::vec(0..1_u64 << 30, 1..6)) {
            let root = u128::from(norm(&ticks).unwrap());
            let sum: u128 = ticks.iter().map(|resource| u128::from(*resource).pow(4)).sum();
            proptest::prop_assert!(root.pow(4) >= sum && (root == 0 || (root - 1).pow(4) < sum));
        }
    }
}
