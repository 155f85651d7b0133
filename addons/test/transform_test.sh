#!/bin/sh
# usage: transform_test.sh DIR   gltf-transform with our configuration keeps light, UV set and picture of DIR/test.glb, and what
# only extras name in our own maps. BSP2GLTF is the program; built if not given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(cd "$1" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-clients
# The configuration imports gltf-transform, so it must be where gltf-transform is installed, as in any project.
cp "$here/../gltf-transform/gltf-transform.config.mjs" "$cache/"
cd "$cache"
mkdir -p "$dir/transformed"
for file in test range haze dip gamma exposure mirror movements inside; do
	npx --no-install gltf-transform meshopt "$dir/$file.glb" "$dir/transformed/$file.glb" --config ./gltf-transform.config.mjs >"$dir/transform.log" 2>&1 || {
		cat "$dir/transform.log"
		exit 1
	}
done
cp "$dir/test.json" "$dir/transformed/"
cd "$here"
THREE=${THREE:-three} node three_test.mjs "$dir/transformed" >"$dir/transform.log" || {
	cat "$dir/transform.log"
	exit 1
}
echo "ok gltf-transform meshopt: the same pixels"

# A map with entities, animated textures and a light grid, and one with pages of other light styles.
[ -n "${BSP2GLTF:-}" ] || {
	BSP2GLTF=$dir/bsp2gltf
	(cd "$here/../.." && go build -o "$BSP2GLTF" ./cmd/bsp2gltf)
}
for map in demo/maps/demo source/maps/styles; do
	"$BSP2GLTF" -q --set materials.frames=true "$here/../../testdata/$map.bsp" "$dir/before.glb"
	for compress in none quantize meshopt; do
		(cd "$cache" && npx --no-install gltf-transform map "$dir/before.glb" "$dir/after.glb" --compress $compress --config ./gltf-transform.config.mjs) >"$dir/transform.log" 2>&1 &&
			node transform_check.mjs "$dir/before.glb" "$dir/after.glb" >>"$dir/transform.log" 2>&1 && node validate.mjs "$dir/after.glb" >>"$dir/transform.log" 2>&1 || {
			cat "$dir/transform.log"
			exit 1
		}
	done
done
echo "ok gltf-transform map: entities, light styles and the light grid stay"
