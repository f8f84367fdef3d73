#!/usr/bin/env bash
# What a run leaves, read by those for whom it is meant: pandas, pyarrow, numpy, VTK, ASE.
# Needs Python 3.10 or later. The packages are installed once, into target/readers.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=target/readers
if ! cmp -s tests/readers/requirements.txt "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r tests/readers/requirements.txt
    cp tests/readers/requirements.txt "$venv/installed.txt"
fi
exec "$venv/bin/python" tests/readers/check.py "${1:-target/release/carom}"
