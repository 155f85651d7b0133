#!/usr/bin/env python3
"""usage: shaders.py SHADER [SOURCES]   compiles each pass of SHADER as Unity does, with glslangValidator as the HLSL compiler

For every pass of every SubShader: the HLSLINCLUDE blocks, then the program, with its keywords, as a vertex and as a fragment shader.
SOURCES is a folder with Unity's own files: CGIncludes (the built-in shaders of unity.com/releases) and
Packages/com.unity.render-pipelines.{core,universal,high-definition,high-definition-config}. Without it, and in tests without a network,
the includes are declarations of the names that the passes use, which shader_stubs.py copies from such a folder.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Macros that Unity itself defines for Direct3D 11.
PLATFORM = {"SHADER_API_D3D11": 1, "UNITY_COMPILER_HLSL": "", "SHADER_TARGET": 45, "UNITY_VERSION": 202130, "UNITY_REVERSED_Z": 1,
            "UNITY_UV_STARTS_AT_TOP": 1}
# The lists of keywords behind Unity's short forms; a variant has one of each list (docs.unity3d.com, "Shader variants: shortcuts").
SHORTCUTS = {
    "multi_compile_fog": [["_", "FOG_LINEAR", "FOG_EXP", "FOG_EXP2"]],
    "multi_compile_instancing": [["_", "INSTANCING_ON"]],
    "multi_compile_shadowcaster": [["SHADOWS_DEPTH", "SHADOWS_CUBE"]],
    "multi_compile_fwdbase": [["DIRECTIONAL"], ["_", "SHADOWS_SCREEN"], ["_", "LIGHTPROBE_SH"]],
    "multi_compile_fwdadd_fullshadows": [["POINT", "DIRECTIONAL", "SPOT", "POINT_COOKIE", "DIRECTIONAL_COOKIE"],
                                         ["_", "SHADOWS_DEPTH", "SHADOWS_SCREEN", "SHADOWS_CUBE"]],
}
# Combinations that Unity never compiles.
WITH_SHADOWS = {"SHADOWS_CUBE": ("POINT", "POINT_COOKIE"), "SHADOWS_DEPTH": ("SPOT",), "SHADOWS_SCREEN": ("DIRECTIONAL", "DIRECTIONAL_COOKIE")}
LAMPS = {lamp for lamps in WITH_SHADOWS.values() for lamp in lamps}
# Lines of Unity that Microsoft's compiler accepts and glslang does not: for glslang half is float, so overloads for half are
# duplicates.
ODD_LINES = [
    ("ShaderLibrary/Common.hlsl", r"TEMPLATE_2_HALF\(SafePositivePow_half.*", ""),
    ("UnityInstancing.hlsl", r"(#\s*)(define (UNITY_PREV_MATRIX_\w+))", r"\1undef \3\n\1\2"),
    ("ShaderVariables.hlsl", r"modelMatrix\._m03_m13_m23 -= _WorldSpaceCameraPos\.xyz;",
     "modelMatrix._m03 -= _WorldSpaceCameraPos.x; modelMatrix._m13 -= _WorldSpaceCameraPos.y; modelMatrix._m23 -= _WorldSpaceCameraPos.z;"),
]


def block(text, at):
    """The index after the bracket that closes the one at an index."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    sys.exit("FAIL the shader's brackets do not match")


