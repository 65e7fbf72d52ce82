#!/bin/sh
# The main job on real input: a trend, a spline, an implicit heat step. Usage: examples/demo.sh [BUILD-FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
out=$build/demo
mkdir -p "$out"

echo "== (a) The Hodrick-Prescott trend of quarterly US real GDP, 1959 to 2009"
"$build/slimband" smooth examples/data/us-real-gdp.csv --lambda 1600 --column realgdp \
    --output "$out/us-real-gdp-trend.csv" --chart "$out/us-real-gdp-trend.svg"
echo
echo "== (b) A natural cubic spline through a track of a million points"
"$build/examples/spline"
echo
echo "== (c) Implicit heat steps along both axes of a grid"
"$build/examples/heat"
