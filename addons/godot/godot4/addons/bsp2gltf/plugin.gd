@tool
extends EditorPlugin
## Adds the baked light to Godot's own import of .glb and .gltf.

var _extension: GLTFDocumentExtension


func _enter_tree() -> void:
	_extension = preload("baked_light.gd").new()
	GLTFDocument.register_gltf_document_extension(_extension)


func _exit_tree() -> void:
	GLTFDocument.unregister_gltf_document_extension(_extension)
