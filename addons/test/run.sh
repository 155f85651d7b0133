#!/bin/sh
# usage: run.sh [validate|blender|three|babylon|renderers|viewer|page|transform|godot|godot4]...   all but Godot by default; exit 1 if any fails.
# Builds a small .glb, opens it in the real clients and compares pixels. Needs node, npm, python3, Blender and Chromium;
# BLENDER and CHROMIUM name other ones. BPY names a python that has Blender as a module (pip install bpy), tested too.
# BSP2GLTF names the program that makes the pages, else they are made by go run. KEEP names a folder for the pictures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
dir=${KEEP:-$(mktemp -d)}
home=$(mktemp -d)
trap 'rm -rf "$home"; [ -n "${KEEP:-}" ] || rm -rf "$dir"' EXIT
mkdir -p "$dir"
bad=

# apart runs a command with Blender's settings in an empty folder, and shows its output only when it fails.
apart() {
	rm -rf "$home/b"
	mkdir -p "$home/b/config" "$home/b/scripts"
	if BLENDER_USER_RESOURCES="$home/b" BLENDER_USER_CONFIG="$home/b/config" BLENDER_USER_SCRIPTS="$home/b/scripts" \
		"$@" >"$dir/blender.log" 2>&1; then
		grep '^ok' "$dir/blender.log"
	else
		echo "FAIL $1"
		grep -v '^Fra:\|INFO' "$dir/blender.log" | tail -n 60
		return 1
	fi
}

# maps converts maps that have something of each kind, and one for the web.
maps() {
	[ ! -f "$dir/web.glb" ] || return 0
	for map in demo/maps/demo source/maps/showcase goldsrc/maps/styles features/maps/fog features/maps/lightgrid; do
		(cd ../.. && ${BSP2GLTF:-go run ./cmd/bsp2gltf} -q "testdata/$map.bsp" "$dir/$(basename "$map").map.glb" --set models.lods=chain \
			--set materials.frames=true --set lightmap.grid=true)
	done
	(cd ../.. && ${BSP2GLTF:-go run ./cmd/bsp2gltf} -q --preset web testdata/goldsrc/maps/styles.bsp "$dir/web.glb")
}

