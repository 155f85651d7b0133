@tool
extends LightmapGI
## Light probes of a map, made by probes.gd. Godot gets them when the node enters the scene, because an editor without a window does not
## save those of a LightmapGIData.

## The value for LightmapGIData.probe_data.
@export_storage var probes: Dictionary


func _enter_tree() -> void:
	if light_data == null and not probes.is_empty():
		var data := LightmapGIData.new()
		data.set("probe_data", probes)
		light_data = data


func _validate_property(property: Dictionary) -> void:
	if property.name == "light_data":
		property.usage &= ~PROPERTY_USAGE_STORAGE
