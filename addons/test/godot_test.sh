#!/bin/sh
# usage: godot_test.sh DIR [BSP2GLTF]
# Imports DIR/test.glb and DIR/movements.glb with Godot 3 and ../godot/post_import.gd; needs godot3 and xvfb. With BSP2GLTF it compares the
# demo's sky with three.js's, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$1/godot
rm -rf "$project"
mkdir -p "$project/home"
cp "$here"/godot/* "$here/../godot/post_import.gd" "$1/test.glb" "$1/movements.glb" "$1/test.json" "$project"
own=$HOME
export HOME="$project/home"
if [ -n "${2:-}" ]; then
	"$2" -q --preset godot "$here/../../testdata/demo/maps/demo.bsp" "$project/map.glb"
	cp "$here/godot/test.glb.import" "$project/map.glb.import"
fi
xvfb-run -a "${GODOT:-godot3}" --path "$project" -e -q >"$project/import.log" 2>&1 || true # its exit code says nothing
xvfb-run -a -s "-screen 0 640x360x24" "${GODOT:-godot3}" --path "$project" --resolution 640x360 -s shot.gd >"$project/shot.log" 2>&1 || {
	cat "$project/import.log" "$project/shot.log"
	exit 1
}
grep '^ok' "$project/shot.log"
[ -n "${2:-}" ] || exit 0
# The demo's sky, from outside of its box, where it is seen only around the eye, as three.js shows it.
echo '[{"file": "aside.png", "eye": [60, 55, 70], "yaw": -130, "pitch": 12, "fov": 60, "near": 0.1}]' >"$project/views.json"
xvfb-run -a -s "-screen 0 640x360x24" "${GODOT:-godot3}" --path "$project" --resolution 640x360 -s views.gd >"$project/views.log" 2>&1
HOME=$own node "$here/shot.mjs" three "$project/map.glb" "$project/three.png" --eye=60,55,70 --yaw=-130 --pitch=12 --fov=60 \
	>"$project/three.json"
/usr/bin/python3 - "$project/aside.png" "$project/three.png" <<'END'
import sys
from PIL import Image, ImageChops, ImageStat
a, b = (Image.open(f).convert("RGB") for f in sys.argv[1:])
most = max(high for _, high in ImageChops.difference(a, b).getextrema())  # at a seam between two sides, too
good = most <= 12 and sum(ImageStat.Stat(b).mean) / 3 > 10
print(f"{'ok' if good else 'FAIL'} Godot 3: no pixel of the sky around the eye differs from three.js's by more than {most} of 255")
sys.exit(not good)
END
