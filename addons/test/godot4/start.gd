extends Node3D
# What mapping.tres puts where players start.

@export var angle := 0.0
