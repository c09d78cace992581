#!/bin/sh
# Installs the pinned packages into conformance/peers/python/.venv. Needs Python 3.10 or later with venv and pip.
set -eu
cd "$(dirname "$0")"
"${PYTHON:-python3}" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
