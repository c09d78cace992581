//! The command line of the conformance cases.

mod args;

use std::path::Path;
use std::process::ExitCode;

use argseal_conformance::cases::{self, Case};
use argseal_conformance::check::check;
use argseal_conformance::{Bounds, Level, Process, run};
use clap::Parser;

use crate::args::{Arguments, Command, RunOptions};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Check { cases } => check_cases(&cases),
        Command::Results(_) => Err("not yet".to_owned()),
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

fn run_one(options: RunOptions) -> Result<Standing, String> {
    let mut cases = cases::read(&options.cases).map_err(|error| error.to_string())?;
    if let Some(unknown) = options.ids.iter().find(|id| !cases.iter().any(|case| case.id == **id)) {
        return Err(format!("there is no case {unknown:?}"));
    }
    let is_chosen = |case: &Case| {
        (options.level.is_empty() || options.level.contains(&case.level))
            && (options.ids.is_empty() || options.ids.contains(&case.id))
    };
    cases.retain(is_chosen);
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
