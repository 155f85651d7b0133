"""Adds the documents that are outside docs/ to the site, and points links at the pages, or at the repository if the site does not have the file."""

import os
import posixpath
import re

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPOSITORY = "https://github.com/bsp2gltf/bsp2gltf"
MOVED = {"README.md": "index.md", "docs/README.md": "contents.md"}  # the repository's front page is the site's
OUTSIDE = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "addons/README.md") + tuple(
    f"addons/{name}/README.md" for name in ("babylon", "blender", "gltf-transform", "godot", "three", "unity"))
MOVED.update({name: "repository/" + name for name in OUTSIDE})
ORIGIN = {page: name for name, page in MOVED.items()}
# Names in the first column of tables break only after dots and underscores (on_page_content). On phones columns are narrow, so that
# explanations are on the screen.
CSS = """
.md-typeset td:first-child code { word-break: normal; overflow-wrap: normal }
@media (max-width: 45em) {
  .md-typeset table:not([class]) :is(td, th) { padding: .5em; min-width: 0 }
  .md-typeset table:not([class]) code { font-size: .8em; padding: 0 .1em }
}
"""
LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def on_files(files, config):
    files.remove(files.get_file_from_path("README.md"))
    for name, page in MOVED.items():
        files.append(File.generated(config, page, abs_src_path=os.path.join(ROOT, name)))
    for name in os.listdir(os.path.join(ROOT, "addons")):  # their pictures
        for folder, _, names in os.walk(os.path.join(ROOT, "addons", name)):
            if "node_modules" in folder:
                continue
            for file in names:
                if file.endswith((".jpg", ".png")):
                    path = os.path.join(folder, file)
                    files.append(File.generated(config, "repository/" + os.path.relpath(path, ROOT).replace(os.sep, "/"), abs_src_path=path))
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=os.path.join(ROOT, "release", "site", "iframe-worker.js")))
    files.append(File.generated(config, "assets/extra.css", content=CSS))
    return files


def on_post_page(output, page, config):
    """Search in files needs a script that the theme loads from elsewhere; the site has it."""
    up = posixpath.relpath("assets/iframe-worker.js", posixpath.dirname(page.file.dest_uri) or ".")
    return output.replace("https://unpkg.com/iframe-worker/shim", up)


def on_post_template(output_content, template_name, config):
    return output_content.replace("https://unpkg.com/iframe-worker/shim", "assets/iframe-worker.js")


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    origin = ORIGIN.get(here, "docs/" + here)

    def point(match):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[2]))
        target = MOVED.get(path, path[len("docs/"):] if path.startswith("docs/") else "repository/" + path)
        if files.get_file_from_path(target):
            return match[1] + posixpath.relpath(target, posixpath.dirname(here) or ".") + match[3]
        if os.path.exists(os.path.join(ROOT, path)):
            kind = "tree" if os.path.isdir(os.path.join(ROOT, path)) else "blob"
            return f"{match[1]}{REPOSITORY}/{kind}/main/{path}{match[3]}"
        return match[0]  # a broken link, which --strict reports

    return LINK.sub(point, markdown)


def on_page_content(html, page, config, files):
    return re.sub(r"(<td><code>)([^<]*)", lambda m: m[1] + re.sub(r"([._])", r"\1<wbr>", m[2]), html)
