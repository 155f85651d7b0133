#!/bin/sh
# usage: blender_wheels.sh [SECONDS]     the tests of the Blender add-on with Blender as a Python module, from PyPI
# Installs the wheels into ${XDG_CACHE_HOME:-~/.cache}/bsp2gltf-bpy, once, and runs blender_roundtrip.py,
# blender_import_test.py, blender_start_test.py, blender_work_test.py, blender_model_test.py, blender_export_test.py, blender_test.py, blender_sky_test.py and what the add-on's README says with each, as long as
# SECONDS (600) last: what there is no time for is skipped, and said. BPY_VERSIONS names other versions; BSP2GLTF
# names the program, which is built otherwise. Exit 1 if a test fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
end=$(($(date +%s) + ${1:-600}))
cache=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-bpy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=

left() { echo $((end - $(date +%s))); }

# python prints the Python that a version of Blender needs, if it is there.
python() {
	case $1 in
	4.* | 5.0.*) names="python3.11" ;;
	*) names="python3.13" ;;
	esac
	for name in $names "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"${names#python}"*/bin/python3; do
		if "$name" -c 'import sys' 2>/dev/null; then
			echo "$name"
			return
		fi
	done
}

# apart runs a test with Blender's settings in an empty folder, and shows its output only when it fails.
apart() {
	if [ "$(left)" -lt 1 ]; then # timeout takes no such number
		echo "skip $version: no time left for $2"
		return
	fi
	rm -rf "$work/home"
	mkdir -p "$work/home/config" "$work/home/scripts"
	code=0
	BLENDER_USER_RESOURCES="$work/home" BLENDER_USER_CONFIG="$work/home/config" BLENDER_USER_SCRIPTS="$work/home/scripts" \
		timeout "$(left)" "$@" >"$work/log" 2>&1 || code=$?
	case $code in
	0) grep -E '^(ok|skip)' "$work/log" ;;
	124) echo "skip $version: no time left for $2" ;;
	*)
		echo "FAIL $version: $2"
		grep -v '^Fra:\|INFO\|WARNING' "$work/log" | tail -n 40
		bad=1
		;;
	esac
}

[ -f "${BSP2GLTF:-}" ] || (cd ../.. && go build -o "$work/bsp2gltf" ./cmd/bsp2gltf)
program=${BSP2GLTF:-$work/bsp2gltf}
./make_test_glb.sh "$work" "$program"
"$program" -q --preset blender ../../testdata/demo/maps/demo.bsp "$work/blender.glb" # exporters don't add layers
../blender/pack.sh "$work/addon.zip"
for version in ${BPY_VERSIONS:-5.2.3 4.2.23 4.5.3 5.0.1}; do
	venv=$cache/$version
	if [ "$(left)" -lt 20 ]; then
		echo "skip Blender $version: no time left"
		continue
	fi
	if ! "$venv/bin/python" -c 'import bpy' 2>/dev/null; then
		python=$(python "$version")
		if [ -z "$python" ]; then
			echo "skip Blender $version: there is no Python for it"
			continue
		fi
		rm -rf "$venv"
		if ! { "$python" -m venv "$venv" && timeout "$(left)" "$venv/bin/pip" install -q --disable-pip-version-check "bpy==$version"; } >"$work/log" 2>&1; then
			echo "skip Blender $version: not installed: $(tail -n 1 "$work/log")"
			continue
		fi
	fi
	apart "$venv/bin/python" blender_roundtrip.py "$work/addon.zip" "$work/demo.glb" "$work/showcase.glb"
	apart "$venv/bin/python" blender_import_test.py "$work/addon.zip" "$program"
	apart "$venv/bin/python" blender_start_test.py "$work/addon.zip" "$program"
	apart "$venv/bin/python" blender_work_test.py "$work/addon.zip" "$program"
	apart "$venv/bin/python" blender_model_test.py "$work/addon.zip" "$program"
	apart "$venv/bin/python" blender_export_test.py "$work" "$work/addon.zip" "$work/blender.glb"
	apart "$venv/bin/python" blender_test.py "$work" "$work/addon.zip"
	apart "$venv/bin/python" blender_sky_test.py "$work" "$work/addon.zip" "$work/demo.glb"
	apart "$venv/bin/python" blender_relight_test.py "$work" "$work/addon.zip" "$work/demo.glb"
	apart ./blender_readme_test.sh "$venv/bin/python"
done
[ -z "$bad" ]
