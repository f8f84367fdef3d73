#!/usr/bin/env bash
# The page: its engine, types, units, the same bits as the command's, and the page itself in a browser.
# Needs Node 20, a Rust toolchain and, on Debian, the right to install packages (a compiler for WebAssembly, Chromium).
# The command is built again with the page in it; CAROM is where it will be.
set -euo pipefail
cd "$(dirname "$0")/.."

carom=${CAROM:-$PWD/target/release/carom}
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
if [ -z "$chromium" ]; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium >/dev/null
    chromium=$(command -v chromium)
fi

echo "-- the crate"
cargo fmt --manifest-path crates/carom-web/Cargo.toml --check
cargo clippy --manifest-path crates/carom-web/Cargo.toml --locked --quiet -- -D warnings
tools/page.sh
echo "-- the command, with the page in it"
cargo build --release --locked --quiet
cd web
echo "-- types"
npx tsc --noEmit
echo "-- units"
npx vitest run --reporter=dot
echo "-- the same bits as the command"
node tests/digests.mjs "$carom" public/engine/carom.wasm ../scenes
npx rolldown tests/changes.ts --format esm --platform node --file node_modules/.cache/changes.mjs --log-level silent >/dev/null
node node_modules/.cache/changes.mjs "$carom" public/engine/carom.wasm
node tests/golden.mjs "$(CAROM_EXAMPLE=golden ../tools/page.sh)"
echo "-- the server, under fire"
CAROM=$carom node tests/server.mjs
echo "-- the page in a browser"
# As many at once as there are processors: waiting is most of it.
CAROM=$carom CHROMIUM=$chromium node --test --test-reporter=spec --test-concurrency="$(nproc)" tests/*.test.mjs
echo "-- its size"
node tests/size.mjs dist
