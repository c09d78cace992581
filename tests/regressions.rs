//! The fuzz targets without a fuzzer: what they found before, and bytes from seeds.

use argseal_laws::generate::seeded;
use argseal_laws::targets::TARGETS;

#[path = "../fuzz/second_parser.rs"]
mod second_parser;

#[test]
fn what_fuzzing_found_stays_mended() {
    let mut found = 0;
    for (name, body) in TARGETS {
        let folder = format!("{}/fuzz/regressions/{name}", env!("CARGO_MANIFEST_DIR"));
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        for file in files {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            let bytes = std::fs::read(&path).expect("a readable file");
            body(&bytes);
            second_parser::agrees(&bytes);
            found += 1;
        }
    }
    println!("{found} regressions");
}

#[test]
fn every_target_holds_for_seeded_bytes() {
    for (name, body) in TARGETS {
        // Where bytes choose a valid call, each seed is one; where they are the text itself, few are worth much.
        let seeds = if matches!(name, "plan" | "repair") { 3000 } else { 20 };
        for seed in 0..seeds {
            body(&seeded(seed));
        }
    }
}

#[test]
fn every_target_holds_for_the_cases() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for line in text.lines().filter(|line| !line.starts_with('#') && line.len() < 1500) {
            let line = line.strip_prefix("text ").unwrap_or(line);
            for (_, body) in TARGETS {
                body(line.as_bytes());
            }
            second_parser::agrees(line.as_bytes());
        }
    }
}

/// A target in the folder is one in the table, and the other way round.
#[test]
fn the_targets_are_those_of_the_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/fuzz_targets");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, TARGETS.map(|(name, _)| name));
}
