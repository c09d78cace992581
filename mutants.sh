#!/usr/bin/env bash
# Mutation testing of the parts that decide (cargo install cargo-mutants): mutants.sh [cargo mutants options…].
# The score and the mutants that survive are in CONTRIBUTING.md. Each mutant costs a build and some seconds of tests, all of
# them hours: --jobs N, --shard 1/8 and the like divide them, --re and --iterate choose.
# Only tests that exercise these folders run, and of those none that times something or fills memory.
set -euo pipefail
cd "$(dirname "$0")"
if ! cargo mutants --version >/dev/null 2>&1; then
  echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2
  exit 2
fi

parts=(lex syntax repair normalize wide)
files=(--file='src/text/wide.rs')
for folder in lex syntax repair normalize; do files+=(--file="src/$folder/**/*.rs"); done
tests=(--lib --test=shape --test=inner_call --test=gate --test=lexical --test=history --test=limits --test=allocations
  --test=grammar)
slow=(hostile million 64_mib small_deltas linear_time hundred_thousand reference specification cost_the_same
  completed_programs_parse)

started=$(mktemp)
trap 'rm -f "$started"' EXIT
status=0
cargo mutants --package argseal --profile mutants --timeout 60 --no-shuffle \
  "${files[@]}" --exclude '**/tests.rs' --exclude src/syntax/plain.rs "${tests[@]/#/--cargo-arg=}" "$@" \
  -- -- "${slow[@]/#/--skip=}" || status=$?

count() { grep -c "^src/$1[/.]" "mutants.out/$2.txt" || true; }
if [ mutants.out/outcomes.json -nt "$started" ]; then
  for part in "${parts[@]}"; do
    killed=$(count "$part" caught) late=$(count "$part" timeout) survived=$(count "$part" missed)
    viable=$((killed + late + survived))
    [ "$viable" -eq 0 ] || printf '%-9s %4d viable, %4d killed, %2d of them by time, %3d survived: %d.%d %%\n' "$part" \
      "$viable" $((killed + late)) "$late" "$survived" $(((killed + late) * 100 / viable)) \
      $(((killed + late) * 1000 / viable % 10))
  done
fi
exit "$status"
