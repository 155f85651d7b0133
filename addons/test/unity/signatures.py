#!/usr/bin/env python3
"""usage: signatures.py UNITYCSREFERENCE UNITYGLTF OUTDIR   writes C# with the signatures of members.txt: OUTDIR/NAME-VERSION.cs

UNITYCSREFERENCE and UNITYGLTF are clones of github.com/Unity-Technologies/UnityCsReference and github.com/KhronosGroup/UnityGLTF. Each type
and member is copied from its declaration at the revision, without its body, below a comment with the file and line of the declaration.
Overloads with types that members.txt does not name are left out.
"""

import os
import re
import subprocess
import sys

KINDS = r"\b(class|struct|enum|interface)\s+"
# Names of C# and .NET.
KNOWN = set("""void bool int uint float double string object byte ushort long params ref out in this get set List IEnumerable Action Func Type
    Attribute null true false default where class struct new public protected static abstract virtual override sealed readonly const operator
    implicit T""".split())
DROPPED = {"extern", "unsafe", "partial", "async"}


def plain(text):
    """The text with comments, the contents of strings and preprocessor lines blanked, so that brackets match. Length and lines stay the
    same."""
    def blank(m):
        if m[0][0] in "@$\"'":
            return '"' + re.sub(r"[^\n]", " ", m[0][1:-1]) + '"'
        return re.sub(r"[^\n]", " ", m[0])
    text = re.sub(r'//[^\n]*|/\*.*?\*/|@"(?:[^"]|"")*"|\$?"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#[^\n]*", blank, text, flags=re.M)


def end(text, at):
    """The index after the bracket that closes the one at an index."""
    pairs, depth = {"{": "}", "(": ")", "[": "]"}, 0
    opening = text[at]
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == pairs[opening])
        if depth == 0:
            return i + 1
    raise ValueError("brackets do not match")


def bodies(text, name):
    """Each declaration of a type: its start, its head, the range of its body, and its namespace."""
    for m in re.finditer(KINDS + re.escape(name) + r"\b(?!\s*<)", text):
        brace = text.find("{", m.end())
        semicolon = text.find(";", m.end())
        if brace < 0 or 0 <= semicolon < brace:
            continue
        start = max(text.rfind(c, 0, m.start()) for c in "{};") + 1
        around = [n for n in re.finditer(r"\bnamespace\s+([\w.]+)\s*\{", text[:start]) if end(text, n.end() - 1) > start]
        outer = [n for n in re.finditer(KINDS + r"\w+[^{;]*\{", text[:start]) if end(text, n.end() - 1) > start]
        whole = re.search(r"^\s*namespace\s+([\w.]+)\s*;", text[:start], re.M)
        if (around or whole) and not outer:
            yield start, text[start:brace], brace + 1, end(text, brace) - 1, ".".join(n[1] for n in around) or whole[1]


def statements(text, start, stop):
    """The members of a body: the head, what follows it ("{", "=>", "=" or ";"), and the range of its block."""
    at = start
    while at < stop:
        depth, i = 0, at
        while i < stop:
            c = text[i]
            if c in "([":
                i = end(text, i)
                continue
            if c in "{;" or text[i:i + 2] == "=>" or c == "=" and text[i + 1] != "=" and "operator" not in text[at:i]:
                break
            i += 1
        if i >= stop:
            return
        mark = "=>" if text[i:i + 2] == "=>" else text[i]
        if mark == "{":
            stop_at = end(text, i)
            yield at, text[at:i], mark, i, stop_at
            at = stop_at
            after = re.match(r"\s*=[^;{]*;", text[at:stop])  # the initial value of a property
            at += after.end() if after else 0
            continue
        j = i
        while j < stop and text[j] != ";":
            j = end(text, j) if text[j] in "([{" else j + 1
        yield at, text[at:i], mark, i, j + 1
        at = j + 1


def signature(head):
    """A head without attributes, and without words that only matter with a body."""
    out, i = "", 0
    while i < len(head):
        if head[i] == "[" and re.search(r"(^|[(,\s])$", out) and not re.match(r"\[[\s,]*\]", head[i:]):
            i = end(head, i)
            continue
        out += head[i]
        i += 1
    words = re.sub(r"\)\s*:\s*(this|base)\s*\(.*", ")", " ".join(w for w in out.split() if w not in DROPPED), flags=re.S)
    return re.sub(r"\s*([(),])\s*", lambda m: {"(": "(", ")": ") ", ",": ", "}[m[1]], words).strip()


