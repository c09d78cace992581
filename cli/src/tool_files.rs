//! The files of tools and of grants.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::path::Path;

use argseal_form::{ToolList, grants_by_name};
use serde_json::Value;

use crate::args::ToolOptions;
use crate::failure::Failure;
use crate::input;
use crate::printable::printable;

/// The tools of the options' files; none if no file is named.
pub(crate) fn read(options: &ToolOptions, stdin: &mut dyn BufRead) -> Result<ToolList, Failure> {
    let Some(path) = &options.tools else { return Ok(ToolList::default()) };
    let definitions = json(path, stdin)?;
    let grants = match &options.grants {
        Some(path) => grants_by_name(&json(path, stdin)?).map_err(|error| {
            let error = error.to_string();
            let (path, error) = (path.display(), printable(&error));
            Failure::Unusable(format!("{path}: {error}; grants by tool name are expected"))
        })?,
        None => HashMap::new(),
    };
    let list = ToolList::new(definitions, grants);
    if list.definitions.is_empty() {
        return Err(Failure::Unusable(format!(
            "{} holds no tool definition; a list of definitions or {{\"tools\": […]}} is expected",
            path.display()
        )));
    }
    Ok(list)
}

/// Says what is wrong with the configuration, a line each.
pub(crate) fn warn(lines: &[&[String]], stderr: &mut dyn Write) {
    for line in lines.iter().copied().flatten() {
        // Where standard error cannot be written there is nobody to tell.
        let _ = writeln!(stderr, "argseal: warning: {}", printable(line));
    }
}

/// The JSON value of a file.
fn json(path: &Path, stdin: &mut dyn BufRead) -> Result<Value, Failure> {
    let bytes = input::read(path, stdin)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::Unusable(format!("{} is not JSON: {error}; correct the file", path.display())))
}
