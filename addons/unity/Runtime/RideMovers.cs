using UnityEngine;

namespace Bsp2Gltf
{
    /// <summary>
    /// On a player with a CharacterController: the lift or train that it stands on carries it. A Rigidbody needs no script for that, because
    /// movers are kinematic bodies that are animated in the physics step.
    /// </summary>
    [RequireComponent(typeof(CharacterController)), DefaultExecutionOrder(-100)] // before the script that moves the player
    public sealed class RideMovers : MonoBehaviour
    {
        CharacterController controller;
        Transform floor;
        Vector3 place; // of the player on the floor, at the end of the last frame

        void Awake()
        {
            controller = GetComponent<CharacterController>();
        }

        void OnControllerColliderHit(ControllerColliderHit hit)
        {
            if (hit.normal.y < 0.5f) return; // a wall
            var body = hit.rigidbody;
            floor = body != null && body.isKinematic ? body.transform : null;
        }

        void Update()
        {
            if (floor != null) controller.Move(floor.TransformPoint(place) - transform.position);
        }

        void LateUpdate()
        {
            if (!controller.isGrounded) floor = null;
            if (floor != null) place = floor.InverseTransformPoint(transform.position);
        }
    }
}
