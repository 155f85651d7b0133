# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Shows the report of a conversion: in a text block of Blender, and as one line."""

import json

import bpy

MOST = 400  # issues and textures that are listed


def read(path: str) -> dict:
    """The report, or an empty one if none was written."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError):
        return {}
    return report if isinstance(report, dict) else {}


def line(name: str, report: dict, error: str = "") -> str:
    """The summary of a map on one line."""
    if error:
        return f"{name}: {error}"
    missing = len(report.get("materials", {}).get("missing", []))
    issues = sum(report.get("issueCounts", {}).values())
    parts = [f"{report.get('output', {}).get('triangles', 0):,} triangles"]
    parts += [f"{missing} of {report['materials']['total']} materials not found"] if missing else []
    parts += [f"{issues} issue{'s' if issues > 1 else ''}"] if issues else []
    return f"{name}: " + ", ".join(parts)


def text(name: str, report: dict, error: str = "") -> str:
    """The report as text for users."""
    found = [line(name, report, error), ""]
    source, made = report.get("input", {}), report.get("output", {})
    if source:
        form = source.get("format", {})
        found += [f"Map        {source.get('file', '')}",
                  f"Format     {form.get('ident', '')} {form.get('version', '')}, {form.get('game') or form.get('family', '')}"]
    for key in ("vertices", "materials", "images", "nodes", "lights", "cameras"):
        if made.get(key):
            found.append(f"{key.capitalize():10} {made[key]:,}")
    if report.get("mounts"):
        found += ["", "Looked for textures and models in"] + [f"  {m}" for m in report["mounts"]]
    missing = report.get("materials", {}).get("missing", [])
    if missing:
        found += ["", f"Not found ({len(missing)} of {report['materials'].get('total', 0)} materials). Choose the game's folder "
                  "under Game when you import."]
        found += [f"  {m.get('material', '')}" + (f"  ({m['hint']})" if m.get("hint") else "") for m in missing[:MOST]]
    if report.get("issueCounts"):
        found += ["", "Issues (docs/reference/report.md says what each means)"]
        found += [f"  {count:6} {code}" for code, count in sorted(report["issueCounts"].items())]
        found += [""] + [f"  {i.get('code', '')}: {i.get('where', '')}: {i.get('detail', '')}" for i in report.get("issues", [])[:MOST]]
    return "\n".join(found) + "\n"


def keep(name: str, content: str):
    """Puts the report into a text block, replacing that of an earlier import of the same map."""
    title = f"bsp2gltf {name}"
    block = bpy.data.texts.get(title) or bpy.data.texts.new(title)
    block.clear()
    block.write(content)
    block.cursor_set(0) if hasattr(block, "cursor_set") else None
    return block
