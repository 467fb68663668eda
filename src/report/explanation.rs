//! One configuration explained, as a result states it.

use num_traits::ToPrimitive;

use super::values::values;
use crate::explain::{Account, Change, Explanation, PathShare, Refusal};
use crate::gpu::Profile;
use crate::machine::Server;
use crate::result::{
    ChangeReport, ExplanationReport, FastestReport, PathReport, RefusalReport, ServerReport, TimeReport,
};
use crate::spec::{Configuration, Spec};
use crate::ticks::Ticks;

/// The report of an explanation.
#[must_use]
pub fn explanation(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    configuration: &Configuration,
    explanation: Explanation,
) -> ExplanationReport {
    let Explanation { outcome, fastest, changes } = explanation;
    let own = outcome.as_ref().ok().map(|account| account.ticks);
    let fastest = fastest.map(|(fastest, ticks)| FastestReport {
        parameters: values(spec, &fastest),
        ticks,
        relative: own.map(|own| quotient(own, ticks)),
    });
    let change = |Change { parameter, value, ticks }| ChangeReport {
        parameter: spec.parameters[parameter].name.clone(),
        value,
        ticks,
        relative: own.map(|own| quotient(ticks, own)),
    };
    let (time, refused) = match outcome {
        Ok(account) => (Some(time(profile, account)), None),
        Err(refusal) => (None, Some(refused(refusal))),
    };
    ExplanationReport {
        schema: ExplanationReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        parameters: values(spec, configuration),
        refused,
        time,
        fastest,
        changes: changes.into_iter().map(change).collect(),
    }
}

fn refused(Refusal { rule, reason, line, values }: Refusal) -> RefusalReport {
    let values = values.into_iter().map(|(name, value)| (name, value.into())).collect();
    RefusalReport { rule, reason, line, values }
}

/// The split of a configuration's time, with microseconds and shares.
pub(super) fn time(profile: &Profile, account: Account) -> TimeReport {
    let Account { ticks, launch, resident, wave, occupancy, servers, path } = account;
    let behind_launch = real(ticks.get() - launch);
    let server = |(server, busy): (Server, u128)| ServerReport {
        server: server.name(),
        busy,
        share: busy.to_f64().unwrap_or_default() / behind_launch.max(1.0),
    };
    let spent = |PathShare { file, line, statement, way, ticks: spent }| PathReport {
        file,
        line,
        statement,
        waits_for: way,
        ticks: spent,
        share: spent / ticks.to_f64(),
    };
    let no_path = path.as_ref().err().map(ToString::to_string);
    TimeReport {
        ticks,
        microseconds: profile.microseconds(ticks.get()),
        launch,
        resident_groups: resident.0,
        warps: resident.1,
        limit: occupancy.map(|occupancy| occupancy.limit),
        wave_groups: wave.0,
        wave_warps: wave.1,
        servers: servers.map(server).into(),
        path: path.ok().map(|path| path.into_iter().map(spent).collect()),
        no_path,
    }
}

fn quotient(ticks: Ticks, other: Ticks) -> f64 {
    ticks.to_f64() / other.to_f64().max(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "quotients are for the eye, ticks stand beside them")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}
