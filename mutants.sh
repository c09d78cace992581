#!/usr/bin/env bash
# Mutation testing of the parts that decide (cargo install cargo-mutants): mutants.sh [cargo mutants options…].
# The score and the mutants that survive are in CONTRIBUTING.md. It takes hours; --shard 1/8 and the like divide it.
set -euo pipefail
cd "$(dirname "$0")"
if ! cargo mutants --version >/dev/null 2>&1; then
  echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2
  exit 2
fi
exec cargo mutants --package argseal \
  --file 'src/lex/*.rs' --file 'src/syntax/*.rs' --file 'src/repair/*.rs' --file 'src/normalize/*.rs' \
  --exclude '**/tests.rs' --timeout 300 "$@"
