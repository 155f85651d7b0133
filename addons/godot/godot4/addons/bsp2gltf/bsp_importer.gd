@tool
extends EditorSceneFormatImporter
## Imports a game's map (.bsp) as a scene: runs bsp2gltf and gives the .glb to Godot's own importer.
##
## The program is in the environment variable BSP2GLTF, else in the editor setting bsp2gltf/program, else "bsp2gltf" in PATH. Games are
## in the editor setting bsp2gltf/games, as folders and archives, and in a map's own import settings.

const PROGRAM := "bsp2gltf/program"
const GAMES := "bsp2gltf/games"
const FOLDER := "res://.godot/imported/bsp2gltf"


## Adds the editor's settings.
static func declare_settings() -> void:
	var settings: EditorSettings = EditorInterface.get_editor_settings()
	for setting: Array in [[PROGRAM, "", PROPERTY_HINT_GLOBAL_FILE], [GAMES, PackedStringArray(), PROPERTY_HINT_NONE]]:
		if not settings.has_setting(setting[0]):
			settings.set_setting(setting[0], setting[1])
		settings.set_initial_value(setting[0], setting[1], false)
		settings.add_property_info({"name": setting[0], "type": typeof(setting[1]), "hint": setting[2]})


func _get_extensions() -> PackedStringArray:
	return PackedStringArray(["bsp"])


func _get_import_options(path: String) -> void:
	if path.get_extension() in ["bsp", ""]:
		add_import_option_advanced(TYPE_STRING, "bsp2gltf/game", "", PROPERTY_HINT_GLOBAL_DIR)
		add_import_option_advanced(TYPE_PACKED_STRING_ARRAY, "bsp2gltf/arguments", PackedStringArray())


func _import_scene(path: String, flags: int, options: Dictionary) -> Object:
	var folder := ProjectSettings.globalize_path(FOLDER.path_join(path.md5_text()))
	DirAccess.make_dir_recursive_absolute(folder)
	var made := folder.path_join(path.get_file().get_basename() + ".glb")
	var arguments := PackedStringArray(["-q", "--preset", "godot", "--set", "geometry.collision=brushes"])
	var games: PackedStringArray = EditorInterface.get_editor_settings().get_setting(GAMES)
	if options.get("bsp2gltf/game", "") != "":
		games = PackedStringArray([options["bsp2gltf/game"]]) + games
	for game in games:
		arguments.append_array(["--game", ProjectSettings.globalize_path(game)])
	arguments.append_array(options.get("bsp2gltf/arguments", PackedStringArray()))
	arguments.append_array([ProjectSettings.globalize_path(path), made])
	var said := []
	var code := OS.execute(_program(), arguments, said, true)
	if code != 0:
		var why := "".join(said).strip_edges()
		if code < 0 or code == 127:
			why = "the program %s can't be started: set the editor setting %s, or add it to PATH" % [_program(), PROGRAM]
		push_error("bsp2gltf: %s: %s" % [path, why])
		return null
	var state := GLTFState.new()
	state.set_meta("bsp2gltf_options", options)
	state.set_meta("bsp2gltf_folder", folder)
	var document := GLTFDocument.new()
	var error := document.append_from_file(made, state, flags, path.get_base_dir())
	if error != OK:
		push_error("bsp2gltf: %s: Godot can't read the .glb of it: %s" % [path, error_string(error)])
		return null
	return document.generate_scene(state, options.get("animation/fps", 30.0), options.get("animation/trimming", false),
		options.get("animation/remove_immutable_tracks", true))


func _program() -> String:
	var named := OS.get_environment("BSP2GLTF")
	if named == "":
		named = EditorInterface.get_editor_settings().get_setting(PROGRAM)
	return named if named != "" else "bsp2gltf"
