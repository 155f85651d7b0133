#!/usr/bin/env python3
"""usage: check.py DIST [MAP]   opens everything that goreleaser made in DIST, with the files of .release/files; exits with 1 and says what is
wrong.

Programs must be of the system that their archive names, static, and without paths; the one of this machine must convert MAP
(default: the demo). Packages of npm are installed into an empty project, Blender's archives into Blender where there is one.
"""

import glob
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

dist = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
demo = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(root, "testdata/demo/maps/demo.bsp")
problems = []
OTHERS = {"SHA256SUMS", "SHA256SUMS.minisig", "artifacts.json", "config.yaml", "metadata.json"}  # goreleaser's notes, and what signs
SYSTEMS = {"linux": "linux", "macos": "darwin", "windows": "windows"}
COMPANIONS = {"LICENSE", "CHANGELOG.md", "START.txt", "THIRD-PARTY-LICENSES.txt", "man/bsp2gltf.1", "completions/bsp2gltf.bash",
              "completions/_bsp2gltf", "completions/bsp2gltf.fish", "completions/bsp2gltf.ps1"}


def expect(ok, message):
    if not ok:
        problems.append(message)
    return ok


def run(*args, **options):
    done = subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=240, **options)
    expect(done.returncode == 0, f"{' '.join(args)}: exit {done.returncode}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def unpacked(path, to):
    """The files of an archive, by name; unpacked into a folder, and all of them below it."""
    if path.endswith(".zip"):
        with zipfile.ZipFile(path) as z:
            expect(z.testzip() is None, f"{path}: a bad sum")
            z.extractall(to)
            for i in z.infolist():
                os.chmod(os.path.join(to, i.filename), i.external_attr >> 16 & 0o777)
            return z.namelist()
    with tarfile.open(path) as t:
        for m in t:
            expect(m.isfile() and m.uid == 0 and not m.name.startswith(("/", "..")), f"{path}: {m.name}: no plain file of nobody's")
        t.extractall(to)
        return t.getnames()


def program(path, system, arch):
    """Checks what Go has written into a program."""
    said = run("go", "version", "-m", path)
    for want in (f"GOOS={SYSTEMS[system]}", f"GOARCH={arch}", "CGO_ENABLED=0", "-trimpath=true"):
        expect(want in said, f"{path}: go version -m does not say {want}")
    expect("vcs." not in said, f"{path}: has the state of the repository in it")
    data = open(path, "rb").read()
    expect(root.encode() not in data and os.path.expanduser("~/").encode() not in data, f"{path}: has a path of this machine in it")


def here(system, arch):
    machine = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return SYSTEMS[system] == sys.platform.replace("win32", "windows") and arch == machine


def archives(work):
    found = 0
    for name in sorted(os.listdir(dist)):
        m = re.fullmatch(r"bsp2gltf-(\d[\w.]*?)-(linux|macos|windows)-(amd64|arm64)\.(zip|tar\.gz)", name)
        if not m:
            continue
        found += 1
        version, system, arch, _ = m.groups()
        stem = f"bsp2gltf-{version}-{system}-{arch}"
        exe = "bsp2gltf.exe" if system == "windows" else "bsp2gltf"
        names = unpacked(os.path.join(dist, name), work)
        expect(set(names) == {f"{stem}/{n}" for n in COMPANIONS | {exe}}, f"{name}: holds {sorted(names)}")
        path = os.path.join(work, stem, exe)
        program(path, system, arch)
        expect(os.access(path, os.X_OK), f"{name}: the program can't be executed")
        if here(system, arch):
            expect(re.fullmatch(rf"bsp2gltf {re.escape(version)} \(build [0-9a-f]{{12}}\+?\)\n", run(path, "--version")), f"{name}: another version, or no commit")
            out = os.path.join(work, "out.glb")
            run(path, "-q", demo, out)
            expect(os.path.exists(out) and open(out, "rb").read(4) == b"glTF", f"{name}: it does not convert")
            run("bash", "-n", os.path.join(work, stem, "completions/bsp2gltf.bash"))
            page = open(os.path.join(work, stem, "man/bsp2gltf.1")).read()
            expect(page.startswith(".TH ") and "--game" in page.replace("\\", ""), f"{name}: no manual page")
            licences = open(os.path.join(work, stem, "THIRD-PARTY-LICENSES.txt")).read()
            for dep in re.findall(r"^\tdep\t(\S+)", run("go", "version", "-m", path), re.M):
                expect(f"\n{dep}\n" in licences, f"{name}: no licence of {dep}")
    expect(found, "there is no archive")
    return f"{found} archives"


def queues(work):
    """The program with queues: for Linux, with the licences of all that it holds; beside the other one it is found."""
    found = [n for n in sorted(os.listdir(dist)) if re.match(r"bsp2gltf-queue-\d.*\.tar\.gz$", n)]
    for name in found:
        version, arch = re.fullmatch(r"bsp2gltf-queue-(\d[\w.]*?)-linux-(amd64|arm64)\.tar\.gz", name).groups()
        stem = name.removesuffix(".tar.gz")
        names = unpacked(os.path.join(dist, name), work)
        expect(set(names) == {f"{stem}/{n}" for n in ("bsp2gltf-queue", "LICENSE", "THIRD-PARTY-LICENSES.txt")}, f"{name}: holds {sorted(names)}")
        path = os.path.join(work, stem, "bsp2gltf-queue")
        program(path, "linux", arch)
        licences = open(os.path.join(work, stem, "THIRD-PARTY-LICENSES.txt")).read()
        for dep in set(re.findall(r"^\tdep\t(\S+)", run("go", "version", "-m", path), re.M)) - {"github.com/bsp2gltf/bsp2gltf"}:
            expect(f"\n{dep}\n" in licences, f"{name}: no licence of {dep}")
        if here("linux", arch):
            shutil.copy(glob.glob(os.path.join(dist, f"bsp2gltf_linux_{arch}_*", "bsp2gltf"))[0], os.path.dirname(path))
            run(os.path.join(work, stem, "bsp2gltf"), "-q", "batch", demo, "-o", f"file://{work}/out", "--cache", "none")
            expect(os.path.exists(os.path.join(work, "out", "demo.glb")), f"{name}: a batch into a store converts nothing")
    return f"{len(found)} archives of the program with queues"


def checksums(work):
    listed = dict(reversed(line.split("  ")) for line in open(os.path.join(dist, "SHA256SUMS")).read().splitlines())
    files = {n for n in os.listdir(dist) if os.path.isfile(os.path.join(dist, n)) and not n.startswith(".")} - OTHERS
    expect(files == set(listed), f"SHA256SUMS: {sorted(files ^ set(listed))} are in one and not in the other")
    for name in files & set(listed):
        expect(hashlib.sha256(open(os.path.join(dist, name), "rb").read()).hexdigest() == listed[name], f"SHA256SUMS: {name}")
    return f"{len(files)} sums"


def npm(work):
    """Each package is installed as a user would, without the registry, and what it exports is there."""
    found = [n for n in sorted(os.listdir(dist)) if re.match(r"bsp2gltf-(three|babylon)-.*\.tgz$", n)]
    expect(len(found) == 2, f"packages of npm: {found}")
    project = os.path.join(work, "npm")
    os.makedirs(project)
    open(os.path.join(project, "package.json"), "w").write('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", *(os.path.join(dist, n) for n in found), cwd=project)
    for name in ("bsp2gltf-three", "bsp2gltf-babylon"):
        folder = os.path.join(project, "node_modules", name)
        for need in ("LICENSE", "README.md", "index.js", "index.d.ts", "package.json"):
            expect(os.path.exists(os.path.join(folder, need)), f"{name} has no {need}")
    said = run("node", "-e", "import('bsp2gltf-babylon').then((m) => console.log(typeof m.bsp2gltf))", cwd=project)
    expect(said == "function\n", f"bsp2gltf-babylon exports {said}")
    return f"{len(found)} packages of npm installed"


def unity(work):
    found = [n for n in sorted(os.listdir(dist)) if re.match(r"com\.bsp2gltf\..*\.tgz$", n)]
    for name in found:
        names = set(unpacked(os.path.join(dist, name), os.path.join(work, "unity")))
        expect("package/package.json" in names, f"{name}: no package.json")
        # In a package from an archive Unity makes no .meta files: a file without one is not imported.
        for n in names | {os.path.dirname(n) for n in names}:
            hidden = any(part.endswith("~") for part in n.split("/"))
            if n != "package" and not n.endswith(".meta") and not hidden:
                expect(f"{n}.meta" in names, f"{name}: {n} has no .meta")
    return f"{len(found)} packages of Unity"


def blender(work):
    found = sorted(n for n in os.listdir(dist) if n.startswith("bsp2gltf-blender-"))
    expect(found, "there is no add-on for Blender")
    run(os.path.join(root, "addons/test/extension_validate.sh"), *(os.path.join(dist, n) for n in found), env=dict(os.environ, PYTHON=sys.executable))
    for name in found:
        with zipfile.ZipFile(os.path.join(dist, name)) as z:
            names = z.namelist()
            expect(any(n.endswith("__init__.py") for n in names) and any(n.endswith("blender_manifest.toml") for n in names), f"{name}: holds {names}")
            m = re.search(r"-(linux|macos|windows)-(amd64|arm64)\.zip$", name)
            inside = [n for n in names if os.path.basename(n) in ("bsp2gltf", "bsp2gltf.exe")]
            build = next((z.read(n).decode().strip() for n in names if n.endswith("/BUILD")), "")
            expect(re.fullmatch(r"[0-9a-f]{12}\+?", build), f"{name}: is of build {build!r}")
            if m and expect(len(inside) == 1, f"{name}: {len(inside)} programs inside"):
                path = z.extract(inside[0], os.path.join(work, name))
                program(path, *m.groups())
                expect(build.encode() in open(path, "rb").read(), f"{name}: its program is of another build than {build}")
        if shutil.which("blender") and (m is None or here(*m.groups())):
            home = os.path.join(work, "blender-" + name)
            for part in ("config", "scripts/addons"):  # Blender 3.4 takes the user's own folders where these are missing
                os.makedirs(os.path.join(home, part))
            environment = dict(os.environ, BLENDER_USER_RESOURCES=home, BLENDER_USER_CONFIG=os.path.join(home, "config"),
                               BLENDER_USER_SCRIPTS=os.path.join(home, "scripts"))
            code = ("import bpy, addon_utils, os; before = {m.__name__ for m in addon_utils.modules()};"
                    f"bpy.ops.preferences.addon_install(filepath={os.path.join(dist, name)!r});"
                    "addon_utils.modules_refresh(); name, = {m.__name__ for m in addon_utils.modules()} - before;"
                    "bpy.ops.preferences.addon_enable(module=name); print('ENABLED', name in bpy.context.preferences.addons)")
            said = run("blender", "-b", "--factory-startup", "-noaudio", "--python-exit-code", "1", "--python-expr", code, env=environment)
            expect("ENABLED True" in said, f"{name}: Blender does not enable it: {said[-500:]}")
    return f"{len(found)} archives for Blender"


def godot(work):
    found = [n for n in os.listdir(dist) if re.match(r"bsp2gltf-godot-.*\.zip$", n)]
    expect(len(found) == 1, f"archives for Godot: {found}")
    names = set(unpacked(os.path.join(dist, found[0]), work))
    for need in ("plugin.cfg", "plugin.gd", "baked_light.gd", "bodies.gd", "players.gd", "textures.gd", "probes.gd", "motion.gd", "bsp_importer.gd", "mapping.gd", "entities.gd", "baked.gdshader"):
        expect(f"addons/bsp2gltf/{need}" in names, f"{found[0]}: no {need}")
    expect({"post_import.gd", "LICENSE", "README.md"} <= names, f"{found[0]}: holds {sorted(names)}")
    return "1 archive for Godot"


def page(work):
    found = [n for n in os.listdir(dist) if re.match(r"bsp2gltf-page-.*\.html$", n)]
    expect(len(found) == 1, f"pages: {found}")
    text = open(os.path.join(dist, found[0]), encoding="utf-8").read()
    expect("default-src 'none'" in text and "connect-src" not in text, f"{found[0]}: its policy allows connections")
    expect(not re.search(r"<(script|link|img|iframe)[^>]* (src|href)=", text), f"{found[0]}: names another file")
    return f"{len(found)} page, {len(text) >> 20} MB (web/test.mjs opens it)"


def site(work):
    found = [n for n in os.listdir(dist) if re.match(r"bsp2gltf-docs-.*\.zip$", n)]
    expect(len(found) == 1, f"archives of documents: {found}")
    with zipfile.ZipFile(os.path.join(dist, found[0])) as z:
        pages = [n for n in z.namelist() if n.endswith(".html")]
        expect({"bsp2gltf-docs/index.html", "bsp2gltf-docs/search/search_index.js"} <= set(z.namelist()), f"{found[0]}: no front page, or no search")
        for n in pages:
            expect(not re.search(rb"<(script|link|img)[^>]* (src|href)=\"?https?:", z.read(n)), f"{found[0]}: {n} loads a file from elsewhere")
    return f"{len(pages)} pages of documents"


def bill(work):
    return "; ".join(bill_of(os.path.join(dist, n)) for n in sorted(os.listdir(dist)) if n.endswith(".cdx.json"))


def bill_of(path):
    said = json.load(open(path))
    names = {c["name"] for c in said["components"]}
    for want in ("std", "github.com/qmuntal/gltf", "github.com/spf13/cobra"):
        expect(want in names, f"{path}: no {want}")
    expect(("github.com/nats-io/nats.go" in names) == ("-queue-" in path), f"{path}: NATS is in the one with queues, and in no other")
    expect("pgregory.net/rapid" not in names, f"{path}: names what only tests use")
    try:  # against the format's own schema, where the library is there: pip install 'cyclonedx-python-lib[json-validation]'
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        return f"{len(names)} components (not held against the schema: cyclonedx-python-lib is not there)"
    expect(not (error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(path).read())), f"{path}: {error}")
    return f"{len(names)} components, as CycloneDX's schema wants them"


def packages(work):
    """Debian's and Red Hat's packages: what they hold, and that the program in Debian's converts."""
    found = [n for n in sorted(os.listdir(dist)) if n.endswith((".deb", ".rpm"))]
    expect(len(found) == 4, f"packages for Linux: {found}")
    want = {"/usr/bin/bsp2gltf", "/usr/share/man/man1/bsp2gltf.1.gz", "/usr/share/doc/bsp2gltf/copyright", "/usr/share/bash-completion/completions/bsp2gltf"}
    for name in found:
        path, to = os.path.join(dist, name), os.path.join(work, name)
        if name.endswith(".deb") and shutil.which("dpkg-deb"):
            run("dpkg-deb", "-x", path, to)
            held = {"/" + os.path.relpath(os.path.join(d, n), to) for d, _, names in os.walk(to) for n in names}
            if name.endswith("-amd64.deb") and here("linux", "amd64"):
                run(os.path.join(to, "usr/bin/bsp2gltf"), "-q", demo, os.path.join(work, "deb.glb"))
        elif name.endswith(".rpm") and shutil.which("rpm"):
            held = set(run("rpm", "-qlp", "--nosignature", path).split())
        else:
            continue
        expect(want <= held, f"{name}: lacks {sorted(want - held)}")
    return f"{len(found)} packages for Linux"


def manifests(work):
    """What Homebrew, Scoop and winget install the archives with: each address with the sum of its file."""
    sums = {line.split("  ")[1]: line.split("  ")[0] for line in open(os.path.join(dist, "SHA256SUMS")).read().splitlines()}
    texts = {os.path.relpath(os.path.join(d, n), dist): open(os.path.join(d, n)).read()
             for part in ("homebrew", "scoop", "winget") for d, _, names in os.walk(os.path.join(dist, part)) for n in names}
    expect(len(texts) == 5, f"manifests: {sorted(texts)}")
    version = re.search(r"bsp2gltf-([\d.]+)-linux-amd64\.tar\.gz", " ".join(sums)).group(1)
    named = set()
    for name, text in texts.items():
        if name.endswith(".json"):
            json.loads(text)
        for url in re.findall(r"https://\S+?/(bsp2gltf-\S+?\.(?:zip|tar\.gz))", text.replace("#{version}", version)):
            expect(sums.get(url, "?").lower() in text.lower(), f"{name}: {url} without its sum")
            named.add(url)
    programs = {n for n in sums if re.match(r"bsp2gltf-\d.*-(linux|macos|windows)-\w+\.(zip|tar\.gz)$", n)}
    expect(named == programs, f"manifests name {sorted(named)}, the programs are {sorted(programs)}")
    if shutil.which("ruby"):
        for name in texts:
            if name.endswith(".rb"):
                run("ruby", "-c", os.path.join(dist, name))
    try:
        import yaml
    except ImportError:
        return f"{len(texts)} manifests (YAML not parsed)"
    for name, text in texts.items():
        if name.endswith(".yaml"):
            expect(yaml.safe_load(text)["PackageIdentifier"] == "bsp2gltf.bsp2gltf", name)
    return f"{len(texts)} manifests"


for check in (checksums, archives, queues, packages, bill, npm, unity, godot, blender, page, site, manifests):
    with tempfile.TemporaryDirectory() as work:
        before = len(problems)
        told = check(work)
        print("ok  " if len(problems) == before else "FAIL", told)
for problem in problems:
    print("FAIL", problem)
sys.exit(bool(problems))
