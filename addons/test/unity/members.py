#!/usr/bin/env python3
"""usage: members.py UNITY [UNITYCSREFERENCE UNITYGLTF]   checks stubs/ against members.txt and the C# in the folder UNITY

Prints each member that the C# uses with the line of its source. Fails if one has none, or if members.txt has one that nothing uses. With
clones of both repositories it also generates the stubs again, and fails if they differ.
"""

import filecmp
import glob
import os
import re
import subprocess
import sys
import tempfile

from signatures import read_members

here = os.path.dirname(os.path.abspath(__file__))
unity, clones = sys.argv[1], sys.argv[2:]
problems = []
code = "\n".join(open(p, encoding="utf-8").read() for p in glob.glob(os.path.join(unity, "**", "*.cs"), recursive=True))
IN_CODE = {"new": r"\b{type}\s*\(|\[[^\]]*\b{bare}\b|new {type}\b", "implicit": r".", "operator+": r"\+", "operator-": r" - ", "operator*": r"\*"}


def lines_of(path):
    """Returns, by type and member, where the source declares it."""
    found, kind, where, namespace = {}, "", "", ""
    for line in open(path, encoding="utf-8"):
        text = line.strip()
        if text.startswith("namespace"):
            namespace = text.split()[1]
        elif text.startswith("//"):
            where = text[3:]
        elif line.startswith("    ") and line[4] not in " {}[":
            kind = namespace + "." + re.search(r"(?:class|struct|enum) (\w+)", text)[1]
            found[kind, ""] = where
        elif line.startswith("        "):
            found.setdefault((kind, text), where)
    return found


def declares(text, member, kind):
    bare = kind.rpartition(".")[2]
    pattern = {"new": rf"\b{bare}\(", "implicit": r"implicit operator"}.get(member)
    if member.startswith("operator"):
        pattern = r"operator\s*" + re.escape(member[8:])
    return re.search(pattern or rf"\b{member}\b\s*(<\w+>)?\s*([({{;=]|$)", text)


types, _ = read_members([""])
# Members that only one version has.
limited = {name for version in ("2021.3", "6000.7") for name in set(types) - set(read_members([""], version)[0])}
without = {(kind, member) for kind in types for version in ("2021.3", "6000.7")
           for member in set(types[kind]) - set(read_members([""], version)[0].get(kind, []))}
sources = {}
for path in sorted(glob.glob(os.path.join(here, "stubs", "*.cs"))):
    sources[os.path.basename(path)] = lines_of(path)
count = 0
for kind, members in types.items():
    stubs = {n: s for n, s in sources.items() if (kind, "") in s}
    bare = kind.rpartition(".")[2]
    if len(stubs) != (1 if kind in limited else 2):
        problems.append(f"{kind} is in {len(stubs)} of the stubs of two versions")
    for member in members:
        count += 1
        pattern = IN_CODE.get(member, rf"\b{member}\b").format(type=bare, bare=bare.removesuffix("Attribute"))
        if not re.search(pattern, code):
            problems.append(f"members.txt names {kind}.{member}, which nothing uses")
        for name, found in stubs.items():
            where = [w for (k, t), w in found.items() if k == kind and t and declares(t, member, kind)]
            if not where and (kind, member) in without:
                continue
            if not where or not re.fullmatch(r"[\w./-]+\.cs:\d+", where[0]):
                problems.append(f"{name} has no source line of {kind}.{member}")
            else:
                print(f"     {kind}.{member}: {name.removesuffix('.cs')} {where[0]}")
if clones:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(here, "signatures.py"), *clones, folder], check=True)
        names = sorted(os.listdir(folder))
        same, differ, errors = filecmp.cmpfiles(folder, os.path.join(here, "stubs"), names, shallow=False)
        if differ or errors or names != sorted(sources):
            problems.append(f"the stubs differ from what signatures.py makes: {differ + errors or names}")
        print(f"ok   signatures.py makes the same {len(same)} files from the sources")
for problem in problems:
    print("FAIL", problem)
if not problems:
    print(f"ok   {count} members of {len(types)} types have their lines in the sources of two versions")
sys.exit(bool(problems))
