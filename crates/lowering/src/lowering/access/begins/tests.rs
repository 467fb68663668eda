//! Places against a list of all values of all variables.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

/// The number of times that data begin at each place of a line, value by value.
fn listed(first: i64, variables: &[Variable], line: u64) -> Vec<u64> {
    let mut addresses = vec![first];
    for variable in variables {
        let moved =
            |address: &i64| (0..variable.count).map(|value| address + variable.step * value.cast_signed()).collect();
        addresses = addresses.iter().flat_map(|address: &i64| -> Vec<i64> { moved(address) }).collect();
    }
    let mut times = vec![0; usize::try_from(line).unwrap()];
    for address in addresses {
        times[usize::try_from(address.rem_euclid(line.cast_signed())).unwrap()] += 1;
    }
    times
}

#[test]
fn places_are_those_of_all_values_and_as_frequent() {
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..2_000 {
        let first = random.random_range(-300..300) * 4;
        let variables: Vec<Variable> = (0..random.random_range(0..4))
            .map(|_| Variable { step: random.random_range(-80..80) * 4, count: random.random_range(1..12) })
            .collect();
        let begins = Begins::new(first, variables.iter().copied(), [0; 3]).unwrap();
        for line in [32, 64, 128] {
            let places = begins.places(line).unwrap();
            let listed = listed(first, &variables, line);
            let all = |times: &mut dyn Iterator<Item = u64>| times.sum::<u64>();
            let [whole, of] = [all(&mut listed.iter().copied()), all(&mut places.iter().map(|place| place.times))];
            for (start, times) in (0..).zip(listed) {
                let found = places.iter().find(|place| place.start == start).map_or(0, |place| place.times);
                assert_eq!(times * of, found * whole, "{first} {variables:?} {line} {start}");
            }
        }
    }
}
