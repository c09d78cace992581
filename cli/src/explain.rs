//! `argseal explain`: the registry of codes.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Deserialize;

use crate::ACCEPTED;
use crate::args::ExplainOptions;
use crate::failure::Failure;
use crate::output::Streams;
use crate::printable::printable;

#[derive(Deserialize)]
struct Registry {
    faults: BTreeMap<String, BTreeMap<String, String>>,
    code: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    title: String,
    example: Option<String>,
    example_b64: Option<String>,
    end: Option<String>,
    faults: Faults,
    advice: Option<String>,
    explain: String,
}

/// Whose fault a code is, by end.
#[derive(Deserialize)]
#[serde(untagged)]
enum Faults {
    /// The name of a row that several codes share.
    Row(String),
    Own(BTreeMap<String, String>),
}

/// Explains one code, or lists them all.
pub(crate) fn run(options: &ExplainOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    let registry = registry();
    let out = &mut *streams.stdout;
    match &options.code {
        None => list(&registry, out)?,
        Some(name) => {
            let entry =
                registry.code.iter().find(|entry| entry.name == *name).ok_or_else(|| unknown(&registry, name))?;
            explain(&registry, entry, out)?;
        }
    }
    out.flush()?;
    Ok(ACCEPTED)
}

fn registry() -> Registry {
    toml::from_str(argseal::code::REGISTRY).expect("the registry is valid: a test reads it")
}

fn list(registry: &Registry, out: &mut dyn Write) -> std::io::Result<()> {
    let width = registry.code.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    for entry in &registry.code {
        writeln!(out, "{:width$}  {}", entry.name, entry.title)?;
    }
    Ok(())
}

fn explain(registry: &Registry, entry: &Entry, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}: {}\n", entry.name, entry.title)?;
    for line in wrapped(&entry.explain) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    let end = entry.end.as_ref().map(|end| format!("   (end: {end})")).unwrap_or_default();
    if let Some(example) = &entry.example {
        writeln!(out, "Example: {}{end}", printable(example))?;
    } else if let Some(example) = &entry.example_b64 {
        writeln!(out, "Example (base64): {example}{end}")?;
    }
    let faults = match &entry.faults {
        Faults::Own(faults) => Some(faults),
        Faults::Row(name) => registry.faults.get(name),
    };
    if let Some(faults) = faults {
        let by_end: Vec<String> = faults.iter().map(|(end, fault)| format!("{end} {fault}")).collect();
        let first = faults.values().next();
        match first.filter(|first| faults.values().all(|fault| fault == *first)) {
            Some(fault) => writeln!(out, "Fault: {fault}")?,
            None => writeln!(out, "Fault by end: {}", by_end.join(", "))?,
        }
    }
    match &entry.advice {
        Some(advice) => writeln!(out, "Told to the model: {advice}"),
        None => writeln!(out, "The model is told nothing: it has nothing to mend."),
    }
}

fn unknown(registry: &Registry, name: &str) -> Failure {
    let near = registry.code.iter().map(|entry| entry.name.as_str()).find(|code| {
        !name.is_empty()
            && (code.contains(name) || name.contains(code) || name.replace('_', "-").eq_ignore_ascii_case(code))
    });
    let remedy = match near {
        Some(near) => format!("did you mean {near}?"),
        None => "argseal explain lists all codes".to_owned(),
    };
    Failure::Unusable(format!("no code {}; {remedy}", printable(name)))
}

/// The text in lines of at most `WIDTH` columns, cut at blanks.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= WIDTH) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

const WIDTH: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_can_be_explained() {
        let registry = registry();
        for code in argseal::Code::ALL {
            let entry = registry.code.iter().find(|entry| entry.name == code.name()).expect("an entry");
            let mut out = Vec::new();
            explain(&registry, entry, &mut out).expect("written");
            assert!(String::from_utf8(out).expect("UTF-8").contains("Fault"), "{code}");
        }
    }
}
