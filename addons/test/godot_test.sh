#!/bin/sh
# usage: godot_test.sh DIR   imports DIR/test.glb and DIR/acts.glb with Godot 3 and ../godot/post_import.gd; needs godot3 and xvfb.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$1/godot
rm -rf "$project"
mkdir -p "$project/home"
cp "$here"/godot/* "$here/../godot/post_import.gd" "$1/test.glb" "$1/acts.glb" "$1/test.json" "$project"
export HOME="$project/home"
xvfb-run -a "${GODOT:-godot3}" --path "$project" -e -q >"$project/import.log" 2>&1 || true # its exit code says nothing
xvfb-run -a -s "-screen 0 640x360x24" "${GODOT:-godot3}" --path "$project" --resolution 640x360 -s shot.gd >"$project/shot.log" 2>&1 || {
	cat "$project/import.log" "$project/shot.log"
	exit 1
}
grep '^ok' "$project/shot.log"
