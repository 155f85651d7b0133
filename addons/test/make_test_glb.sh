#!/bin/sh
# usage: make_test_glb.sh OUTDIR BSP2GLTF     writes test.glb and test.json, and our two showcases: demo.glb, showcase.glb
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node "$here/make_test_glb.mjs" "$1"
"$2" -q "$here/../../testdata/demo/maps/demo.bsp" "$1/demo.glb"
"$2" -q "$here/../../testdata/source/maps/showcase.bsp" "$1/showcase.glb"
