#!/usr/bin/env bash
# The figures of docs/python.md, measured as users have it: a clean clone, a new environment, `pip install .`; then
# figures.py in that environment, with the command of the release profile beside it and pooltool in an environment of its
# own. Prints one table. Some ten minutes on two cores; nothing else should run meanwhile.
set -euo pipefail
cd "$(dirname "$0")/../../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "-- the command" >&2
cargo build --release --locked --quiet
echo "-- pooltool" >&2
peer=$root/target/pooltool-venv
if [ ! -f "$peer/installed.txt" ]; then
    rm -rf "$peer"
    python3 -m venv "$peer"
    "$peer/bin/pip" install --quiet --disable-pip-version-check pooltool-billiards
    touch "$peer/installed.txt"
fi
echo "-- pip install . from a clean clone" >&2
git clone --quiet "$root" "$work/clone"
python3 -m venv "$work/venv"
cd "$work/clone"
# A build folder that others share would not be a clean one.
TIMEFORMAT='%R %U %S'
if ! { time env -u CARGO_TARGET_DIR "$work/venv/bin/pip" install . >"$work/log" 2>&1; } 2>"$work/times"; then
    cat "$work/log" >&2
    exit 1
fi
read -r wall user system <"$work/times"
used=$(awk "BEGIN { print $user + $system }")
echo "   $wall s, $used s of processor time" >&2
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pandas pyarrow gymnasium
echo "-- figures" >&2
cd "$work"
"$work/venv/bin/python" "$root/crates/carom-python/benches/figures.py" \
    --command "$root/target/release/carom" --pooltool "$peer/bin/python" --installed "$wall" "$used" "$@"
