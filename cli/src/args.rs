//! What can be said on the command line.

use std::path::PathBuf;

use argseal::history::Unparseable;
use argseal::{End, Format, Judgement, Numbers, Policy, Rule, Settings};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

/// Reads the streamed arguments of LLM tool calls and says of each call whether it may run: strict, repaired,
/// normalized or rejected.
#[derive(Debug, Parser)]
#[command(name = "argseal", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge calls line by line: NDJSON in, NDJSON out, a co-process for any language
    Batch(BatchOptions),
    /// Judge one argument text from standard input
    Check(CheckOptions),
    /// Say what a code means and what to do about it
    Explain(ExplainOptions),
    /// List what to put right in a recorded conversation before it is sent again
    History(HistoryOptions),
    /// Assemble recorded streams and judge their calls
    Replay(ReplayOptions),
    /// List what was understood of a file of tools
    Tools(ToolsOptions),
}

/// What may be changed and what acceptance demands.
#[derive(Args, Debug)]
pub(crate) struct RuleOptions {
    /// JSON file with settings: {"policy": "full", "with": ["rename"], "judgement": "schema", "limits": {"depth": 64}};
    /// the options below override it
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// What may be changed: `strict` nothing but blank text, `narrow` also the two repairs as granted, `full` also the
    /// shape (decode, unwrap, merge, alias, coerce) [default: narrow]
    #[arg(long, value_parser = policy())]
    policy: Option<Policy>,
    /// One more rule (may stand more than once)
    #[arg(long, value_name = "RULE", value_parser = rule())]
    with: Vec<Rule>,
    /// One rule less (may stand more than once)
    #[arg(long, value_name = "RULE", value_parser = rule())]
    without: Vec<Rule>,
    /// What acceptance demands where a tool with a schema is given [default: schema]
    #[arg(long, value_parser = judgement())]
    judgement: Option<Judgement>,
    /// What readers of the arguments hold of a number: `double` rejects one that a double alters (a whole number of too
    /// many digits, an overflow, an underflow to zero), `exact` none [default: exact]
    #[arg(long, value_parser = numbers())]
    numbers: Option<Numbers>,
}

impl RuleOptions {
    /// What holds where neither an option nor the file of settings says otherwise.
    pub(crate) fn base() -> Settings {
        Settings::default().with_policy(Policy::Narrow).with_judgement(Judgement::Schema)
    }

    /// These settings, overridden by the options that are given.
    pub(crate) fn over(&self, settings: Settings) -> Settings {
        let settings = match self.policy {
            Some(policy) => settings.with_policy(policy),
            None => settings,
        };
        let settings = match self.judgement {
            Some(judgement) => settings.with_judgement(judgement),
            None => settings,
        };
        let settings = match self.numbers {
            Some(numbers) => settings.with_numbers(numbers),
            None => settings,
        };
        let settings = self.with.iter().fold(settings, |settings, &rule| settings.with_rule(rule));
        self.without.iter().fold(settings, |settings, &rule| settings.without_rule(rule))
    }
}

/// The tools that calls may name.
#[derive(Args, Debug)]
pub(crate) struct ToolOptions {
    /// JSON file with tool definitions: a list, one definition, or {"tools": […]}; Anthropic, OpenAI, MCP or Gemini form
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// JSON file with grants by tool name: {"bash": {"closable": ["description"]}}
    #[arg(long, value_name = "FILE", requires = "tools")]
    pub(crate) grants: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = BATCH)]
pub(crate) struct BatchOptions {
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
}

#[derive(Args, Debug)]
#[command(after_help = CHECK)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) tools: ToolOptions,
    /// The tool that the call names; without it, the only one of the file
    #[arg(long, value_name = "NAME", requires = "tools")]
    pub(crate) tool: Option<String>,
    /// How the text ended
    #[arg(long, default_value = "complete", value_parser = end())]
    pub(crate) end: End,
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    /// Print one JSON object, as `batch` answers
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = REPLAY)]
pub(crate) struct ReplayOptions {
    /// The streams: event streams, JSON lines, a JSON array, or AWS binary frames; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The provider's format; `auto` finds it by the first events
    #[arg(long, default_value = "auto", value_parser = format())]
    pub(crate) format: StreamFormat,
    #[command(flatten)]
    pub(crate) tools: ToolOptions,
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    /// Print one JSON object a call, and one for each stream
    #[arg(long, conflicts_with = "details")]
    pub(crate) json: bool,
    /// Print a report for each rejected call, with the lines around the place
    #[arg(long)]
    pub(crate) details: bool,
    /// Write the stream with its contents masked (letters to x, digits to 0; form, escapes, ids, tool and member names
    /// stay), for bug reports; for one FILE
    #[arg(long, value_name = "OUT")]
    pub(crate) redact: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = HISTORY)]
