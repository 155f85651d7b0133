#!/bin/sh
# usage: pack.sh [OUT.zip]                     the add-on, which finds bsp2gltf on PATH or by its preferences
#        pack.sh BINARY PLATFORM [OUT.zip]     with the program inside, for one of the platforms linux-x64, linux-arm64,
#                                              macos-x64, macos-arm64, windows-x64, windows-arm64
# Makes the add-on's .zip: a legacy add-on for Blender 3.4 to 4.1, an extension from 4.2 on. OUT.zip is bsp2gltf_lightmaps.zip,
# or bsp2gltf_lightmaps-PLATFORM.zip, in the current folder. The bytes depend on the files and their commit only, which the add-on
# compares with the program's: BSP2GLTF_COMMIT, else the repository's, with "+" if tracked files differ from it; empty if there is none.
set -eu
folder=$(dirname "$0")/bsp2gltf_lightmaps
if [ -z "${BSP2GLTF_COMMIT+set}" ] && BSP2GLTF_COMMIT=$(git -C "$folder" rev-parse HEAD 2>/dev/null | cut -c1-12); then
	[ -z "$(git -C "$folder" status --porcelain --untracked-files=no 2>/dev/null)" ] || BSP2GLTF_COMMIT=$BSP2GLTF_COMMIT+
fi
binary='' platform=''
case $# in
0 | 1) ;;
2 | 3)
	binary=$1 platform=$2
	shift 2
	;;
*)
	echo "usage: pack.sh [BINARY PLATFORM] [OUT.zip]" >&2
	exit 2
	;;
esac
case $platform in
'' | linux-x64 | linux-arm64 | macos-x64 | macos-arm64 | windows-x64 | windows-arm64) ;;
*)
	echo "pack.sh: no such platform: $platform" >&2
	exit 2
	;;
esac
exec python3 - "$folder" "${1:-bsp2gltf_lightmaps${platform:+-$platform}.zip}" "$binary" "$platform" "$BSP2GLTF_COMMIT" <<'PY'
import os, sys, zipfile
folder, out, binary, platform, commit = sys.argv[1:]
files = [(os.path.join(folder, name), name, 0o644) for name in sorted(os.listdir(folder)) if name.endswith((".py", ".toml")) or name == "LICENSE"]
if binary:
    files.append((binary, "bin/bsp2gltf" + (".exe" if platform.startswith("windows") else ""), 0o755))
def entry_of(name, mode):
    entry = zipfile.ZipInfo("bsp2gltf_lightmaps/" + name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
    return entry
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    if commit:
        z.writestr(entry_of("BUILD", 0o644), commit + "\n")
    for source, name, mode in files:
        with open(source, "rb") as file:
            data = file.read()
        if name == "blender_manifest.toml" and platform:
            data = data.replace(b"[permissions]", f'platforms = ["{platform}"]\n\n[permissions]'.encode())
        z.writestr(entry_of(name, mode), data)
PY