def passes(text):
    """Each pass: its SubShader's pipeline, its name, its light mode and its program."""
    text = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), text)
    shared = "".join(re.findall(r"HLSLINCLUDE(.*?)ENDHLSL", text, re.S))
    outside = re.sub(r"HLSL(PROGRAM|INCLUDE).*?ENDHLSL", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    for sub in re.finditer(r"\bSubShader\b", outside):
        first = outside.index("{", sub.end())
        end = block(outside, first)
        pipeline = re.search(r'"RenderPipeline"\s*=\s*"(\w+)"', outside[first:end])
        for one in re.finditer(r"\bPass\b", outside[first:end]):
            begin = outside.index("{", first + one.end())
            part = text[begin:block(outside, begin)]
            program = re.search(r"HLSLPROGRAM(.*?)ENDHLSL", part, re.S)[1]
            tags = dict(re.findall(r'"(\w+)"\s*=\s*"(\w+)"', outside[begin:block(outside, begin)]))
            name = re.search(r'Name\s+"(\w+)"', part)
            yield pipeline[1] if pipeline else "built-in", name[1] if name else "", tags.get("LightMode", ""), shared + program


def variants(program):
    """The keywords of the variants: each word with the first and with the last of all other lists, because all combinations are too many.
    """
    lists = []
    for directive, rest in re.findall(r"#pragma\s+((?:multi_compile|shader_feature)\w*)(.*)", program):
        words = rest.split("//")[0].split()
        if directive in SHORTCUTS:
            lists += SHORTCUTS[directive]
        elif directive.startswith("shader_feature"):
            lists.append(["_", *[w for w in words if w != "_"]])
        else:
            lists.append(words)
    found = []
    for number, words in enumerate(lists):
        for word in words:
            for others in (0, -1):
                chosen = [word if n == number else other[others] for n, other in enumerate(lists)]
                lamps = [k for k in chosen if k in LAMPS]
                keywords = [k for k in chosen if k.strip("_") and not (lamps and k in WITH_SHADOWS and lamps[0] not in WITH_SHADOWS[k])]
                if keywords not in found:
                    found.append(keywords)
    return found or [[]]


def compiled(job):
    """The compiler's errors for a variant, or nothing."""
    file, includes, stage, entry, keywords = job
    defines = [f"-D{k}={v}" for k, v in PLATFORM.items()] + [f"-D{k}" for k in keywords]
    defines += ["-DSHADER_STAGE_VERTEX" if stage == "vert" else "-DSHADER_STAGE_FRAGMENT"]
    run = subprocess.run(["glslangValidator", "-D", "-V", "--aml", "-S", stage, "-e", entry, *defines, *[f"-I{i}" for i in includes],
                          "-o", os.devnull, file], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode else ""


def copied(sources, into):
    """Copies the headers of a folder, except what glslang can't read."""
    for folder, _, files in os.walk(sources):
        for name in files:
            if not name.endswith((".hlsl", ".cginc")):
                continue
            path = os.path.join(into, os.path.relpath(os.path.join(folder, name), sources))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(os.path.join(folder, name), encoding="utf-8-sig", errors="replace") as file:
                text = file.read()
            for end, pattern, by in ODD_LINES:
                if path.endswith(end):
                    text = re.sub(pattern, by, text)
            for twin in set(re.findall(r"^half\d?\s+(\w+)\(half", text, re.M)) & set(re.findall(r"^float\d?\s+(\w+)\(float", text, re.M)):
                text = re.sub(rf"^(half\d?\s+){twin}\(half", rf"\1{twin}_of_half(half", text, flags=re.M)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def check(shader, sources):
    """Compiles all passes. Returns the failures, and the counts of passes and programs by pipeline."""
    with open(shader, encoding="utf-8") as file:
        text = file.read()
    failures, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        copied(sources, os.path.join(folder, "unity"))
        shutil.copytree(os.path.dirname(shader), os.path.join(folder, "ours"))
        includes = [os.path.join(folder, "unity"), os.path.join(folder, "unity", "CGIncludes")]
        jobs = []
        for number, (pipeline, name, mode, program) in enumerate(passes(text)):
            path = os.path.join(folder, "ours", f"pass{number}.hlsl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r"#pragma[^\n]*", "", program))
            entries = dict(re.findall(r"#pragma\s+(vertex|fragment)\s+(\w+)", program))
            made = [(path, includes, stage, entries[kind], keywords) for keywords in variants(program)
                    for kind, stage in (("vertex", "vert"), ("fragment", "frag"))]
            jobs += [(f"{pipeline} {name} ({mode})", job) for job in made]
            count = counts.setdefault(pipeline, [0, 0])
            count[0] += 1
            count[1] += len(made)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (title, job), said in zip(jobs, pool.map(compiled, [j for _, j in jobs])):
                if said:
                    said = "\n".join(line for line in said.splitlines() if "ERROR" in line and "No code generated" not in line)
                    failures.append(f"{title} {job[3]} {' '.join(job[4])}\n{said[:1500]}")
    return failures, counts


def main():
    shader = sys.argv[1]
    sources = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "stubs", "shaders")
    failures, counts = check(shader, sources)
    for failure in failures[:5]:
        print("FAIL", failure)
    if failures:
        sys.exit(f"{len(failures)} programs do not compile")
    what = "Unity's own headers" if len(sys.argv) > 2 else "the declarations of Unity's headers"
    for pipeline, (number, programs) in counts.items():
        print(f"ok   {pipeline}: {number} passes, {programs} programs compile with {what}")


if __name__ == "__main__":
    main()
