//! What can be said on the command line.

use std::path::PathBuf;
use std::time::Duration;

use argseal_conformance::Level;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

/// Puts cases to readers of streamed LLM tool-call arguments, and says which they get right.
#[derive(Debug, Parser)]
#[command(name = "argseal-conformance", after_help = EXIT, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read the cases alone: each must be right in itself
    Check {
        /// A folder of *.jsonl files, or one file
        #[arg(long, default_value_os_t = own("cases"))]
        cases: PathBuf,
    },
    /// Run every subject of peers/*/peers.toml; write RESULTS.md and results.svg
    Results(ResultsOptions),
    /// Run one subject
    Run(RunOptions),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ResultsOptions {
    /// A folder of *.jsonl files, or one file
    #[arg(long, default_value_os_t = own("cases"))]
    pub(crate) cases: PathBuf,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value_os_t = own("peers"))]
    pub(crate) peers: PathBuf,
    /// Where RESULTS.md and results.svg stand
    #[arg(long, value_name = "DIR", default_value_os_t = own(""))]
    pub(crate) to: PathBuf,
    /// Write nothing; compare with what is there
    #[arg(long)]
    pub(crate) check: bool,
    /// Time for one answer, in seconds
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub(crate) timeout: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunOptions {
    /// A folder of *.jsonl files, or one file
    #[arg(long, default_value_os_t = own("cases"))]
    pub(crate) cases: PathBuf,
    /// Only this level (may stand more than once)
    #[arg(long, value_name = "LEVEL", value_parser = level())]
    pub(crate) level: Vec<Level>,
    /// Only the case of this id (may stand more than once)
    #[arg(long = "case", value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Time for one answer, in seconds
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub(crate) timeout: Duration,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// How many failures are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) failures: usize,
    /// The command that speaks the protocol
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// A path in the folder of this package.
pub(crate) fn own(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::name)).try_map(|name| Level::from_name(&name).ok_or("no level"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "more than no time is expected".to_owned())
}

const EXIT: &str =
    "Exit status: 0 everything is right, 1 something is wrong, 2 the cases or the subject cannot be used.";
