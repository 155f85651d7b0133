#!/bin/sh
# usage: transform_test.sh DIR   gltf-transform with our configuration keeps light, UV set and picture of DIR/test.glb.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(cd "$1" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-clients
# The configuration imports gltf-transform, so it must be where gltf-transform is installed, as in any project.
cp "$here/../gltf-transform/gltf-transform.config.mjs" "$cache/"
cd "$cache"
mkdir -p "$dir/transformed"
npx --no-install gltf-transform meshopt "$dir/test.glb" "$dir/transformed/test.glb" --config ./gltf-transform.config.mjs >"$dir/transform.log" 2>&1 || {
	cat "$dir/transform.log"
	exit 1
}
cp "$dir/test.json" "$dir/transformed/"
cd "$here"
node three_test.mjs "$dir/transformed" >"$dir/transform.log" || {
	cat "$dir/transform.log"
	exit 1
}
echo "ok gltf-transform meshopt: the same pixels"