pub(crate) struct HistoryOptions {
    /// A JSON array of messages, or a request body with `messages` or `input`; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) tools: ToolOptions,
    #[command(flatten)]
    pub(crate) rules: HistoryRules,
    /// What becomes of arguments that are not one JSON object: `keep` them, replace them by a `marker` that names the
    /// code, or `wrapped` as {"INVALID_JSON":"…"}
    #[arg(long, default_value = "keep", value_parser = unparseable())]
    pub(crate) unparseable: Unparseable,
    /// Give calls without a result one that says so, and turn results without their call into text
    #[arg(long)]
    pub(crate) close: bool,
    /// Write the conversation with the changes; what needs none stays byte for byte
    #[arg(long, value_name = "OUT")]
    pub(crate) write: Option<PathBuf>,
    /// Print one JSON object a finding, and one for the conversation
    #[arg(long)]
    pub(crate) json: bool,
}

/// What may be changed in a conversation.
#[derive(Args, Debug)]
pub(crate) struct HistoryRules {
    /// JSON file with settings, as for `check`: their rules and limits count; the options below override it
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// One more rule, such as `rename`, than decode, unwrap, merge, alias, coerce and empty (may stand more than once)
    #[arg(long, value_name = "RULE", value_parser = rule())]
    with: Vec<Rule>,
    /// One rule less (may stand more than once)
    #[arg(long, value_name = "RULE", value_parser = rule())]
    without: Vec<Rule>,
}

impl HistoryRules {
    /// What holds where neither an option nor the file of settings says otherwise.
    pub(crate) fn base() -> Settings {
        Settings::default().with_policy(Policy::Full)
    }

    /// These settings, overridden by the options that are given.
    pub(crate) fn over(&self, settings: Settings) -> Settings {
        let settings = self.with.iter().fold(settings, |settings, &rule| settings.with_rule(rule));
        self.without.iter().fold(settings, |settings, &rule| settings.without_rule(rule))
    }
}

/// Which format a stream is read in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StreamFormat {
    /// The one that the first events show.
    Auto,
    Named(Format),
}

#[derive(Args, Debug)]
#[command(after_help = TOOLS)]
pub(crate) struct ToolsOptions {
    /// JSON file with tool definitions, as for --tools
    #[arg(value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// JSON file with grants by tool name
    #[arg(long, value_name = "FILE")]
    pub(crate) grants: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = EXPLAIN)]
pub(crate) struct ExplainOptions {
    /// A code, such as `unexpected-after-string`; without it, all codes are listed
    pub(crate) code: Option<String>,
}

fn policy() -> impl TypedValueParser<Value = Policy> {
    named(&["strict", "narrow", "full"], Policy::from_name)
}

fn judgement() -> impl TypedValueParser<Value = Judgement> {
    named(&["text", "shape", "schema"], Judgement::from_name)
}

fn numbers() -> impl TypedValueParser<Value = Numbers> {
    named(&["exact", "double"], Numbers::from_name)
}

fn rule() -> impl TypedValueParser<Value = Rule> {
    named(&Rule::ALL.map(Rule::name), Rule::from_name)
}

fn unparseable() -> impl TypedValueParser<Value = Unparseable> {
    named(&["keep", "marker", "wrapped"], |name| match name {
        "keep" => Some(Unparseable::Keep),
        "marker" => Some(Unparseable::Marker),
        "wrapped" => Some(Unparseable::Wrapped),
        _ => None,
    })
}

fn end() -> impl TypedValueParser<Value = End> {
    named(&End::ALL.map(End::name), End::from_name)
}

