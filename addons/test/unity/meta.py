#!/usr/bin/env python3
"""usage: meta.py [--check]   writes the .meta files of addons/unity that are missing, or exits with 1 where some are missing or stray.

In a package from an archive Unity makes no .meta file, and ignores files without one. A file's GUID is made from its name, so it is the
same on every machine; scenes refer to files by it.
"""

import hashlib
import os
import sys

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "unity")
check = "--check" in sys.argv
problems, guids = [], {}

IMPORTERS = {
    "": "folderAsset: yes\nDefaultImporter:",
    ".cs": "MonoImporter:",
    ".asmdef": "AssemblyDefinitionImporter:",
    ".shader": "ShaderImporter:",
    ".hlsl": "ShaderIncludeImporter:",
    "package.json": "PackageManifestImporter:",
}


def text(name, guid):
    kind = os.path.splitext(name)[1] if os.path.basename(name) != "package.json" else "package.json"
    return f"fileFormatVersion: 2\nguid: {guid}\n{IMPORTERS.get(kind, 'DefaultImporter:')}\n  externalObjects: {{}}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


for folder, folders, files in os.walk(top):
    folders[:] = [f for f in folders if not f.endswith("~")]
    for entry in folders + files:
        path = os.path.join(folder, entry)
        name = os.path.relpath(path, top).replace(os.sep, "/")
        if name.endswith(".meta"):
            if not os.path.exists(path[:-5]):
                problems.append(f"{name} is of nothing")
            guid = open(path).read().split("guid: ")[1].split()[0]
            if guids.setdefault(guid, name) != name:
                problems.append(f"{name} has the GUID of {guids[guid]}")
        elif not os.path.exists(path + ".meta"):
            if check:
                problems.append(f"{name} has no .meta")
            else:
                with open(path + ".meta", "w", newline="\n") as file:
                    file.write(text(name, hashlib.md5(b"bsp2gltf/" + name.encode(), usedforsecurity=False).hexdigest()))
for problem in problems:
    print("FAIL", problem)
sys.exit(bool(problems))
