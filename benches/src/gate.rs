//! The gate: instructions that argseal executes, counted by callgrind. Counts do not depend on the load of the machine.

use std::process::{Command, ExitCode};

use serde::Deserialize;

use crate::contender;
use crate::payload::{self, Cut};

#[derive(Deserialize)]
struct Gate {
    workload: Vec<Workload>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Workload {
    pub name: String,
    pub per: Per,
    pub limit: f64,
    pub aim: f64,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    Byte,
    Delta,
}

/// A workload with what was counted.
pub struct Counted {
    pub workload: Workload,
    pub instructions: f64,
}

/// Checks every workload against its limit. Without valgrind nothing is checked, and that is said.
pub fn check() -> ExitCode {
    let Some(counted) = counts() else {
        println!("valgrind is not here: the gate on instruction counts was skipped");
        return ExitCode::SUCCESS;
    };
    let mut passed = true;
    for Counted { workload, instructions } in &counted {
        let fits = *instructions <= workload.limit;
        passed &= fits;
        let word = if fits { "ok  " } else { "OVER" };
        let per = match workload.per {
            Per::Byte => "byte",
            Per::Delta => "delta",
        };
        println!(
            "{word} {:<12} {instructions:8.2} a {per} (limit {}, aim {})",
            workload.name, workload.limit, workload.aim
        );
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts every workload; `None` where there is no valgrind.
pub fn counts() -> Option<Vec<Counted>> {
    let gate: Gate = toml::from_str(include_str!("../gate.toml")).expect("gate.toml is well-formed");
    gate.workload
        .into_iter()
        .map(|workload| {
            // What the process does besides the work is in both counts.
            let work = instructions(&workload.name, 1)? - instructions(&workload.name, 0)?;
            let text = text(&workload.name);
            let units = match workload.per {
                Per::Byte => text.len(),
                Per::Delta => payload::deltas(&text, cut(&workload.name)).len(),
            };
            Some(Counted { workload, instructions: work / units as f64 })
        })
        .collect()
}

fn instructions(workload: &str, rounds: usize) -> Option<f64> {
    let own = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["count", workload, &rounds.to_string()])
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count = told.lines().find_map(|line| line.split_once("Collected :"))?.1.trim();
    count.parse().ok()
}

/// Does the work of one workload; what callgrind watches.
pub fn count(workload: &str, rounds: usize) -> ExitCode {
    let text = text(workload);
    let deltas = payload::deltas(&text, cut(workload));
    let work = if workload.starts_with("append") { contender::append } else { contender::argseal };
    for _ in 0..rounds {
        std::hint::black_box(work(&deltas));
    }
    ExitCode::SUCCESS
}

fn text(workload: &str) -> String {
    match workload.split('-').next() {
        Some("nested") => payload::nested(64 << 10),
        Some("plain") => payload::plain(256 << 10),
        _ => payload::write_file(256 << 10),
    }
}

fn cut(workload: &str) -> Cut {
    let sizes: Vec<usize> = workload.split('-').filter_map(|size| size.parse().ok()).collect();
    match sizes[..] {
        [size] => Cut::Every(size),
        [least, most] => Cut::Between(least, most),
        _ => Cut::Whole,
    }
}
