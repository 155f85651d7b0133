extends Node3D
# The scene that mapping.tres places where players start.

@export var angle := 0.0
