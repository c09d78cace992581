#!/usr/bin/env bash
# fuzz/run.sh TARGET SECONDS [LIBFUZZER OPTIONS…]: fuzzes one target (`all` for each of them) with what is installed.
#
# With cargo-fuzz and a nightly toolchain: `cargo fuzz run`, under AddressSanitizer. Without: the same target as a plain
# binary with libFuzzer's coverage, which any toolchain builds. FUZZ_BUILD_ONLY=1 builds and stops.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?a target, or all} seconds=${2:?seconds}
shift 2

if [ "$target" = all ]; then
  for file in fuzz_targets/*.rs; do "./$(basename "$0")" "$(basename "$file" .rs)" "$seconds" "$@"; done
  exit
fi

# The seeds: the regressions of this target, and every line of the cases; for the wires, the sample streams.
corpus=$PWD/corpus/$target regressions=$PWD/regressions/$target artifacts=$PWD/artifacts/$target
mkdir -p "$corpus" "$regressions" "$artifacts"
if [ -z "$(ls -A "$corpus")" ] && [ "$target" = wire ]; then
  # The first byte chooses the format: a tab, that it is detected.
  for stream in ../samples/*.sse; do { printf '\t'; head -c 4000 "$stream"; } >"$corpus/seed-$(basename "$stream")"; done
elif [ -z "$(ls -A "$corpus")" ]; then
  cat ../tests/cases/*.txt | awk -v folder="$corpus" \
    '!/^(#|$)/ { line = $0; sub(/^(text|tool [a-z]+|accepted) /, "", line); file = folder "/seed-" NR; printf "%s", line > file; close(file) }'
fi

options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$artifacts/" -print_final_stats=1)
[ -f ../grammar/json.dict ] && [ "$target" != wire ] && options+=(-dict="$PWD/../grammar/json.dict")
case $target in
  plan|repair) options+=(-max_len=1024 -len_control=0) ;;
  wire) options+=(-max_len=4096) ;;
  *) options+=(-max_len=1024) ;;
esac

if cargo fuzz --version >/dev/null 2>&1 && rustup toolchain list 2>/dev/null | grep -q nightly; then
  [ -n "${FUZZ_BUILD_ONLY:-}" ] && exec cargo +nightly fuzz build "$target"
  exec cargo +nightly fuzz run "$target" "$corpus" "$regressions" -- "${options[@]}" "$@"
fi

if ! command -v c++ >/dev/null; then echo "skipped: fuzzing: libFuzzer needs a C++ compiler"; exit; fi
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0"
# With --target, the flags are not those of build scripts and procedural macros.
cargo build --quiet --release --target "$host" --bin "$target"
[ -n "${FUZZ_BUILD_ONLY:-}" ] && exit
exec "${CARGO_TARGET_DIR:-target}/$host/release/$target" "$corpus" "$regressions" "${options[@]}" "$@"