def name_of(sign, type_name):
    before = sign.split("(")[0].strip() if "(" in sign else sign
    if re.search(r"\bimplicit operator\b", before):
        return "implicit"
    m = re.search(r"operator\s*(\S+)$", before)
    if m:
        return "operator" + m[1]
    m = re.search(r"(\w+)\s*(<[\w, ]+>)?$", before)
    if not m:
        return ""
    return "new" if "(" in sign and m[1] == type_name else m[1]


def unknown(sign, name, types, generics):
    """The words of a signature that are neither known types nor names of parameters."""
    words = re.sub(r"=\s*[\w.]+", "", sign)
    words = re.sub(rf"\b{re.escape(name)}\b", "", words, count=1)
    words = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", words)
    found = re.findall(r"[A-Za-z_]\w*(?=\s*(?:<|\[|>|\s+\w|,\s*\w+>|\)?\s*$))", words)
    return [w for w in found if w not in KNOWN and w not in types and w not in generics and not re.search(rf"\b{w}\s*[,)]", words)]


def member(sign, mark, block):
    """The stub of a member."""
    sign = re.sub(r"([(,]\s*)in ", r"\1", sign).replace(" readonly ", " ")  # C# 7.2
    sign = re.sub(r"(\w+) (\w+) = default\b(?!\()", r"\1 \2 = default(\1)", sign)  # which C# 7.0 does not have
    if "(" in sign or sign.startswith("public static implicit"):
        return sign + (";" if " abstract " in f" {sign} " else " { throw null; }")
    if mark == "=>":
        return sign + " { get { throw null; } }"
    if mark == "{":
        accessors = re.findall(r"(?:(private|internal|protected)\s+)?\b(get|set)\b", re.sub(r"\{[^{}]*\}", ";", block[1:-1]))
        empty = ";" if " abstract " in f" {sign} " else " { throw null; }"
        return sign + " { " + " ".join(a + empty for hidden, a in accessors if not hidden) + " }"
    return sign + ";"


def enumerators(body, wanted):
    """The values of the wanted members of an enumeration. Initial values may be numbers, shifts, or names of earlier members."""
    value, all_values = -1, {}
    for entry in re.sub(r"\[[^\]]*\]", lambda m: " " * len(m[0]), body).split(","):
        m = re.match(r"\s*(\w+)\s*(?:=\s*(.+?))?\s*$", entry, re.S)
        if not m:
            continue
        value += 1
        if m[2]:
            numbers = re.sub(r"\b[A-Za-z_]\w*\b", lambda n: str(all_values.get(n[0], "None")), m[2])
            shift = re.fullmatch(r"\(?(-?\w+)\)?(?:\s*<<\s*(\d+))?", numbers)
            if not shift or shift[1] == "None":
                continue
            value = int(shift[1], 0) << int(shift[2] or 0)
        all_values[m[1]] = value
    return [(name, value) for name, value in all_values.items() if name in wanted]


class Source:
    """A repository at a revision."""

    def __init__(self, name, repository, revision):
        self.name, self.repository, self.revision, self.files = name, repository, revision, {}

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.repository, *arguments], capture_output=True, text=True, errors="replace", check=False).stdout

    def text(self, path):
        if path not in self.files:
            raw = self.git("show", f"{self.revision}:{path}")
            self.files[path] = (raw, plain(raw))
        return self.files[path]

    def declared(self, name):
        found = self.git("grep", "-lE", rf"(class|struct|enum|interface) +{name}( |:|\{{|$|\r)", self.revision, "--", "*.cs")
        return sorted(p.split(":", 1)[1] for p in found.splitlines() if "Tests" not in p)


