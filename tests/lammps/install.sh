#!/usr/bin/env bash
# Debian's LAMMPS, where it is missing and can be installed: what `carom convert --to lammps` writes is run by it.
# Prints the path of the program, and nothing where there is none.
set -euo pipefail

if ! command -v lmp >/dev/null && command -v apt-get >/dev/null; then
    root=()
    if [ "$(id -u)" != 0 ]; then
        root=(sudo -n)
    fi
    {
        "${root[@]}" apt-get install --yes --no-install-recommends lammps ||
            { "${root[@]}" apt-get update && "${root[@]}" apt-get install --yes --no-install-recommends lammps; }
    } >/dev/null 2>&1 || true
fi
command -v lmp || true
