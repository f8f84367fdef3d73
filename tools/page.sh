#!/usr/bin/env bash
# Builds the page into web/dist: the engine as WebAssembly (crates/carom-web), then everything around it (web/).
# The command takes it in when it is built after that. Needs Node 20 and a compiler for wasm32-unknown-unknown:
# rustup's (`rustup target add wasm32-unknown-unknown`), or Debian's, which is installed where it is missing.
# With CAROM_PROFILE=quick the engine is compiled sooner and runs slower, with the same bits.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${CAROM_PROFILE:-release}
target=$PWD/crates/carom-web/target
has_rustup_target() {
    local sysroot
    sysroot=$(rustc --print sysroot 2>/dev/null) && [ -d "$sysroot/lib/rustlib/wasm32-unknown-unknown" ]
}
build=(build --manifest-path crates/carom-web/Cargo.toml --profile "$profile" --target wasm32-unknown-unknown --locked --quiet)
export CARGO_TARGET_DIR="$target" RUSTFLAGS="-C target-feature=+simd128"

# CAROM_EXAMPLE=golden: only the golden runs of the library, for tests; prints where they are.
if [ -n "${CAROM_EXAMPLE:-}" ]; then
    build+=(--example "$CAROM_EXAMPLE")
else
    echo "-- the engine"
fi
if has_rustup_target; then
    cargo "${build[@]}"
else
    # Debian has no compiled standard library for the target; it is compiled from Debian's sources of it.
    if ! [ -x /usr/bin/wasm-ld-22 ] || ! [ -d /usr/lib/rustlib/src ] || ! [ -x /usr/bin/cargo ]; then
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src lld-22 >/dev/null
    fi
    # With a library of its own nothing is kept that puts together what a panic would say: nobody could read it there.
    RUSTFLAGS+=" -Zunstable-options -Cpanic=immediate-abort"
    PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22 \
        /usr/bin/cargo "${build[@]}" -Zbuild-std=std,panic_abort
fi
if [ -n "${CAROM_EXAMPLE:-}" ]; then
    echo "$target/wasm32-unknown-unknown/$profile/examples/$CAROM_EXAMPLE.wasm"
    exit
fi
mkdir -p web/public/engine
node web/tools/strip.mjs "$target/wasm32-unknown-unknown/$profile/carom_web.wasm" web/public/engine/carom.wasm

echo "-- the page"
cd web
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
    npm ci --no-audit --no-fund --silent
    cp package-lock.json node_modules/.installed-lock.json
fi
mkdir -p src/generated
npx rolldown tools/scenes.ts --format esm --platform node --file node_modules/.cache/scenes.mjs --log-level silent >/dev/null
node node_modules/.cache/scenes.mjs ../scenes public/engine/carom.wasm public/thumbs src/generated/scenes.json
npx vite build --logLevel warn
touch index.html # So that the command takes it in when it is built next.
