#!/usr/bin/env bash
# Packages every crate that is published, compiles each package against the others, and lists what it contains.
# Run it from anywhere, before a release; `--list` only lists. The package of the command has the page in it, if
# tools/page.sh has built it (which a release needs: whoever installs the command from crates.io has no Node).
set -euo pipefail
cd "$(dirname "$0")/.."

crates=(carom carom-mesh carom-scene carom-data carom-draw carom-stock carom-cli)
selected=()
for crate in "${crates[@]}"; do selected+=(--package "$crate"); done
target=${CARGO_TARGET_DIR:-target}

# What a package must have, beside its sources.
must=(Cargo.toml README.md LICENSE-MIT LICENSE-APACHE src/lib.rs)

if [[ "${1:-}" == "--list" ]]; then
    verify=(--no-verify)
else
    verify=()
fi
page=crates/carom-cli/page
trap 'rm -rf "$page"' EXIT
rm -rf "$page"
if [[ -f web/dist/index.html ]]; then
    cp -r web/dist "$page"
else
    echo "warning: web/dist is not there: the package of the command is without the page" >&2
fi
cargo package "${selected[@]}" "${verify[@]}" --allow-dirty --locked

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
for crate in "${crates[@]}"; do
    package="$target/package/$crate-$version.crate"
    printf '\n== %s: %s bytes\n' "$crate" "$(stat -c %s "$package")"
    contents=$(tar -tvzf "$package")
    printf '%s\n' "$contents" | awk '{ print $1, $3, $6 }'
    if grep -q '^l' <<<"$contents"; then
        echo "error: a link in $package: files must arrive as files" >&2
        exit 1
    fi
    needed=("${must[@]}")
    if [[ $crate == carom-cli && -d $page ]]; then needed+=(page/index.html page/engine/carom.wasm); fi
    for file in "${needed[@]}"; do
        if ! grep -q " $crate-$version/$file$" <<<"$contents"; then
            echo "error: no $file in $package" >&2
            exit 1
        fi
    done
done
