#!/bin/bash
# The bed of spheres beside LAMMPS, in turns: bed.sh STATE ROUNDS STEPS. STATE.txt and STATE.data are one settled state, written by
#   bed settle START --time 0.12 --save STATE.txt --lammps STATE.data
# Prints million particle-steps per second of wall time and per second of processor time, for 1 and 2 cores, then best and median of each.
set -e
state=$1; rounds=${2:-3}; steps=${3:-500}
here=$(dirname "$(readlink -f "$0")")
bed=${BED:-$here/../../target/release/examples/bed}
balls=$(head -1 "$state.txt" | cut -d' ' -f1)
out=$(mktemp)
for _ in $(seq "$rounds"); do
  for cores in ${CORES:-1 2}; do
    "$bed" bench "$state.txt" --warm 200 --steps "$steps" --repeats 1 --threads "$cores" |
      sed -E "s/.*best ([0-9.]+).*processor time ([0-9.]+).*/carom $cores \1 \2/" | tee -a "$out"
    run="lmp"
    [ "$cores" = 1 ] || run="mpirun -np $cores --allow-run-as-root --oversubscribe lmp"
    $run -in "$here/in.bed" -log none -var FILE "$state.data" -var WARM 200 -var STEPS "$steps" -var REPEATS 1 |
      awk -v n="$balls" -v s="$steps" -v c="$cores" '
        /^Loop time/ { t = $4 } /CPU use/ { sub("%", "", $1); u = $1 / 100 }
        END { r = n * s / t / 1e6; printf "lammps %d %.2f %.2f\n", c, r, r / (u * c) }' | tee -a "$out"
  done
done
echo "code cores: best and median of wall time, best and median per second of processor time"
for cores in ${CORES:-1 2}; do
  for code in carom lammps; do
    for column in 3 4; do
      grep "^$code $cores " "$out" | cut -d' ' -f$column | sort -n | awk '{ v[NR] = $1 } END { printf "%s %s  ", v[NR], v[int((NR + 1) / 2)] }'
    done | sed "s/^/$code $cores: /"
    echo
  done
done
rm "$out"