def read_members(namespaces, version=None):
    """The members by type, and the namespaces' types, without those that a version lacks."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "members.txt")
    types = {}
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            full, *names = (name.rpartition("/") for name in line.replace(":", " ", 1).split())
            if not full[0] or version in (full[0], None):
                types[full[2]] = [name for only, _, name in names if not only or version in (only, None)]
    return types, [t for t in types if any(t.rpartition(".")[0] == n or t.rpartition(".")[0].startswith(n + ".") for n in namespaces)]


def stub(source, full, wanted, known):
    """The lines of a type."""
    namespace, _, name = full.rpartition(".")
    found, head_line, lines, public = set(), None, [], False
    for path in source.declared(name):
        raw, text = source.text(path)
        for start, head, begin, stop, inside in bodies(text, name):
            if inside != namespace:
                continue
            where = lambda at: f"// {path}:{text.count(chr(10), 0, at + len(text[at:]) - len(text[at:].lstrip())) + 1}"
            sign = signature(head)
            public = public or sign.startswith("public ") # not all parts of a partial class need say so
            usage = re.search(r"AttributeUsage\s*\((.*?)\)\]", raw[start:begin], re.S)
            if head_line is None or ":" in sign and ":" not in head_line[1]:
                base = [b for b in re.split(r"[:,]\s*", sign.partition(":")[2].strip()) if b.split(".")[-1] in known or b.split(".")[-1] == "Attribute"]
                head_line = (where(start), sign.partition(":")[0].strip() + (" : " + ", ".join(base) if base else ""), usage)
            if re.search(r"\benum\b", sign):
                for value in enumerators(text[begin:stop], wanted):
                    found.add(value[0])
                    at = re.search(rf"\b{value[0]}\b", text[begin:stop]).start() + begin
                    lines.append((where(at), f"{value[0]} = {value[1]},"))
                continue
            for at, head, mark, block, after in statements(text, begin, stop):
                sign = signature(head)
                called = name_of(sign, name)
                generics = re.findall(r"\w+", (re.search(r"\w<([\w, ]+)>\(", sign) or [0, ""])[1])
                if called not in wanted or not re.match(r"((static|virtual|abstract|override|new) )*(public|protected)\b", sign) or unknown(sign, name if called == "new" else called, known, generics):
                    continue
                made = member(sign, mark, text[block:after])
                if made not in [m for _, m in lines]:
                    found.add(called)
                    lines.append((where(at), made))
    missing = [w for w in wanted if w not in found]
    if head_line is None or missing or not public:
        sys.exit(f"signatures.py: {full} at {source.revision}: not found: {missing or 'a public type'}")
    out = [f"    {head_line[0]}"]
    if head_line[2]:
        out.append(f"    [AttributeUsage({' '.join(head_line[2][1].split())})]")
    out += [f"    public {head_line[1].removeprefix('public ')}", "    {"]
    for where, text in lines:
        out += [f"        {where}", f"        {text}"]
    return [*out, "    }"]


def write(source, namespaces, path, version):
    all_types, mine = read_members(namespaces, version)
    known = {t.rpartition(".")[2] for t in all_types}
    before = [t.rpartition(".")[0] for t in all_types][:list(all_types).index(mine[-1]) + 1]
    lines = [f"// Signatures of {source.name} at {source.revision}, each below its file and line. Made by signatures.py: do not edit."]
    lines += [f"using {namespace};" for namespace in ["System", "System.Collections.Generic", *dict.fromkeys(before)]]
    lines += ["using Object = UnityEngine.Object;"]
    last = None
    for full in mine:
        namespace = full.rpartition(".")[0]
        if namespace != last:
            lines += (["}"] if last else []) + ["", f"namespace {namespace}", "{"]
        last = namespace
        lines += stub(source, full, all_types[full], known)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["}", ""]))


def main():
    unity, unity_gltf, out = sys.argv[1:]
    for version, revision in (("2021.3", "b052b1fe38b4"), ("6000.7", "d253e09acffc")):
        source = Source("github.com/Unity-Technologies/UnityCsReference", unity, revision)
        for namespace in ("UnityEngine", "UnityEditor"):
            write(source, [namespace], os.path.join(out, f"{namespace}-{version}.cs"), version)
    for version, revision in (("2.9.0", "01aaa8f2a53c"), ("2.21.0", "b499a9cb62d3")):
        source = Source("github.com/KhronosGroup/UnityGLTF", unity_gltf, revision)
        write(source, ["GLTF", "UnityGLTF"], os.path.join(out, f"UnityGLTF-{version}.cs"), version)


if __name__ == "__main__":
    main()
