#!/usr/bin/env python3
"""usage: running.py STUBS.cs   prints the same signatures with the least that lets code run: properties keep what they are given, methods
do nothing and return nothing, and BODIES says what objects, components and clips do. It shows that our code runs to its end and what it
hands over; it is not Unity.
"""

import re
import sys

# By type: what the stub has beside Unity's members.
FIELDS = {
    "Object": "",
    "Component": "internal GameObject on;",
    "GameObject": "public readonly List<Component> parts = new List<Component>(); public readonly List<GameObject> below = new List<GameObject>(); "
                  "public GameObject above; Transform place; public bool isStatic;",
    "AnimationClip": "public readonly List<string[]> curves = new List<string[]>();",
    "Animation": "public readonly Dictionary<string, AnimationClip> clips = new Dictionary<string, AnimationClip>(); public readonly List<string> played = new List<string>();",
    "Material": "public readonly Dictionary<string, object> values = new Dictionary<string, object>();",
    "Mesh": "public int vertices;",
    "LODGroup": "public LOD[] lods;",
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
    "Material public void SetTexture(string name, Texture value)": "values[name] = value;",
    "Mesh public void SetVertices(List<Vector3> inVertices)": "vertices = inVertices.Count;",
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
