//! What was measured with: the build, the compiler, the processor, the versions of the peers.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One sentence about the build and the machine.
pub(super) fn sentence() -> String {
    let manifest: Manifest = toml::from_str(WORKSPACE).expect("the workspace's manifest is well-formed");
    let name = if env!("BENCH_PROFILE") == "release" { "release" } else { "dev" };
    let Profile { lto, codegen_units } = manifest.profile.get(name).cloned().unwrap_or_default();
    let lto = lto.map_or_else(|| DEFAULT.to_owned(), |lto| lto.as_str().map_or(format!("{lto:?}"), str::to_owned));
    let units = codegen_units.map_or_else(|| DEFAULT.to_owned(), |units| units.to_string());
    let level = env!("BENCH_OPT_LEVEL");
    let cpu = cpu().map_or_else(String::new, |cpu| format!(", on {cpu}"));
    format!(
        "Measured: the profile `{name}` of the workspace (opt-level {level}, lto {lto}, codegen-units {units}), default \
         features, {}{cpu}.",
        env!("BENCH_RUSTC")
    )
}

/// The peers with the versions that this build was locked to.
pub(super) fn peers() -> Vec<String> {
    let lock: Lock = toml::from_str(LOCK).expect("the lock file is well-formed");
    PEERS.iter().map(|peer| format!("{peer} {}", lock.version(peer).unwrap_or("of unknown version"))).collect()
}

/// For what the profile does not say.
const DEFAULT: &str = "as cargo's default";

/// The model of the processor, where the system tells.
fn cpu() -> Option<String> {
    let told = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let model = told.lines().find(|line| line.starts_with("model name"))?;
    Some(model.split_once(':')?.1.trim().to_owned())
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    profile: BTreeMap<String, Profile>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Profile {
    lto: Option<toml::Value>,
    codegen_units: Option<u32>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    #[serde(default)]
    dependencies: Vec<String>,
}

impl Lock {
    /// The version of a dependency of this package. The lock file names it beside the dependency where it holds several.
    fn version(&self, dependency: &str) -> Option<&str> {
        let own = self.package.iter().find(|package| package.name == env!("CARGO_PKG_NAME"))?;
        let mut named = own.dependencies.iter().map(|named| named.split_once(' ').unwrap_or((named, "")));
        match named.find(|(name, _)| *name == dependency)? {
            (_, "") => self.package.iter().find(|package| package.name == dependency).map(|package| &*package.version),
            (_, version) => version.split(' ').next(),
        }
    }
}

const LOCK: &str = include_str!("../../../Cargo.lock");
const WORKSPACE: &str = include_str!("../../../Cargo.toml");
const PEERS: [&str; 7] = ["actson", "jiter", "jsonmodem", "partial-json-fixer", "serde_json", "simd-json", "sonic-rs"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_has_the_version_of_the_lock_file() {
        for peer in peers() {
            let (name, version) = peer.split_once(' ').expect("a name and a version");
            assert!(version.split('.').count() == 3, "{peer}");
            assert!(LOCK.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")), "{peer}");
        }
    }

    #[test]
    fn of_several_versions_the_one_that_is_depended_on_counts() {
        let lock = r#"
            [[package]]
            name = "p"
            version = "1.0.0"
            [[package]]
            name = "p"
            version = "2.0.0"
            [[package]]
            name = "argseal-bench"
            version = "0.1.0"
            dependencies = ["p 2.0.0"]
        "#;
        let lock: Lock = toml::from_str(lock).expect("a lock file");
        assert_eq!((lock.version("p"), lock.version("q")), (Some("2.0.0"), None));
    }

    #[test]
    fn the_sentence_names_profile_and_compiler() {
        let sentence = sentence();
        assert!(sentence.contains("opt-level ") && sentence.contains("rustc 1."), "{sentence}");
    }
}
