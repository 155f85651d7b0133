#!/usr/bin/env python3
"""usage: install.py VERSION [MAP]   go install of the module as if it were tagged, without a network; exits with 1 and says what is wrong.

Makes a folder as a module proxy serves it, from the files of the repository, and installs the program from it into an empty module
cache; other modules come from this machine's. The program must state the version and convert MAP (default: the demo).
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile

MODULE = "github.com/bsp2gltf/bsp2gltf"
version = "v" + sys.argv[1]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
demo = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(root, "testdata/demo/maps/demo.bsp")


def run(*args, **options):
    done = subprocess.run(args, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"FAIL {' '.join(args)}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def proxy(folder):
    """Writes the module's versions as https://go.dev/ref/mod#goproxy-protocol says. Modules of their own below it are not part of it."""
    files = [f for f in run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=root).split("\0") if f]
    inner = {os.path.dirname(f) + "/" for f in files if f.endswith("/go.mod")}
    folder = os.path.join(folder, MODULE, "@v")
    os.makedirs(folder)
    with open(os.path.join(folder, "list"), "w", encoding="ascii") as file:
        file.write(version + "\n")
    with open(os.path.join(folder, version + ".info"), "w", encoding="ascii") as file:
        json.dump({"Version": version, "Time": "2026-01-01T00:00:00Z"}, file)
    with open(os.path.join(root, "go.mod"), "rb") as source, open(os.path.join(folder, version + ".mod"), "wb") as file:
        file.write(source.read())
    total = 0
    with zipfile.ZipFile(os.path.join(folder, version + ".zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for name in files:
            path = os.path.join(root, name)
            if not os.path.isfile(path) or os.path.islink(path) or any(name.startswith(i) for i in inner):
                continue
            total += os.path.getsize(path)
            z.write(path, f"{MODULE}@{version}/{name}")
    if total > 500 << 20:
        sys.exit(f"FAIL the module has {total >> 20} MiB, and Go takes 500 at most")
    return total


def main():
    known = run("go", "env", "GOMODCACHE").strip()
    with tempfile.TemporaryDirectory() as work:
        served, bin_folder = os.path.join(work, "proxy"), os.path.join(work, "bin")
        total = proxy(served)
        run("go", "install", f"{MODULE}/cmd/bsp2gltf@{version}", cwd=work, env=dict(
            os.environ, GOPROXY=f"file://{served},file://{known}/cache/download", GONOSUMDB="*", GONOSUMCHECK="1", GOFLAGS="-modcacherw",
            GOMODCACHE=os.path.join(work, "mod"), GOBIN=bin_folder, GOWORK="off", CGO_ENABLED="0"))
        program = os.path.join(bin_folder, "bsp2gltf")
        said = run("go", "version", "-m", program)
        if f"\tmod\t{MODULE}\t{version}" not in said:
            sys.exit(f"FAIL the program is not of {MODULE} {version}: {said[:300]}")
        if not (told := run(program, "--version")).startswith(f"bsp2gltf {version[1:]}"):
            sys.exit(f"FAIL --version says {told}")
        if "(build m" not in told:
            sys.exit(f"FAIL --version does not name the build by its module's checksum: {told}")
        out = os.path.join(work, "out.glb")
        run(program, "-q", demo, out)
        with open(out, "rb") as file:
            if file.read(4) != b"glTF":
                sys.exit("FAIL what it wrote is no .glb")
        print(f"ok   go install {MODULE}/cmd/bsp2gltf@{version}, of {total >> 20} MiB, converts a map")


main()
