#!/usr/bin/env python3
"""usage: running.py STUBS.cs   prints the same signatures with just enough behaviour to run code: properties keep their values, methods do
nothing and return nothing, and BODIES has the behaviour of objects, components and clips. This shows that our code runs to its end and
which values it passes on. It is not Unity.
"""

import re
import sys

# By type: members of the stub that Unity's type does not have.
FIELDS = {
    "Object": "",
    "Component": "internal GameObject on;",
    "GameObject": "public readonly List<Component> parts = new List<Component>(); public readonly List<GameObject> below = new List<GameObject>(); "
                  "public GameObject above; Transform place; public bool isStatic;",
    "AnimationClip": "public readonly List<string[]> curves = new List<string[]>();",
    "Animation": "public readonly Dictionary<string, AnimationClip> clips = new Dictionary<string, AnimationClip>(); public readonly List<string> played = new List<string>();",
    "Material": "public readonly Dictionary<string, object> values = new Dictionary<string, object>();",
    "Mesh": "public int vertices; public readonly List<string> shapes = new List<string>(); public readonly List<Vector3[]> moves = new List<Vector3[]>(); "
            "public readonly Dictionary<int, List<Vector4>> coordinates = new Dictionary<int, List<Vector4>>();",
    "SkinnedMeshRenderer": "public readonly Dictionary<int, float> weights = new Dictionary<int, float>();",
    "LODGroup": "public LOD[] lods;",
    "Bounds": "Vector3 c, e;",
    "Vector4": "public float x, y, z, w;",
}
# By type and the beginning of a member: its body.
BODIES = {
    "Object public static implicit operator bool": "return !ReferenceEquals(exists, null);",
    "Component public Transform transform": "get { return on.transform; }",
    "Component public GameObject gameObject": "get { return on; }",
    "Component public T GetComponent<T>()": "return on.GetComponent<T>();",
    "GameObject public GameObject(string name)": "this.name = name; place = AddComponent<Transform>();",
    "GameObject public Transform transform": "get { return place; }",
    "GameObject public T AddComponent<T>()": "var made = (T)Activator.CreateInstance(typeof(T), true); made.on = this; parts.Add(made); return made;",
    "GameObject public T GetComponent<T>()": "foreach (var part in parts) if (part is T) return (T)(object)part; return default(T);",
    "Transform public void SetParent(Transform parent, bool": "gameObject.above = parent.gameObject; parent.gameObject.below.Add(gameObject);",
    "AnimationClip public void SetCurve": "curves.Add(new[] { relativePath, propertyName });",
    "Animation public void AddClip(AnimationClip clip, string newName)": "clips.Add(newName, clip);",
    "Animation public AnimationClip GetClip": "AnimationClip found; return clips.TryGetValue(name, out found) ? found : null;",
    "Animation public bool Play(string animation)": "played.Add(animation); return true;",
    "Material public void SetFloat(string": "values[name] = value;",
    "Material public void SetVector(string": "values[name] = value;",
    "Material public void SetTexture(string name, Texture value)": "values[name] = value;",
    "Mesh public void SetVertices(List<Vector3> inVertices)": "vertices = inVertices.Count;",
    "Mesh public void AddBlendShapeFrame": "shapes.Add(shapeName); moves.Add(deltaVertices);",
    "Mesh public void SetUVs(int channel, List<Vector4>": "coordinates[channel] = uvs;",
    "SkinnedMeshRenderer public void SetBlendShapeWeight": "weights[index] = value;",
    "Vector3 public Vector3(float x, float y, float z)": "this.x = x; this.y = y; this.z = z;",
    "Vector3 public static Vector3 operator+": "return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);",
    "Vector3 public static Vector3 operator-(Vector3 a, Vector3 b)": "return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z);",
    "Vector3 public static Vector3 operator*(Vector3 a, float d)": "return new Vector3(a.x * d, a.y * d, a.z * d);",
    "Vector3 public static Vector3 Min": "return new Vector3(Math.Min(lhs.x, rhs.x), Math.Min(lhs.y, rhs.y), Math.Min(lhs.z, rhs.z));",
    "Vector3 public static Vector3 Max": "return new Vector3(Math.Max(lhs.x, rhs.x), Math.Max(lhs.y, rhs.y), Math.Max(lhs.z, rhs.z));",
    "Vector4 public Vector4(float x, float y, float z, float w)": "this.x = x; this.y = y; this.z = z; this.w = w;",
    "Bounds public Bounds(Vector3 center, Vector3 size)": "c = center; e = size * 0.5f;",
    "Bounds public Vector3 center": "get { return c; } set { c = value; }",
    "Bounds public Vector3 extents": "get { return e; } set { e = value; }",
    "LODGroup public void SetLODs": "this.lods = lods;",
    "ImageConversion public static bool LoadImage": "return data[0] == 0x89 || data[0] == 0xff;",
    "GameObjectUtility public static void SetStaticEditorFlags": "go.isStatic = flags != 0;",
}


def member(kind, name, line):
    head = line.partition("{")[0].rstrip()
    for start, body in BODIES.items():
        if start.partition(" ")[0] == name and head.startswith(start.partition(" ")[2]):
            return f"{head} {{ {body} }}"
    if "{ throw null; }" not in line:
        return line
    if "(" not in head and "operator" not in head:
        both = "get {" in line and "set {" in line
        kinds = head.split()
        return f"{head} {{ get; set; }}" if both and kind == "class" else re.sub(r"set \{ throw null; \}", "set { }", line.replace("get { throw null; }", f"get {{ return default({kinds[-2]}); }}")) \
            if "this[" not in head and not (both and kind == "struct") else f"{head} {{ get; set; }}"
    outs = " ".join(f"{o} = default({t});" for t, o in re.findall(r"\bout ([\w.<>\[\]]+) (\w+)", head))
    made = re.match(rf"public {name}\(", head)
    if made:
        return f"{head} {{ {'this = default(' + name + ');' if kind == 'struct' else ''} }}"
    result = re.sub(r"^((public|protected|static|virtual|override|new|sealed) )*", "", head).split("(")[0].rsplit(" ", 1)[0]
    if "operator" in head:
        result = re.search(r"static (\w+) operator", head)[1] if "implicit" not in head else re.search(r"operator ([\w.]+)\(", head)[1]
    return f"{head} {{ {outs} {'' if result == 'void' else f'return default({result});'} }}"


kind, name = "", ""
for text in open(sys.argv[1], encoding="utf-8").read().splitlines():
    one = re.match(r"    \S.*?\b(class|struct|enum) (\w+)", text)
    if one:
        kind, name = one.groups()
    if text.startswith("        ") and kind != "enum" and not text.strip().startswith("//"):
        text = member(kind, name, text.strip())
    print(text)
    if text == "    {" and FIELDS.get(name):
        print(FIELDS[name])
