//! The gate: instructions that argseal executes, counted by callgrind. Counts do not depend on the load of the machine.

mod trap;
mod workload;

use std::process::{Command, ExitCode, Stdio};

use serde::Deserialize;

pub use workload::{Per, Workload};

#[derive(Deserialize)]
struct Gate {
    workload: Vec<Workload>,
    traps: Traps,
    trap: Vec<Trap>,
}

#[derive(Deserialize)]
struct Traps {
    limit: f64,
}

/// An input on which careless code is quadratic, and its smaller size.
#[derive(Clone, Debug, Deserialize)]
pub struct Trap {
    pub name: String,
    pub size: usize,
}

/// Everything that was counted.
pub struct Counts {
    pub workloads: Vec<Counted>,
    pub traps: Vec<Grown>,
}

/// A workload with what was counted.
pub struct Counted {
    pub workload: Workload,
    pub instructions: f64,
}

/// A trap with how often the work of its smaller size is in that of four times the size.
pub struct Grown {
    pub trap: Trap,
    pub times: f64,
    pub limit: f64,
}

/// Checks every workload and every trap against its limit. Without valgrind nothing is checked, and that is said.
pub fn check() -> ExitCode {
    let counts = match counts() {
        Ok(Some(counts)) => counts,
        Ok(None) => {
            println!("skipped: the gate on instruction counts: valgrind is not installed");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut passed = true;
    let mut word = |fits: bool| {
        passed &= fits;
        if fits { "ok  " } else { "OVER" }
    };
    for Counted { workload, instructions } in &counts.workloads {
        let Workload { name, per, limit, aim } = workload;
        let word = word(instructions <= limit);
        println!("{word} {name:<16} {instructions:8.2} a {} (limit {limit}, aim {aim})", per.name());
    }
    for Grown { trap, times, limit } in &counts.traps {
        let Trap { name, size } = trap;
        let word = word(times <= limit);
        println!("{word} {name:<16} {times:8.2} times the work at {} as at {size} (limit {limit})", size * GROWTH);
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts every workload and every trap; `None` where there is no valgrind.
///
/// # Errors
/// A run failed: its words.
pub fn counts() -> Result<Option<Counts>, String> {
    let here = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !here.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let Gate { workload, traps, trap } =
        toml::from_str(include_str!("../../gate.toml")).expect("gate.toml is well-formed");
    let limit = traps.limit;
    let workloads = workload.into_iter().map(|workload| {
        let instructions = work("count", &[&workload.name])? / workload.units()? as f64;
        Ok(Counted { workload, instructions })
    });
    let traps = trap.into_iter().map(|trap| {
        let at = |size: usize| work("count-trap", &[&trap.name, &size.to_string()]);
        let times = at(trap.size * GROWTH)? / at(trap.size)?;
        Ok(Grown { trap, times, limit })
    });
    Ok(Some(Counts {
        workloads: workloads.collect::<Result<_, String>>()?,
        traps: traps.collect::<Result<_, String>>()?,
    }))
}

/// Instructions of one round. What the process does besides the work is in both counts.
fn work(command: &str, words: &[&str]) -> Result<f64, String> {
    Ok(instructions(command, words, "1")? - instructions(command, words, "0")?)
}

fn instructions(command: &str, words: &[&str], rounds: &str) -> Result<f64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .arg(command)
        .args(words)
        .arg(rounds)
        .output()
        .map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count =
        told.lines().find_map(|line| line.split_once("Collected :")).and_then(|(_, count)| count.trim().parse().ok());
    count.filter(|_| output.status.success()).ok_or_else(|| format!("{command} {}: {told}", words.join(" ")))
}

/// Does the work of one workload; what callgrind watches.
pub fn count(name: &str, rounds: usize) -> ExitCode {
    done(workload::run(name, rounds))
}

/// Does the work of one trap; what callgrind watches.
pub fn count_trap(name: &str, size: usize, rounds: usize) -> ExitCode {
    done(trap::run(name, size, rounds))
}

fn done(run: Result<(), String>) -> ExitCode {
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The larger size of a trap over the smaller one.
pub const GROWTH: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_gate_names_is_there_and_runs() {
        let gate: Gate = toml::from_str(include_str!("../../gate.toml")).expect("gate.toml is well-formed");
        for workload in &gate.workload {
            assert_eq!(workload::run(&workload.name, 1), Ok(()), "{}", workload.name);
            assert!(workload.units().expect("units") > 0 && workload.aim <= workload.limit, "{}", workload.name);
            let delta = Workload { per: Per::Delta, ..workload.clone() };
            assert!(workload.per != Per::Call || delta.units() == Ok(1), "{} comes whole", workload.name);
        }
        for trap in &gate.trap {
            assert_eq!(trap::run(&trap.name, trap.size / GROWTH, 2), Ok(()), "{}", trap.name);
        }
        let mut named: Vec<&str> = gate.trap.iter().map(|trap| &*trap.name).collect();
        let mut there: Vec<&str> = trap::names().collect();
        named.sort_unstable();
        there.sort_unstable();
        assert_eq!(named, there);
        assert!(workload::run("unknown-3", 1).is_err() && trap::run("unknown", 1, 1).is_err());
    }
}
