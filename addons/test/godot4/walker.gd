extends CharacterBody3D
# A player for tests: a capsule in the players' layer that walks as told and can be hurt.

const LAYERS := {"world": 1, "players": 2, "movers": 4, "clips": 8, "triggers": 16}
var wanted := Vector3.ZERO
var health := 100.0


func _init() -> void:
	var shape := CollisionShape3D.new()
	shape.shape = CapsuleShape3D.new()
	shape.shape.radius = 0.4
	shape.shape.height = 1.6
	shape.position.y = 0.8
	add_child(shape)
	collision_layer = LAYERS.players
	collision_mask = LAYERS.world | LAYERS.movers | LAYERS.clips


func _physics_process(delta: float) -> void:
	velocity = Vector3(wanted.x, velocity.y - 9.8 * delta, wanted.z)
	move_and_slide()


func hurt(damage: float) -> void:
	health -= damage
