#!/bin/sh
# usage: install.sh   installs the clients of package.json into ${XDG_CACHE_HOME:-~/.cache}/bsp2gltf-clients, if changed.
# NEWEST=1: also the newest three.js that npm's registry has, which the tests then open too; without a registry it is left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-clients
mkdir -p "$cache"
if ! cmp -s "$here/package.json" "$cache/package.json" || [ ! -f "$cache/installed" ]; then
	rm -f "$cache/installed"
	cp "$here/package.json" "$cache/"
	(cd "$cache" && npm install --no-audit --no-fund --ignore-scripts --loglevel=error)
	touch "$cache/installed"
fi
if [ -n "${NEWEST:-}" ]; then
	(cd "$cache" && npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error three-newest@npm:three@latest) ||
		echo "skip the newest three.js: npm's registry can't be reached" >&2
fi
