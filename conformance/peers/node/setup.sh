#!/bin/sh
# Installs the pinned packages into conformance/peers/node/node_modules. Needs Node 20 or later and npm.
# ai and openai say "engines: node >= 22"; what is used of them here is plain JavaScript that runs on 20 too
# (npm prints a warning, no error).
set -eu
cd "$(dirname "$0")"
npm ci --ignore-scripts
