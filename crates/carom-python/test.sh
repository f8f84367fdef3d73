#!/usr/bin/env bash
# The Python package: types, stubs, tests, examples on pages, notebooks. Needs Python 3.10 or later and a Rust toolchain.
# The packages are installed once, into target/python-venv. With CAROM_WHEEL the wheel is not built but taken from there.
# The profile is the one that compiles quickly, which has the same bits; CAROM_PROFILE=release is what users install.
# Other Pythons that are here are tried too, among them those without the lock; CAROM_PYTHONS names them otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=target/python-venv
# Into an environment, the first argument. uv takes a quarter of the time; where it is not to be had, pip does it.
install() {
    if [ -x "$venv/bin/uv" ]; then
        "$venv/bin/uv" pip install --quiet --python "$1/bin/python" "${@:2}"
    else
        "$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"
    fi
}
requirements=crates/carom-python/requirements.txt
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check uv 2>/dev/null || true
    install "$venv" -r "$requirements"
    cp "$requirements" "$venv/installed.txt"
fi
profile=${CAROM_PROFILE:-quick}
export PATH="$PWD/$venv/bin:$PATH" CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target/python}"

echo "-- the crate"
cargo fmt --manifest-path crates/carom-python/Cargo.toml --check
cargo clippy --manifest-path crates/carom-python/Cargo.toml --profile "$profile" --locked --quiet -- -D warnings
echo "-- the wheel"
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
if [ -n "${CAROM_WHEEL:-}" ]; then
    cp "$CAROM_WHEEL" "$wheels/"
else
    maturin build --profile "$profile" --locked --quiet --interpreter "$venv/bin/python" --out "$wheels"
fi
install "$venv" --force-reinstall --no-deps "$wheels"/carom-*.whl
echo "-- types"
mypy --strict crates/carom-python/python/carom
python -m mypy.stubtest carom._carom
echo "-- tests"
# The installed package is what is tested; the sources beside it have no compiled half.
package=$(cd "$wheels" && python -c 'import carom, os; print(os.path.dirname(carom.__file__))')
tests() {
    CAROM_NO_SKIPS=${CAROM:+1} python -m pytest --quiet --doctest-modules --rootdir crates/carom-python -p no:cacheprovider -c pyproject.toml \
        --confcutdir crates/carom-python "$@"
}
here=crates/carom-python/tests
if [ $# -gt 0 ]; then
    tests $here "$package" "$@"
else
    # Those of sweeps wait for clusters more than they compute, so that the others run meanwhile.
    tests $here/test_sweep.py >"$wheels/sweeps.log" 2>&1 &
    sweeps=$!
    failed=
    tests $here "$package" --ignore $here/test_sweep.py || failed=1
    wait $sweeps || failed=1
    cat "$wheels/sweeps.log"
    [ -z "$failed" ]
fi

echo "-- other Pythons"
tried=
for python in ${CAROM_PYTHONS:-python3.10 python3.12 python3.13 python3.14 python3.14t python3.15t}; do
    # A name that is none here, or a stand-in that starts nothing.
    about=$("$python" -c 'import sys, sysconfig; print("%d.%d" % sys.version_info[:2] + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))' \
        2>/dev/null) || continue
    other=target/python-venv-$about
    [ -x "$other/bin/pytest" ] || {
        rm -rf "$other"
        "$python" -m venv "$other"
        install "$other" numpy pytest
    }
    # One wheel is for all of them that have the lock; a Python without it needs one of its own.
    wheel=("$wheels"/carom-*-abi3-*.whl)
    if [[ $about == *t ]]; then
        maturin build --profile "$profile" --locked --quiet --interpreter "$other/bin/python" --out "$wheels/$about"
        wheel=("$wheels/$about"/carom-*.whl)
    fi
    install "$other" --force-reinstall --no-deps "${wheel[@]}"
    echo "   $about"
    "$other/bin/python" -m pytest --quiet --rootdir crates/carom-python -p no:cacheprovider -c pyproject.toml --confcutdir \
        crates/carom-python crates/carom-python/tests/test_{scene,simulation,threads}.py
    tried=1
done
[ -n "$tried" ] || echo "   there are none here"
