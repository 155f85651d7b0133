#!/bin/sh
# usage: wine.sh WINDOWS_PROGRAM.exe PROGRAM [MAP]   runs the program for Windows under wine: it writes the bytes that PROGRAM, of this
# system, writes, and refuses what that refuses with the same exit code and message. MAP is the demo by default.
# Needs wine and binutils-mingw-w64-x86-64: Debian 12's wine 8.0 has no bcryptprimitives.dll, which Go needs, so one is linked here
# that takes its random bytes from advapi32.
set -eu
map=${3:-$(dirname "$0")/../testdata/demo/maps/demo.bsp}
work=$(mktemp -d)
trap 'WINEPREFIX=$work/prefix wineserver -k 2>/dev/null || :; rm -rf "$work"' EXIT
export WINEPREFIX="$work/prefix" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="

wineboot -i >/dev/null 2>&1
system=$WINEPREFIX/drive_c/windows/system32
if [ ! -f "$system/bcryptprimitives.dll" ]; then
	printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n' >"$work/stub.def"
	echo | x86_64-w64-mingw32-as -o "$work/stub.o" -
	x86_64-w64-mingw32-ld -shared --entry 0 -o "$system/bcryptprimitives.dll" "$work/stub.o" "$work/stub.def"
fi

cp "$1" "$work/bsp2gltf.exe"
cp "$map" "$work/map.bsp"
head -c 100 "$map" >"$work/short.bsp"
cd "$work"
[ "$(wine ./bsp2gltf.exe --version | tr -d '\r')" = "$("$2" --version)" ] || { echo "FAIL the two are of different versions"; exit 1; }
wine ./bsp2gltf.exe -q map.bsp theirs.glb
"$2" -q map.bsp ours.glb
cmp theirs.glb ours.glb
refused() { code=0; "$@" -q short.bsp short.glb >said 2>&1 || code=$?; echo "exit $code: $(tr -d '\r' <said)"; }
theirs=$(refused wine ./bsp2gltf.exe)
ours=$(refused "$2")
[ "$theirs" = "$ours" ] && [ ! -e short.glb ] || { echo "FAIL under wine: $theirs; here: $ours"; exit 1; }
echo "ok   the program for Windows, under $(wine --version): the bytes of $2, and its refusal ($theirs)"
