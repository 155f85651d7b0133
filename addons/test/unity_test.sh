#!/bin/sh
# usage: unity_test.sh [BSP2GLTF]   compiles all C# of ../unity with Mono against the signatures in unity/stubs, and runs the tests of what
# needs no Unity. UNITY_SOURCES="UNITYCSREFERENCE UNITYGLTF" names clones of both, from which the signatures are made again and compared.
# UNITY_SHADERS is a folder with Unity's own shader headers (unity/shaders.py), with which each pass of the shader is compiled, too.
# Needs mcs and mono (mono-mcs, mono-runtime) and Newtonsoft's JSON (libnewtonsoft-json5.0-cil),
# glslangValidator (glslang-tools), python3. BSP2GLTF is the program; built if not given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
unity=$here/../unity
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
program=${1:-}
if [ -z "$program" ]; then
	(cd "$top" && go build -o "$dir/bsp2gltf" ./cmd/bsp2gltf)
	program=$dir/bsp2gltf
fi
json=/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll
# As Unity builds them: an assembly for each .asmdef, which sees what that names. UNITY_EDITOR is defined, so that all is compiled.
build() {
	mcs -nologo -warnaserror -langversion:7 -target:library "$@"
}
cp "$json" "$dir"
build -out:"$dir/Bsp2Gltf.Core.dll" -r:"$json" "$unity"/Core/*.cs
# all compiles everything against the signatures of a version of Unity, and of one of UnityGLTF, with what Unity defines there.
all() {
	stubs=$here/unity/stubs refs="-r:$dir/UnityEngine.dll -r:$dir/UnityEditor.dll" defined="${3:+-d:$3}"
	build -nowarn:0109,0626,0660,0661 -out:"$dir/UnityEngine.dll" "$stubs/UnityEngine-$1.cs"
	build -out:"$dir/UnityEditor.dll" -r:"$dir/UnityEngine.dll" "$stubs/UnityEditor-$1.cs"
	build -out:"$dir/UnityGLTF.dll" $refs "$stubs/UnityGLTF-$2.cs"
	build -out:"$dir/Bsp2Gltf.dll" -r:"$dir/UnityEngine.dll" -r:"$dir/Bsp2Gltf.Core.dll" "$unity"/Runtime/*.cs
	build -out:"$dir/Bsp2Gltf.Editor.dll" -d:UNITY_EDITOR $defined -r:"$json" $refs -r:"$dir/Bsp2Gltf.Core.dll" -r:"$dir/Bsp2Gltf.dll" "$unity"/Editor/*.cs
	for editor in -d:UNITY_EDITOR -d:PLAYER; do
		build -out:"$dir/Bsp2Gltf.UnityGltf.dll" $editor -r:"$json" $refs -r:"$dir/UnityGLTF.dll" \
			-r:"$dir/Bsp2Gltf.Core.dll" -r:"$dir/Bsp2Gltf.dll" "$unity"/Runtime/UnityGltf/*.cs
	done
	build -out:"$dir/Samples.dll" -r:"$dir/UnityEngine.dll" -r:"$dir/Bsp2Gltf.dll" "$unity"/Samples~/*/*.cs
	echo "ok   every C# file compiles with the signatures of Unity $1 and UnityGLTF $2"
}
all 2021.3 2.9.0
all 6000.7 2.21.0 UNITY_2023_1_OR_NEWER
python3 "$here/unity/members.py" "$unity" ${UNITY_SOURCES:-}
mcs -nologo -warnaserror -langversion:7 -out:"$dir/Tests.exe" -r:"$json" -r:"$dir/Bsp2Gltf.Core.dll" "$here/unity/Tests.cs"
mkdir "$dir/out"
mono "$dir/Tests.exe" "$program" "$top/testdata/source/maps/showcase.bsp" "$dir/out"
# The builder of maps, with what those tests left, on signatures that run.
run=$dir/run
mkdir "$run"
cp "$json" "$dir/Bsp2Gltf.Core.dll" "$run"
quiet=-nowarn:0108,0109,0114,0169,0626,0649,0660,0661
python3 "$here/unity/running.py" "$here/unity/stubs/UnityEngine-2021.3.cs" >"$run/UnityEngine.cs"
python3 "$here/unity/running.py" "$here/unity/stubs/UnityEditor-2021.3.cs" >"$run/UnityEditor.cs"
build $quiet -out:"$run/UnityEngine.dll" "$run/UnityEngine.cs"
build $quiet -out:"$run/UnityEditor.dll" -r:"$run/UnityEngine.dll" "$run/UnityEditor.cs"
refs="-r:$json -r:$run/UnityEngine.dll -r:$run/UnityEditor.dll -r:$run/Bsp2Gltf.Core.dll"
mcs -nologo -warnaserror -langversion:7 -d:UNITY_EDITOR $quiet -out:"$run/BuilderTests.exe" $refs "$unity"/Runtime/*.cs "$unity"/Editor/*.cs \
	"$here/unity/BuilderTests.cs"
mono "$run/BuilderTests.exe" "$dir/out"
python3 - "$unity" <<'EOF'
import json, os, sys
samples = json.load(open(os.path.join(sys.argv[1], "package.json")))["samples"]
there = sorted("Samples~/" + name for name in os.listdir(os.path.join(sys.argv[1], "Samples~")))
named = sorted(s["path"] for s in samples)
if named != there or not all(s["displayName"] and s["description"] for s in samples):
    sys.exit(f"FAIL package.json names the samples {named}, there are {there}")
print(f"ok   package.json names its {len(named)} sample")
EOF
python3 "$here/unity/meta.py" --check
echo "ok   every file has a .meta"
# shellcheck disable=SC2086
python3 "$here/unity/shaders.py" "$unity/Runtime/Shaders/Baked.shader" ${UNITY_SHADERS:-}
if [ -n "${UNITY_SHADERS:-}" ]; then
	python3 "$here/unity/shader_stubs.py" "$UNITY_SHADERS" "$dir/shaders"
	diff -r "$here/unity/stubs/shaders" "$dir/shaders"
	echo "ok   shader_stubs.py makes the same declarations from Unity's headers"
fi
