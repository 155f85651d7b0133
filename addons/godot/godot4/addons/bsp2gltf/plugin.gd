@tool
extends EditorPlugin
## Adds baked light to Godot's import of .glb and .gltf, and imports maps (.bsp) by the bsp2gltf program.

var _extension: GLTFDocumentExtension
var _settings: EditorScenePostImportPlugin
var _maps: EditorSceneFormatImporter


func _enter_tree() -> void:
	_extension = preload("baked_light.gd").new()
	GLTFDocument.register_gltf_document_extension(_extension)
	_settings = preload("import_settings.gd").new()
	add_scene_post_import_plugin(_settings)
	_maps = preload("bsp_importer.gd").new()
	_maps.declare_settings()
	add_scene_format_importer_plugin(_maps)


func _exit_tree() -> void:
	GLTFDocument.unregister_gltf_document_extension(_extension)
	remove_scene_post_import_plugin(_settings)
	remove_scene_format_importer_plugin(_maps)
