#!/bin/sh
# usage: extension_validate.sh FILE.zip...     what "blender --command extension validate" of Blender 5.2 says of each
# The validator is a script in Blender's wheel on PyPI, which needs no Blender to run: it is taken out of the wheel once, into
# ${XDG_CACHE_HOME:-~/.cache}/bsp2gltf-bpy. PYTHON names a Python from 3.11 on with pip. Exit 1 if a file is refused.
set -eu
version=5.2.3
python=${PYTHON:-python3}
validator=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-bpy/validator-$version.py
if [ ! -s "$validator" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	"$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.13 \
		--platform manylinux_2_28_x86_64 -d "$work" "bpy==$version"
	mkdir -p "$(dirname "$validator")"
	"$python" - "$work" "$validator.new" <<'PY'
import glob, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel, open(sys.argv[2], "wb") as out:
    out.write(wheel.read(next(n for n in wheel.namelist() if n.endswith("/bl_pkg/cli/blender_ext.py"))))
PY
	mv "$validator.new" "$validator"
fi
bad=
for file; do
	if said=$("$python" "$validator" validate "$file" 2>&1); then
		echo "ok   $(basename "$file"): $(echo "$said" | tail -n 1)"
	else
		echo "FAIL $(basename "$file"): $said"
		bad=1
	fi
done
[ -z "$bad" ]
