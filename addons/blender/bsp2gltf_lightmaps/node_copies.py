# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Copies of nodes that the importer built, with other textures. The importer's own nodes stay unchanged, for exporters."""

_OWN = {"name", "label", "parent", "location", "location_absolute", "select", "is_active_output", "show_preview", "width", "height", "color"}


def above(socket, kind: str):
    """The first node of a kind on which an output or a linked input depends, or None."""
    seen, nodes = set(), [socket.node] if socket.is_output else [link.from_node for link in socket.links]
    while nodes:
        node = nodes.pop(0)
        if node.bl_idname == kind:
            return node
        if node not in seen:
            seen.add(node)
            nodes += [link.from_node for i in node.inputs for link in i.links]
    return None


def copied(tree, output, replaced: dict):
    """A copy of an output in which some nodes' outputs are replaced: replaced holds, by node, the new outputs by name."""
    known: dict = {}

    def concerned(node) -> bool:
        if node not in known:
            known[node] = False
            known[node] = node in replaced or any(concerned(link.from_node) for i in node.inputs for link in i.links)
        return known[node]

    copies: dict = {}

    def of(socket):
        node = socket.node
        if node in replaced:
            return replaced[node].get(socket.name, socket)
        if not concerned(node):
            return socket
        if node not in copies:
            copies[node] = _copy(tree, node)
            for before, after in zip(node.inputs, copies[node].inputs):
                for link in before.links:
                    tree.links.new(of(link.from_socket), after)
        return next(a for b, a in zip(node.outputs, copies[node].outputs) if b == socket)

    return of(output)


def _copy(tree, node):
    """A node of the same kind with the same values, without links."""
    copy = tree.nodes.new(node.bl_idname)
    for row in node.bl_rna.properties:
        if not row.is_readonly and row.identifier not in _OWN and not row.identifier.startswith("bl_"):
            setattr(copy, row.identifier, getattr(node, row.identifier))
    copy.location = node.location.x, node.location.y - 900
    for before, after in zip(node.inputs, copy.inputs):
        if hasattr(before, "default_value") and before.type != "SHADER":
            after.default_value = before.default_value
    return copy
