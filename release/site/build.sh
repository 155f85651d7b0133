#!/usr/bin/env bash
# usage: build.sh FILE.zip     the documents as a site, packed; needs python3 and PyPI. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
zip=$(realpath -m "$1")
venv=${BSP2GLTF_SITE_PYTHON:-${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-site}
[ -x "$venv/bin/mkdocs" ] || { python3 -m venv "$venv" && "$venv/bin/pip" -q install -r release/site/requirements.txt; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
NO_MKDOCS_2_WARNING=1 SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} \
	"$venv/bin/mkdocs" build --strict -f release/site/mkdocs.yml -d "$work/site"
mkdir -p "$(dirname "$zip")"
"$venv/bin/python" - "$work/site" "$zip" <<'PYTHON'
import os, sys, zipfile
site, name = sys.argv[1:]
paths = sorted(os.path.join(folder, file) for folder, _, files in os.walk(site) for file in files)
with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as out:
    for path in paths:
        entry = zipfile.ZipInfo("bsp2gltf-docs/" + os.path.relpath(path, site).replace(os.sep, "/"))  # of 1980
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
        with open(path, "rb") as file:
            out.writestr(entry, file.read())
PYTHON
