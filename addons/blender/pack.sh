#!/bin/sh
# usage: pack.sh [OUT.zip]   makes the add-on's .zip: a legacy add-on for Blender 3.4 to 4.1, an extension from 4.2 on.
# The bytes depend on the two files only.
set -eu
exec python3 - "$(dirname "$0")" "${1:-bsp2gltf_lightmaps.zip}" <<'PY'
import os, sys, zipfile
folder, out = sys.argv[1:]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    for source, name in (("bsp2gltf_lightmaps.py", "__init__.py"), ("blender_manifest.toml", "blender_manifest.toml")):
        entry = zipfile.ZipInfo("bsp2gltf_lightmaps/" + name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
        z.writestr(entry, open(os.path.join(folder, source), "rb").read())
PY
