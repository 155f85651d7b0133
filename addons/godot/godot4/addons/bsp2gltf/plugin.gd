@tool
extends EditorPlugin
## Adds the baked light to Godot's own import of .glb and .gltf.

var _extension: GLTFDocumentExtension
var _settings: EditorScenePostImportPlugin


func _enter_tree() -> void:
	_extension = preload("baked_light.gd").new()
	GLTFDocument.register_gltf_document_extension(_extension)
	_settings = preload("import_settings.gd").new()
	add_scene_post_import_plugin(_settings)


func _exit_tree() -> void:
	GLTFDocument.unregister_gltf_document_extension(_extension)
	remove_scene_post_import_plugin(_settings)
