//! The command line of the conformance cases.

mod args;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use argseal_conformance::cases::{self, Case};
use argseal_conformance::check::check;
use argseal_conformance::picture::picture;
use argseal_conformance::results::{Row, page, row, stale};
use argseal_conformance::{Bounds, Level, Process, peers, run};
use clap::Parser;

use crate::args::{Arguments, Command, ResultsOptions, RunOptions};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Check { cases } => check_cases(&cases),
        Command::Results(options) => all_results(&options),
        Command::Run(options) => run_one(options),
    };
    match done {
        Ok(Standing::Right) => ExitCode::SUCCESS,
        Ok(Standing::Wrong) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("argseal-conformance: {reason}");
            ExitCode::from(2)
        }
    }
}

enum Standing {
    Right,
    Wrong,
}

fn check_cases(path: &Path) -> Result<Standing, String> {
    let cases = cases::read(path).map_err(|error| error.to_string())?;
    let wrong = check(&cases);
    for words in &wrong {
        eprintln!("{words}");
    }
    for level in Level::ALL {
        println!("{level:<8}{:>6}", cases.iter().filter(|case| case.level == level).count());
    }
    println!("{:<8}{:>6}", "all", cases.len());
    Ok(if wrong.is_empty() { Standing::Right } else { Standing::Wrong })
}

/// The cases of a folder, each right in itself: nobody is judged by one that is not.
fn sound(path: &Path) -> Result<Vec<Case>, String> {
    let cases = cases::read(path).map_err(|error| error.to_string())?;
    let wrong = check(&cases);
    if wrong.is_empty() { Ok(cases) } else { Err(wrong.join("\n")) }
}

fn run_one(options: RunOptions) -> Result<Standing, String> {
    let mut cases = sound(&options.cases)?;
    if let Some(unknown) = options.ids.iter().find(|id| !cases.iter().any(|case| case.id == **id)) {
        return Err(format!("there is no case {unknown:?}"));
    }
    let is_chosen = |case: &Case| {
        (options.level.is_empty() || options.level.contains(&case.level))
            && (options.ids.is_empty() || options.ids.contains(&case.id))
    };
    cases.retain(is_chosen);
    if cases.is_empty() {
        return Err("no case is chosen".to_owned());
    }
    let bounds = Bounds { time: options.timeout, ..Bounds::default() };
    let mut subject = Process::new(options.command, bounds);
    let report = run(&cases, &mut subject).map_err(|error| {
        let said = subject.said();
        if said.is_empty() { error.to_string() } else { format!("{error}; it said:\n{}", said.join("\n")) }
    })?;
    if options.json {
        println!("{}", report.json());
    } else {
        print!("{}", report.text(options.failures));
    }
    if report.is_clean() {
        return Ok(Standing::Right);
    }
    let said = subject.said();
    if !said.is_empty() {
        eprintln!("\nLast lines of the subject's standard error:\n{}", said.join("\n"));
    }
    Ok(Standing::Wrong)
}

fn all_results(options: &ResultsOptions) -> Result<Standing, String> {
    let cases = sound(&options.cases)?;
    let root = options.peers.join("../..");
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let bounds = Bounds { time: options.timeout, ..Bounds::default() };
    let mut rows: Vec<Row> = Vec::new();
    for peer in peers::read(&options.peers)? {
        let row = row(&peer, &root, &cases, bounds);
        match &row.report {
            Ok(report) => eprintln!("{}: {} of {} wrong", peer.name, report.failures().count(), cases.len()),
            Err(reason) => eprintln!("{}: skipped: {reason}", peer.name),
        }
        rows.push(row);
    }
    let (text, drawing) = (options.to.join("RESULTS.md"), options.to.join("results.svg"));
    if options.check {
        let there = fs::read_to_string(&text).map_err(|error| format!("{}: {error}", text.display()))?;
        let stale = stale(&there, &rows, &cases);
        for words in &stale {
            eprintln!("{words}");
        }
        return Ok(if stale.is_empty() { Standing::Right } else { Standing::Wrong });
    }
    fs::write(&text, page(&rows, &cases)).map_err(|error| format!("{}: {error}", text.display()))?;
    fs::write(&drawing, picture(&rows)).map_err(|error| format!("{}: {error}", drawing.display()))?;
    Ok(Standing::Right)
}
