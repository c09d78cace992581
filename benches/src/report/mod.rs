//! The report: every measure against its target, in one process.

mod calls;
mod environment;
mod measures;
mod page;

use std::path::Path;
use std::process::ExitCode;

use serde::Deserialize;

use crate::{gate, svg};
use measures::Measures;

#[derive(Deserialize)]
struct Targets {
    target: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    id: String,
    what: String,
    bound: Bound,
    must: f64,
    aim: f64,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Bound {
    AtLeast,
    AtMost,
}

impl Bound {
    fn holds(self, measured: f64, target: f64) -> bool {
        match self {
            Self::AtLeast => measured >= target,
            Self::AtMost => measured <= target,
        }
    }

    fn sign(self) -> char {
        match self {
            Self::AtLeast => '≥',
            Self::AtMost => '≤',
        }
    }
}

/// Measures everything and writes `REPORT.md` and `report.svg` beside the targets.
pub fn write() -> ExitCode {
    match measured() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the report cannot be written: {error}");
            ExitCode::from(2)
        }
    }
}

/// How many "must" are missed.
fn measured() -> Result<usize, String> {
    let Targets { target } = toml::from_str(include_str!("../../targets.toml")).expect("targets.toml is well-formed");
    let counts = gate::counts()?;
    let measures = Measures::of_everything();
    let (table, missed) = page::targets(&target, &measures.found);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let aims = std::fs::read_to_string(folder.join("aims.md")).ok();
    let text = page::page(&table, &measures.tables, counts.as_ref(), aims.as_deref());
    print!("{text}");
    std::fs::write(folder.join("REPORT.md"), text)
        .and_then(|()| std::fs::write(folder.join("report.svg"), svg::chart(&measures.curves)))
        .map_err(|error| error.to_string())?;
    Ok(missed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_no_weaker_than_its_must() {
        let Targets { target } =
            toml::from_str(include_str!("../../targets.toml")).expect("targets.toml is well-formed");
        for Target { id, bound, must, aim, .. } in &target {
            assert!(bound.holds(*aim, *must), "{id}");
        }
    }
}
