#!/usr/bin/env python3
"""usage: shader_stubs.py SOURCES OUT   writes declarations of the names in shader_members.txt, from Unity's headers (see shaders.py)"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def sections():
    """Each stub: the folders of its sources, its path, and its members, each with what replaces a macro."""
    found = []
    with open(os.path.join(HERE, "shader_members.txt"), encoding="utf-8") as file:
        for line in file:
            line = line.rstrip()
            head = re.match(r"\[(.*)\] (.*)", line)
            if head:
                found.append((head[1].split(), head[2], []))
            elif line.startswith("define "):
                name, _, body = line[7:].partition(" ")
                found[-1][2].append((name, body))
            elif line and not line.startswith("#"):
                found[-1][2].extend((name, None) for name in line.split())
    return found


def headers(top, folders):
    for folder in folders:
        for at, _, files in sorted(os.walk(os.path.join(top, folder))):
            for name in sorted(files):
                if name.endswith((".hlsl", ".cginc")):
                    path = os.path.join(at, name)
                    with open(path, encoding="utf-8-sig", errors="replace") as file:
                        yield os.path.relpath(path, top), file.read()


def declarations(name, body, text):
    """Each declaration of a name in a text: its position, and its stub."""
    if body is not None:
        for m in re.finditer(rf"^[ \t]*#[ \t]*define[ \t]+{name}(\([^)]*\))?", text, re.M):
            yield m.start(), f"#define {name}{m[1] or ''} {body}".rstrip()
        return
    for m in re.finditer(rf"^struct[ \t]+{name}\s*\{{(.*?)\}};", text, re.M | re.S):
        fields = re.findall(r"^\s*(\w+)\s+(\w+);", re.sub(r"#if.*?#endif", "", m[1], flags=re.S), re.M)
        yield m.start(), f"struct {name} {{ {' '.join(f'{kind} {field};' for kind, field in fields)} }};"
    for m in re.finditer(rf"^(?:inline[ \t]+)?(\w+)[ \t]+{name}\s*\(([^)]*)\)\s*\{{", text, re.M):
        yield m.start(), f"{m[1]} {name}({' '.join(m[2].split())}) {{ return ({m[1]})0; }}"
    for m in re.finditer(rf"^[ \t]*(?:uniform[ \t]+)?((?:float|half|fixed|real|int|uint)\w*)[ \t]+{name}[ \t]*;", text, re.M):
        yield m.start(), f"{m[1]} {name};"


def write(top, folders, path, members, out):
    lines = ["// What our shaders use of this header of Unity, each below its file and line. Made by shader_stubs.py: do not edit.", "#pragma once"]
    if path.endswith(".cginc"):
        lines.append("#define fixed4 float4")
    texts = sorted(headers(top, folders), key=lambda text: not text[0].endswith("API/D3D11.hlsl"))
    for name, body in members:
        seen = set()
        for file, text in texts:
            for start, stub in declarations(name, body, text):
                types = re.sub(r"\b(half|real|fixed)(\d?)\b", r"float\2", stub)
                alike = re.sub(r"(\w+) \w+(?=[,)])", r"\1", re.sub(r" = [^,)]*", "", types))
                if alike in seen or body is not None and seen or re.match(r"\w+ _?\w+;", stub) and seen:
                    continue
                seen.add(alike)
                lines += [f"// {file}:{text.count(chr(10), 0, start) + 1}", types]
        if not seen:
            sys.exit(f"shader_stubs.py: {name} is in no header of {folders}")
    os.makedirs(os.path.dirname(os.path.join(out, path)), exist_ok=True)
    with open(os.path.join(out, path), "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, ""]))


def main():
    top, out = sys.argv[1:]
    for folders, path, members in sections():
        write(top, folders, path, members, out)


if __name__ == "__main__":
    main()
