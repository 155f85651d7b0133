@tool
extends RefCounted
## Extracts the images of a map that the editor imports, before Godot does. Godot would write images whose import settings compress them
## once they are used in 3D, which changes a map's light. Ours stay unchanged: lightmaps in MAP_lightmaps beside the map, all others in
## textures, which maps share. Used in the editor only.

## Settings of a lightmap in an image file of its own (.gltf): detect_3d/compress_to=0 keeps it lossless when it is used in 3D.
const LIGHTMAP := {"compress/mode": 0, "mipmaps/generate": false, "detect_3d/compress_to": 0, "process/fix_alpha_border": false}

const EXTRACT := 1  # GLTFState.HANDLE_BINARY_IMAGE_MODE_EXTRACT_TEXTURES
const BASIS_UNIVERSAL := 1  # value of the import setting bsp2gltf/textures


## Saves the images of a file that is being imported, and sets their paths in the file's JSON, where Godot finds them.
static func extract(state: GLTFState, options: Dictionary) -> void:
	var folder := state.base_path
	if state.get("handle_binary_image_mode") != EXTRACT or not folder.begins_with("res://"):
		return
	var names := {}
	for image: Dictionary in state.json.get("images", []):
		var lightmap := is_lightmap(image)
		if image.has("uri"):
			var path: String = folder.path_join(str(image.uri).uri_decode()).simplify_path()
			if lightmap and FileAccess.file_exists(path) and not _has_options(path, LIGHTMAP):
				ClassDB.instantiate("EditorImportPlugin").append_import_external_resource(path, LIGHTMAP)
			continue
		var bytes := _bytes(state, image)
		if bytes.is_empty():
			continue
		var own := "%s_lightmaps" % state.filename if lightmap else "textures"
		var name: String = str(image.get("name", "image")).get_file().get_basename().validate_filename()
		var mode := PortableCompressedTexture2D.COMPRESSION_MODE_LOSSLESS
		if not lightmap and options.get("bsp2gltf/textures", 0) == BASIS_UNIVERSAL:
			mode = PortableCompressedTexture2D.COMPRESSION_MODE_BASIS_UNIVERSAL
		var source := "%s %d" % [_md5(bytes), mode]
		var file := _free_name(folder.path_join(own), name, source, names, lightmap)
		if _source(folder.path_join(own).path_join(file)) != source:
			var texture := _texture(bytes, image.get("mimeType", ""), mode, not lightmap)
			if texture == null:
				continue
			texture.set_meta("source", source)
			DirAccess.make_dir_recursive_absolute(folder.path_join(own))
			var error := ResourceSaver.save(texture, folder.path_join(own).path_join(file))
			if error != OK:
				push_warning("bsp2gltf: %s can't be written (%s): the image stays in the scene" % [folder.path_join(own).path_join(file), error_string(error)])
				continue
			texture.take_over_path(folder.path_join(own).path_join(file))
			_register(folder.path_join(own).path_join(file))
		image.erase("bufferView")
		image["uri"] = own.uri_encode() + "/" + file.uri_encode()


## Reports whether an image of the file is a lightmap, whose values must not change.
static func is_lightmap(image: Dictionary) -> bool:
	return str(image.get("extras", {}).get("bsp2gltf", "")).begins_with("light")


## A free name for an image's file in a folder. A different image of the same name, from another map, is kept: the new one gets another
## name. Lightmaps of the same map are replaced.
static func _free_name(folder: String, name: String, source: String, names: Dictionary, replace: bool) -> String:
	var file := name + ".res"
	if replace:
		var number := 1
		while names.has(file):
			file = "%s_%d.res" % [name, number]
			number += 1
	elif names.get(file, source) != source or _source(folder.path_join(file)) not in ["", source]:
		file = "%s-%s.res" % [name, source.left(8)]
	names[file] = source
	return file


## What a texture was made from: "?" if it is not one of ours, "" if there is none.
static func _source(path: String) -> String:
	if not FileAccess.file_exists(path):
		return ""
	var texture := load(path) as Texture2D
	return texture.get_meta("source", "?") if texture != null else "?"


## The texture of an encoded image. Grey images become RGB: Forward+ and Mobile take grey texels as linear, and would show them too
## bright.
static func _texture(bytes: PackedByteArray, mime: String, mode: PortableCompressedTexture2D.CompressionMode, mipmaps: bool) -> Texture2D:
	var image := Image.new()
	var error := image.load_jpg_from_buffer(bytes) if mime == "image/jpeg" else image.load_webp_from_buffer(bytes) if mime == "image/webp" \
		else image.load_png_from_buffer(bytes)
	if error != OK or image.is_empty():
		return null
	if image.get_format() in [Image.FORMAT_L8, Image.FORMAT_LA8]:
		image.convert(Image.FORMAT_RGB8 if image.get_format() == Image.FORMAT_L8 else Image.FORMAT_RGBA8)
	if mipmaps:
		image.generate_mipmaps()
	var texture := PortableCompressedTexture2D.new()
	texture.keep_compressed_buffer = true
	texture.create_from_image(image, mode)
	return texture


## Registers the UID of a new file, because Godot scans for new files only after the import.
static func _register(path: String) -> void:
	var id := ResourceLoader.get_resource_uid(path)
	if id != ResourceUID.INVALID_ID and not ResourceUID.has_id(id):
		ResourceUID.add_id(id, path)


static func _has_options(path: String, options: Dictionary) -> bool:
	var config := ConfigFile.new()
	config.load(path + ".import")
	return options.keys().all(func(key: String) -> bool: return config.get_value("params", key, null) == options[key])


static func _bytes(state: GLTFState, image: Dictionary) -> PackedByteArray:
	var views: Array = state.json.get("bufferViews", [])
	var index := int(image.get("bufferView", -1))
	if index < 0 or index >= views.size() or int(views[index].get("buffer", 0)) != 0:
		return PackedByteArray()
	var at := int(views[index].get("byteOffset", 0))
	return state.glb_data.slice(at, at + int(views[index].byteLength))


static func _md5(bytes: PackedByteArray) -> String:
	var context := HashingContext.new()
	context.start(HashingContext.HASH_MD5)
	context.update(bytes)
	return context.finish().hex_encode()
