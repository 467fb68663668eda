//! Changes that make one statement of a body worse: more sectors, bytes, passes, waits, instructions or iterations, or
//! fewer hits. The launch and the resources stay.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::pairs::{Keys, Launch, Pair, Statement};

/// A kind of change, and the statements that stand in the place of one.
pub(crate) type Change = (&'static str, Vec<Statement>);

/// Elements between neighbouring lanes: more of them touch more sectors, and at least as many lines.
const STRIDES: [u64; 9] = [0, 1, 2, 3, 4, 8, 16, 32, 64];

/// Elements between neighbouring lanes in local memory: more of them need at least as many passes.
const LOCAL_STRIDES: [u64; 7] = [0, 1, 2, 4, 8, 16, 32];

/// A number among the keys; `otherwise` if the key is absent.
fn number(keys: &Keys, key: &str, otherwise: u64) -> u64 {
    keys.get(key).map_or(otherwise, |text| text.parse().unwrap())
}

fn stated<const N: usize>(keys: [(&'static str, String); N]) -> Keys {
    keys.into_iter().collect()
}

/// One pair for each kind of change that a body allows, at a random place.
pub(crate) fn worse_pairs(pair: &Pair, random: &mut StdRng) -> Vec<(&'static str, Pair)> {
    let all = changed_bodies(&pair.body, &pair.launch, random);
    let mut kinds: Vec<_> = all.iter().map(|(kind, _)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let chosen = kinds.into_iter().map(|kind| {
        let of_kind: Vec<_> = all.iter().filter(|(other, _)| *other == kind).collect();
        let (_, body) = of_kind.choose(random).unwrap();
        (kind, Pair { launch: pair.launch.clone(), body: body.clone() })
    });
    chosen.collect()
}

/// The body with each change of each of its statements.
fn changed_bodies(body: &[Statement], launch: &Launch, random: &mut StdRng) -> Vec<Change> {
    let mut found = Vec::new();
    for (place, statement) in body.iter().enumerate() {
        let mut changes = changes(statement, launch, random);
        if let Statement::Loop { count, worse, body } = statement {
            let inner = changed_bodies(body, launch, random).into_iter();
            let around = |body| vec![Statement::Loop { count: *count, worse: *worse, body }];
            changes.extend(inner.map(|(kind, body)| (kind, around(body))));
        }
        let replaced = |by: &[Statement]| [&body[..place], by, &body[place + 1..]].concat();
        found.extend(changes.iter().map(|(kind, by)| (*kind, replaced(by))));
    }
    found
}

fn changes(statement: &Statement, launch: &Launch, random: &mut StdRng) -> Vec<Change> {
    let mut found = match statement {
        Statement::Loop { count, body, .. } => {
            let worse = count + random.random_range(1..=*count);
            vec![("more iterations", vec![Statement::Loop { count: *count, worse, body: body.clone() }])]
        }
        Statement::Keyed { keyword, keys, .. } => {
            let changed = match *keyword {
                "load" | "store" => [accesses(keyword, keys), footprints(keys, launch), waits(keys)].concat(),
                "local" => local(keys),
                _ => compute(keys),
            };
            let with = |worse| vec![Statement::Keyed { keyword, keys: keys.clone(), worse }];
            changed.into_iter().map(|(kind, worse)| (kind, with(worse))).collect()
        }
        Statement::Barrier | Statement::Added(_) => Vec::new(),
    };
    found.extend(additions().map(|(kind, added)| (kind, vec![statement.clone(), Statement::Added(Box::new(added))])));
    found
}

/// Statements that one version has beside the others.
fn additions() -> impl Iterator<Item = (&'static str, Statement)> {
    let keyed = |keyword, keys| Statement::Keyed { keyword, keys, worse: Keys::new() };
    let array = || stated([("array", "d".to_owned())]);
    let added = [
        ("an instruction is added", keyed("compute", stated([("kind", "any".to_owned())]))),
        ("an operation is added", keyed("compute", stated([("kind", "fp32".to_owned())]))),
        ("a load is added", keyed("load", array())),
        ("a store is added", keyed("store", array())),
        ("a local access is added", keyed("local", stated([("per_item", "1".to_owned())]))),
        ("a barrier is added", Statement::Barrier),
    ];
    added.into_iter()
}

type Worse = Vec<(&'static str, Keys)>;

/// Loads and stores of more bytes or sectors, or more of them.
fn accesses(keyword: &str, keys: &Keys) -> Worse {
    let is_load = keyword == "load";
    let of = |load: &'static str, store: &'static str| if is_load { load } else { store };
    let [bytes, vector, per_item] = ["bytes", "vector", "per_item"].map(|key| number(keys, key, 1));
    let mut found = vec![(of("one more load", "one more store"), stated([("per_item", (per_item + 1).to_string())]))];
    // Stated bytes that are asked for more often hit more often, and a wider store fills more of its sectors.
    let is_open = !keys.contains_key("footprint");
    if is_load && is_open && bytes < 16 {
        found.push(("a load of larger elements", stated([("bytes", (2 * bytes).to_string())])));
    }
    if keys.contains_key("stride") && is_open {
        let apart = number(keys, "stride", 0) / vector;
        if let Some(more) = STRIDES.iter().find(|more| **more > apart) {
            let kind = of("a load of a larger stride", "a store of a larger stride");
            found.push((kind, stated([("stride", (more * vector).to_string())])));
        }
        if !is_load && vector == 1 && apart > 0 && bytes > 1 {
            let half = stated([("bytes", (bytes / 2).to_string()), ("stride", (2 * apart).to_string())]);
            found.push(("a store of a part of its sectors", half));
        }
    }
    if let Some(index) = keys.get("index") {
        let (row, column) = index[1..index.len() - 1].split_once(", ").unwrap();
        if row.starts_with("gy") && column.starts_with("gx") {
            let kind = of("a load along columns", "a store along columns");
            found.push((kind, stated([("index", format!("[{column}, {row}]"))])));
        }
    }
    if let Some(items) = keys.get("items").filter(|_| is_load) {
        let more = items.parse::<u64>().unwrap() * 2;
        found.push(("a load by more work items", stated([("items", more.to_string())])));
    }
    found
}

/// Accesses with fewer hits: more unique bytes.
fn footprints(keys: &Keys, launch: &Launch) -> Worse {
    let [x, y] = launch.group;
    let mut found = Vec::new();
    if let Some(index) = keys.get("index").filter(|index| index.contains(", lx")) {
        let own = index.replacen(", lx", &format!(", gx * {x} + lx"), 1);
        found.push(("groups share no data", stated([("index", own)])));
    }
    let Some(footprint) = keys.get("footprint") else { return found };
    let numbers: Vec<u64> =
        footprint.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    if footprint.contains("sectors") {
        if numbers[0] < 32 {
            found.push(("more sectors", stated([("footprint", format!("{{ sectors: {} }}", 2 * numbers[0]))])));
        }
        return found;
    }
    let [group, together] = numbers[..] else { panic!("{footprint}") };
    let asked = ["bytes", "vector", "per_item"].map(|key| number(keys, key, 1)).iter().product::<u64>() * x * y;
    let text = |group: u64, together: u64| {
        stated([("footprint", format!("{{ group: {group}, together: {together} * concurrent }}"))])
    };
    if group < asked {
        found.push(("fewer hits in L1", text((group + asked / 4).min(asked), together)));
    }
    if together < group {
        found.push(("fewer hits in L2", text(group, (together + asked / 4).min(group))));
    }
    found
}

/// Loads that wait more often.
fn waits(keys: &Keys) -> Worse {
    let mut found = Vec::new();
    if keys.contains_key("in_flight") && number(keys, "in_flight", 1) > 1 {
        found.push(("fewer loads in flight", stated([("in_flight", (number(keys, "in_flight", 1) / 2).to_string())])));
    }
    if keys.contains_key("round_trips") {
        let more = number(keys, "round_trips", 1) + 1;
        found.push(("one more round trip", stated([("round_trips", more.to_string())])));
    }
    found
}

fn local(keys: &Keys) -> Worse {
    let [bytes, per_item] = ["bytes", "per_item"].map(|key| number(keys, key, 1));
    let mut found = vec![("one more local access", stated([("per_item", (per_item + 1).to_string())]))];
    if bytes < 16 {
        found.push(("a local access of larger elements", stated([("bytes", (2 * bytes).to_string())])));
    }
    if keys.contains_key("stride") {
        let more = LOCAL_STRIDES.iter().find(|more| **more > number(keys, "stride", 1));
        found.extend(more.map(|more| ("a larger stride in local memory", stated([("stride", more.to_string())]))));
    }
    let conflict = number(keys, "conflict", 32);
    if conflict < 32 {
        found.push(("a bank conflict of more ways", stated([("conflict", (conflict * 2).to_string())])));
    }
    if let Some(items) = keys.get("items") {
        let more = items.parse::<u64>().unwrap() * 2;
        found.push(("a local access by more work items", stated([("items", more.to_string())])));
    }
    found
}

fn compute(keys: &Keys) -> Worse {
    let more = |key: &'static str| stated([(key, (number(keys, key, 1) + 1).to_string())]);
    let mut found = vec![("one more operation", more("per_item"))];
    if keys.contains_key("chain") {
        found.push(("a longer chain", more("chain")));
    }
    found
}
