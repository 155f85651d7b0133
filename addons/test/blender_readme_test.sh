#!/bin/sh
# usage: blender_readme_test.sh [PYTHON]     does what ../blender/README.md says, word for word, in a copy of the repository
# Without PYTHON by its shell commands, with Blender as it is installed; with a Python that has Blender as a module (4.2 or
# later) by its Python. Home and settings are empty folders. BLENDER names another Blender.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${GOMODCACHE:-}" ]; then GOMODCACHE=$(go env GOMODCACHE) && export GOMODCACHE; fi
if [ -z "${GOCACHE:-}" ]; then GOCACHE=$(go env GOCACHE) && export GOCACHE; fi
if [ -n "${BLENDER:-}" ]; then
	mkdir "$work/bin"
	ln -s "$(command -v "$BLENDER")" "$work/bin/blender"
	PATH=$work/bin:$PATH
fi
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null --no-recursion -T - --ignore-failed-read -cf -) | (mkdir "$work/clone" && tar -C "$work/clone" -xf -)

# A commit of the copy, so that both the program and the add-on have a build to name.
(cd "$work/clone" && git init -q && git add -A && git -c user.name=test -c user.email=test@localhost commit -q -m copy)
export GOFLAGS=

# same_build compares the builds of the program and the add-on, with files beside them that Git does not know.
same_build() {
	touch "$work/clone/notes.txt"
	sh -eu "$work/pack.sh" >/dev/null 2>&1 # once more: what the first time has left behind changes nothing
	packed=$(unzip -p bsp2gltf_lightmaps-linux-x64.zip bsp2gltf_lightmaps/BUILD)
	said=$(./bsp2gltf --version | sed 's/.*(build \(.*\))/\1/')
	[ -n "$packed" ] && [ "${said%+}" = "$packed" ] || { echo "FAIL the program is of build $said, the add-on of build $packed" && exit 1; }
	[ "$(git -C "$work/clone" status --porcelain)" = "?? notes.txt" ] || { git -C "$work/clone" status --short && echo "FAIL building leaves files behind" && exit 1; }
}

# blocks prints the fenced blocks of a language.
blocks() { awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } $0 == "```" { on = 0 } on' "$work/clone/addons/blender/README.md"; }

mkdir "$work/home"
cd "$work/clone/addons/blender"
export HOME="$work/home" BLENDER_USER_RESOURCES="$work/home" BLENDER_USER_CONFIG="$work/home/config" BLENDER_USER_SCRIPTS="$work/home/scripts"
mkdir -p "$BLENDER_USER_CONFIG" "$BLENDER_USER_SCRIPTS"
blocks sh >"$work/commands.sh"
sed '/^blender/,$d' "$work/commands.sh" >"$work/pack.sh" # up to Blender
if [ $# -gt 0 ]; then
	sh -eu "$work/pack.sh"
	{
		blocks python
		echo 'import sys; print(bpy.app.version_string); sys.stdout.flush(); os._exit(0)'
	} >"$work/commands.py"
	"$1" "$work/commands.py" >"$work/log" 2>&1 || { tail -n 40 "$work/log" && exit 1; }
else
	sh -eu "$work/commands.sh" >"$work/log" 2>&1 || { tail -n 40 "$work/log" && exit 1; }
fi
[ -s demo.blend ] || { tail -n 40 "$work/log"; echo "FAIL there is no demo.blend"; exit 1; }
[ "$(head -c 7 demo.blend)" = BLENDER ] || [ "$(od -An -tx1 -N4 demo.blend | tr -d ' ')" = 28b52ffd ] || { echo "FAIL demo.blend is none"; exit 1; }
same_build
echo "ok README of the add-on, word for word: $(wc -c <demo.blend) bytes of demo.blend"
