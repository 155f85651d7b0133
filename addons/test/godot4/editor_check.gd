extends SceneTree
# usage: godot --headless --path PROJECT -s editor_check.gd -- NAME...     after the editor has shown res://NAME.glb in a window
#
# The light must be as in the file: no texture is compressed with loss, no lightmap has mipmaps, and there are no stray images.


func _initialize() -> void:
	var failures := 0
	for name in OS.get_cmdline_user_args():
		var scene: Node = load("res://%s.glb" % name).instantiate()
		var lightmaps := {}
		var textures := {}
		for node: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
			for surface in node.mesh.get_surface_count():
				var material := node.mesh.surface_get_material(surface) as ShaderMaterial
				if material != null:
					for parameter in ["baked_map", "base_map", "emission_map"]:
						var texture: Texture2D = material.get_shader_parameter(parameter)
						if texture != null:
							(lightmaps if parameter == "baked_map" else textures)[texture] = texture.get_image()
		var exact: bool = (lightmaps.values() + textures.values()).all(func(i: Image) -> bool: return not i.is_compressed())
		var flat: bool = lightmaps.values().all(func(i: Image) -> bool: return not i.has_mipmaps())
		var loose := Array(DirAccess.get_files_at("res://")).filter(func(f: String) -> bool: return f.get_extension() in ["png", "jpg"] and f.begins_with(name + "_"))
		var good: bool = not lightmaps.is_empty() and exact and flat and loose.is_empty()
		print("ok " if good else "FAIL ", "%s, after the editor has shown it: %d lightmaps and %d textures are lossless: %s; loose pictures: %d" % [name, lightmaps.size(), textures.size(), exact and flat, loose.size()])
		failures += 0 if good else 1
		scene.free()
	quit(1 if failures > 0 else 0)
