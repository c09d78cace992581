//! The subjects that are known: `peers/*/peers.toml`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One subject and how it is started.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Its name in the results.
    pub name: String,
    /// The language it is called from.
    pub language: String,
    /// The version that is installed by `setup`; what runs says its own.
    #[serde(default)]
    pub version: Option<String>,
    /// Program and arguments, relative to the root of the repository.
    pub command: Vec<String>,
    /// What installs it.
    #[serde(default)]
    pub setup: Vec<String>,
    /// How it is used.
    #[serde(default)]
    pub note: String,
    /// Where its documentation says what it promises.
    #[serde(default)]
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    subject: Vec<Peer>,
}

/// Every subject of a folder's `*/peers.toml`, argseal first, the others by language and file.
///
/// # Errors
/// A file cannot be read; the error names it.
pub fn read(folder: &Path) -> Result<Vec<Peer>, String> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let file = entry.map_err(|error| failed(folder, &error))?.path().join("peers.toml");
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    let mut peers = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| failed(&file, &error))?;
        let read: File = toml::from_str(&text).map_err(|error| failed(&file, &error))?;
        peers.extend(read.subject);
    }
    peers.sort_by_key(|peer| peer.name != "argseal");
    Ok(peers)
}