./install.sh
node make_test_glb.mjs "$dir"
[ $# -gt 0 ] || set -- validate blender three babylon renderers viewer page transform
for client; do
	case $client in
	validate) node validate.mjs "$dir/test.glb" || bad=1 ;;
	blender)
		../blender/pack.sh "$dir/addon.zip"
		[ -f "${BSP2GLTF:-}" ] || (cd ../.. && go build -o "$home/bsp2gltf" ./cmd/bsp2gltf)
		program=${BSP2GLTF:-$home/bsp2gltf}
		./make_test_glb.sh "$dir" "$program"
		stock() { apart "${BLENDER:-blender}" -b --factory-startup -noaudio --python-exit-code 1 -P "$@" || bad=1; }
		stock blender_test.py -- "$dir" "$dir/addon.zip"
		stock blender_roundtrip.py -- "$dir/addon.zip" "$dir/demo.glb" "$dir/showcase.glb"
		"$program" -q --preset blender ../../testdata/demo/maps/demo.bsp "$dir/blender.glb" # exporters don't add layers
		stock blender_export_test.py -- "$dir" "$dir/addon.zip" "$dir/blender.glb"
		stock blender_sky_test.py -- "$dir" "$dir/addon.zip" "$dir/demo.glb"
		stock blender_import_test.py -- "$dir/addon.zip" "$program"
		stock blender_start_test.py -- "$dir/addon.zip" "$program"
		stock blender_work_test.py -- "$dir/addon.zip" "$program"
		stock blender_model_test.py -- "$dir/addon.zip" "$program"
		stock blender_relight_test.py -- "$dir" "$dir/addon.zip" "$dir/demo.glb"
		./blender_readme_test.sh || bad=1
		if command -v xvfb-run >/dev/null; then
			apart timeout 300 xvfb-run -a -s "-screen 0 1280x800x24" "${BLENDER:-blender}" --factory-startup --enable-event-simulate -noaudio -P blender_window_test.py -- "$dir/addon.zip" "$program" || bad=1
			apart timeout 300 xvfb-run -a -s "-screen 0 1280x800x24" "${BLENDER:-blender}" --factory-startup --enable-event-simulate -noaudio -P blender_window_test.py -- "$dir/addon.zip" "$program" --bake || bad=1
		else
			echo "skip Blender's window: there is no xvfb-run"
		fi
		for python in ${BPY:-}; do
			apart "$python" blender_test.py -- "$dir" "$dir/addon.zip" || bad=1
		done
		;;
	three)
		node three_test.mjs "$dir" || bad=1
		node make_reader_glb.mjs "$dir"
		node reader_test.mjs "$dir" || bad=1
		node parts_test.mjs || bad=1
		node lightstyles_test.mjs || bad=1
		node order_test.mjs || bad=1
		node ambient_test.mjs "$dir/test.glb" || bad=1
		;;
	babylon)
		node babylon_test.mjs "$dir" || bad=1
		node motion_test.mjs "$dir" || bad=1
		node sky_test.mjs "$dir" || bad=1
		node sprites_test.mjs "$dir" || bad=1
		;;
	renderers) # maps that are replaced, lamps, effects, copies, WebGPU and the shaders of other versions of three.js: minutes with software GL
		maps
		node make_reader_glb.mjs "$dir"
		node resources_test.mjs "$dir" || bad=1
		node webgpu_test.mjs "$dir" || bad=1
		node patch_test.mjs "$dir" || bad=1
		node babylon_resources_test.mjs "$dir" || bad=1
		;;
	viewer) node viewer_test.mjs "$dir" || bad=1 ;;
	page)
		node bundle.mjs --check || bad=1
		pages=
		for map in demo/maps/demo source/maps/showcase source/maps/bump source/maps/models goldsrc/maps/styles goldsrc/maps/entities goldsrc/maps/lit goldsrc/maps/version29 goldsrc/maps/bsp2 \
			goldsrc/maps/2psb goldsrc/maps/version38 features/maps/fog features/maps/missing features/maps/lightgrid features/maps/brightgrid features/maps/raven features/maps/qfusion respawn/maps/beside; do
			page=$dir/$(basename "$map").html
			(cd ../.. && ${BSP2GLTF:-go run ./cmd/bsp2gltf} "testdata/$map.bsp" "$page" --set models.lods=chain >/dev/null 2>&1)
			pages="$pages $page"
		done
		for model in signpost; do
			page=$dir/$model.html
			(cd ../.. && ${BSP2GLTF:-go run ./cmd/bsp2gltf} model "testdata/goldsrc/models/$model.mdl" "$page" >/dev/null 2>&1)
			pages="$pages $page"
		done
		# Three real maps of each family, if there is a corpus: Quake II has one, Titanfall none.
		corpus=${BSP2GLTF_CORPUS:-../../../shared/corpus}
		for map in quake1/slipgate_b_shell0 quake1/slipgate_test1 quake1/ericw_q1_detail_fence2 quake2/bsptool_mp_lobby \
			goldsrc/ag_surf_christmas goldsrc/cs_awp_india goldsrc/tb_hl quake3/bsptool_mp_lobby quake3/edu2_test quake3/bspviewer_test \
			source/v19_css_fy_iceworld source/v20_hl2ep2_peace_map1 source/v20_css_gg_simpsons_arabtoon; do
			[ -f "$corpus/$map.bsp" ] || continue
			page=$dir/$(echo "$map" | tr / _).html
			map=$(cd "$corpus" && pwd)/$map.bsp
			(cd ../.. && ${BSP2GLTF:-go run ./cmd/bsp2gltf} "$map" "$page" >/dev/null 2>&1) || { echo "FAIL $map"; bad=1; }
			pages="$pages $page"
		done
		node page_test.mjs "$dir" "$dir/demo.html" $pages || bad=1
		;;
	transform) ./transform_test.sh "$dir" || bad=1 ;;
	godot)
		[ -f "${BSP2GLTF:-}" ] || (cd ../.. && go build -o "$home/bsp2gltf" ./cmd/bsp2gltf)
		./godot_test.sh "$dir" "${BSP2GLTF:-$home/bsp2gltf}" || bad=1
		;;
	godot4)
		[ -f "${BSP2GLTF:-}" ] || (cd ../.. && go build -o "$home/bsp2gltf" ./cmd/bsp2gltf)
		maps="../../testdata/demo/maps/demo.bsp ../../testdata/source/maps/showcase.bsp ../../testdata/source/maps/litprops.bsp"
		maps="$maps ../../testdata/source/maps/sky3d.bsp ../../testdata/features/maps/fog.bsp"
		archive=/usr/share/games/openarena/baseoa/pak6-patch088.pk3
		[ ! -f $archive ] || maps="$maps $archive:maps/oa_shouse.bsp"
		archive=/usr/share/games/nexuiz/data/data.pk3 # with worldspawn's fog and the game's gamma
		[ ! -f $archive ] || maps="$maps $archive:maps/reslimed.bsp"
		# shellcheck disable=SC2086
		./godot4_test.sh "$dir" "${BSP2GLTF:-$home/bsp2gltf}" $maps || bad=1
		;;
	*)
		echo "run.sh: no such client: $client" >&2
		exit 2
		;;
	esac
done
[ -z "$bad" ]
