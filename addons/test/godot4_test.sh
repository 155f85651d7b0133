#!/bin/bash
# usage: godot4_test.sh DIR BSP2GLTF [ARCHIVE:]MAP...
# Imports DIR/test.glb and maps with Godot 4 and ../godot/godot4, without a window, and compares pictures by Forward+ and by the
# Compatibility renderer with DIR/test.json and with those of three.js. Without Godot 4 it prints one line and passes: see godot4.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$1 program=$2
shift 2
names=() bad=

# project makes a Godot project in a folder, with test.glb and the maps.
project() {
	rm -rf "$1"
	mkdir -p "$1/addons"
	cp "$here"/godot4/* "$dir/test.glb" "$dir/movements.glb" "$dir/test.json" "$1"
	[ -d "$dir/godot4-maps" ] && cp "$dir"/godot4-maps/* "$1"
	cp -r "$here/../godot/godot4/addons" "$1"
}

# run runs Godot in a project; its log must say nothing of scripts, shaders and files.
run() {
	local folder=$1 log=$1/$2.log code=0
	shift 2
	"$here/godot4.sh" "$folder" "$@" >"$log" 2>&1 || code=$?
	if [ $code != 0 ] || grep -E 'SCRIPT ERROR|SHADER ERROR|Parse Error|ERROR: .*(res://|glTF)' "$log"; then
		tail -n 40 "$log"
		echo "FAIL Godot 4: $* (exit $code)"
		return 1
	fi
}

pictures() {
	local renderer folder=$1
	shift
	printf '[rendering]\n\nlimits/time/time_rollover_secs=0.2\n' >"$folder/override.cfg"
	for renderer in forward_plus gl_compatibility; do
		run "$folder" "$renderer" /window godot --path /p --fixed-fps 60 --rendering-method $renderer -s shot.gd -- "$@"
	done
	rm "$folder/override.cfg"
}

# views takes pictures of NAME.glb from an eye: by both renderers and by three.js.
views() {
	local renderer name=$1 eye=$2 yaw=$3 pitch=$4
	echo "[{\"file\": \"$name.png\", \"eye\": [$eye], \"yaw\": $yaw, \"pitch\": $pitch, \"fov\": 60, \"near\": 0.1}]" >"$dir/godot4/views.json"
	for renderer in forward_plus gl_compatibility; do
		run "$dir/godot4" "$name-$renderer" /window godot --path /p --resolution 640x360 --rendering-method $renderer -s views.gd -- "$name"
		mv "$dir/godot4/$name.png" "$dir/godot4/$name-$renderer.png"
	done
	node "$here/shot.mjs" three "$dir/godot4/$name.glb" "$dir/godot4/$name-three.png" --eye="$eye" --yaw="$yaw" --pitch="$pitch" --fov=60 \
		>"$dir/godot4-three.json"
}

check() {
	local folder=$1
	shift
	"$here/godot4.sh" "$folder" godot --headless --path /p -s check.gd -- "$@" >"$folder/check.log" 2>&1 || bad=1
	grep -vE '^(Godot Engine|$)' "$folder/check.log" || :
	if grep -q 'res://addons/bsp2gltf' "$folder/check.log"; then echo "FAIL Godot 4: an error in the plugin"; bad=1; fi
}

mkdir -p "$dir/empty"
code=0
"$here/godot4.sh" "$dir/empty" godot --headless --version >"$dir/godot4.log" 2>&1 || code=$?
if [ $code = 77 ]; then
	echo "skip $(grep '^no Godot 4' "$dir/godot4.log")"
	exit
fi
rm -rf "$dir/godot4-maps"
mkdir -p "$dir/godot4-maps"
for map; do
	name=$(basename "$map" .bsp)
	names+=("$name")
	game=(--game "$(dirname "${map%%:*}")")
	"$program" -q --preset godot "${game[@]}" --set geometry.collision=brushes "$map" "$dir/godot4-maps/$name.glb"
	# three.js would show the brushes.
	"$program" -q --preset godot "${game[@]}" "$map" "$dir/godot4-plain.glb"
	node "$here/shot.mjs" three "$dir/godot4-plain.glb" "$dir/godot4-maps/$name-three.png" --time=0.15 >"$dir/godot4-three.json"
done
project "$dir/godot4"
"$program" -q --preset godot "$here/../../testdata/demo/maps/demo.bsp" "$dir/godot4/sky.glb"
node "$here/make_sprites.mjs" "$dir/godot4"
node "$here/make_multiply.mjs" "$dir/godot4"
rm "$dir/godot4/sprites.gltf"
for map in features/maps/lightgrid features/maps/billboards goldsrc/maps/lit; do
	"$program" -q --preset godot "$here/../../testdata/$map.bsp" "$dir/godot4/$(basename $map).glb"
done
"$program" -q --preset godot --set geometry.collision=brushes "$here/../../testdata/features/maps/playground.bsp" "$dir/godot4/playground.glb"
"$program" -q --preset godot --set models.animations=all "$here/../../testdata/goldsrc/maps/entities.bsp" "$dir/godot4/rigged.glb"
"$program" model -q --preset godot "$here/../../testdata/goldsrc/models/walker.mdl" "$dir/godot4/walker.glb"
python3 - "$dir/godot4/walker.glb" <<'END' # our models have no events
import json, struct, sys
glb = open(sys.argv[1], "rb").read()
length = struct.unpack("<I", glb[12:16])[0]
described = json.loads(glb[20 : 20 + length])
described["animations"][0]["extras"]["events"] = "2 1004 common/step.wav; 5 5001"
text = json.dumps(described).encode()
text += b" " * (-len(text) % 4)
rest = glb[20 + length :]
open(sys.argv[1], "wb").write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
END
cp "$dir/godot4/sky.glb" "$dir/godot4/unwrapped.glb"
printf '[remap]\n\nimporter="scene"\n\n[params]\n\nmeshes/light_baking=2\n' >"$dir/godot4/unwrapped.glb.import"
run "$dir/godot4" import godot --headless --path /p --import
grep -q 'bsp2gltf: Meshes > Light Baking is Static Lightmaps' "$dir/godot4/import.log" || { echo "FAIL Godot 4: no warning of new UVs for lightmaps"; bad=1; }
for renderer in forward_plus gl_compatibility; do
	run "$dir/godot4" "added-$renderer" /window godot --path /p --rendering-method $renderer -s added_check.gd || bad=1
	grep -E '^(ok|FAIL)' "$dir/godot4/added-$renderer.log"
done
for engine in GodotPhysics3D "Jolt Physics"; do
	printf '[physics]\n\n3d/physics_engine="%s"\n' "$engine" >"$dir/godot4/override.cfg"
	"$here/godot4.sh" "$dir/godot4" godot --headless --fixed-fps 60 --path /p -s play_check.gd >"$dir/godot4/play.log" 2>&1 || bad=1
	grep -E '^(ok|FAIL)|SCRIPT ERROR|Too few' "$dir/godot4/play.log"
done
rm "$dir/godot4/override.cfg"
pictures "$dir/godot4" test "${names[@]}"
views sky 60,55,70 -130 12 # from outside of its box, where it is seen only around the eye
views billboards -3,2,0 90 0
views sprites 1.2,2,1.6 30 -45
views multiply 0,0,2 0 0
# What moves in materials, after two seconds.
echo '[{"eye": [-13.4375, 3.75, 3.75], "yaw": -70, "pitch": -5, "fov": 74, "near": 0.125}]' >"$dir/godot4/views.json"
for renderer in forward_plus gl_compatibility; do
	for time in 1 2; do
		run "$dir/godot4" "moved-$renderer" /window godot --path /p --fixed-fps 60 --resolution 640x360 --rendering-method $renderer -s motion_shot.gd -- demo $time
		mv "$dir/godot4/demo-moved-$renderer.png" "$dir/godot4/moved$time-$renderer.png"
	done
done
for time in 1 2; do
	node "$here/shot.mjs" three "$dir/godot4/sky.glb" "$dir/godot4/moved$time-three.png" --eye=-13.4375,3.75,3.75 --yaw=-70 --pitch=-5 --fov=74 --time=$time \
		>"$dir/godot4-three.json"
done
check "$dir/godot4" "${names[@]}"
# A map that the project has as a .bsp, which the plugin converts by the program, and a small game in it.
project "$dir/godot4-game"
rm -f "$dir"/godot4-game/*.glb
mkdir -p "$dir/godot4-game/maps" "$dir/godot4-game/.game"
cp "$program" "$dir/godot4-game/.game/bsp2gltf"
cp "$here/../../testdata/features/maps/playground.bsp" "$dir/godot4-game/maps"
cp -r "$here/../../testdata/features/textures" "$dir/godot4-game/.game"
printf '[remap]\n\nimporter="scene"\n\n[params]\n\nbsp2gltf/game="res://.game"\nbsp2gltf/play=true\nbsp2gltf/mapping="res://mapping.tres"\n' \
	>"$dir/godot4-game/maps/playground.bsp.import"
run "$dir/godot4-game" import BSP2GLTF=/p/.game/bsp2gltf godot --headless --path /p --import
for engine in GodotPhysics3D "Jolt Physics"; do
	printf '[physics]\n\n3d/physics_engine="%s"\n' "$engine" >"$dir/godot4-game/override.cfg"
	"$here/godot4.sh" "$dir/godot4-game" godot --headless --fixed-fps 60 --path /p -s game_check.gd >"$dir/godot4-game/game.log" 2>&1 || bad=1
	grep -E '^(ok|FAIL)|SCRIPT ERROR' "$dir/godot4-game/game.log"
done
# The editor shows a map in a window, and its light stays as it is.
project "$dir/godot4-editor"
run "$dir/godot4-editor" import godot --headless --path /p --import
run "$dir/godot4-editor" editor /window godot -e --path /p --rendering-method gl_compatibility --quit-after 300 shown.tscn
"$here/godot4.sh" "$dir/godot4-editor" godot --headless --path /p -s editor_check.gd -- "${names[0]}" >"$dir/godot4-editor/check.log" 2>&1 || bad=1
grep -E '^(ok|FAIL)' "$dir/godot4-editor/check.log"
rm -rf "$dir/godot4-maps"
project "$dir/godot4-without"
rm -rf "$dir/godot4-without/addons"
run "$dir/godot4-without" import godot --headless --path /p --import
pictures "$dir/godot4-without" test
check "$dir/godot4-without" plain
[ -z "$bad" ]