fn format() -> impl TypedValueParser<Value = StreamFormat> {
    let mut names = vec!["auto"];
    names.extend(Format::ALL.map(Format::name));
    named(&names, |name| match name {
        "auto" => Some(StreamFormat::Auto),
        _ => Format::from_name(name).map(StreamFormat::Named),
    })
}

/// One of the names that the library knows.
fn named<T: Clone + Send + Sync + 'static>(
    names: &[&'static str],
    from_name: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> + use<T> {
    PossibleValuesParser::new(names.iter().copied())
        .map(move |name| from_name(&name).expect("every name offered is a name of the library"))
}

const EXAMPLES: &str = "\
Examples:
  printf '{\"command\":\"ls' | argseal check
  curl -N … | argseal replay -
  argseal replay recorded.sse --tools tools.json
  argseal batch --policy full < calls.ndjson
  argseal tools tools.json
  argseal explain unexpected-after-string
  argseal history request.json --tools tools.json

Exit codes: 0 accepted, 1 rejected, 2 wrong usage or unreadable input.";

const BATCH: &str = "\
Each line of standard input is one call:
  {\"id\":1, \"tool\":{\"name\":\"bash\",\"parameters\":{…},\"closable\":[\"description\"]}, \"text\":\"{\\\"command\\\":…\", \"end\":\"complete\"}
with exactly one of text, deltas (a list of strings) and deltas_b64 (a list of base64 strings); none is fine beside final,
the full value of a done event. tool may be null; end is complete, truncated, filtered, disconnected, cancelled or closed;
settings, as in a file of --settings, hold for this call and override those of the run.

Each line of standard output is the answer to the line at the same place, written at once:
  {\"id\":1, \"outcome\":\"strict\", \"arguments\":{…}, \"text\":\"…\", \"edits\":[…], \"actions\":[…], \"notes\":[…], \"diagnosis\":null}
or {\"id\":…,\"error\":\"…\"} where the line cannot be read; the run goes on.

Examples:
  echo '{\"id\":1,\"text\":\"{\\\"a\\\":tru\",\"end\":\"truncated\"}' | argseal batch
  argseal batch --policy full --with rename --without coerce < calls.ndjson

Exit codes: 0 every line was answered, 2 wrong usage or unreadable input.";

const CHECK: &str = "\
Examples:
  argseal check < arguments.txt
  argseal check --tools tools.json --tool bash --policy full < arguments.txt
  argseal check --end truncated --json < arguments.txt
  argseal check --numbers double < arguments.txt

Exit codes: 0 accepted, 1 rejected, 2 wrong usage or unreadable input.";

const EXPLAIN: &str = "\
Examples:
  argseal explain
  argseal explain truncated-in-string";

const HISTORY: &str = "\
Messages in the forms of Anthropic, OpenAI Chat Completions and OpenAI Responses. A call of a tool that is not in the file
of tools is not touched; a request body that holds its tools may be that file too. Each line names the message (counted
from 0), the call or result, and what is done about it.

Examples:
  argseal history request.json --tools request.json
  argseal history messages.json --tools tools.json --unparseable marker --close --write mended.json

Exit codes: 0 nothing is left that needs a change, 1 something is left as it is, 2 wrong usage or unreadable input.";

const REPLAY: &str = "\
Examples:
  curl -N https://… | argseal replay -
  argseal replay recorded.sse --tools tools.json --details
  argseal replay --json --format openai-chat *.ndjson
  argseal replay recorded.sse --redact for-the-report.sse

The table has one row a call: its index and id, the tool, the verdict, what was changed or the code and place of the
rejection, the bytes and deltas of its text, and, for a rejection, which share of the bytes came after it was known.

Exit codes: 0 every call was accepted, 1 a call was rejected, 2 wrong usage or unreadable input.";

const TOOLS: &str = "\
Each definition may hold the grants of the tool's owner beside the provider's members:
  {\"name\":\"bash\", \"input_schema\":{…}, \"closable\":[\"description\"], \"aliases\":{\"command\":[\"cmd\"]}}

Examples:
  argseal tools tools.json
  argseal tools tools.json --grants grants.json

Exit codes: 0 everything was understood, 1 a definition or a grant was not, 2 wrong usage or unreadable input.";
